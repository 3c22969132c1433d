/** The tool claim_status: the one for a mailbox that nobody has approved yet. */
import { z } from 'zod'
import type { ClaimState } from '../../claims/types.js'
import { defineTool, READS } from './tool.js'

const output = z.strictObject({
  status: z.enum(['pending', 'claimed', 'declined', 'expired']),
  address: z.string(),
  expires_at: z.string().optional(),
  next_step: z.string(),
})

export const claimStatus = defineTool({
  name: 'claim_status',
  title: 'Claim status',
  description: 'Says whether a human has approved this mailbox; until then no other tool works.',
  input: z.strictObject({}),
  output,
  annotations: READS,
  scope: undefined,
  async run({ claims }, _input, { caller }) {
    const { status, address, expires_at } = await claims.status(caller.mailboxId)
    const structured = { status, address, ...(expires_at !== null && { expires_at }), next_step: nextStep(status) }
    const until = expires_at === null ? '' : ` until ${expires_at}`
    return { text: `${address}: ${status}${until}\nNext: ${structured.next_step}`, structured, untrusted: false }
  },
})

function nextStep(status: ClaimState): string {
  switch (status) {
    case 'pending':
      return 'Give the claim link to the human who shall own the mailbox; call claim_status again in a minute or two.'
    case 'claimed':
      return 'Read mail with check_inbox, write with send_email; usage says how much you may send.'
    case 'declined':
    case 'expired':
      return 'This mailbox is gone: ask your human for another one.'
  }
}
