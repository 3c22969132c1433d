/** Taking the addresses of a mailbox that is deleted out of the receipts: those for it alone go, in those of several recipients its part does. */
import { addressKey } from '../mime/address.js'
import { decode, encode, key, keyParts } from '../store/keys.js'
import type { Store, Transaction } from '../store/types.js'
import * as keys from './keys.js'
import type { DayRow } from './keys.js'
import { daysOf } from './list.js'
import type { Receipt } from './types.js'

/** Receipts that one commit changes. */
const STEP = 100

export interface ErasedMailbox {
  id: string
  address: string
  /** The address may be somebody else's by now: only what names the mailbox itself is its. */
  isReleased?: boolean
}

/** Idempotent, in bounded steps. @returns how many receipts were changed or removed */
export async function eraseReceipts(store: Store, mailbox: ErasedMailbox, signal?: AbortSignal): Promise<number> {
  const own = addressKey(mailbox.address)
  const at = own.lastIndexOf('@')
  const local = own.slice(0, at)
  const isOwn = (address: string): boolean => {
    const other = addressKey(address)
    return other === own || (other.startsWith(`${local}+`) && other.endsWith(own.slice(at)))
  }
  const ranges = [
    { gte: key('address', own), lt: Buffer.concat([key('address', own), Buffer.of(0xff)]) },
    // With any tag: what comes after "+" in the order of characters is ",".
    { gte: key('address', `${local}+`), lt: key('address', `${local},`) },
  ]
  let changed = 0
  for (const day of await daysOf(store)) {
    for (const range of ranges) {
      let from: Uint8Array = range.gte
      for (;;) {
        if (signal?.aborted) return changed
        const rows = await store.read(keys.dayPartition(day), (view) =>
          view.range({ gte: from, lt: range.lt, limit: STEP }),
        )
        const meant = rows.filter(([row]) => isOwn(String(keyParts(row)[1])))
        if (meant.length > 0) {
          changed += await store.write(keys.dayPartition(day), async (tx) => {
            let count = 0
            for (const [row] of meant) if (await eraseOne(tx, row, mailbox, isOwn)) count++
            return count
          })
        }
        const last = rows.at(-1)
        if (!last || rows.length < STEP) break
        from = Buffer.concat([last[0], Buffer.of(0)])
      }
    }
  }
  return changed
}

/** @param row a place in the list of an address */
async function eraseOne(
  tx: Transaction,
  row: Uint8Array,
  { id: mailboxId, isReleased }: ErasedMailbox,
  isOwn: (address: string) => boolean,
): Promise<boolean> {
  const [, , time, id] = keyParts(row)
  const at = Number(time)
  const bytes = await tx.get(keys.receiptKey(at, String(id)))
  const receipt = bytes && decode<Receipt>(bytes)
  if (isReleased && !receipt?.recipients.some(({ mailbox }) => mailbox?.id === mailboxId)) return false
  tx.delete(row)
  if (!receipt) return false
  const recipients = receipt.recipients.filter(
    ({ address, mailbox }) => mailbox?.id !== mailboxId && !isOwn(address) && !isOwn(mailbox?.address ?? ''),
  )
  const rest = { ...receipt, recipients }
  const isAlone = recipients.length === 0 || isOwn(receipt.from)
  for (const { address, mailbox } of receipt.recipients)
    for (const listed of [address, mailbox?.address ?? ''])
      if (isAlone || isOwn(listed)) tx.delete(keys.addressKeyOf(addressKey(listed), at, String(id)))
  if (!isAlone) {
    tx.put(keys.receiptKey(at, String(id)), encode(rest))
    return true
  }
  tx.delete(keys.addressKeyOf(addressKey(receipt.from), at, String(id)))
  tx.delete(keys.receiptKey(at, String(id)))
  const dayRow = await tx.get(keys.dayRowKey)
  if (dayRow) {
    const counted = decode<DayRow>(dayRow)
    tx.put(keys.dayRowKey, encode({ ...counted, kept: Math.max(0, counted.kept - 1) } satisfies DayRow))
  }
  return true
}
