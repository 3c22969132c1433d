/**
 * Who owns an address. Each address is a partition of its own, so that two claims of one name meet in one version-checked commit.
 * An address is reserved before its mailbox is made and given back after the mailbox is gone.
 */
import { HOUR } from '../lib/clock.js'
import { addressKey } from '../mime/address.js'
import { decode, encode, key } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { addressPartition, mailboxKey, mailboxPartition } from './keys.js'
import type { MailboxRecord } from './types.js'

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
  return store.write(addressPartition(addressKey(address)), async (tx) => {
    const bytes = await tx.get(ownerKey)
    if (bytes) return decode<Owner>(bytes).mailboxId === mailboxId
    tx.put(ownerKey, encode({ mailboxId, reservedAt: now } satisfies Owner))
    return true
  })
}

/** Longer than a mailbox takes from its address to its record. */
const ORPHANED_MS = HOUR

/**
 * The same, also for an address whose mailbox was never made, or is gone: what a crash left.
 *
 * @returns as `reserveAddress`
 */
export async function takeAddress(store: Store, address: string, mailboxId: string, now: number): Promise<boolean> {
  if (await reserveAddress(store, address, mailboxId, now)) return true
  const owner = await ownerOf(store, address)
  if (!owner || owner.reservedAt > now - ORPHANED_MS) return false
  if (await store.read(mailboxPartition(owner.mailboxId), (view) => view.get(mailboxKey))) return false
  return store.write(addressPartition(addressKey(address)), async (tx) => {
    const bytes = await tx.get(ownerKey)
    if (bytes && decode<Owner>(bytes).mailboxId !== owner.mailboxId) return false
    tx.put(ownerKey, encode({ mailboxId, reservedAt: now } satisfies Owner))
    return true
  })
}

async function ownerOf(store: Store, address: string): Promise<Owner | undefined> {
  return store.read(addressPartition(addressKey(address)), async (view) => {
    const bytes = await view.get(ownerKey)
    return bytes && decode<Owner>(bytes)
  })
}

/** Gives an address back; nothing happens when it is not this mailbox's. */
export async function releaseAddress(store: Store, address: string, mailboxId: string): Promise<void> {
  await store.write(addressPartition(addressKey(address)), async (tx) => {
    const bytes = await tx.get(ownerKey)
    if (bytes && decode<Owner>(bytes).mailboxId === mailboxId) tx.delete(ownerKey)
  })
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
