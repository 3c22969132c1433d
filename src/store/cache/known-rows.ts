/**
 * What is known of the rows of one partition at one version: some rows, and ranges of keys of which all rows are known. Keys are written as
 * `latin1` strings, which sort as their octets do.
 */

/** A larger value is not kept: it is rarely read twice. */
const MAX_VALUE_BYTES = 16 * 1024
/** Estimated overhead of a row. */
const ROW_BYTES = 100

/** From `from` on, up to but without `to`. */
interface Span {
  from: string
  to: string
}

export type Row = [key: string, value: Uint8Array]

export class KnownRows {
  readonly #values = new Map<string, Uint8Array>()
  /** Keys of the rows, in order. */
  readonly #keys: string[] = []
  /** In order, neither overlapping nor touching. */
  #spans: Span[] = []
  #bytes = 0

  #version: bigint

  constructor(version: bigint) {
    this.#version = version
    // Without a version there are no rows.
    if (version === 0n) this.#spans = [{ from: '', to: '\u0100' }]
  }

  get version(): bigint {
    return this.#version
  }

  /** Approximate size. */
  get bytes(): number {
    return this.#bytes + this.#spans.length * ROW_BYTES
  }

  /** @returns the value; null if there is no such row; undefined if that is not known */
  get(key: string): Uint8Array | null | undefined {
    return this.#values.get(key) ?? (this.#spanAt(key) ? null : undefined)
  }

  /** @returns the first rows from `gte` on, or with `reverse` the last ones before `lt`; undefined if they are not known */
  range(gte: string, lt: string, limit: number, reverse: boolean): Row[] | undefined {
    return reverse ? this.#lastOf(gte, lt, limit) : this.#firstOf(gte, lt, limit)
  }

  /** A row that was read; null for one that is not there. */
  learn(key: string, value: Uint8Array | null): void {
    if (value !== null && value.length > MAX_VALUE_BYTES) return this.#forget(key)
    if (value === null) this.#cover(key, after(key))
    this.#set(key, value)
  }

  /** The result of a range. */
  learnRange(gte: string, lt: string, limit: number, reverse: boolean, rows: readonly Row[]): void {
    const last = rows.at(-1)
    const isAll = rows.length < limit || !last
    this.#cover(!isAll && reverse ? last[0] : gte, !isAll && !reverse ? after(last[0]) : lt)
    for (const [key, value] of rows) {
      if (value.length > MAX_VALUE_BYTES) this.#forget(key)
      else this.#set(key, value)
    }
  }

  /** The partition was changed by these alone. */
  moveOn(version: bigint, changes: readonly (readonly [key: string, value: Uint8Array | null])[]): void {
    this.#version = version
    for (const [key, value] of changes) this.learn(key, value)
  }

  #firstOf(gte: string, lt: string, limit: number): Row[] | undefined {
    const span = this.#spanAt(gte)
    if (!span) return undefined
    const end = span.to < lt ? span.to : lt
    const rows: Row[] = []
    for (let i = this.#placeOf(gte); i < this.#keys.length && rows.length < limit; i++) {
      const key = this.#keys[i] ?? ''
      if (key >= end) break
      rows.push([key, this.#values.get(key) ?? EMPTY])
    }
    return rows.length === limit || span.to >= lt ? rows : undefined
  }

  #lastOf(gte: string, lt: string, limit: number): Row[] | undefined {
    const span = this.#spans[firstNot(this.#spans, ({ to }) => to < lt)]
    if (!span || span.from >= lt) return undefined
    const begin = span.from > gte ? span.from : gte
    const rows: Row[] = []
    for (let i = this.#placeOf(lt) - 1; i >= 0 && rows.length < limit; i--) {
      const key = this.#keys[i] ?? ''
      if (key < begin) break
      rows.push([key, this.#values.get(key) ?? EMPTY])
    }
    return rows.length === limit || span.from <= gte ? rows : undefined
  }

  #set(key: string, value: Uint8Array | null): void {
    const old = this.#values.get(key)
    if (old) this.#bytes -= key.length + old.length + ROW_BYTES
    if (value === null) {
      if (this.#values.delete(key)) this.#keys.splice(this.#placeOf(key), 1)
      return
    }
    if (!old) this.#keys.splice(this.#placeOf(key), 0, key)
    this.#values.set(key, value)
    this.#bytes += key.length + value.length + ROW_BYTES
  }

  #forget(key: string): void {
    this.#set(key, null)
    const span = this.#spanAt(key)
    if (!span) return
    const parts = [
      { from: span.from, to: key },
      { from: after(key), to: span.to },
    ]
    this.#spans.splice(this.#spans.indexOf(span), 1, ...parts.filter(({ from, to }) => from < to))
  }

  #cover(from: string, to: string): void {
    if (from >= to) return
    // Those that overlap or touch it become one with it.
    const first = firstNot(this.#spans, (span) => span.to < from)
    let end = first
    const joined = { from, to }
    for (let span = this.#spans[end]; span && span.from <= to; span = this.#spans[++end]) {
      if (span.from < joined.from) joined.from = span.from
      if (span.to > joined.to) joined.to = span.to
    }
    this.#spans.splice(first, end - first, joined)
  }

  #spanAt(key: string): Span | undefined {
    const span = this.#spans[firstNot(this.#spans, ({ to }) => to <= key)]
    return span && span.from <= key ? span : undefined
  }

  /** Index of the first key that is not before `key`. */
  #placeOf(key: string): number {
    return firstNot(this.#keys, (each) => each < key)
  }
}

/** Index of the first for which `isBefore` is false; it is true for all before that one. */
function firstNot<T>(sorted: readonly T[], isBefore: (each: T) => boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const each = sorted[middle]
    if (each !== undefined && isBefore(each)) low = middle + 1
    else high = middle
  }
  return low
}

const EMPTY = new Uint8Array()

/** The next possible key. */
function after(key: string): string {
  return `${key}\0`
}
