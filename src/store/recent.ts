/**
 * Limits of how often something was done lately, counted in the store within the transaction that does it: exact for all daemons, and unchanged by a
 * restart. Each has a row by time, and one for each of its rules: `on` · at · id → hashes by rule, `<row>` · hash · at · id.
 */
import { SECOND } from '../lib/clock.js'
import { decode, encode, key, keyParts, prefixRange } from './keys.js'
import type { Transaction } from './types.js'

export interface Limit {
  spanMs: number
  /** Max in any span of that length. */
  limit: number
}

/** Limits of one network, one address and the like; `row` names their rows. */
export type Rules<K extends string> = Readonly<Record<K, Limit & { row: string }>>

export interface Counted<K extends string> {
  id: string
  at: number
  /** A hash for each rule. */
  of: Record<K, string>
}

/** More than each adds, so that they can't pile up between two sweeps. */
const REMOVED_WITH_EACH = 4

/**
 * Counts one within a transaction of their partition, unless a limit is reached.
 *
 * @param total limit of all together
 * @returns undefined if it is counted; else the limit that is reached, and the seconds until it is not
 */
export async function countRecent<K extends string>(
  tx: Transaction,
  rules: Rules<K>,
  total: Limit,
  { id, at, of }: Counted<K>,
): Promise<{ by: K | 'total'; seconds: number } | undefined> {
  for (const name of namesOf(rules)) {
    const seconds = await secondsUntil(tx, [rules[name].row, of[name]], at, rules[name])
    if (seconds !== undefined) return { by: name, seconds }
  }
  const seconds = await secondsUntil(tx, ['on'], at, total)
  if (seconds !== undefined) return { by: 'total', seconds }
  tx.put(key('on', at, id), encode(of))
  for (const name of namesOf(rules)) tx.put(key(rules[name].row, of[name], at, id), encode(1))
  await removeRecent(tx, rules, total, at, REMOVED_WITH_EACH)
  return undefined
}

/** Removes what no limit counts any more, within a transaction. @returns the number removed, `atMost` if there may be more */
export async function removeRecent<K extends string>(
  tx: Transaction,
  rules: Rules<K>,
  total: Limit,
  now: number,
  atMost: number,
): Promise<number> {
  const longestMs = Math.max(total.spanMs, ...namesOf(rules).map((name) => rules[name].spanMs))
  const { gte } = prefixRange('on')
  const old = await tx.range({ gte, lt: key('on', Math.max(0, now - longestMs)), limit: atMost })
  for (const [entry, value] of old) {
    const [, at = 0n, id = ''] = keyParts(entry)
    const of = decode<Record<K, string>>(value)
    tx.delete(entry)
    for (const name of namesOf(rules)) tx.delete(key(rules[name].row, of[name], at, id))
  }
  return old.length
}

function namesOf<K extends string>(rules: Rules<K>): K[] {
  return Object.keys(rules).filter((name): name is K => name in rules)
}

async function secondsUntil(
  tx: Transaction,
  prefix: string[],
  now: number,
  { spanMs, limit }: Limit,
): Promise<number | undefined> {
  const { lt } = prefixRange(...prefix)
  const found = await tx.range({ gte: key(...prefix, Math.max(0, now - spanMs)), lt, limit: Math.max(1, limit) })
  const [first] = found
  if (found.length < limit) return undefined
  const at = first ? Number(keyParts(first[0])[prefix.length]) : now
  return Math.max(1, Math.ceil((at + spanMs - now) / SECOND))
}
