/**
 * A page of a folder: what mail programs ask of many messages at once, for the UIDs of one stretch. 40 bytes a message, big-endian, by UID:
 *
 * uid (4), size in bytes (4), internal date in seconds since the epoch (4), flags (4), keywords (8), place (8), modseq (8)
 *
 * A place and a modseq are numbers of events. Pages are immutable: a change makes a new one, so that views share those that stay (view.ts).
 */

/** UIDs of a page: `n * PAGE_UIDS` to `n * PAGE_UIDS + PAGE_UIDS - 1`. */
export const PAGE_UIDS = 128
const ENTRY_BYTES = 40
const MAX_UINT32 = 0xffff_ffff

export interface Entry {
  uid: number
  /** Bytes of the raw message. */
  size: number
  /** Seconds since the epoch. */
  date: number
  /** Bits of flags.ts. */
  flags: number
  /** Bits of the mailbox's table of keywords: 0 to 31, and 32 to 63. */
  keywords: readonly [number, number]
  /** Place of the message; 0 for a draft. */
  place: number
  /** Number of the last event that changed it here. */
  modseq: number
}

export const pageOf = (uid: number): number => Math.floor(uid / PAGE_UIDS)

/** Reads the row of a page. */
export class Page {
  // Not a Buffer: its reading of numbers takes several times as long.
  readonly #row: DataView
  readonly count: number
  #newest: number | undefined

  constructor(row: Uint8Array) {
    this.#row = new DataView(row.buffer, row.byteOffset, row.byteLength)
    this.count = Math.floor(row.byteLength / ENTRY_BYTES)
  }

  uid(at: number): number {
    return this.#row.getUint32(at * ENTRY_BYTES)
  }

  size(at: number): number {
    return this.#row.getUint32(at * ENTRY_BYTES + 4)
  }

  date(at: number): number {
    return this.#row.getUint32(at * ENTRY_BYTES + 8)
  }

  flags(at: number): number {
    return this.#row.getUint32(at * ENTRY_BYTES + 12)
  }

  keywords(at: number, word: 0 | 1): number {
    return this.#row.getUint32(at * ENTRY_BYTES + 16 + 4 * word)
  }

  place(at: number): number {
    return this.#row.getFloat64(at * ENTRY_BYTES + 24)
  }

  modseq(at: number): number {
    return this.#row.getFloat64(at * ENTRY_BYTES + 32)
  }

  entry(at: number): Entry {
    return {
      uid: this.uid(at),
      size: this.size(at),
      date: this.date(at),
      flags: this.flags(at),
      keywords: [this.keywords(at, 0), this.keywords(at, 1)],
      place: this.place(at),
      modseq: this.modseq(at),
    }
  }

  /** Index of the first entry of this UID or a later one. */
  find(uid: number): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.uid(middle) < uid) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The highest modseq. */
  get newest(): number {
    if (this.#newest !== undefined) return this.#newest
    let newest = 0
    for (let at = 0; at < this.count; at++) newest = Math.max(newest, this.modseq(at))
    this.#newest = newest
    return newest
  }

  entries(): Entry[] {
    return Array.from({ length: this.count }, (_, at) => this.entry(at))
  }

  get bytes(): number {
    return this.#row.byteLength
  }
}

/** The row of a page. @param entries by UID */
export function packPage(entries: readonly Entry[]): Uint8Array {
  const row = Buffer.allocUnsafe(entries.length * ENTRY_BYTES)
  for (const [i, { uid, size, date, flags, keywords, place, modseq }] of entries.entries()) {
    const at = i * ENTRY_BYTES
    row.writeUInt32BE(uid, at)
    row.writeUInt32BE(Math.min(size, MAX_UINT32), at + 4)
    row.writeUInt32BE(Math.min(Math.max(date, 0), MAX_UINT32), at + 8)
    row.writeUInt32BE(flags, at + 12)
    row.writeUInt32BE(keywords[0], at + 16)
    row.writeUInt32BE(keywords[1], at + 20)
    row.writeDoubleBE(place, at + 24)
    row.writeDoubleBE(modseq, at + 32)
  }
  return row
}
