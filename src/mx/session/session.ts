/** What the receiver does at each step of an SMTP session: MAIL, RCPT and DATA. */
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import type { AuthenticationResults } from '../../authentication/types.js'
import { newId } from '../../lib/ids.js'
import { unmapped } from '../../lib/ip.js'
import type { Returned } from '../../mailbox/delivery/bounce-intake.js'
import type { Mailboxes } from '../../mailbox/types.js'
import { domainOf } from '../../mime/address.js'
import type { DmarcResult, DmarcResults } from '../../reporting/sent/dmarc-counts.js'
import type { Metrics } from '../../observe/metrics.js'
import { DURATION_BUCKETS } from '../../observe/metrics.js'
import type { Log } from '../../observe/log.js'
import type { Receipts } from '../../receipts/types.js'
import { isStorageError } from '../../store/errors.js'
import { createAttempts } from './attempts.js'
import type { Connections } from '../limits/connections.js'
import type { DsnRequest } from '../judging/dsn.js'
import { ALWAYS_REACHABLE, createGatekeeper } from '../limits/gatekeeper.js'
import type { GatekeeperDeps } from '../limits/gatekeeper.js'
import { createMemoryPool } from '../../smtp/memory-pool.js'
import { HEADROOM_BYTES } from '../../smtp/message-buffer.js'
import type { MessageBuffer } from '../../smtp/message-buffer.js'
import { receiveData } from './receive.js'
import {
  BUSY,
  INTERNAL,
  MAILBOX_FULL,
  NO_SUCH_MAILBOX,
  ONE_RETURN_PATH,
  RELAYING_DENIED,
  replyCodes,
  replyText,
  STORAGE_FAILED,
  TOO_LARGE,
  TOO_SLOW,
} from '../../smtp/replies.js'
import type { Policy } from '../judging/decide.js'
import type { Reply } from '../../smtp/replies.js'
import { acceptMessage } from '../judging/transaction.js'
import type { Envelope, Outcome, Progress, TransactionDeps } from '../judging/transaction.js'

export interface SessionDeps extends TransactionDeps, Omit<GatekeeperDeps, 'connections'> {
  mailboxes: Pick<Mailboxes, 'resolve' | 'get' | 'hasRoom' | 'deliver'> & Partial<Pick<Mailboxes, 'admission'>>
  /** Asked with a domain in lower-case ASCII. */
  isLocalDomain: (domain: string) => boolean
  /** Where mail to `<postmaster>` without a domain goes (RFC 5321 §4.5.1). */
  primaryDomain: string
  maxMessageBytes: number
  maxHeaderBytes: number
  /** Memory for messages on their way in, of all connections together. */
  maxBufferedBytes: number
  /** From the last byte of a message to its reply. */
  handlerMs: number
  connections: Connections
  log: Log
  metrics?: Metrics | undefined
  /** Where each delivery attempt leaves its receipt. */
  receipts?: Pick<Receipts, 'add' | 'addWithin'> | undefined
  /** Where DMARC's results are counted for those who ask for reports. */
  dmarcResults?: DmarcResults | undefined
}

export interface Sessions {
  handlers: Required<Pick<SMTPServerOptions, 'onMailFrom' | 'onRcptTo' | 'onData' | 'onClose'>>
  /** Asked at DATA, where a refusal spares the client the message: whether there is memory for it. */
  roomFor(session: SMTPServerSession): Reply | undefined
  /** MAIL was refused before it came to the handlers, for what it said of the message. */
  mailRefused(session: SMTPServerSession, sender: SMTPServerAddress, refusal: Reply): void
  /** Resolves when the messages that are being received or judged now have had their reply. */
  settled(): Promise<unknown>
}

/** Of each message; an address has at most 254 octets. */
const MAX_LOGGED_RECIPIENTS = 10

export function createSessions(deps: SessionDeps): Sessions {
  const { connections, log, clock } = deps
  const memory = createMemoryPool({
    maxBytes: deps.maxBufferedBytes,
    placeBytes: HEADROOM_BYTES + deps.maxMessageBytes,
  })
  /** The mailbox behind each recipient that was taken; the library keeps these objects for as long as the transaction lasts. */
  const mailboxOf = new WeakMap<SMTPServerAddress, string>()
  const returnedTo = new WeakMap<SMTPServerAddress, Returned>()
  const atWork = new Set<Promise<void>>()
  const count = messageMetrics(deps.metrics)
  const attempts = createAttempts(deps)
  const gate = createGatekeeper(deps)

  async function checkRecipient(recipient: SMTPServerAddress, session: SMTPServerSession): Promise<Reply | undefined> {
    const address = recipient.address.includes('@') ? recipient.address : `postmaster@${deps.primaryDomain}`
    if (!deps.isLocalDomain(domainOf(address))) return RELAYING_DENIED
    const harvesting = gate.recipientNamed(session)
    if (harvesting) return harvesting
    if (deps.returns?.hasForm(address)) return checkReturnPath(recipient, address, session)
    if (session.envelope.rcptTo.some((other) => returnedTo.has(other))) return ONE_RETURN_PATH
    const mailbox = await deps.mailboxes.resolve(address)
    if (!mailbox) return gate.recipientUnknown(session) ?? NO_SUCH_MAILBOX
    if (!deps.mailboxes.hasRoom(mailbox, declaredSize(session))) return MAILBOX_FULL
    const refusal = await gate.recipientFound(session, address, mailbox.id)
    if (refusal) return refusal
    mailboxOf.set(recipient, mailbox.id)
    attempts.recipient(session, recipient, { mailbox })
    return undefined
  }

  /** From whomever it comes: who knows the address has had the message. A report is one recipient's, and needs no room. */
  async function checkReturnPath(
    recipient: SMTPServerAddress,
    address: string,
    session: SMTPServerSession,
  ): Promise<Reply | undefined> {
    const returned = await deps.returns?.find(address)
    if (!returned) return gate.recipientUnknown(session) ?? NO_SUCH_MAILBOX
    if (session.envelope.rcptTo.length > 0) return ONE_RETURN_PATH
    gate.recipientProven(session)
    returnedTo.set(recipient, returned)
    attempts.recipient(session, recipient, { mailbox: returned.mailbox })
    return undefined
  }

  async function takeMessage(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Reply | undefined> {
    const startedAt = performance.now()
    const identity = deps.visits.identity(session.id, session.hostNameAppearsAs)
    const sent = envelopeOf(session)
    const data = await receiveData(stream, {
      maxBytes: deps.maxMessageBytes,
      maxHeaderBytes: deps.maxHeaderBytes,
      memory,
      cut: () => connections.cut(session.id, TOO_LARGE),
    })
    const envelope = { ...sent, client: await identity }
    if (data.kind === 'gone') {
      log.info(lineOf(envelope, session, data.bytes), 'client went away within the data')
      attempts.finished(session, envelope, data.bytes, undefined)
      return undefined
    }
    connections.at(session.id, 'handling')
    const { bytes } = data
    const outcome =
      data.kind === 'message' ? await judge(session, envelope, data.message, bytes) : { reply: data.reply }
    const ms = Math.round(performance.now() - startedAt)
    const { stored = [] } = outcome
    const line = lineOf(envelope, session, bytes, { outcome, ms })
    // An id has its name wherever it stands: of several messages each has its own line.
    if (stored.length > 1)
      for (const one of stored)
        log.info(
          {
            connection_id: session.id,
            receipt_id: envelope.id,
            message_id: one.messageId,
            mailbox_id: one.mailboxId,
          },
          'stored for one of several',
        )
    if (outcome.error === undefined) log.info(line, outcome.reply.text)
    else log.error({ ...line, err: outcome.error }, outcome.reply.text)
    count(outcome.reply, ms)
    noteEvidence(envelope, outcome)
    attempts.finished(session, envelope, bytes, outcome)
    return outcome.reply
  }

  /** What was put off comes again, and is counted then. */
  function noteEvidence({ clientAddress, from }: Envelope, { auth, evidence, reply }: Outcome): void {
    if (!evidence || !auth || (reply.code >= 400 && reply.code < 500)) return
    const envelopeFrom = from === '' ? '' : domainOf(from)
    deps.dmarcResults?.record({
      ...evidence,
      ip: clientAddress,
      envelopeFrom,
      ...done(auth.dmarc, deps.policy.dmarcReject),
    })
  }

  /** The client has 10 minutes of patience (RFC 5321 §4.5.3.2.6): it has to have an answer before that, whatever hangs. */
  async function judge(
    session: SMTPServerSession,
    envelope: Envelope,
    message: MessageBuffer,
    bytes: number,
  ): Promise<Outcome> {
    let abandoned = false
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<Outcome>((resolve) => {
      timer = setTimeout(() => {
        abandoned = true
        resolve({ reply: TOO_SLOW })
      }, deps.handlerMs).unref()
    })
    const also: Progress['also'] =
      attempts.within && ((tx, outcome) => attempts.within?.(tx, session, envelope, bytes, outcome))
    const work = handle(envelope, message, () => abandoned, also)
      .catch((error: unknown): Outcome => ({ reply: replyToFault(error), error }))
      .finally(() => clearTimeout(timer))
    return Promise.race([work, deadline])
  }

  async function handle(
    envelope: Envelope,
    message: MessageBuffer,
    isAbandoned: () => boolean,
    also: Progress['also'],
  ): Promise<Outcome> {
    const { raw, close } = await message.open()
    const readers: Promise<unknown>[] = []
    try {
      if (isAbandoned()) return { reply: TOO_SLOW }
      return await acceptMessage(deps, envelope, raw, { isAbandoned, isRead: (work) => readers.push(work), also })
    } finally {
      void Promise.allSettled(readers).then(close)
    }
  }

  function envelopeOf(session: SMTPServerSession): Omit<Envelope, 'client'> {
    const { mailFrom, rcptTo, smtpUtf8 } = session.envelope
    const returned = rcptTo.map((recipient) => returnedTo.get(recipient)).find((found) => found !== undefined)
    const ids = returned
      ? [returned.mailbox.id]
      : rcptTo.map((recipient) => mailboxOf.get(recipient)).filter((id) => id !== undefined)
    const open = rcptTo
      .filter(({ address }) => ALWAYS_REACHABLE.test(address))
      .map((recipient) => mailboxOf.get(recipient))
      .filter((id) => id !== undefined)
    return {
      id: newId('rcp', clock.now()),
      clientAddress: unmapped(session.remoteAddress),
      helo: session.hostNameAppearsAs,
      // RFC 6531 §4.3 has protocol names of its own for sessions with SMTPUTF8.
      protocol: smtpUtf8 ? session.transmissionType.replace('ESMTP', 'UTF8SMTP') : session.transmissionType,
      cipher: session.tlsOptions || undefined,
      from: mailFrom ? mailFrom.address : '',
      recipients: rcptTo.map((recipient) => recipient.address),
      mailboxIds: [...new Set(ids)],
      openIds: new Set(open),
      returned,
      requireTls: session.envelope.requireTLS ?? false,
      dsn: dsnRequest(session),
    }
  }

  return {
    roomFor(session) {
      if (declaredSize(session) <= memory.left) return undefined
      log.info({ connection_id: session.id, reply: replyCodes(BUSY), reason: BUSY.reason }, BUSY.text)
      return BUSY
    },
    mailRefused: (session, sender, refusal) => attempts.mail(session, sender, refusal),
    settled: () => Promise.all(atWork),
    handlers: {
      onMailFrom(address, session, done) {
        gate.mail(session).then(
          (refusal) => {
            attempts.mail(session, address, refusal)
            if (refusal) return done(asError(refusal))
            connections.at(session.id, 'envelope')
            done()
          },
          (err: unknown) => {
            log.error({ connection_id: session.id, err }, 'sender could not be checked')
            done(asError(INTERNAL))
          },
        )
      },
      onRcptTo(address, session, done) {
        checkRecipient(address, session).then(
          (refusal) => {
            if (!refusal) return done()
            const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
            const line = { connection_id: session.id, client: session.remoteAddress, from, to: [address.address] }
            log.info({ ...line, reply: replyCodes(refusal), reason: refusal.reason }, refusal.text)
            gate.recipientRefused(refusal)
            attempts.recipient(session, address, { refusal })
            done(asError(refusal))
          },
          (err: unknown) => {
            log.error({ connection_id: session.id, err }, 'recipient could not be checked')
            const refusal = replyToFault(err)
            attempts.recipient(session, address, { refusal })
            done(asError(refusal))
          },
        )
      },
      onData(stream, session, done) {
        connections.at(session.id, 'data')
        attempts.data(session)
        const work = takeMessage(stream, session)
          .catch((err: unknown) => {
            log.error({ connection_id: session.id, err }, 'message could not be taken')
            return replyToFault(err)
          })
          .then((reply) => {
            atWork.delete(work)
            // Without a reply there is nobody left to hear one, but the library waits for an answer all the same.
            if (reply?.code === 250) connections.guarded(session.id)?.messageAccepted()
            if (reply?.code === 250) done(null, replyText(reply))
            else done(asError(reply ?? INTERNAL))
            connections.at(session.id, 'idle')
          })
          .catch((err: unknown) => log.error({ connection_id: session.id, err }, 'reply could not be sent'))
        atWork.add(work)
      },
      onClose(session) {
        connections.closed(session.id)
        attempts.closed(session)
        deps.visits.end(session.id)
      },
    },
  }
}

/** What became of the author's wish (mx/judging/decide.ts), whatever else was against the message. */
function done(
  { result, policy }: AuthenticationResults['dmarc'],
  dmarcReject: Policy['dmarcReject'],
): Pick<DmarcResult, 'disposition' | 'override'> {
  if (result !== 'fail' || policy === null || policy === 'none') return { disposition: 'none', override: false }
  if (dmarcReject === 'ignore') return { disposition: 'none', override: true }
  if (policy === 'quarantine') return { disposition: 'quarantine', override: false }
  return { disposition: dmarcReject, override: dmarcReject !== 'reject' }
}

function asError(reply: Reply): Error & { responseCode: number } {
  return Object.assign(new Error(replyText(reply)), { responseCode: reply.code })
}

/** A fault of ours; the sender comes again. RFC 3463 §3.4: a full disk is the mail system's own 4.3.1. */
function replyToFault(error: unknown): Reply {
  return isStorageError(error) ? STORAGE_FAILED : INTERNAL
}

/** The SIZE parameter of MAIL (RFC 1870 §6.1); a message has at least one byte. */
function declaredSize(session: SMTPServerSession): number {
  const { mailFrom } = session.envelope
  return Math.max(1, mailFrom && mailFrom.args ? Number(mailFrom.args.SIZE) || 0 : 0)
}

function dsnRequest({ envelope }: SMTPServerSession): DsnRequest {
  const onSuccess = envelope.rcptTo
    .filter(({ dsn }) => dsn?.notify?.includes('SUCCESS'))
    .map(({ address, dsn }) => ({ address, original: dsn?.orcpt }))
  return { envelopeId: envelope.dsn?.envid ?? undefined, onSuccess }
}

/** What is logged of a message, field by field: to spread one object into another costs more than to write it. */
function lineOf(
  envelope: Envelope,
  session: SMTPServerSession,
  bytes: number,
  end?: { outcome: Outcome; ms: number },
): Record<string, unknown> {
  const { client } = envelope
  const { stored = [], auth, scan, spam, labels, notice, report, reply } = end?.outcome ?? {}
  const [only] = stored.length === 1 ? stored : []
  return {
    connection_id: session.id,
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

/** Nothing is told where there is no name, or DNS did not answer for it. */
function forwardConfirmed({ name, confirmed, known }: Envelope['client']): boolean | undefined {
  return name === null || !known ? undefined : confirmed
}

function messageMetrics(metrics: Metrics | undefined): (reply: Reply, ms: number) => void {
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
