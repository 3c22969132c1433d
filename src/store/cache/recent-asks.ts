/**
 * What was asked of one partition lately. When its rows have changed, a function asks for much the same again, one thing after the other: with the
 * record all of it is asked for at once.
 */
import type { KnownRows } from './known-rows.js'

/** From `from` on, up to but without `to`; the first rows, or with `reverse` the last ones. */
export interface RangeAsk {
  from: string
  to: string
  limit: number
  reverse: boolean
}

/** Keys as `latin1` strings; ranges by their names (`rangeName`). */
export interface Asks {
  keys: readonly string[]
  ranges: readonly RangeAsk[]
}

/** Some functions ask for 15 keys. Each message has a few of its own, which nobody asks for again. */
const MAX_KEYS = 32
const MAX_RANGES = 8
/** A longer key, or one end of a range, is not recorded. */
const MAX_KEY_BYTES = 256
/** What is asked for ahead had no more when it was last answered: one answer, and all of them. */
const MAX_ANSWER_BYTES = 8 * 1024
const MAX_AHEAD_BYTES = 32 * 1024
/** An ask that came ahead so often, and was not used, is dropped. */
const MAX_UNUSED = 2
/** Estimated overhead of an ask. */
const ASK_BYTES = 80

interface Recorded {
  /** Of the last answer. */
  answerBytes: number
  /** Times that it came ahead since it was asked. */
  unused: number
}

export class RecentAsks {
  /** The most recent ask is last. */
  readonly #keys = new Map<string, Recorded>()
  /** By name; the most recent one is last. */
  readonly #ranges = new Map<string, RangeAsk & Recorded>()
  #bytes = 0

  /** Approximate size. */
  get bytes(): number {
    return this.#bytes
  }

  /** @param value null if there is no such row */
  addKey(key: string, value: Uint8Array | null): void {
    const answerBytes = value?.length ?? 0
    if (this.#keys.delete(key)) this.#bytes -= sizeOfKey(key)
    if (key.length > MAX_KEY_BYTES || answerBytes > MAX_ANSWER_BYTES) return
    this.#keys.set(key, { answerBytes, unused: 0 })
    this.#bytes += sizeOfKey(key)
    const [oldest = ''] = this.#keys.keys()
    if (this.#keys.size > MAX_KEYS && this.#keys.delete(oldest)) this.#bytes -= sizeOfKey(oldest)
  }

  addRange(ask: RangeAsk, rows: readonly (readonly [key: string | Uint8Array, value: Uint8Array])[]): void {
    const name = rangeName(ask)
    const answerBytes = rows.reduce((sum, [key, value]) => sum + key.length + value.length, 0)
    if (this.#ranges.delete(name)) this.#bytes -= sizeOfRange(ask)
    if (ask.from.length > MAX_KEY_BYTES || ask.to.length > MAX_KEY_BYTES || answerBytes > MAX_ANSWER_BYTES) return
    this.#ranges.set(name, { ...ask, answerBytes, unused: 0 })
    this.#bytes += sizeOfRange(ask)
    const [oldest] = this.#ranges
    if (this.#ranges.size > MAX_RANGES && oldest && this.#ranges.delete(oldest[0]))
      this.#bytes -= sizeOfRange(oldest[1])
  }

  /** What was asked lately and is not known; of more than `MAX_AHEAD_BYTES` the most recent. Counts as unused until it is asked again. */
  ahead(rows: KnownRows | undefined): Asks {
    let left = MAX_AHEAD_BYTES
    const fits = (asked: Recorded): boolean => (left -= asked.answerBytes) >= 0
    const keys = [...this.#keys].reverse().filter(([key, asked]) => rows?.get(key) === undefined && fits(asked))
    const ranges = [...this.#ranges]
      .reverse()
      .filter(([, asked]) => !rows?.range(asked.from, asked.to, asked.limit, asked.reverse) && fits(asked))
    for (const [key, asked] of keys)
      if (++asked.unused === MAX_UNUSED && this.#keys.delete(key)) this.#bytes -= sizeOfKey(key)
    for (const [name, asked] of ranges)
      if (++asked.unused === MAX_UNUSED && this.#ranges.delete(name)) this.#bytes -= sizeOfRange(asked)
    return { keys: keys.map(([key]) => key), ranges: ranges.map(([, ask]) => ask) }
  }
}

export function rangeName({ from, to, limit, reverse }: RangeAsk): string {
  return `${limit} ${reverse} ${from.length} ${from}${to}`
}

const sizeOfKey = (key: string): number => key.length + ASK_BYTES
// Its name has both ends once more.
const sizeOfRange = ({ from, to }: RangeAsk): number => 2 * (from.length + to.length + ASK_BYTES)
