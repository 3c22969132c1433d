/**
 * Version 8: a receipt is one row, and so is an entry of the audit log. Before, a receipt was JSON with an empty row for each of its addresses, and both
 * had rows that counted, and a list of their days. A page of receipts is rewritten in one commit, so each is there in one of the two forms.
 */
import { NAME as AUDIT } from '../audit/keys.js'
import { dayRowKey, NAME as RECEIPTS, receiptKey } from '../receipts/keys.js'
import { packReceipt } from '../receipts/record.js'
import type { Receipt } from '../receipts/types.js'
import { decode, encode, prefixRange } from '../store/keys.js'
import type { Store, Transaction } from '../store/types.js'

const PAGE = 500

/** @param cursor the partition that was finished last */
export async function receiptsInOneRow(store: Store, cursor: string): Promise<string | undefined> {
  for (const name of [AUDIT, RECEIPTS]) {
    const [next] = await store.partitions(cursor > `${name}/` ? cursor : `${name}/`, 1)
    if (!next?.startsWith(`${name}/`)) continue
    const moved = await store.write(
      next,
      async (tx) => (await movePage(tx)) || (await dropPage(tx)) || countLeftOut(tx),
    )
    return moved ? cursor || `${AUDIT}/` : next
  }
  const listed = await store.write([AUDIT, RECEIPTS], async (tx) => {
    for (const list of [tx, tx.in(RECEIPTS)]) if (await drop(list, prefixRange('day'))) return true
    return false
  })
  return listed ? cursor || `${AUDIT}/` : undefined
}

/** @returns false when there was no receipt of the old form */
async function movePage(tx: Transaction): Promise<boolean> {
  const rows = await tx.range({ ...prefixRange('receipt'), limit: PAGE })
  for (const [row, value] of rows) {
    const receipt = decode<Receipt>(value)
    tx.put(receiptKey(Date.parse(receipt.at), receipt.id), packReceipt(receipt))
    tx.delete(row)
  }
  return rows.length > 0
}

/** Places in lists of addresses, and what accounts and networks had left of their day. */
async function dropPage(tx: Transaction): Promise<boolean> {
  return (await drop(tx, prefixRange('address'))) || drop(tx, prefixRange('made'))
}

async function drop(tx: Transaction, range: { gte: Uint8Array; lt: Uint8Array }): Promise<boolean> {
  const rows = await tx.range({ ...range, limit: PAGE })
  for (const [row] of rows) tx.delete(row)
  return rows.length > 0
}

/** @returns false, since nothing of the day is left to do */
async function countLeftOut(tx: Transaction): Promise<false> {
  const bytes = await tx.get(dayRowKey)
  const { notKept = 0 } = bytes ? decode<{ notKept?: number }>(bytes) : {}
  if (notKept > 0) tx.put(dayRowKey, encode({ notKept }))
  else if (bytes) tx.delete(dayRowKey)
  return false
}
