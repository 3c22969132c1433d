/** Whether a mailbox and its account may do what is asked of them; the one place that words why not. */
import { ServiceError } from '../lib/errors.js'
import type { AccountRecord } from './types.js'

/** The mailbox waits for its approval. */
export function claimPending(): ServiceError {
  return new ServiceError(
    'claim_pending',
    'Nobody has approved this mailbox yet.',
    'Hand the claim_url to your human, and ask GET /v1/claim/status (over MCP: claim_status) every minute or two.',
  )
}

export function accountDeletionPending(): ServiceError {
  return new ServiceError(
    'account_deletion_pending',
    'The account of this mailbox is about to be deleted.',
    'Its owner can cancel that with POST /v1/account/deletion/cancel.',
  )
}

function accountSuspended(): ServiceError {
  return new ServiceError(
    'account_suspended',
    'The account of this mailbox is suspended.',
    'Its owner has to write to the operator of this server.',
  )
}

/** @throws ServiceError `account_suspended`, `account_deletion_pending` */
export function requireActive({ status }: AccountRecord): void {
  switch (status) {
    case 'active':
      return
    case 'suspended':
      throw accountSuspended()
    case 'deletion_pending':
      throw accountDeletionPending()
  }
}
