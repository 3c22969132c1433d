/**
 * The lists of a mailbox: `all`, `unread`, `label:<label>` and `status:<status>`, each of threads, by the place of their last message, and of messages, by
 * their own. A list is a set of places, kept as bits: one row for each stretch of places in which it has any. So entering a message moves a bit in few
 * small rows, and a list of few among many is read without passing the others.
 */
import { asBuffer, keyParts } from '../store/keys.js'
import type { Transaction, View } from '../store/types.js'
import { listKey, listRange } from './keys.js'
import type { MessageState } from './message.js'

/** Places of one row. */
export const STRETCH = 512
/** Rows read at once. */
const STEP = 8

/** What stands in a list: its threads and its messages are two sets. */
export type Listed = 'thread' | 'message'

/** Something that stands at a place, in some lists. */
export interface Standing {
  seq: number
  names: readonly string[]
}

export const ALL_LIST = 'all'
export const UNREAD_LIST = 'unread'
export const labelList = (label: string): string => `label:${label}`
export const statusList = (status: MessageState['status']): string => `status:${status}`

/**
 * The lists in which a message stands; none when it is in the trash. `received` is all mail that came in, and `delivered` most of what went out: these
 * two have no lists.
 */
export function listsOf({ labels, unread, status, trashed }: MessageState): string[] {
  if (trashed) return []
  return [
    ALL_LIST,
    ...labels.map(labelList),
    ...(unread ? [UNREAD_LIST] : []),
    ...(hasList(status) ? [statusList(status)] : []),
  ]
}

export const hasList = (status: MessageState['status']): boolean => status !== 'received' && status !== 'delivered'

/** Moves something from where it stood to where it stands, in all lists. */
export async function saveLists(
  tx: Transaction,
  kind: Listed,
  before: Standing | undefined,
  after: Standing | undefined,
): Promise<void> {
  const flips: { name: string; seq: number; is: boolean }[] = []
  const stays = before?.seq === after?.seq
  for (const name of before?.names ?? [])
    if (before && !(stays && after?.names.includes(name))) flips.push({ name, seq: before.seq, is: false })
  for (const name of after?.names ?? [])
    if (after && !(stays && before?.names.includes(name))) flips.push({ name, seq: after.seq, is: true })
  for (const { name, seq, is } of flips) {
    const row = listKey(name, Math.floor(seq / STRETCH))
    const bits = readBits(await tx.get(row))
    setBit(bits[kind], seq % STRETCH, is)
    const bytes = packBits(bits)
    if (bytes) tx.put(row, bytes)
    else tx.delete(row)
  }
}

/** The newest places of a list up to one, newest first. */
export async function newestListed(
  view: View,
  name: string,
  kind: Listed,
  atMost: number,
  limit: number,
): Promise<number[]> {
  const found: number[] = []
  const { gte } = listRange(name)
  for (let lt = listKey(name, Math.floor(atMost / STRETCH) + 1); ;) {
    const rows = await view.range({ gte, lt, limit: STEP, reverse: true })
    for (const [row, value] of rows) {
      for (const seq of seqsOf(row, value, kind).reverse()) {
        if (seq > atMost) continue
        found.push(seq)
        if (found.length === limit) return found
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < STEP) return found
    lt = last[0]
  }
}

/** The places of a list from one on, oldest first. */
export async function oldestListed(
  view: View,
  name: string,
  kind: Listed,
  from: number,
  limit: number,
): Promise<number[]> {
  const found: number[] = []
  const { lt } = listRange(name)
  for (let stretch = Math.floor(from / STRETCH); ;) {
    const rows = await view.range({ gte: listKey(name, stretch), lt, limit: STEP })
    for (const [row, value] of rows) {
      for (const seq of seqsOf(row, value, kind)) {
        if (seq < from) continue
        found.push(seq)
        if (found.length === limit) return found
      }
      stretch = Number(keyParts(row)[2]) + 1
    }
    if (rows.length < STEP) return found
  }
}

export async function isListedAt(view: View, name: string, kind: Listed, seq: number): Promise<boolean> {
  const bits = readBits(await view.get(listKey(name, Math.floor(seq / STRETCH))))
  return hasBit(bits[kind], seq % STRETCH)
}

/** The places in one row of a list, oldest first. */
export function seqsOf(row: Uint8Array, value: Uint8Array, kind: Listed): number[] {
  const first = Number(keyParts(row)[2]) * STRETCH
  const bits = readBits(value)[kind]
  const seqs: number[] = []
  for (const [octet, some] of bits.entries())
    if (some !== 0) for (let i = 0; i < 8; i++) if ((some & (1 << i)) !== 0) seqs.push(first + octet * 8 + i)
  return seqs
}

/** A bit for each place of a stretch, the lowest bit of an octet first. */
type Bits = Record<Listed, Buffer>

const OCTETS = STRETCH / 8

/** A row is how many octets the bits of threads take, those, and the bits of messages; octets of zero at the end are left out. */
function readBits(row: Uint8Array | undefined): Bits {
  const bits = { thread: Buffer.alloc(OCTETS), message: Buffer.alloc(OCTETS) }
  if (!row) return bits
  const bytes = asBuffer(row)
  const threads = bytes[0] ?? 0
  bytes.copy(bits.thread, 0, 1, 1 + threads)
  bytes.copy(bits.message, 0, 1 + threads)
  return bits
}

/** Undefined when there is nothing in it. */
function packBits({ thread, message }: Bits): Uint8Array | undefined {
  const [threads, messages] = [used(thread), used(message)]
  if (threads + messages === 0) return undefined
  return Buffer.concat([Buffer.of(threads), thread.subarray(0, threads), message.subarray(0, messages)])
}

function used(bits: Buffer): number {
  let length = bits.length
  while (length > 0 && bits[length - 1] === 0) length--
  return length
}

const hasBit = (bits: Buffer, i: number): boolean => ((bits[i >> 3] ?? 0) & (1 << (i & 7))) !== 0

function setBit(bits: Buffer, i: number, is: boolean): void {
  const octet = bits[i >> 3] ?? 0
  bits[i >> 3] = is ? octet | (1 << (i & 7)) : octet & ~(1 << (i & 7))
}
