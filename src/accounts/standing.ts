/** Whether a mailbox and its account may do what is asked of them; the one place that words why not. */
import { ServiceError } from '../lib/errors.js'
import type { ClaimStanding } from './claim-status.js'
import type { AccountRecord } from './types.js'

/** The mailbox waits for its approval. */
export function claimPending(): ServiceError {
  return new ServiceError(
    'claim_pending',
    'Nobody has approved this mailbox yet.',
    'Hand the claim_url to your human, and ask GET /v1/claim/status (over MCP: claim_status) every minute or two.',
  )
}

/** Its human said no. */
function claimDeclined(): ServiceError {
  return new ServiceError(
    'claim_declined',
    'A human has declined this mailbox: nobody will use it.',
    'Ask your human whether they want another one, and only then claim it: GET /v1/claim/challenge, then POST /v1/claim.',
  )
}

/** Its day is over; a moment later the mailbox is removed with its key. */
function claimExpired(): ServiceError {
  return new ServiceError(
    'claim_expired',
    'Nobody approved this mailbox within 24 hours, so it is removed.',
    'Claim an address again: GET /v1/claim/challenge, then POST /v1/claim. Hand the new claim_url to your human right away.',
  )
}

/** Why a mailbox can't be used that nobody has approved. */
export function notApproved(status: Exclude<ClaimStanding, 'claimed'>): ServiceError {
  switch (status) {
    case 'pending':
      return claimPending()
    case 'declined':
      return claimDeclined()
    case 'expired':
      return claimExpired()
  }
}

export function accountDeletionPending(): ServiceError {
  return new ServiceError(
    'account_deletion_pending',
    'The account of this mailbox is about to be deleted.',
    'The key that asked for it can cancel with POST /v1/account/deletion/cancel, and its owner after signing in.',
  )
}

/** A mailbox that joined such an account would go with it. @throws ServiceError `account_deletion_pending` */
export function requireStaying({ status }: AccountRecord): void {
  if (status !== 'deletion_pending') return
  throw new ServiceError(
    'account_deletion_pending',
    'This account is about to be deleted, and takes no further mailboxes.',
    'Cancel the deletion first, and approve then; a claim can be approved for 24 hours.',
  )
}

export function accountSuspended({ suspension }: Pick<AccountRecord, 'suspension'>): ServiceError {
  const reason = suspension ? ` The reason: ${suspension.reason}` : ''
  return new ServiceError(
    'account_suspended',
    `The account of this mailbox is suspended.${reason}`,
    `${
      suspension?.by === 'service'
        ? 'Stop sending, and tell your human the reason: they find what led to it, such as an old list of addresses, and then write'
        : 'Tell your human the reason: they write'
    } to the operator of this server (postmaster@ its domain), who can end the suspension. Mail still arrives, and mail that waits to be sent is held.`,
  )
}

/** @throws ServiceError `account_suspended`, `account_deletion_pending` */
export function requireActive(account: AccountRecord): void {
  switch (account.status) {
    case 'active':
      return
    case 'suspended':
      throw accountSuspended(account)
    case 'deletion_pending':
      throw accountDeletionPending()
  }
}
