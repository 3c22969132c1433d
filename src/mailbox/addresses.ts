/**
 * Who owns an address. Each address is a partition of its own, so that two claims of one name meet there. An address is taken in the transaction that
 * makes its mailbox, or its alias.
 */
import { addressKey } from '../mime/address.js'
import { decode, encode, key } from '../store/keys.js'
import type { Store, Transaction } from '../store/types.js'
import { addressPartition } from './keys.js'
import type { MailboxRecord } from './mailbox-record.js'

interface Owner {
  mailboxId: string
  /** Milliseconds since the epoch. */
  reservedAt: number
}

const ownerKey = key('owner')

/**
 * Reserves an address for a mailbox. Idempotent.
 *
 * @returns true when it is this mailbox's, also when it was before; false when somebody else has it
 */
export async function reserveAddress(store: Store, address: string, mailboxId: string, now: number): Promise<boolean> {
  return store.write(partitionOfAddress(address), (tx) => takeAddress(tx, mailboxId, now))
}

/** The partition of an address, for a transaction that takes it or gives it back. */
export function partitionOfAddress(address: string): string {
  return addressPartition(addressKey(address))
}

/** The same within a transaction of the address. @returns as `reserveAddress` */
export async function takeAddress(tx: Transaction, mailboxId: string, now: number): Promise<boolean> {
  const bytes = await tx.get(ownerKey)
  if (bytes) return decode<Owner>(bytes).mailboxId === mailboxId
  tx.put(ownerKey, encode({ mailboxId, reservedAt: now } satisfies Owner))
  return true
}

async function ownerOf(store: Store, address: string): Promise<Owner | undefined> {
  return store.read(partitionOfAddress(address), async (view) => {
    const bytes = await view.get(ownerKey)
    return bytes && decode<Owner>(bytes)
  })
}

/** Gives an address back; nothing happens when it is not this mailbox's. */
export async function releaseAddress(store: Store, address: string, mailboxId: string): Promise<void> {
  await store.write(partitionOfAddress(address), (tx) => leaveAddress(tx, mailboxId))
}

/** The same within a transaction of the address. */
export async function leaveAddress(tx: Transaction, mailboxId: string): Promise<void> {
  const bytes = await tx.get(ownerKey)
  if (bytes && decode<Owner>(bytes).mailboxId === mailboxId) tx.delete(ownerKey)
}

/** RFC 5321 §4.5.3.1.3; also what keeps a stranger's text from becoming the name of a partition that is too long. */
const MAX_ADDRESS_BYTES = 254

/** The id of the mailbox that has exactly this address, in any case of letters. */
export async function addressOwner(store: Store, address: string): Promise<string | undefined> {
  if (Buffer.byteLength(address) > MAX_ADDRESS_BYTES || address.includes('\0')) return undefined
  return (await ownerOf(store, address))?.mailboxId
}

/** The address without its tag: `name+tag@domain` delivers to `name@domain`. */
export function untagged(address: string): string {
  const at = address.lastIndexOf('@')
  const plus = address.indexOf('+')
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : address
}

/** Whether an address is the mailbox's own: its first one or an alias, tagged or not. */
export function isOwnAddress(mailbox: Pick<MailboxRecord, 'address' | 'aliases'>, address: string): boolean {
  const plain = untagged(addressKey(address))
  return plain === addressKey(mailbox.address) || (mailbox.aliases ?? []).some((alias) => alias.address === plain)
}

/** The id of the mailbox an address delivers to: as it is written, or without its tag. */
export async function deliveryOwner(store: Store, address: string): Promise<string | undefined> {
  const base = untagged(address)
  return (await addressOwner(store, address)) ?? (base === address ? undefined : addressOwner(store, base))
}
