/** Removes deleted mailboxes from the receipts: receipts for them alone are removed, others lose their part. */
import { idTime, isId } from '../lib/ids.js'
import { addressKey } from '../mime/address.js'
import { daysOf, endOfDay } from '../store/days.js'
import { pagesOf } from '../store/pages.js'
import type { Store, Transaction } from '../store/types.js'
import * as keys from './keys.js'
import { hashOfAddress, mayHave, packReceipt, unpackReceipt, withoutTag } from './record.js'
import type { Receipt } from './types.js'

export interface ErasedMailbox {
  id: string
  /** Its own and its aliases. */
  addresses: readonly string[]
  /** The addresses may belong to another mailbox by now: only entries with the mailbox id count. */
  isReleased?: boolean
}

/** Idempotent, in bounded steps over the receipts since the mailboxes were created. @returns number of receipts changed or removed */
export async function eraseReceipts(store: Store, mailboxes: readonly ErasedMailbox[]): Promise<number> {
  const hashes = mailboxes.flatMap(({ addresses }) => addresses.map((one) => hashOfAddress(addressKey(one))))
  if (hashes.length === 0) return 0
  const since = Math.min(...mailboxes.map(({ id }) => (isId('mbx', id) ? idTime(id) : 0)))
  let changed = 0
  for (const day of (await daysOf(store, keys.NAME)).filter((one) => endOfDay(one) > since)) {
    for await (const rows of pagesOf(store, keys.dayPartition(day), keys.receiptsRange)) {
      const meant = rows.filter(([, value]) => hashes.some((hash) => mayHave(value, hash))).map(([row]) => row)
      if (meant.length > 0) changed += await store.write(keys.dayPartition(day), (tx) => erase(tx, meant, mailboxes))
    }
  }
  return changed
}

async function erase(tx: Transaction, rows: Uint8Array[], mailboxes: readonly ErasedMailbox[]): Promise<number> {
  let count = 0
  const values = await tx.getMany(rows)
  for (const [index, row] of rows.entries()) {
    const value = values[index]
    if (!value) continue
    const receipt = unpackReceipt(keys.placeOf(row), value)
    const rest = mailboxes.reduce<Receipt | undefined>((left, mailbox) => left && without(left, mailbox), receipt)
    if (rest === receipt) continue
    if (rest) tx.put(row, packReceipt(rest))
    else tx.delete(row)
    count++
  }
  return count
}

/** @returns the same receipt if it does not name the mailbox, undefined if no other recipient is left */
function without(receipt: Receipt, { id, addresses, isReleased }: ErasedMailbox): Receipt | undefined {
  const owned = new Set(addresses.map(addressKey))
  const isOwn = (address: string): boolean => {
    const other = addressKey(address)
    return owned.has(other) || owned.has(withoutTag(other))
  }
  const { recipients } = receipt
  if (isReleased && !recipients.some(({ mailbox }) => mailbox?.id === id)) return receipt
  if (isOwn(receipt.from)) return undefined
  const others = recipients.filter(
    ({ address, mailbox }) => mailbox?.id !== id && !isOwn(address) && !isOwn(mailbox?.address ?? ''),
  )
  if (others.length === recipients.length) return receipt
  return others.length === 0 ? undefined : { ...receipt, recipients: others }
}
