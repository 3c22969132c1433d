/**
 * A record of what was asked of one partition lately. After the partition has changed, functions ask for mostly the same again, one thing after the other.
 * With the record all of that is read at once, ahead of the asks.
 */
import type { KnownRows } from './known-rows.js'

/** Rows with keys from `from` up to `to`, without `to` itself: the first `limit` ones, or the last ones with `reverse`. */
export interface RangeAsk {
  from: string
  to: string
  limit: number
  reverse: boolean
}

/** Keys are `latin1` strings. */
export interface Asks {
  keys: readonly string[]
  ranges: readonly RangeAsk[]
}

/** Some functions ask for 15 keys. Besides, each message has a few keys of its own, which nobody asks for again. */
const MAX_KEYS = 32
const MAX_RANGES = 8
/** Asks for a longer key, and for a range with a longer bound, are not recorded. */
const MAX_KEY_BYTES = 256
/** An ask whose last answer was larger is not recorded. */
const MAX_ANSWER_BYTES = 8 * 1024
/** Max size of the last answers to all that is read ahead at once. */
const MAX_AHEAD_BYTES = 32 * 1024
/** An ask that was answered ahead so many times, without being asked in between, is dropped. */
const MAX_UNUSED = 2
/** Estimated overhead of an ask. */
const ASK_BYTES = 80

interface Recorded {
  /** Size of the last answer. */
  answerBytes: number
  /** How many times it was answered ahead since it was last asked. */
  unused: number
}

export class RecentAsks {
  /** By key, in the order of the asks: the most recent one is last. */
  readonly #keys = new Map<string, Recorded>()
  /** By name, in the order of the asks: the most recent one is last. */
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

  /** The recorded asks whose answers are not among `rows`, the most recent ones up to `MAX_AHEAD_BYTES`. Each counts as unused until it is asked again. */
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
// The name of a range contains both bounds once more.
const sizeOfRange = ({ from, to }: RangeAsk): number => 2 * (from.length + to.length + ASK_BYTES)
