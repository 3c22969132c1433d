/** Claims, mailboxes and addresses took several commits, and a crash could leave some. Half-done ones are finished or undone once; unlisted keys are listed. */
import { entryKey, listKey } from '../../accounts/key-ring.js'
import { keyOf, keyPartition } from '../../accounts/keys.js'
import { enterMailboxOf, isLeaving } from '../../accounts/mailbox-list.js'
import { accountPartition, ensureAccount } from '../../accounts/record.js'
import { endClaim } from '../../lifecycle/claims/expiry.js'
import { claimPartition, listClaim, readClaim, type ClaimRecord } from '../../lifecycle/claims/record.js'
import { systemClock } from '../../lib/clock.js'
import { addressOwner, leaveAddress, partitionOfAddress, releaseAddress } from '../../mailbox/addresses.js'
import { mailboxPartition } from '../../mailbox/keys.js'
import { claimMailbox, declineMailbox, readMailbox } from '../../mailbox/record.js'
import { decode, keyParts, prefixRange } from '../../store/keys.js'
import type { Store } from '../../store/types.js'

const PAGE = 100
/** More mailboxes than any account can have. */
const MAX_ROWS = 10_000

/** The old record: `making` had not been answered. */
type OldClaim = Omit<ClaimRecord, 'state'> & { state: ClaimRecord['state'] | 'making' }

const STEPS: Readonly<Record<string, (store: Store, name: string) => Promise<void>>> = {
  account: forgetUnmade,
  address: releaseUnmade,
  claim: settleClaim,
}

/** @param cursor the last settled partition */
export async function settleClaims(store: Store, cursor: string): Promise<string | undefined> {
  const names = await store.partitions(cursor === '' ? 'account/' : cursor, PAGE)
  for (const partition of names) {
    const slash = partition.indexOf('/')
    await STEPS[partition.slice(0, slash)]?.(store, partition.slice(slash + 1))
  }
  const last = names.at(-1)
  return last === undefined || last > 'claim0' ? undefined : last
}

/** Removes mailboxes from an account's list that were never created. */
async function forgetUnmade(store: Store, accountId: string): Promise<void> {
  const partition = accountPartition(accountId)
  const rows = await store.read(partition, (view) => view.range({ ...prefixRange('mailbox'), limit: MAX_ROWS }))
  for (const [row] of rows) {
    const id = String(keyParts(row)[1])
    if (await readMailbox(store, id)) continue
    await store.write(partition, async (tx) => {
      if (!(await isLeaving(tx, id))) tx.delete(row)
    })
  }
}

/** Releases addresses reserved for a mailbox that was never created. */
async function releaseUnmade(store: Store, address: string): Promise<void> {
  const owner = await addressOwner(store, address)
  if (owner !== undefined && !(await readMailbox(store, owner))) await releaseAddress(store, address, owner)
}

async function settleClaim(store: Store, claimId: string): Promise<void> {
  const claim: OldClaim | undefined = await readClaim(store, claimId)
  if (!claim) return
  await dropUnsent(store, claimId)
  switch (claim.state) {
    case 'pending':
    case 'expired':
      return
    case 'making':
      // Its task removes the rest.
      await endClaim({ store, clock: systemClock }, { ...claim, state: 'declined' })
      return
    case 'claimed':
      return settleApproval(store, claim)
    case 'declined':
      return settleDecline(store, claim)
  }
}

async function settleApproval(store: Store, claim: OldClaim): Promise<void> {
  const { mailboxId, keyHash } = claim
  const mailbox = await readMailbox(store, mailboxId)
  // Deleted since.
  if (!mailbox) return
  const now = systemClock.now()
  const accountId = mailbox.accountId ?? claim.accountId ?? (await ensureAccount(store, claim.owner, now)).id
  const partitions = [mailboxPartition(mailboxId), accountPartition(accountId), keyPartition(keyHash)]
  await store.write(partitions, async (tx) => {
    const account = tx.in(accountPartition(accountId))
    listClaim(tx, claim.id, false)
    if (mailbox.status === 'pending') {
      await enterMailboxOf(account, accountId, mailboxId, now)
      await claimMailbox(tx, accountId, now)
    }
    const key = await keyOf(tx.in(keyPartition(keyHash)), keyHash)
    if (key && !(await account.get(entryKey(mailboxId, key.record.keyId))))
      listKey(account, mailboxId, key.record.keyId, keyHash)
  })
}

async function settleDecline(store: Store, { id, mailboxId, address }: OldClaim): Promise<void> {
  const mailbox = await readMailbox(store, mailboxId)
  const place = partitionOfAddress(address)
  await store.write([mailboxPartition(mailboxId), place], async (tx) => {
    listClaim(tx, id, false)
    if (mailbox?.status === 'pending' && mailbox.declinedAt === undefined) await declineMailbox(tx, systemClock.now())
    await leaveAddress(tx.in(place), mailboxId)
  })
}

/** Drops invites that were recorded but not sent; their requests were never answered. */
async function dropUnsent(store: Store, claimId: string): Promise<void> {
  await store.write(claimPartition(claimId), async (tx) => {
    for (const [row, value] of await tx.range(prefixRange('invite')))
      if (decode<{ state?: string }>(value).state === 'sending') tx.delete(row)
  })
}
