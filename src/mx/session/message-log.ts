/** Log line and metrics of a message: addresses and verdicts, never content. */
import { DURATION_BUCKETS, type Meter } from '../../observe/metrics.js'
import { replyCodes, type Reply } from '../../smtp/replies.js'
import type { Envelope, Outcome } from '../intake/types.js'

const MAX_LOGGED_RECIPIENTS = 10

/** Field by field: spreading is more expensive. */
export function lineOf(
  envelope: Envelope,
  sessionId: string,
  bytes: number,
  end?: { outcome: Outcome; ms: number },
): Record<string, unknown> {
  const { client } = envelope
  const { stored = [], auth, scan, spam, labels, notice, report, reply } = end?.outcome ?? {}
  const [only] = stored.length === 1 ? stored : []
  return {
    connection_id: sessionId,
    receipt_id: envelope.id,
    client: envelope.clientAddress,
    client_name: client.name ?? undefined,
    forward_confirmed: forwardConfirmed(client),
    helo: client.helo,
    listed: client.listed.length ? client.listed : undefined,
    protocol: envelope.protocol,
    tls: envelope.cipher?.version,
    requires_tls: envelope.requireTls || undefined,
    from: envelope.from,
    to: envelope.recipients.slice(0, MAX_LOGGED_RECIPIENTS),
    recipients: envelope.recipients.length,
    mailboxes: envelope.mailboxIds.length,
    message_id: only?.messageId,
    mailbox_id: only?.mailboxId,
    bytes,
    spf: auth?.spf.result,
    dkim: auth?.dkim.result,
    dmarc: auth?.dmarc.result,
    dmarc_policy: auth?.dmarc.policy,
    arc: auth?.arc.result,
    virus: scan?.virus,
    signature: scan?.virus === 'infected' ? scan.signature : undefined,
    unscanned: scan?.virus === 'unscanned' ? scan.reason : undefined,
    spam_score: spam?.score,
    spam_reasons: spam?.reasons.length ? spam.reasons.map((reason) => reason.code) : undefined,
    labels: labels?.length ? labels : undefined,
    notice,
    report,
    reply: reply && replyCodes(reply),
    reason: reply?.reason,
    ms: end?.ms,
  }
}

/** Undefined without a name or an answer from DNS. */
function forwardConfirmed({ name, confirmed, known }: Envelope['client']): boolean | undefined {
  return name === null || !known ? undefined : confirmed
}

export function messageMetrics(metrics: Meter | undefined): (reply: Reply, ms: number) => void {
  if (!metrics) return () => undefined
  const messages = metrics.counter('mx_messages_total', 'Messages from outside, by the reply to their data.', ['reply'])
  const seconds = metrics.histogram(
    'mx_message_seconds',
    'From DATA to its reply, the time the client takes to send included.',
    DURATION_BUCKETS,
  )
  return (reply, ms) => {
    messages.inc({ reply: replyCodes(reply) })
    seconds.observe(ms / 1000)
  }
}
