/** Ownership of addresses. Each is its own partition, taken in the transaction that creates its mailbox or alias, so two claims of one name conflict there. */
import { addressKey } from '../mime/address.js'
import { encode, key } from '../store/keys.js'
import type { Store, Transaction, View } from '../store/types.js'
import { readFrom } from '../store/read-from.js'
import { readValue } from '../store/values.js'
import { addressPartition } from './keys.js'
import type { MailboxRecord } from './mailbox-record.js'

interface Owner {
  mailboxId: string
  reservedAt: number
}

const ownerKey = key('owner')

/** Reserves an address for a mailbox. Idempotent. @returns false if another mailbox has it */
export async function reserveAddress(store: Store, address: string, mailboxId: string, now: number): Promise<boolean> {
  return store.write(partitionOfAddress(address), (tx) => takeAddress(tx, mailboxId, now))
}

export function partitionOfAddress(address: string): string {
  return addressPartition(addressKey(address))
}

/** `reserveAddress` within a transaction of the address. */
export async function takeAddress(tx: Transaction, mailboxId: string, now: number): Promise<boolean> {
  const owner = await readValue<Owner>(tx, ownerKey)
  if (owner) return owner.mailboxId === mailboxId
  tx.put(ownerKey, encode({ mailboxId, reservedAt: now } satisfies Owner))
  return true
}

/** Releases an address of this mailbox; does nothing for another one's. */
export async function releaseAddress(store: Store, address: string, mailboxId: string): Promise<void> {
  await store.write(partitionOfAddress(address), (tx) => leaveAddress(tx, mailboxId))
}

/** `releaseAddress` within a transaction of the address. */
export async function leaveAddress(tx: Transaction, mailboxId: string): Promise<void> {
  if ((await readValue<Owner>(tx, ownerKey))?.mailboxId === mailboxId) tx.delete(ownerKey)
}

/** RFC 5321 §4.5.3.1.3; also bounds the length of a partition's name. */
const MAX_ADDRESS_BYTES = 254

/** Id of the mailbox with exactly this address; case does not matter. */
export async function addressOwner(from: Store | View, address: string): Promise<string | undefined> {
  if (Buffer.byteLength(address) > MAX_ADDRESS_BYTES || address.includes('\0')) return undefined
  return (await readFrom(from, partitionOfAddress(address), (view) => readValue<Owner>(view, ownerKey)))?.mailboxId
}

/** The address without its tag: `name+tag@domain` is delivered to `name@domain`. */
export function untagged(address: string): string {
  const at = address.lastIndexOf('@')
  const plus = address.indexOf('+')
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : address
}

/** True for the mailbox's address and its aliases, tagged or not. */
export function isOwnAddress(mailbox: Pick<MailboxRecord, 'address' | 'aliases'>, address: string): boolean {
  const plain = untagged(addressKey(address))
  return plain === addressKey(mailbox.address) || (mailbox.aliases ?? []).some((alias) => alias.address === plain)
}

/** Id of the mailbox that an address delivers to, as written or without its tag. */
export async function deliveryOwner(from: Store | View, address: string): Promise<string | undefined> {
  const base = untagged(address)
  return (await addressOwner(from, address)) ?? (base === address ? undefined : addressOwner(from, base))
}
