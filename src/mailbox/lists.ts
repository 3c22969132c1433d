/**
 * The lists of a mailbox: `all`, `unread`, `label:<label>` and `status:<status>`, each one of threads (by the place of their last message) and one of messages
 * (by place). A list is a bit set with a row for each stretch of places that has any. Adding a message changes few rows, and a sparse list is read without
 * scanning the others.
 */
import { keyParts } from '../store/keys.js'
import type { Transaction, View } from '../store/types.js'
import { EMPTY_VALUE, listKey, listRange } from './keys.js'
import { INBOX_LABEL, SENT_LABEL } from './labels.js'
import type { MessageState } from './message.js'

export const STRETCH = 512
const STEP = 8

/** Each list has two sets: threads and messages. */
export type Listed = 'thread' | 'message'

/** An item at a place, in some lists. */
export interface Listing {
  seq: number
  names: readonly string[]
}

export const ALL_LIST = 'all'
export const UNREAD_LIST = 'unread'
export const labelList = (label: string): string => `label:${label}`
export const statusList = (status: MessageState['status']): string => `status:${status}`

/** Most messages are in two of these, so they share rows. The order is stored: append new ones. */
export const COMMON_LISTS: readonly string[] = [ALL_LIST, labelList(INBOX_LABEL), labelList(SENT_LABEL)]
export const COMMON_ROW = 'common'

/** Lists of a message; none while in the trash. `received` and `delivered` have no lists, since they are most of all mail. */
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

/** A bit to set or clear: which set of the row, and which bit. */
interface Flip {
  set: number
  at: number
  is: boolean
}

/** Moves an item from its old place and lists to the new ones. */
export async function saveLists(
  tx: Transaction,
  kind: Listed,
  before: Listing | undefined,
  after: Listing | undefined,
): Promise<void> {
  const rows = new Map<string, { row: string; stretch: number; flips: Flip[] }>()
  const flip = (name: string, seq: number, is: boolean): void => {
    const { row, set } = setOf(name, kind)
    const stretch = Math.floor(seq / STRETCH)
    const known = rows.get(`${row} ${stretch}`) ?? { row, stretch, flips: [] }
    known.flips.push({ set, at: seq % STRETCH, is })
    rows.set(`${row} ${stretch}`, known)
  }
  const stays = before?.seq === after?.seq
  for (const name of before?.names ?? [])
    if (before && !(stays && after?.names.includes(name))) flip(name, before.seq, false)
  for (const name of after?.names ?? [])
    if (after && !(stays && before?.names.includes(name))) flip(name, after.seq, true)
  if (rows.size === 0) return
  const changed = [...rows.values()]
  const keys = changed.map(({ row, stretch }) => listKey(row, stretch))
  const stored = await tx.getMany(keys)
  for (const [i, { row, flips }] of changed.entries()) {
    const key = keys[i]
    if (!key) continue
    const sets = setsIn(row, stored[i])
    for (const { set, at, is } of flips) sets[set] = withBit(sets[set], at, is)
    const bytes = packSets(sets)
    if (bytes) tx.put(key, bytes)
    else tx.delete(key)
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
  const { row } = setOf(name, kind)
  const { gte } = listRange(row)
  for (let lt = listKey(row, Math.floor(atMost / STRETCH) + 1); ;) {
    const rows = await view.range({ gte, lt, limit: STEP, reverse: true })
    for (const [key, value] of rows) {
      for (const seq of seqsIn(key, value, name, kind).reverse()) {
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
  const { row } = setOf(name, kind)
  const { lt } = listRange(row)
  for (let stretch = Math.floor(from / STRETCH); ;) {
    const rows = await view.range({ gte: listKey(row, stretch), lt, limit: STEP })
    for (const [key, value] of rows) {
      for (const seq of seqsIn(key, value, name, kind)) {
        if (seq < from) continue
        found.push(seq)
        if (found.length === limit) return found
      }
      stretch = Number(keyParts(key)[2]) + 1
    }
    if (rows.length < STEP) return found
  }
}

export async function isListedAt(view: View, name: string, kind: Listed, seq: number): Promise<boolean> {
  const { row, set } = setOf(name, kind)
  const bits = setsIn(row, await view.get(listKey(row, Math.floor(seq / STRETCH))))[set]
  return hasBit(bits, seq % STRETCH)
}

export function listsIn(key: Uint8Array): readonly string[] {
  return namesOf(String(keyParts(key)[1]))
}

export function seqsIn(key: Uint8Array, value: Uint8Array, name: string, kind: Listed): number[] {
  const { row, set } = setOf(name, kind)
  const first = Number(keyParts(key)[2]) * STRETCH
  const seqs: number[] = []
  for (const [octet, some] of setsIn(row, value)[set]?.entries() ?? [])
    if (some !== 0) for (let i = 0; i < 8; i++) if ((some & (1 << i)) !== 0) seqs.push(first + octet * 8 + i)
  return seqs
}

const namesOf = (row: string): readonly string[] => (row === COMMON_ROW ? COMMON_LISTS : [row])

function setOf(name: string, kind: Listed): { row: string; set: number } {
  const common = COMMON_LISTS.indexOf(name)
  const set = kind === 'thread' ? 0 : 1
  return common === -1 ? { row: name, set } : { row: COMMON_ROW, set: 2 * common + set }
}

const OCTETS = STRETCH / 8

/**
 * The sets of a row: one bit for each place of its stretch, lowest bit first. All but the last are preceded by their length in bytes; trailing zero bytes are
 * omitted.
 */
export function setsIn(row: string, value: Uint8Array | undefined): Uint8Array[] {
  const count = 2 * namesOf(row).length
  const sets: Uint8Array[] = []
  let at = 0
  while (sets.length < count - 1) {
    const length = value?.[at] ?? 0
    sets.push(value?.subarray(at + 1, at + 1 + length) ?? EMPTY_VALUE)
    at += 1 + length
  }
  return [...sets, value?.subarray(at) ?? EMPTY_VALUE]
}

/** Undefined if all are empty. */
export function packSets(sets: readonly Uint8Array[]): Uint8Array | undefined {
  if (sets.every(({ length }) => length === 0)) return undefined
  const last = sets.length - 1
  return Buffer.concat(sets.flatMap((bits, i) => (i === last ? [bits] : [Buffer.of(bits.length), bits])))
}

const hasBit = (bits: Uint8Array | undefined, i: number): boolean => ((bits?.[i >> 3] ?? 0) & (1 << (i & 7))) !== 0

function withBit(bits: Uint8Array | undefined, i: number, is: boolean): Uint8Array {
  const changed = new Uint8Array(OCTETS)
  if (bits) changed.set(bits)
  const octet = changed[i >> 3] ?? 0
  changed[i >> 3] = is ? octet | (1 << (i & 7)) : octet & ~(1 << (i & 7))
  let length = OCTETS
  while (length > 0 && changed[length - 1] === 0) length--
  return changed.subarray(0, length)
}
