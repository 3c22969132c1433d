/** Approves and declines claims, by the operator's command or by a signed-in human. Each is one transaction, so of concurrent ones exactly one wins. */
import { ownerEmail } from '../../accounts/accounts.js'
import { listKey } from '../../accounts/key-ring.js'
import { keyOf, keyPartition } from '../../accounts/keys.js'
import { enterMailboxOf } from '../../accounts/mailbox-list.js'
import { requireActive, requireStaying } from '../../accounts/refusals.js'
import type { AccountRecord, Accounts, Entering } from '../../accounts/types.js'
import { accountPartition, readAccount } from '../../accounts/record.js'
import type { Note } from '../../audit/types.js'
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { leaveAddress, partitionOfAddress } from '../../mailbox/addresses.js'
import { mailboxPartition } from '../../mailbox/keys.js'
import { claimMailbox, declineMailbox, mailboxOf, mailboxWithAddress } from '../../mailbox/record.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { Store, Transaction } from '../../store/types.js'
import { targetOfToken } from './invite-record.js'
import { claimOf, listClaim, partitionsOf, putClaim, readClaim, type ClaimRecord } from './record.js'
import type { Approval, Claims, Decline } from './types.js'

export interface DecidingDeps {
  store: Store
  clock: Clock
  accounts: Pick<Accounts, 'entering' | 'findOwner'>
}

interface Decided {
  claim: ClaimRecord
  /** As it was before. */
  mailbox: MailboxRecord | undefined
  isOurs: boolean
}

export function createDeciding({
  store,
  clock,
  accounts,
}: DecidingDeps): Pick<Claims, 'approve' | 'approveAs' | 'decline'> {
  /**
   * Changes the state of a pending claim with all consequences.
   *
   * @param more partitions of the consequences, beside the claim's own
   * @returns undefined if there is no such claim
   */
  async function decide(
    claimId: string,
    change: Partial<ClaimRecord> & Pick<ClaimRecord, 'state'>,
    more: readonly string[],
    follow: (tx: Transaction, claim: ClaimRecord, now: number) => Promise<void>,
    note: Note | undefined,
  ): Promise<Decided | undefined> {
    const known = await readClaim(store, claimId)
    if (!known) return undefined
    return store.write([...partitionsOf(known), ...more], async (tx) => {
      const now = clock.now()
      const [claim, mailbox] = [await claimOf(tx), await mailboxOf(tx.in(mailboxPartition(known.mailboxId)))]
      if (!claim) return undefined
      // Another decision or a deletion may have been faster, or the claim may have expired.
      if (claim.state !== 'pending' || now >= claim.expiresAt || !mailbox) return { claim, mailbox, isOurs: false }
      const decided = { ...claim, ...change, stateAt: now }
      putClaim(tx, decided)
      listClaim(tx, claimId, false)
      await follow(tx, decided, now)
      note?.write(tx, {
        subject: {
          address: claim.address,
          mailbox_id: claim.mailboxId,
          ...(decided.accountId && { account_id: decided.accountId }),
        },
      })
      return { claim: decided, mailbox, isOurs: true }
    })
  }

  /** @param enter gives the account within the transaction; undefined if it has to be looked up again */
  async function approveFor(
    claimId: string,
    { id: accountId, partitions, enter }: Entering,
    owner: string | null,
    note: Note | undefined,
  ): Promise<Decided | undefined> {
    return decide(
      claimId,
      { state: 'claimed', owner, accountId },
      partitions,
      async (tx, { mailboxId, keyHash }, now) => {
        if (!(await enter(tx))) throw new AccountMoved()
        const account = tx.in(accountPartition(accountId))
        await enterMailboxOf(account, accountId, mailboxId, now)
        const key = await keyOf(tx.in(keyPartition(keyHash)), keyHash)
        if (key) listKey(account, mailboxId, key.record.keyId, keyHash)
        await claimMailbox(tx.in(mailboxPartition(mailboxId)), accountId, now)
      },
      note,
    )
  }

  return {
    async approve(address, owner, note) {
      const ownerOrOperator = owner === undefined ? null : ownerEmail(owner)
      const mailbox = await mailboxWithAddress(store, address.trim())
      if (!mailbox) throw noClaim()
      if (mailbox.status === 'claimed' && mailbox.accountId !== null)
        return { address: mailbox.address, accountId: mailbox.accountId, alreadyApproved: true }
      if (mailbox.claimId === null) throw noClaim()
      const target = ownerOrOperator === null ? undefined : await accounts.findOwner(ownerOrOperator)
      if (target) requireStaying(target)
      for (let isSure = false; ; isSure = true) {
        const entering = await accounts.entering(ownerOrOperator, isSure)
        const decided = await approveFor(mailbox.claimId, entering, ownerOrOperator, note).catch(unlessMoved)
        if (decided === 'moved') continue
        if (decided?.claim.state !== 'claimed') throw noClaim()
        const accountId = decided.isOurs ? entering.id : decided.mailbox?.accountId
        if (!accountId) throw noClaim()
        return { address: decided.claim.address, accountId, alreadyApproved: !decided.isOurs }
      }
    },

    async approveAs(token, accountId, note): Promise<Approval> {
      const account = await store.read(accountPartition(accountId), readAccount)
      if (!account) throw accountGone()
      requireActive(account)
      const target = await targetOfToken(store, token, clock.now())
      if (!target) throw noClaimHere()
      const decided = await approveFor(target.claimId, signedIn(accountId), null, note)
      if (!decided) throw noClaimHere()
      const { claim, mailbox, isOurs } = decided
      const { address, mailboxId } = claim
      if (isOurs) return { address, mailboxId, outcome: 'approved' }
      if (claim.state === 'claimed')
        return { address, mailboxId, outcome: mailbox?.accountId === accountId ? 'already_yours' : 'taken' }
      return { address, mailboxId, outcome: claim.state === 'declined' ? 'declined' : 'expired' }
    },

    async decline(which, note): Promise<Decline> {
      const claimId =
        'token' in which
          ? (await targetOfToken(store, which.token, clock.now()))?.claimId
          : (await mailboxWithAddress(store, which.address.trim()))?.claimId
      const decided = !claimId
        ? undefined
        : await decide(
            claimId,
            { state: 'declined' },
            [],
            async (tx, { address, mailboxId }, now) => {
              // The name is free at once. The mailbox stays until the claim expires, so that its key can read the outcome.
              await declineMailbox(tx.in(mailboxPartition(mailboxId)), now)
              await leaveAddress(tx.in(partitionOfAddress(address)), mailboxId)
            },
            note,
          )
      if (!decided) throw 'token' in which ? noClaimHere() : noClaim()
      const { claim, isOurs } = decided
      const { address, mailboxId } = claim
      if (claim.state === 'declined') return { address, mailboxId, outcome: isOurs ? 'declined' : 'already_declined' }
      return { address, mailboxId, outcome: claim.state === 'claimed' ? 'taken' : 'expired' }
    },
  }
}

function signedIn(accountId: string): Entering {
  const partition = accountPartition(accountId)
  return {
    id: accountId,
    partitions: [partition],
    async enter(tx): Promise<AccountRecord> {
      const account = await readAccount(tx.in(partition))
      if (!account) throw accountGone()
      requireActive(account)
      return account
    },
  }
}

/** The owner got another account after the lookup. */
class AccountMoved extends Error {}

function unlessMoved(error: unknown): 'moved' {
  if (error instanceof AccountMoved) return 'moved'
  throw error
}

function accountGone(): ServiceError {
  return new ServiceError('not_found', 'This account no longer exists.', 'Sign in again to create a new one.')
}

function noClaim(): ServiceError {
  return new ServiceError(
    'not_found',
    'No claim for this address is pending.',
    'List pending claims with `restante claim list`. A claim expires after 24 hours without approval; start over with GET /v1/claim/challenge.',
  )
}

function noClaimHere(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no claim at this link.',
    'Check that the link is complete. A claim expires after 24 hours; ask the agent for a new one.',
  )
}
