/** Text of an invite. The agent's own text is marked as such. */
import type { Letter, LetterPart } from '../../accounts/letters.js'
import { timestamp } from '../../lib/clock.js'
import type { InviteRecord } from './invite-record.js'
import type { ClaimRecord } from './record.js'

export interface InviteLetter {
  claim: Pick<ClaimRecord, 'address' | 'agentName' | 'createdAt' | 'expiresAt'>
  invite: Pick<InviteRecord, 'to' | 'note'>
  /** The link of this invite. */
  url: string
}

const minute = (ms: number): string => `${timestamp(ms).slice(0, 16).replace('T', ' ')} UTC`

export function inviteLetter({ claim, invite, url }: InviteLetter): Letter {
  const notMeUrl = `${url}/not-me`
  const quote = (by: string, text: string | null): LetterPart[] => (text === null ? [] : [{ kind: 'quote', by, text }])
  return {
    to: invite.to,
    // No text of the agent: readers take the subject for ours.
    subject: `Approve the mailbox ${claim.address}?`,
    parts: [
      {
        kind: 'text',
        text: `A software agent has claimed the mailbox ${claim.address} and named you as the human responsible for it. Until it is approved, it can neither read nor send mail.`,
      },
      ...quote('Its name (unverified, in its own words)', claim.agentName),
      ...quote('Its note to you (unverified, in its own words)', invite.note),
      {
        kind: 'text',
        text: 'If you know this agent and expect this, open the link below to approve or decline. If you approve the mailbox, you own it and are responsible for what it sends.',
      },
      { kind: 'link', label: 'Open the claim', url },
      {
        kind: 'facts',
        rows: [
          ['Claimed', minute(claim.createdAt)],
          ['Ends', minute(claim.expiresAt)],
        ],
      },
      { kind: 'text', text: 'If you do nothing, the mailbox is removed when the claim expires.' },
      { kind: 'link', label: 'This is not for me: send no more of these', url: notMeUrl },
    ],
    unsubscribeUrl: notMeUrl,
    notAfter: claim.expiresAt,
  }
}
