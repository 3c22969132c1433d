/** Next steps for an agent, by the state of its claim and account and by the scopes of its key. */
import type { ClaimState } from '../../accounts/claim-status.js'
import { accountDeletionPending, accountSuspended, notApproved } from '../../accounts/refusals.js'
import type { AccountRecord, Scope } from '../../accounts/types.js'

/** In order; at least one. @param account undefined until the mailbox is approved */
export function nextSteps(
  status: ClaimState,
  account: Pick<AccountRecord, 'status' | 'suspension'> | undefined,
  scopes: readonly Scope[],
): string[] {
  switch (status) {
    case 'pending':
      return [
        'Give claim_url to the human who will own the mailbox, or have it mailed to them with POST /v1/claim/notify.',
        'Poll GET /v1/claim/status again in a minute or two, until status is "claimed".',
      ]
    case 'declined':
    case 'expired':
      return [notApproved(status).hint]
    case 'claimed':
      break
  }
  const refusal =
    account?.status === 'suspended'
      ? accountSuspended(account)
      : account?.status === 'deletion_pending'
        ? accountDeletionPending()
        : undefined
  return refusal ? [refusal.message, refusal.hint] : stepsWith(new Set(scopes))
}

function stepsWith(scopes: ReadonlySet<Scope>): string[] {
  const steps = [
    ...(scopes.has('mail:read')
      ? ['Read mail with GET /v1/threads and wait for more with GET /v1/events?types=message.received&wait=30.']
      : []),
    ...(scopes.has('mail:send') ? ['Send with POST /v1/send.'] : []),
    ...(scopes.has('mail:read') ? ['See your limits with GET /v1/account/usage.'] : []),
    ...(scopes.has('mail:write')
      ? ['Label mail with PATCH /v1/messages/{id}, and write drafts with POST /v1/drafts.']
      : []),
  ]
  return steps.length > 0 ? steps : ['This key manages the account: see GET /v1/keys and GET /v1/account.']
}
