/**
 * Bodies of the newest messages: index and relay run right after the commit and would decode what was just encoded. Bodies are immutable, so entries stay
 * valid.
 */
import type { MessageContent } from './message.js'

export interface RecentBody {
  content: MessageContent
  /** Missing if it is in reused memory, or in a blob. */
  raw?: Buffer | undefined
  /** Index words, one a line, if they were computed with the message. */
  words?: string | undefined
}

/** Texts and raw messages together; overhead is about as much again. */
const MAX_BYTES = 4 * 1024 * 1024

export class RecentBodies {
  readonly #bodies = new Map<string, RecentBody>()
  #bytes = 0

  add(mailboxId: string, seq: number, body: RecentBody): void {
    const bytes = weightOf(body)
    if (bytes > MAX_BYTES / 4) return
    this.#bodies.set(nameOf(mailboxId, seq), body)
    this.#bytes += bytes
    for (const [name, oldest] of this.#bodies) {
      if (this.#bytes <= MAX_BYTES) return
      this.#bodies.delete(name)
      this.#bytes -= weightOf(oldest)
    }
  }

  get(mailboxId: string, seq: number): RecentBody | undefined {
    return this.#bodies.get(nameOf(mailboxId, seq))
  }
}

const nameOf = (mailboxId: string, seq: number): string => `${mailboxId} ${seq}`

const weightOf = ({ content, raw, words }: RecentBody): number =>
  content.text.length + (content.html?.length ?? 0) + (raw?.length ?? 0) + (words?.length ?? 0) + 1024
