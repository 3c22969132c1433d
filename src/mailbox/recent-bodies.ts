/**
 * Of the newest messages what index and relay need next: they run soon after the commit and would decode what was just encoded. It is immutable, so
 * entries stay valid. Under load the index is two seconds behind, so that mail in, of which only the words are needed, is remembered without its text.
 */
import type { MessageContent } from './message.js'

export interface RecentBody {
  /** Time of the message, milliseconds since the epoch. */
  createdAt: number
  /** Missing if nobody needs it beside the words. */
  content?: MessageContent | undefined
  /** Missing if it is in reused memory, or in a blob. */
  raw?: Buffer | undefined
  /** Index words, one a line, if they were computed with the message. */
  words?: string | undefined
}

/** Texts, raw messages and words together; overhead is about as much again. */
const MAX_BYTES = 4 * 1024 * 1024
/** Estimates: of a content without its texts, and of an entry and its name. */
const BYTES_BESIDE_TEXT = 1024
const BYTES_OF_ENTRY = 128

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
  (content ? content.text.length + (content.html?.length ?? 0) + BYTES_BESIDE_TEXT : 0) +
  (raw?.length ?? 0) +
  (words?.length ?? 0) +
  BYTES_OF_ENTRY
