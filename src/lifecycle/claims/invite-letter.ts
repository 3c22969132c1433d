/** What an invite says. The agent's words are its own; all others are ours. */
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
    // Nothing of the agent's words: a subject is read as ours.
    subject: `Approve the mailbox ${claim.address}?`,
    parts: [
      {
        kind: 'text',
        text: `A software agent has claimed the mailbox ${claim.address} and gave your address as that of the human who stands for it. Until somebody approves it, it can neither read nor send mail.`,
      },
      ...quote('It calls itself (its own words, which nobody has checked)', claim.agentName),
      ...quote('It wrote to you (its own words, which nobody has checked)', invite.note),
      {
        kind: 'text',
        text: 'If you know this agent and expect this, open the link below to approve or decline. Who approves a mailbox owns it, and answers for what is sent from there.',
      },
      { kind: 'link', label: 'Look at the claim', url },
      {
        kind: 'facts',
        rows: [
          ['Claimed', minute(claim.createdAt)],
          ['Ends', minute(claim.expiresAt)],
        ],
      },
      { kind: 'text', text: 'If you do nothing, the mailbox is removed when the claim ends.' },
      { kind: 'link', label: 'This is not for me: no more of these', url: notMeUrl },
    ],
    unsubscribeUrl: notMeUrl,
    notAfter: claim.expiresAt,
  }
}
