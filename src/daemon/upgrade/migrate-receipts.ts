/**
 * Version 8: a receipt is one row, and so is an audit entry; days are not listed separately. Before, a receipt was JSON with an empty row per address, and both
 * had counters. A page is rewritten in one commit, so each receipt has one of the two forms.
 */
import { NAME as AUDIT } from '../../audit/keys.js'
import { isId } from '../../lib/ids.js'
import { dayPartition, dayRowKey, NAME as RECEIPTS, receiptKey } from '../../receipts/keys.js'
import { packReceipt } from '../../receipts/record.js'
import { receiptSchema } from '../../receipts/types.js'
import { daysOf } from '../../store/days.js'
import { encode, prefixRange } from '../../store/keys.js'
import type { Store, Transaction } from '../../store/types.js'
import type { Work } from './migration.js'
import { dropSome, readable } from './old-rows.js'

const PAGE = 500
/** Rows of address lists, and remaining daily allowances of accounts and networks. */
const OTHERS = [prefixRange('address'), prefixRange('made')]
/** Partitions that listed days. */
const DAY_LISTS = [AUDIT, RECEIPTS, 'reports', 'tls-results', 'dmarc-results']

export async function countOldReceipts(store: Store): Promise<number> {
  let all = 0
  for (const day of await daysOf(store, RECEIPTS)) {
    const bytes = await store.read(dayPartition(day), (view) => view.get(dayRowKey))
    const { kept = 0 } = (bytes && readable<{ kept?: number }>(bytes)) ?? {}
    all += kept
  }
  return all
}

/** @param cursor the last finished partition */
export async function receiptsInOneRow(store: Store, cursor: string, work: Work): Promise<string | undefined> {
  for (const name of [AUDIT, RECEIPTS]) {
    const [next] = await store.partitions(cursor > `${name}/` ? cursor : `${name}/`, 1)
    if (!next?.startsWith(`${name}/`)) continue
    const moved = await store.write(
      next,
      async (tx) => (await movePage(tx, next, work)) || (await dropSome(tx, OTHERS, PAGE)) || countLeftOut(tx),
    )
    return moved ? cursor || `${AUDIT}/` : next
  }
  const listed = await store.write(DAY_LISTS, async (tx) => {
    for (const list of DAY_LISTS) if (await dropSome(tx.in(list), [prefixRange('day')], PAGE)) return true
    return false
  })
  return listed ? cursor || `${AUDIT}/` : undefined
}

/** @returns false if there was no receipt of the old form */
async function movePage(tx: Transaction, partition: string, work: Work): Promise<boolean> {
  const rows = await tx.range({ ...prefixRange('receipt'), limit: PAGE })
  let moved = 0
  for (const [row, value] of rows) {
    const receipt = receiptSchema.safeParse(readable(value))
    if (receipt.success && isId('rcp', receipt.data.id)) {
      tx.put(receiptKey(Date.parse(receipt.data.at), receipt.data.id), packReceipt(receipt.data))
      tx.delete(row)
      moved++
    } else work.setAside(tx, partition, [row, value])
  }
  tx.afterCommit(() => work.moved(moved))
  return rows.length > 0
}

/** @returns false: the day is done */
async function countLeftOut(tx: Transaction): Promise<false> {
  const bytes = await tx.get(dayRowKey)
  const { notKept = 0 } = (bytes && readable<{ notKept?: number }>(bytes)) ?? {}
  if (notKept > 0) tx.put(dayRowKey, encode({ notKept }))
  else if (bytes) tx.delete(dayRowKey)
  return false
}
