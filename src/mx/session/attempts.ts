/**
 * From the steps of a session to one receipt for each delivery attempt. An attempt begins with MAIL and ends with the reply to its data; one that
 * has no data ends with the next MAIL or with the connection, since RSET, EHLO and STARTTLS end transactions without our being told.
 */
import type { SMTPServerAddress, SMTPServerSession } from 'smtp-server'
import type { Clock } from '../../lib/clock.js'
import { timestamp } from '../../lib/clock.js'
import { newId } from '../../lib/ids.js'
import { unmapped } from '../../lib/ip.js'
import { asciiAddress } from '../../mime/address.js'
import type { Receipt, ReceiptRecipient, Receipts } from '../../receipts/types.js'
import type { Transaction } from '../../store/types.js'
import type { Reply } from '../../smtp/replies.js'
import type { Envelope, Outcome } from '../judging/transaction.js'

export interface Attempts {
  /** MAIL was said, and refused when there is a reply. */
  mail(session: SMTPServerSession, address: SMTPServerAddress, refusal?: Reply): void
  /** A recipient was taken, or refused. */
  recipient(
    session: SMTPServerSession,
    address: SMTPServerAddress,
    to: { mailbox: { id: string; address: string } } | { refusal: Reply },
  ): void
  /** The data begins: from here on `finished` ends the attempt, whatever becomes of the connection. */
  data(session: SMTPServerSession): void
  /** The data had its reply, or its client went away before its end: then there is no outcome. */
  finished(
    session: SMTPServerSession,
    envelope: Pick<Envelope, 'id' | 'client'>,
    bytes: number,
    outcome: Outcome | undefined,
  ): void
  /** Writes the receipt with the message, in the transaction that stores it: `finished` with an outcome that says so writes none. Missing where none are kept. */
  within?: (
    tx: Transaction,
    session: SMTPServerSession,
    envelope: Pick<Envelope, 'id' | 'client'>,
    bytes: number,
    outcome: Outcome,
  ) => void
  closed(session: SMTPServerSession): void
}

interface Attempt extends Pick<Receipt, 'client' | 'helo' | 'protocol' | 'tls' | 'from'> {
  startedAt: number
  recipients: ReceiptRecipient[]
  leftOut: number
  inData: boolean
}

/** Of one attempt: a stranger may name as many recipients as the session lets them. */
const MAX_REFUSED = 50

export function createAttempts({
  receipts,
  clock,
}: {
  receipts?: Pick<Receipts, 'add' | 'addWithin'> | undefined
  clock: Clock
}): Attempts {
  /** By session: it has one at a time. */
  const open = new Map<string, Attempt>()

  function end(session: SMTPServerSession, attempt: Attempt, rest: EndOfAttempt): void {
    open.delete(session.id)
    receipts?.add(receiptOf(attempt, rest))
  }

  function receiptOf(attempt: Attempt, rest: EndOfAttempt): Receipt {
    const { client, helo, protocol, tls, from, recipients } = attempt
    const now = clock.now()
    // Each by its name: to spread one object into another costs as much as all else here.
    const { auth, virus, spam, labels } = verdicts(rest.outcome)
    return {
      client,
      helo,
      protocol,
      tls,
      from,
      recipients,
      id: rest.id ?? newId('rcp', now),
      at: timestamp(now),
      outcome: outcomeOf(rest.reply),
      recipients_left_out: attempt.leftOut,
      size_bytes: rest.bytes ?? null,
      auth,
      virus,
      spam,
      labels,
      reply: rest.reply ?? null,
      duration_ms: Math.max(0, now - attempt.startedAt),
    }
  }

  /** The end of an attempt without data. One that named nobody is a question about the sender at most, and leaves nothing. */
  function endWithoutData(session: SMTPServerSession): void {
    const attempt = open.get(session.id)
    if (!attempt || attempt.inData) return
    open.delete(session.id)
    if (attempt.recipients.length === 0) return
    const taken = attempt.recipients.some((recipient) => recipient.refusal === null)
    const last = attempt.recipients.at(-1)?.refusal
    end(session, attempt, { reply: taken ? undefined : (last ?? undefined) })
  }

  return {
    mail(session, { address }, refusal) {
      if (!receipts) return
      endWithoutData(session)
      const attempt: Attempt = {
        startedAt: clock.now(),
        client: { address: unmapped(session.remoteAddress), name: null },
        helo: session.hostNameAppearsAs || '',
        protocol: session.transmissionType,
        tls: session.tlsOptions ? { version: session.tlsOptions.version, cipher: session.tlsOptions.name } : null,
        from: address ? asciiAddress(address) : '',
        recipients: [],
        leftOut: 0,
        inData: false,
      }
      if (refusal) end(session, attempt, { reply: refusal })
      else open.set(session.id, attempt)
    },
    recipient(session, { address }, to) {
      const attempt = open.get(session.id)
      if (!attempt) return
      const refused = attempt.recipients.filter((recipient) => recipient.refusal !== null).length
      if ('refusal' in to && refused >= MAX_REFUSED) {
        attempt.leftOut++
        return
      }
      attempt.recipients.push(
        'mailbox' in to
          ? { address, mailbox: { id: to.mailbox.id, address: to.mailbox.address }, refusal: null }
          : { address, mailbox: null, refusal: to.refusal },
      )
    },
    data(session) {
      const attempt = open.get(session.id)
      if (attempt) attempt.inData = true
    },
    finished(session, { id, client }, bytes, outcome) {
      const attempt = open.get(session.id)
      if (!attempt) return
      attempt.client.name = client.name
      if (outcome?.hasReceipt) open.delete(session.id)
      else end(session, attempt, { id, bytes, reply: outcome?.reply, outcome })
    },
    ...(receipts && {
      within(tx, session, { id, client }, bytes, outcome) {
        const attempt = open.get(session.id)
        if (!attempt) return
        attempt.client.name = client.name
        receipts.addWithin(tx, receiptOf(attempt, { id, bytes, reply: outcome.reply, outcome }))
      },
    }),
    closed: endWithoutData,
  }
}

interface EndOfAttempt {
  id?: string
  bytes?: number
  reply: Reply | undefined
  outcome?: Outcome | undefined
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
