/**
 * Version 9: the lists of most messages share rows (mailbox/lists.ts). Each had its own rows, in the form other lists still have. A row is deleted in the
 * commit that takes over its places.
 */
import { mailboxPartition, listKey, listRange } from '../../mailbox/keys.js'
import { COMMON_LISTS, COMMON_ROW, packSets, setsIn } from '../../mailbox/lists.js'
import { keyParts } from '../../store/keys.js'
import type { Store, Transaction } from '../../store/types.js'
import { mailboxAfter } from './old-rows.js'

const PAGE = 200

/** @param cursor the last finished mailbox */
export async function commonListsInOneRow(store: Store, cursor: string): Promise<string | undefined> {
  const mailboxId = await mailboxAfter(store, cursor)
  if (mailboxId === undefined) return undefined
  for (const [i, name] of COMMON_LISTS.entries())
    while (await store.write(mailboxPartition(mailboxId), (tx) => movePage(tx, i, name)));
  return mailboxId
}

/** @returns false if the list has no rows of its own */
async function movePage(tx: Transaction, list: number, name: string): Promise<boolean> {
  const rows = await tx.range({ ...listRange(name), limit: PAGE })
  for (const [row, value] of rows) {
    const common = listKey(COMMON_ROW, Number(keyParts(row)[2]))
    const sets = setsIn(COMMON_ROW, await tx.get(common))
    sets.splice(2 * list, 2, ...setsIn(name, value))
    const bytes = packSets(sets)
    if (bytes) tx.put(common, bytes)
    tx.delete(row)
  }
  return rows.length > 0
}
