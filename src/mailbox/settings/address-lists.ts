/** Allow and block lists of a mailbox. Each entry is a row, so a lookup reads a handful of keys whatever the length. Blocking wins over allowing. */
import { z } from 'zod'
import type { Clock } from '../../lib/clock.js'
import { decodeCursor, encodeCursor } from '../../lib/cursor.js'
import { checkAll, invalidRequest, ServiceError } from '../../lib/errors.js'
import { decode, encode, keyAfter, keyParts, prefixRange } from '../../store/keys.js'
import type { Store, View } from '../../store/types.js'
import { readValue, readValues } from '../../store/values.js'
import { parsePattern, PATTERN_FORMS, patternsOf } from './address-pattern.js'
import { entryCountKey, entryKey, mailboxPartition } from '../keys.js'
import { changeMailbox, requireMailbox } from '../record.js'
import type { Direction, ListEntry, ListType, WhichList } from '../objects/set-types.js'
import type { List, Page } from '../objects/objects.js'

/** Per list. */
export const MAX_ENTRIES = 1000
const MAX_REASON_CHARS = 500
const cursorSchema = z.string().max(330)

export function createAddressLists({ store, clock }: { store: Store; clock: Clock }) {
  return {
    /** Alphabetical. @throws ServiceError `invalid_request` for a foreign cursor */
    async list(mailboxId: string, { direction, type }: WhichList, { limit, cursor }: Page): Promise<List<ListEntry>> {
      const after = decodeCursor(cursor, cursorSchema)
      return store.read(mailboxPartition(mailboxId), async (view) => {
        await requireMailbox(view)
        const { gte, lt } = prefixRange('entry', direction, type)
        const from = after === undefined ? gte : keyAfter(entryKey(direction, type, after))
        const rows = await view.range({ gte: from, lt, limit: limit + 1 })
        const page = rows.slice(0, limit)
        const last = page.at(-1)
        const hasMore = rows.length > limit
        return {
          data: page.map(([, value]) => decode<ListEntry>(value)),
          has_more: hasMore,
          next_cursor: hasMore && last ? encodeCursor(String(keyParts(last[0])[3])) : null,
        }
      })
    },

    /** Idempotent; a given reason replaces the old one. @throws ServiceError `invalid_request` for an invalid entry or reason, or a full list */
    async add(
      mailboxId: string,
      { direction, type }: WhichList,
      given: { entry: string; reason?: string | null | undefined },
    ): Promise<ListEntry & { isNew: boolean }> {
      checkEntry(given)
      const entry = checkedEntry(given.entry)
      const reason = checkedReason(given.reason)
      return changeMailbox(store, mailboxId, async (tx) => {
        const before = await readValue<ListEntry>(tx, entryKey(direction, type, entry))
        if (!before) {
          const count = await countOf(tx, direction, type)
          if (count >= MAX_ENTRIES)
            throw invalidRequest(
              `The list has ${MAX_ENTRIES} entries already.`,
              `Remove some with DELETE /v1/lists/${direction}/${type}/{entry}, or name whole domains (*.example.org) in place of single addresses.`,
            )
          tx.put(entryCountKey(direction, type), encode(count + 1))
        }
        const after: ListEntry = before
          ? { ...before, reason: given.reason === undefined ? before.reason : reason }
          : { entry, reason, createdAt: clock.now() }
        tx.put(entryKey(direction, type, entry), encode(after))
        return { ...after, isNew: !before }
      })
    },

    async get(mailboxId: string, { direction, type }: WhichList, given: string): Promise<ListEntry> {
      const entry = parsePattern(given)
      const found =
        entry !== undefined &&
        (await store.read(mailboxPartition(mailboxId), (view) =>
          readValue<ListEntry>(view, entryKey(direction, type, entry)),
        ))
      if (!found) throw noSuchEntry(direction, type)
      return found
    },

    /** @returns the removed entry @throws ServiceError `not_found` */
    async remove(mailboxId: string, { direction, type }: WhichList, given: string): Promise<ListEntry> {
      const entry = parsePattern(given)
      if (entry === undefined) throw noSuchEntry(direction, type)
      return changeMailbox(store, mailboxId, async (tx) => {
        const before = await readValue<ListEntry>(tx, entryKey(direction, type, entry))
        if (!before) throw noSuchEntry(direction, type)
        tx.delete(entryKey(direction, type, entry))
        tx.put(entryCountKey(direction, type), encode(Math.max(0, (await countOf(tx, direction, type)) - 1)))
        return before
      })
    },
  }
}

/** @throws ServiceError `invalid_request` with all problems */
export function checkEntry(given: { entry?: string | undefined; reason?: string | null | undefined }): void {
  const { entry, reason } = given
  checkAll(
    () => entry !== undefined && checkedEntry(entry),
    () => checkedReason(reason),
  )
}

export const allEntries = (store: Store, mailboxId: string, { direction, type }: WhichList): Promise<ListEntry[]> =>
  store.read(mailboxPartition(mailboxId), (view) =>
    readValues(view, { ...prefixRange('entry', direction, type), limit: MAX_ENTRIES }),
  )

/** The most specific entry that matches one of the addresses, if any. */
export async function entryFor(
  view: View,
  { direction, type }: WhichList,
  addresses: string[],
): Promise<string | undefined> {
  // Most lists are empty, and an address has half a dozen patterns.
  if ((await countOf(view, direction, type)) === 0) return undefined
  const patterns = [...new Set(addresses.flatMap(patternsOf))]
  const found = await view.getMany(patterns.map((pattern) => entryKey(direction, type, pattern)))
  return patterns.find((_, i) => found[i] !== undefined)
}

async function countOf(view: View, direction: Direction, type: ListType): Promise<number> {
  return (await readValue<number>(view, entryCountKey(direction, type))) ?? 0
}

function checkedEntry(given: string): string {
  const entry = parsePattern(given)
  if (entry !== undefined) return entry
  throw invalidRequest('The entry is neither an address nor a domain.', `Give ${PATTERN_FORMS}.`, [
    { field: 'entry', problem: `It must be ${PATTERN_FORMS}.` },
  ])
}

function checkedReason(given: string | null | undefined): string | null {
  const reason = given?.trim() ?? ''
  if (reason === '') return null
  if ([...reason].length <= MAX_REASON_CHARS && !/[\p{Cc}\p{Cs}]/u.test(reason)) return reason
  throw invalidRequest("The reason can't be used.", `Give it at most ${MAX_REASON_CHARS} characters on one line.`, [
    { field: 'reason', problem: `At most ${MAX_REASON_CHARS} characters, none of them a control character` },
  ])
}

function noSuchEntry(direction: Direction, type: ListType): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such entry on this list.',
    `GET /v1/lists/${direction}/${type} lists the entries; give one exactly as listed.`,
  )
}
