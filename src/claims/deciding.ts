/**
 * What a human says to a claim: yes, by the operator's command or signed in on its page, or no. Each is one commit on the claim's record, so that
 * of several at once one wins; what follows from it is done here too, and again by the claim's task should a crash come in between.
 */
import { ownerEmail } from '../accounts/accounts.js'
import { requireActive, requireStaying } from '../accounts/standing.js'
import type { Accounts } from '../accounts/types.js'
import type { Clock } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { addressOwner, releaseAddress } from '../mailbox/addresses.js'
import { claimMailbox, declineMailbox, readMailbox } from '../mailbox/record.js'
import type { MailboxRecord } from '../mailbox/types.js'
import type { WorkQueue } from '../queue/types.js'
import type { Store } from '../store/types.js'
import { MAKING_LIFE_MS } from './claim.js'
import { targetOfToken } from './invite-record.js'
import { changeClaim, delist, readClaim } from './record.js'
import type { ClaimRecord } from './record.js'
import type { Approval, Claims, Decline } from './types.js'

export interface DecidingDeps {
  store: Store
  queue: Pick<WorkQueue, 'reschedule'>
  clock: Clock
  accounts: Pick<Accounts, 'ensure' | 'addMailbox' | 'adoptKey' | 'get' | 'findOwner'>
}

/** @returns the account that has the mailbox; undefined when it was deleted since */
export async function completeApproval(
  { store, clock, accounts }: DecidingDeps,
  claim: ClaimRecord,
): Promise<string | undefined> {
  const mailbox = await readMailbox(store, claim.mailboxId)
  let accountId = mailbox?.accountId ?? undefined
  // The mailbox last: once it is claimed, everything else is in place. One that is gone was deleted since, and stays so.
  if (mailbox && mailbox.status === 'pending') {
    accountId = claim.accountId ?? (await accounts.ensure(claim.owner)).id
    await accounts.addMailbox(accountId, claim.mailboxId)
    await accounts.adoptKey(accountId, claim.mailboxId, claim.keyHash)
    await claimMailbox(store, claim.mailboxId, accountId, clock.now())
  }
  await delist(store, claim.id)
  return accountId
}

/** The name is free at once. The mailbox stays for its key to read what became of it, until the claim's day is over. */
export async function completeDecline({ store, clock }: DecidingDeps, claim: ClaimRecord): Promise<void> {
  await delist(store, claim.id)
  if (await readMailbox(store, claim.mailboxId)) await declineMailbox(store, claim.mailboxId, clock.now())
  await releaseAddress(store, claim.address, claim.mailboxId)
}

/** A mailbox whose claim was decided without the mailbox following is one whose process died, or could not write, between the two commits. */
export async function settledMailbox(deps: DecidingDeps, mailboxId: string): Promise<MailboxRecord | undefined> {
  const { store } = deps
  const mailbox = await readMailbox(store, mailboxId)
  if (mailbox?.status !== 'pending' || mailbox.declinedAt !== undefined || mailbox.claimId === null) return mailbox
  const claim = await readClaim(store, mailbox.claimId)
  switch (claim?.state) {
    case 'claimed':
      await completeApproval(deps, claim)
      return readMailbox(store, mailboxId)
    case 'declined':
      await completeDecline(deps, claim)
      return readMailbox(store, mailboxId)
    default:
      return mailbox
  }
}

export function createDeciding(deps: DecidingDeps): Pick<Claims, 'approve' | 'approveAs' | 'decline'> {
  const { store, clock, accounts } = deps
  const isOpen = (claim: ClaimRecord | undefined): claim is ClaimRecord =>
    claim?.state === 'pending' && clock.now() < claim.expiresAt

  /** Ends the waiting of a claim, unless somebody was faster or its time is over. */
  async function decide(
    claimId: string,
    change: Partial<ClaimRecord>,
  ): Promise<{ claim: ClaimRecord | undefined; isOurs: boolean }> {
    const now = clock.now()
    // Intent first: should we crash past the next commit, the task completes it.
    await deps.queue.reschedule('claim', claimId, now + MAKING_LIFE_MS)
    let isOurs = false
    const claim = await changeClaim(store, claimId, (before) => {
      isOurs = isOpen(before)
      return isOpen(before) ? { ...before, ...change, stateAt: now } : before
    })
    return { claim, isOurs }
  }

  return {
    async approve(address, owner) {
      const ownerOrOperator = owner === undefined ? null : ownerEmail(owner)
      const mailboxId = await addressOwner(store, address.trim())
      const mailbox = mailboxId === undefined ? undefined : await readMailbox(store, mailboxId)
      if (!mailbox) throw noClaim()
      if (mailbox.status === 'claimed' && mailbox.accountId !== null) {
        if (mailbox.claimId !== null) await delist(store, mailbox.claimId)
        return { address: mailbox.address, accountId: mailbox.accountId, alreadyApproved: true }
      }
      if (mailbox.claimId === null) throw noClaim()
      const target = ownerOrOperator === null ? undefined : await accounts.findOwner(ownerOrOperator)
      if (target) requireStaying(target)
      const { claim, isOurs } = await decide(mailbox.claimId, { state: 'claimed', owner: ownerOrOperator })
      if (claim?.state !== 'claimed') throw noClaim()
      const accountId = await completeApproval(deps, claim)
      if (accountId === undefined) throw noClaim()
      return { address: claim.address, accountId, alreadyApproved: !isOurs }
    },

    async approveAs(token, accountId): Promise<Approval> {
      const account = await accounts.get(accountId)
      if (!account) throw new ServiceError('not_found', 'This account is gone.', 'Sign in again to make a new one.')
      requireActive(account)
      const target = await targetOfToken(store, token, clock.now())
      if (!target) throw noClaimHere()
      const { claim, isOurs } = await decide(target.claimId, { state: 'claimed', accountId })
      if (!claim || claim.state === 'making') throw noClaimHere()
      const { address, mailboxId } = claim
      if (claim.state === 'claimed') {
        const has = await completeApproval(deps, claim)
        return { address, mailboxId, outcome: isOurs ? 'approved' : has === accountId ? 'already_yours' : 'taken' }
      }
      return { address, mailboxId, outcome: claim.state === 'declined' ? 'declined' : 'expired' }
    },

    async decline(which): Promise<Decline> {
      const claimId = 'token' in which ? await claimOfLink(which.token) : await claimOfAddress(which.address)
      if (claimId === undefined) throw 'token' in which ? noClaimHere() : noClaim()
      const { claim, isOurs } = await decide(claimId, { state: 'declined' })
      if (!claim || claim.state === 'making') throw 'token' in which ? noClaimHere() : noClaim()
      const { address, mailboxId } = claim
      if (claim.state === 'declined') {
        await completeDecline(deps, claim)
        return { address, mailboxId, outcome: isOurs ? 'declined' : 'already_declined' }
      }
      return { address, mailboxId, outcome: claim.state === 'claimed' ? 'taken' : 'expired' }
    },
  }

  async function claimOfLink(token: string): Promise<string | undefined> {
    return (await targetOfToken(store, token, clock.now()))?.claimId
  }

  async function claimOfAddress(address: string): Promise<string | undefined> {
    const mailboxId = await addressOwner(store, address.trim())
    const mailbox = mailboxId === undefined ? undefined : await readMailbox(store, mailboxId)
    const claimId = mailbox?.claimId ?? undefined
    return claimId !== undefined && (await readClaim(store, claimId)) ? claimId : undefined
  }
}

function noClaim(): ServiceError {
  return new ServiceError(
    'not_found',
    'No claim waits for this address.',
    'See what waits with `restante claim list`. A claim that nobody approves ends after 24 hours; start over with GET /v1/claim/challenge.',
  )
}

function noClaimHere(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no claim at this link.',
    'Check that the link is whole. A claim ends after 24 hours; ask the agent for a new one.',
  )
}
