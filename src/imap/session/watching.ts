/**
 * Tells a client of changes that it did not ask for: within IDLE all, and after NOTIFY those that were agreed on. A session that waits has this object and its entry
 * among those of its mailbox (mailbox/folders/watch.ts); nothing of a command is kept for it.
 */
import type { FolderWatcher } from '../../mailbox/folders/watch.js'
import { catchUp, type News } from './catch-up.js'
import type { ImapSession } from './session.js'

export class Watching implements FolderWatcher {
  #isDue = false
  #isOver = false

  /** @param failed takes what fails; without it that ends the connection */
  constructor(
    private readonly session: ImapSession,
    private readonly news: News,
    private readonly failed?: (error: unknown) => Promise<void>,
  ) {
    // Nobody ends it where the session has ended.
    if (session.wire.isClosed) this.#isOver = true
    else session.parts.folders.watch(session.mustUser().mailboxId, this)
  }

  /** What comes until the client is told is told together. */
  changed(): void {
    if (this.#isDue || this.#isOver) return
    this.#isDue = true
    this.session.wire.beside(
      this.session.inTurn(() => {
        this.#isDue = false
        return this.tell()
      }),
    )
  }

  /** Within a turn of the session. */
  async tell(): Promise<void> {
    if (this.#isOver) return
    try {
      await catchUp(this.session, this.news)
    } catch (error) {
      if (!this.failed) throw error
      await this.failed(error)
    }
  }

  end(): void {
    this.#isOver = true
    this.session.parts.folders.unwatch(this.session.mustUser().mailboxId, this)
  }
}
