/** Decides whether a mailbox and its account may be used for a request, with all error texts for refusals. */
import { timestamp } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import type { ClaimState } from './claim-status.js'
import { PROGRAM_SCOPES, type AccountRecord, type Caller, type Pause, type ProgramScope } from './types.js'

export function claimPending(): ServiceError {
  return new ServiceError(
    'claim_pending',
    'This mailbox waits for its approval.',
    'Give the claim_url to your human, and poll GET /v1/claim/status (over MCP: claim_status) every minute or two.',
  )
}

/** The error for a mailbox that is not approved. */
export function notApproved(status: Exclude<ClaimState, 'claimed'>): ServiceError {
  switch (status) {
    case 'pending':
      return claimPending()
    case 'declined':
      return new ServiceError(
        'claim_declined',
        'A human has declined this mailbox: it will never be usable.',
        'Ask your human if they want another one, and only then claim it: GET /v1/claim/challenge, then POST /v1/claim.',
      )
    case 'expired':
      return new ServiceError(
        'claim_expired',
        'Nobody approved this mailbox within 24 hours, so it is removed.',
        'Claim an address again: GET /v1/claim/challenge, then POST /v1/claim. Give the new claim_url to your human right away.',
      )
  }
}

export function accountDeletionPending(): ServiceError {
  return new ServiceError(
    'account_deletion_pending',
    'The account of this mailbox is being deleted.',
    'The key that requested it can cancel with POST /v1/account/deletion/cancel, and its owner after signing in.',
  )
}

/** Refuses new mailboxes, which would be deleted with the account. @throws ServiceError `account_deletion_pending` */
export function requireStaying({ status }: AccountRecord): void {
  if (status !== 'deletion_pending') return
  throw new ServiceError(
    'account_deletion_pending',
    'This account is being deleted, and gets no further mailboxes.',
    'Cancel the deletion first, then approve; a claim can be approved for 24 hours.',
  )
}

export function accountSuspended({ suspension }: Pick<AccountRecord, 'suspension'>): ServiceError {
  const reason = suspension ? ` The reason: ${suspension.reason}` : ''
  return new ServiceError(
    'account_suspended',
    `The account of this mailbox is suspended.${reason}`,
    `${
      suspension?.by === 'service'
        ? 'Stop sending, and tell your human the reason: they find the cause, such as an old list of addresses, and then write'
        : 'Tell your human the reason: they write'
    } to the operator of this server (postmaster@ its domain), who can end the suspension. Mail still arrives, and queued mail is held.`,
  )
}

/** The error for what an agent may not do while its mailbox is paused. */
export function mailboxPaused({ what, at, by }: Pick<Pause, 'what' | 'at' | 'by'>): ServiceError {
  const who = by === 'human' ? 'Its human' : 'The operator of this server'
  const since = timestamp(at)
  if (what === 'all')
    return new ServiceError(
      'mailbox_paused',
      `${who} has paused this mailbox at ${since}: no key and no connection of it works.`,
      'Stop here, and ask your human: only they can resume it, on its page. Mail still arrives and is kept.',
    )
  return new ServiceError(
    'mailbox_paused',
    `${who} has paused sending from this mailbox at ${since}.`,
    'Do not try again: ask your human, who alone can resume it. Reading, waiting for mail and drafts still work (POST /v1/drafts), mail still arrives, and mail that was accepted before waits.',
  )
}

/** Why an account can't be used; undefined if it can. */
export function inactive(account: AccountRecord): ServiceError | undefined {
  switch (account.status) {
    case 'active':
      return undefined
    case 'suspended':
      return accountSuspended(account)
    case 'deletion_pending':
      return accountDeletionPending()
  }
}

/** @throws ServiceError `account_suspended`, `account_deletion_pending` */
export function requireActive(account: AccountRecord): void {
  const refusal = inactive(account)
  if (refusal) throw refusal
}

/** True if a key is an app password: for mail programs only. */
export const isAppPassword = ({ scopes }: Pick<Caller, 'scopes'>): boolean =>
  scopes.length > 0 && scopes.every((scope) => PROGRAM_SCOPES.some((known) => known === scope))

/** The error for an app password outside of mail programs. */
export function onlyForPrograms(): ServiceError {
  return new ServiceError(
    'insufficient_scope',
    'This key is an app password: it is for mail programs, and opens nothing else.',
    'Use a key with the scopes of an agent here; the owner makes one on their account page.',
  )
}

/** The error for a key or an access token that may not be used by mail programs, or not for this. */
export function notForPrograms(scope: ProgramScope, secret: 'password' | 'token'): ServiceError {
  if (secret === 'token')
    return new ServiceError(
      'insufficient_scope',
      `This program was not allowed the right ${scope}.`,
      'Sign in again in the program, and allow it on the page that opens.',
    )
  return new ServiceError(
    'insufficient_scope',
    `This password does not have the right ${scope}.`,
    'Make an app password with that right on the page of the mailbox, under Mail programs.',
  )
}
