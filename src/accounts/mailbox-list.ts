/** The mailboxes of an account: separate rows, since the record is read with every request and an account may have thousands. */
import { ServiceError } from '../lib/errors.js'
import { encode, key, keyParts, prefixRange } from '../store/keys.js'
import type { Store, Transaction, View } from '../store/types.js'
import { allIn, pagesOf } from '../store/pages.js'
import { accountPartition, mustReadAccount } from './record.js'

const entry = (mailboxId: string): Uint8Array => key('mailbox', mailboxId)
const leaving = (mailboxId: string): Uint8Array => key('leaving', mailboxId)

export async function listMailboxIds(store: Store, accountId: string): Promise<string[]> {
  const ids: string[] = []
  for await (const page of pagesOf(store, accountPartition(accountId), prefixRange('mailbox')))
    for (const [row] of page) ids.push(String(keyParts(row)[1]))
  return ids
}

/** `listMailboxIds` within a read of the account. */
export async function mailboxIdsIn(view: View): Promise<string[]> {
  return (await allIn(view, prefixRange('mailbox'))).map(([row]) => String(keyParts(row)[1]))
}

/**
 * Adds a mailbox within a transaction of the account. Idempotent.
 *
 * @param atMost max mailboxes of the account, including this one
 * @throws ServiceError `limit_reached`
 */
export async function enterMailboxOf(
  tx: Transaction,
  accountId: string,
  mailboxId: string,
  now: number,
  atMost?: number,
): Promise<void> {
  // A mailbox added after the account's end would belong to nobody.
  await mustReadAccount(tx, accountId)
  if (await tx.get(entry(mailboxId))) return
  if (atMost !== undefined && (await staying(tx, atMost)).length >= atMost)
    throw new ServiceError(
      'limit_reached',
      `An account can have ${atMost} mailboxes.`,
      'Delete one with DELETE /v1/mailboxes/{id}, or give one a further address with POST /v1/aliases.',
    )
  tx.put(entry(mailboxId), encode(now))
}

/** Removes a mailbox from the list, with the entries of its keys, within a transaction of the account. Idempotent. */
export async function forgetMailboxOf(tx: Transaction, mailboxId: string): Promise<void> {
  for (const [row] of await tx.range(prefixRange('key', mailboxId))) tx.delete(row)
  tx.delete(entry(mailboxId))
  tx.delete(leaving(mailboxId))
}

/** Ids of the mailboxes that are not being deleted, at most `atMost` of them. */
export async function staying(view: View, atMost: number): Promise<string[]> {
  const going = new Set((await view.range(prefixRange('leaving'))).map(([row]) => String(keyParts(row)[1])))
  const listed = await view.range({ ...prefixRange('mailbox'), limit: atMost + going.size + 1 })
  return listed.map(([row]) => String(keyParts(row)[1])).filter((id) => !going.has(id))
}

/** True if a mailbox of the account is being deleted. */
export async function isLeaving(view: View, mailboxId: string): Promise<boolean> {
  return (await view.get(leaving(mailboxId))) !== undefined
}
