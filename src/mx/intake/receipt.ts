/** The receipt of a delivery attempt, from its steps and its outcome. */
import { timestamp } from '../../lib/clock.js'
import { newId } from '../../lib/ids.js'
import type { Receipt } from '../../receipts/types.js'
import type { Reply } from '../../smtp/replies.js'
import type { Attempt, Outcome } from './types.js'

export interface EndOfAttempt {
  /** Without a message it gets a new id. */
  id?: string
  bytes?: number
  /** Missing if the client left. */
  reply: Reply | undefined
  outcome?: Outcome | undefined
}

export function receiptOf(attempt: Attempt, end: EndOfAttempt, now: number): Receipt {
  const { client, helo, protocol, tls, from, recipients } = attempt
  // Field by field: spreading costs as much as everything else here.
  const { auth, virus, spam, labels } = verdicts(end.outcome)
  return {
    client,
    helo,
    protocol,
    tls,
    from,
    recipients,
    id: end.id ?? newId('rcp', now),
    at: timestamp(now),
    outcome: outcomeOf(end.reply),
    recipients_left_out: attempt.leftOut,
    size_bytes: end.bytes ?? null,
    auth,
    virus,
    spam,
    labels,
    reply: end.reply ?? null,
    duration_ms: Math.max(0, now - attempt.startedAt),
  }
}

function outcomeOf(reply: Reply | undefined): Receipt['outcome'] {
  if (!reply) return 'abandoned'
  if (reply.code >= 500) return 'refused'
  return reply.code >= 400 ? 'deferred' : 'accepted'
}

function verdicts(outcome: Outcome | undefined): Pick<Receipt, 'auth' | 'virus' | 'spam' | 'labels'> {
  const { auth, scan, spam, labels = [] } = outcome ?? {}
  return {
    auth: auth
      ? {
          spf: auth.spf.result,
          spf_domain: auth.spf.domain,
          dkim: auth.dkim.result,
          dkim_domain: auth.dkim.domain,
          dmarc: auth.dmarc.result,
          dmarc_domain: auth.dmarc.domain,
          dmarc_policy: auth.dmarc.policy,
          arc: auth.arc.result,
        }
      : null,
    virus: scan ? { verdict: scan.virus, detail: detailOf(scan) } : null,
    spam: spam
      ? { score: spam.score, verdict: spam.verdict, reasons: spam.reasons.map((reason) => reason.code) }
      : null,
    labels,
  }
}

function detailOf(scan: NonNullable<Outcome['scan']>): string | null {
  switch (scan.virus) {
    case 'clean':
      return null
    case 'infected':
      return scan.signature
    case 'unscanned':
      return scan.reason
  }
}
