/**
 * The spam score of a message from outside: what the rules find in it, and whether its sender can be told. 5 points are spam, as
 * postmasters are used to from SpamAssassin. A sender without any authentication alone is no spammer, only unknown.
 */
import type { AuthenticationResults } from '../authentication/types.js'
import type { ParsedMessage } from '../mime/types.js'
import { risk } from './finding.js'
import { shownLinks } from './links.js'
import { findingsOf } from './rules.js'
import type { GuardSubject, SpamOpinion } from './types.js'

/** A score from which a message is spam. */
export const SPAM_LINE = 5

/** Points of a message of which the rules are certain; half of a doubt is the spam line. */
const CONTENT_POINTS = 10

interface Points {
  code: string
  points: number
  detail: string
}

/** The score of a message as the receiver knows it. */
export function inboundSpamScore({
  parsed,
  auth,
}: {
  parsed: ParsedMessage
  auth: AuthenticationResults
}): SpamOpinion {
  const { subject, text, hiddenWords, html, extracted, attachments, to, cc } = parsed
  const links = shownLinks(html, extracted.links)
  const recipientCount = to.length + cc.length
  return spamScore(
    {
      kind: 'inbound',
      subject,
      text,
      hiddenWords,
      html,
      links,
      attachments,
      recipientCount,
      newRecipientCount: 0,
      trust: 0,
    },
    auth,
  )
}

/** @param auth null for mail that never left this server */
export function spamScore(subject: GuardSubject, auth: AuthenticationResults | null): SpamOpinion {
  const findings = findingsOf(subject)
  // Bulk is a question for senders: who receives a list has usually asked for it.
  const content = findings.filter(({ category }) => category !== 'bulk')
  const strongest = Math.max(
    0,
    ...[...new Set(content.map(({ category }) => category))].map((category) =>
      risk(content.filter((finding) => finding.category === category)),
    ),
  )
  const sender = auth ? senderPoints(auth) : []
  const points = strongest * CONTENT_POINTS + sender.reduce((sum, { points: some }) => sum + some, 0)
  const score = Math.max(0, Math.round(points * 10) / 10)
  return {
    score,
    verdict: score >= SPAM_LINE ? 'spam' : 'ham',
    reasons: [
      ...content.map(({ code, detail }) => ({ code, detail })),
      ...sender.filter(({ points: some }) => some > 0).map(({ code, detail }) => ({ code, detail })),
    ],
  }
}

function senderPoints({ spf, dkim, dmarc }: AuthenticationResults): Points[] {
  if (dmarc.result === 'pass') return [{ code: 'dmarc_pass', points: -0.5, detail: 'the sender is who it says' }]
  const found: Points[] = []
  if (dmarc.result === 'fail') {
    found.push({
      code: 'dmarc_fail',
      points: 2.5,
      detail: `the sender is not shown to be ${dmarc.domain ?? 'who it says'}`,
    })
  }
  if (spf.result === 'fail') {
    found.push({
      code: 'spf_fail',
      points: 1.5,
      detail: `${spf.domain ?? 'the domain'} does not let this client send for it`,
    })
  } else if (spf.result === 'softfail') {
    found.push({
      code: 'spf_softfail',
      points: 0.5,
      detail: `${spf.domain ?? 'the domain'} doubts that this client may send for it`,
    })
  }
  if (dkim.result === 'fail')
    found.push({ code: 'dkim_fail', points: 0.5, detail: 'a signature does not match the message' })
  if (spf.result !== 'pass' && dkim.result !== 'pass' && found.length === 0) {
    found.push({ code: 'unauthenticated', points: 1, detail: 'neither SPF nor DKIM says who sent it' })
  }
  return found
}
