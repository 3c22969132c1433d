/** Reads the audit log: newest first, day by day, with filters on each entry. */
import { z } from 'zod'
import type { Clock } from '../lib/clock.js'
import { decodeCursor, encodeCursor } from '../lib/cursor.js'
import { daysOf, endOfDay, startOfDay } from '../store/days.js'
import { decode, keyParts } from '../store/keys.js'
import { rowsOf } from '../store/pages.js'
import type { Store } from '../store/types.js'
import * as keys from './keys.js'
import type { StoredEntry } from './keys.js'
import type { AuditEntry, AuditList, AuditQuery } from './types.js'

/** Time and id of the last entry read. */
const cursorSchema = z.tuple([z.int().nonnegative(), z.string().max(64)])

/** Entries per read, and max entries read per page; with a narrow filter a page may be short, with a cursor to continue. */
const STEP = 200
const MAX_LOOKED_AT = 20_000

export function createList(store: Store, clock: Clock, retentionMs: number): (query: AuditQuery) => Promise<AuditList> {
  return async ({ since = 0, until, limit, lookAt = MAX_LOOKED_AT, cursor, ...filter }) => {
    const after = decodeCursor(cursor, cursorSchema)
    const from = Math.max(since, clock.now() - retentionMs, 0)
    const data: AuditEntry[] = []
    let notKept = 0
    let lookedAt = 0
    for (const day of (await daysOf(store, keys.NAME)).reverse()) {
      const start = startOfDay(day)
      if (endOfDay(day) <= from || (until !== undefined && start >= until)) continue
      if (after && start > after[0]) continue
      notKept += (await store.read(keys.dayPartition(day), keys.dayOf)).notKept
      const ends = [
        keys.entriesRange.lt,
        ...(until === undefined ? [] : [keys.timeKey(Math.max(0, until))]),
        ...(after ? [keys.entryKey(...after)] : []),
      ]
      const range = { gte: keys.timeKey(from), lt: ends.sort(Buffer.compare)[0] ?? keys.entriesRange.lt }
      const rows = rowsOf(store, keys.dayPartition(day), { ...range, limit: STEP, reverse: true })
      for await (const [key, value] of rows) {
        lookedAt++
        const entry = decode<StoredEntry>(value)
        const shown: AuditEntry = { ...entry, result: entry.result ?? 'unknown' }
        if (fits(shown, filter)) data.push(shown)
        if (data.length === limit || lookedAt === lookAt) {
          const [, at, id] = keyParts(key)
          const next_cursor = encodeCursor([Number(at), String(id)])
          return { data, has_more: true, next_cursor, not_kept: notKept }
        }
      }
    }
    return { data, has_more: false, next_cursor: null, not_kept: notKept }
  }
}

function fits(
  { action, actor, subject }: AuditEntry,
  { action: wanted, actor: by, subjects = [] }: Pick<AuditQuery, 'action' | 'actor' | 'subjects'>,
): boolean {
  if (wanted !== undefined && action !== wanted && !action.startsWith(`${wanted}.`)) return false
  if (by !== undefined && ![actor.type, actor.id, actor.name].some((known) => isSame(known, by))) return false
  const values = Object.values(subject)
  return subjects.every((any) => any.some((one) => values.some((known) => isSame(known, one))))
}

function isSame(known: string | null | undefined, wanted: string): boolean {
  return known?.toLowerCase() === wanted.toLowerCase()
}
