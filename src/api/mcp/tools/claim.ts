/** The tool claim_status, for pending mailboxes. */
import { z } from 'zod'
import type { ClaimState } from '../../../accounts/claim-status.js'
import type { Caller } from '../../../accounts/types.js'
import { INACTIVE_STEPS } from '../errors.js'
import { defineTool, READS } from '../tool.js'

export const claimStatus = defineTool({
  name: 'claim_status',
  title: 'Claim status',
  description: 'Shows whether a human has approved this mailbox; until then no other tool works.',
  input: z.strictObject({}),
  output: z.strictObject({
    status: z.enum(['pending', 'claimed', 'declined', 'expired']),
    address: z.string(),
    expires_at: z.string().optional(),
    next_step: z.string(),
  }),
  ...READS,
  scope: undefined,
  async run({ claims }, _input, { caller }) {
    const { status, address, expires_at } = await claims.status(caller.mailboxId)
    const next_step = nextStep(status, caller)
    const structured = { status, address, ...(expires_at !== null && { expires_at }), next_step }
    const until = expires_at === null ? '' : ` until ${expires_at}`
    return { text: `${address}: ${status}${until}\nNext: ${structured.next_step}`, structured, untrusted: false }
  },
})

function nextStep(status: ClaimState, { account, scopes }: Caller): string {
  switch (status) {
    case 'pending':
      return 'Give the claim link to the human who will own the mailbox; call claim_status again in a minute or two.'
    case 'claimed':
      return account?.status === 'suspended'
        ? `The account is suspended, so no other tool works. ${INACTIVE_STEPS.account_suspended}`
        : stepsWith(scopes)
    case 'declined':
    case 'expired':
      return INACTIVE_STEPS[`claim_${status}`]
  }
}

function stepsWith(scopes: Caller['scopes']): string {
  const reads = scopes.includes('mail:read') ? ['read mail with check_inbox'] : []
  const sends = scopes.includes('mail:send') ? ['write with send_email'] : []
  const words = [...reads, ...sends].join(', ')
  if (words === '')
    return 'This access can neither read nor send mail: ask your human for more scopes if you need them.'
  const limits = reads.length + sends.length === 2 ? '; usage shows how much you may send' : ''
  return `You can ${words}${limits}.`
}
