/** A message of a mail program, from DATA to the reply: received within limits, given to the domain, and answered once it is stored. */
import type { Caller } from '../accounts/types.js'
import { ServiceError } from '../lib/errors.js'
import type { Accepted, Waiting } from '../mailbox/sending/requests.js'
import { mailDate } from '../mime/date.js'
import type { AskedDsn } from '../mime/dsn-request.js'
import { INTERNAL, replyCodes, STORAGE_FAILED, type Reply } from '../smtp/replies.js'
import type { Visitor } from '../smtp/server/connections.js'
import { Incoming } from '../smtp/server/incoming.js'
import type { DataLimits, ReceivedData } from '../smtp/server/receive.js'
import { protocolOf, type DataSink, type Session, type Transaction } from '../smtp/session.js'
import { isStorageError } from '../store/errors.js'
import { answerTo, notAReceipt, notYours, refusalOf } from './replies.js'
import type { SubmissionParts } from './types.js'

/** Who sends. */
export interface Author {
  caller: Caller
  /** Of the mailbox; with the first one first. */
  addresses: readonly string[]
}

export interface SendingDeps extends SubmissionParts {
  limits: DataLimits
  /** Name of this host. */
  hostname: string
  onMessage: (reply: Reply, ms: number) => void
}

interface Outcome {
  reply: Reply
  sent?: Accepted | Waiting
}

export class Sending {
  readonly #incoming: Incoming

  constructor(private readonly deps: SendingDeps) {
    this.#incoming = new Incoming(deps)
  }

  receive(visitor: Visitor, transaction: Transaction, author: Author): DataSink | Reply {
    // RFC 1870 §6.1: a message has at least one byte.
    const refusal = this.#incoming.roomFor(Math.max(1, transaction.size ?? 0), visitor)
    if (refusal) return refusal
    const startedAt = performance.now()
    return this.#incoming.receive(visitor, async (received, isWhole) => {
      const { reply, sent } = await this.#decide(visitor, transaction, author, received, isWhole)
      const ms = Math.round(performance.now() - startedAt)
      this.deps.log.info(
        {
          ...lineOf(visitor.session, transaction, author),
          ...idsOf(sent),
          bytes: received.bytes,
          reply: replyCodes(reply),
          reason: reply.reason,
          ms,
        },
        isWhole ? 'submitted' : 'the program went away within the data',
      )
      if (isWhole) this.deps.onMessage(reply, ms)
      if (reply.code === 250) visitor.counts.messageAccepted()
      return reply
    })
  }

  /** Resolves when all messages in progress have their reply. */
  settled(): Promise<unknown> {
    return this.#incoming.settled()
  }

  async #decide(
    visitor: Visitor,
    transaction: Transaction,
    author: Author,
    received: ReceivedData,
    isWhole: boolean,
  ): Promise<Outcome> {
    const { message, refusal } = received
    if (!isWhole) return { reply: INTERNAL }
    if (refusal) return { reply: refusal }
    try {
      this.deps.rates.countCaller(author.caller)
      const { raw, close } = await message.open()
      try {
        return await this.#send(visitor.session, transaction, author, raw)
      } finally {
        close()
      }
    } catch (err) {
      message.drop()
      if (err instanceof ServiceError) return { reply: refusalFor(err, transaction, author) }
      this.deps.log.error({ connection_id: visitor.session.id, err }, 'a message could not be sent')
      return { reply: isStorageError(err) ? STORAGE_FAILED : INTERNAL }
    }
  }

  async #send(session: Session, transaction: Transaction, { caller }: Author, raw: Buffer): Promise<Outcome> {
    const { mailboxes, rates } = this.deps
    const { mailboxId, keyId, audience, requiresApproval = false } = caller
    const submission = {
      raw,
      recipients: transaction.recipients.map(({ address }) => address),
      dsn: dsnOf(transaction),
      nullSender: transaction.from === '' || undefined,
      requireTls: transaction.requireTls || undefined,
      holdUntil: transaction.holdUntil,
      received: (id: string, now: number) => this.#receivedField(session, transaction, id, now),
    }
    const sent = await mailboxes.sending.submit(mailboxId, submission, {
      by: { type: audience === undefined ? 'key' : 'connection', id: keyId, requiresApproval },
      asker: {
        owner: caller.account?.id ?? mailboxId,
        key: keyId,
        charge: (ms) => rates.chargeTime(caller, ms),
      },
    })
    if ('object' in sent || (sent.status !== 'blocked' && sent.status !== 'scheduled'))
      return { reply: answerTo(sent, [], undefined), sent }
    const { check, send_at: sendAt } = await mailboxes.reading.message(mailboxId, sent.id)
    return { reply: answerTo(sent, check?.reasons.map(({ detail }) => detail) ?? [], sendAt), sent }
  }

  /** RFC 5321 §4.4 and RFC 3848, without the address of the program: where its owner is concerns no recipient. */
  #receivedField(session: Session, { smtpUtf8 }: Transaction, id: string, now: number): string {
    const protocol = protocolOf(session)
    const cipher = session.tls ? ` (${session.tls.version} ${session.tls.name})` : ''
    return [
      `Received: by ${this.deps.hostname} with ${smtpUtf8 ? protocol.replace('ESMTP', 'UTF8SMTP') : protocol}`,
      `\tid ${id}${cipher};`,
      `\t${mailDate(now)}`,
    ].join('\r\n')
  }
}

const dsnOf = ({ ret, envid, recipients }: Transaction): AskedDsn => ({
  ret,
  envelopeId: envid,
  recipients: recipients.map(({ address, notify, orcpt }) => ({ address, notify, original: orcpt })),
})

function refusalFor(error: ServiceError, { from }: Transaction, { addresses }: Author): Reply {
  if (!isOfAuthor(error)) return refusalOf(error)
  return from === '' ? notAReceipt(addresses) : notYours(addresses)
}

const isOfAuthor = ({ code, fields }: ServiceError): boolean =>
  code === 'invalid_request' && fields?.length === 1 && fields[0]?.field === 'from'

const MAX_LOGGED_RECIPIENTS = 10

/** Addresses and ids, never content. */
function lineOf(session: Session, { from, recipients }: Transaction, { caller }: Author): Record<string, unknown> {
  return {
    connection_id: session.id,
    client: session.clientAddress,
    tls: session.tls?.version,
    key_id: caller.keyId,
    mailbox_id: caller.mailboxId,
    from,
    to: recipients.slice(0, MAX_LOGGED_RECIPIENTS).map(({ address }) => address),
    recipients: recipients.length,
  }
}

function idsOf(sent: Accepted | Waiting | undefined): Record<string, unknown> {
  if (!sent) return {}
  return 'object' in sent ? { draft_id: sent.id } : { message_id: sent.id, status: sent.status }
}
