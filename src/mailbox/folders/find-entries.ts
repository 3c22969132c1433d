/** Looks up messages of a folder by UID: their entries in the index, and their states in the mailbox. */
import type { View } from '../../store/types.js'
import type { MessageState } from '../message.js'
import { readStateAt } from '../message-rows.js'
import { type Entry, Page, pageOf } from './entries.js'
import { pageKey } from './index-rows.js'

/** A message that was looked up: its entry, and its state; undefined for a draft. */
export interface Found {
  entry: Entry
  state: MessageState | undefined
}

/** Entries and states of some UIDs; those that are not there are left out. */
export async function findIn(
  { tx, index, number }: { tx: View; index: View; number: number },
  uids: readonly number[],
): Promise<Found[]> {
  const found: Found[] = []
  for (const entry of await entriesAt(index, number, uids))
    found.push({ entry, state: entry.place === 0 ? undefined : await readStateAt(tx, entry.place) })
  return found
}

export async function entriesAt(index: View, folder: number, uids: readonly number[]): Promise<Entry[]> {
  const numbers = [...new Set(uids.map(pageOf))]
  const rows = await index.getMany(numbers.map((page) => pageKey(folder, page)))
  const pages = new Map(numbers.map((page, i) => [page, rows[i] && new Page(rows[i])]))
  return uids.flatMap((uid) => {
    const page = pages.get(pageOf(uid))
    const at = page?.find(uid) ?? 0
    return page && at < page.count && page.uid(at) === uid ? [page.entry(at)] : []
  })
}
