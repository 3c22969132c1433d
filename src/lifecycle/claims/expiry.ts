/** Expiry of a claim: an unapproved mailbox is removed with everything made for it; the link of an approved one stops working. */
import { dropKey, keyPartition } from '../../accounts/keys.js'
import { BY_ITSELF, type Audit, type NewEntry } from '../../audit/types.js'
import type { Clock } from '../../lib/clock.js'
import { derivedId } from '../../lib/ids.js'
import { leaveAddress, partitionOfAddress } from '../../mailbox/addresses.js'
import { mailboxPartition } from '../../mailbox/keys.js'
import { dropMailbox, removeMailbox } from '../../mailbox/record.js'
import type { Blobs, Store } from '../../store/types.js'
import { dropInvites } from './invite-record.js'
import {
  claimOf,
  claimPartition,
  dropClaim,
  leadToken,
  listClaim,
  partitionsOf,
  putClaim,
  readClaim,
  type ClaimRecord,
} from './record.js'
import type { Claims } from './types.js'

export interface ExpiringDeps {
  store: Store
  blobs: Blobs
  clock: Clock
  /** Without it no entry is written. */
  audit?: Pick<Audit, 'record'> | undefined
}

/** The `claim` task. Idempotent at any line. */
export async function expireClaim(deps: ExpiringDeps, claimId: string): ReturnType<Claims['expire']> {
  const { store, clock } = deps
  const known = await readClaim(store, claimId)
  if (!known) return { done: true }
  const { state, expiresAt } = known
  if (state !== 'expired' && clock.now() < expiresAt) return { done: false, retryAt: expiresAt }
  const claim = await endClaim(deps, known)
  if (claim?.state !== 'expired') return { done: true }
  await removeMailbox(deps, claim.mailboxId)
  if (claim.unanswered) await deps.audit?.record(expired(claim))
  await store.write(claimPartition(claimId), dropClaim)
  return { done: true }
}

/** Disables the claim: key, link and address. */
export function endClaim(
  { store, clock }: Pick<ExpiringDeps, 'store' | 'clock'>,
  known: ClaimRecord,
): Promise<ClaimRecord | undefined> {
  const { id, mailboxId, keyHash, tokenHash, address } = known
  return store.write(partitionsOf(known), async (tx) => {
    const claim = await claimOf(tx)
    if (!claim || claim.state === 'expired') return claim
    leadToken(tx, tokenHash, undefined)
    await dropInvites(tx)
    if (claim.state === 'claimed') return claim
    const after: ClaimRecord = {
      ...claim,
      state: 'expired',
      stateAt: clock.now(),
      ...(claim.state === 'pending' && { unanswered: true }),
    }
    putClaim(tx, after)
    listClaim(tx, id, false)
    dropKey(tx.in(keyPartition(keyHash)))
    dropMailbox(tx.in(mailboxPartition(mailboxId)))
    await leaveAddress(tx.in(partitionOfAddress(address)), mailboxId)
    return after
  })
}

/** Audit entry, with a derived id so that it is written once. */
function expired({ id, address, mailboxId, expiresAt }: ClaimRecord): NewEntry {
  return {
    id: derivedId('aud', `claim.expired ${id}`, expiresAt),
    at: expiresAt,
    action: 'claim.expired',
    actor: BY_ITSELF,
    subject: { claim_id: id, mailbox_id: mailboxId, address },
  }
}
