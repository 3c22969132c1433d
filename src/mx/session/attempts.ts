/**
 * One receipt per delivery attempt, from the steps of a session. An attempt begins with MAIL and ends with the reply to its data; without data, with the next
 * MAIL or the connection.
 */
import { type Clock, timestamp } from '../../lib/clock.js'
import { newId } from '../../lib/ids.js'
import { asciiAddress } from '../../mime/address.js'
import type { Receipt, ReceiptRecipient, Receipts } from '../../receipts/types.js'
import type { Reply } from '../../smtp/replies.js'
import { protocolOf, type Session } from '../../smtp/session.js'
import type { Transaction } from '../../store/types.js'
import type { Envelope, Outcome } from '../judging/types.js'

interface Attempt extends Pick<Receipt, 'client' | 'helo' | 'protocol' | 'tls' | 'from'> {
  startedAt: number
  recipients: ReceiptRecipient[]
  leftOut: number
  inData: boolean
}

const MAX_REFUSED = 50

export interface AttemptsDeps {
  /** Without it nothing is written. */
  receipts?: Pick<Receipts, 'add' | 'addWithin'> | undefined
  clock: Clock
}

export class Attempts {
  #open: Attempt | undefined

  constructor(
    private readonly deps: AttemptsDeps,
    private readonly session: Session,
  ) {}

  /** @param refusal the reply, if MAIL was refused */
  mail(from: string, refusal?: Reply): void {
    if (!this.deps.receipts) return
    this.closed()
    const { clientAddress, helo, tls } = this.session
    this.#open = {
      startedAt: this.deps.clock.now(),
      client: { address: clientAddress, name: null },
      helo,
      protocol: protocolOf(this.session),
      tls: tls ? { version: tls.version, cipher: tls.name } : null,
      from: from === '' ? '' : asciiAddress(from),
      recipients: [],
      leftOut: 0,
      inData: false,
    }
    if (refusal) this.#end(this.#open, { reply: refusal })
  }

  recipient(address: string, to: { mailbox: { id: string; address: string } } | { refusal: Reply }): void {
    const attempt = this.#open
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
  }

  /** From here on `finished` ends the attempt, whatever happens to the connection. */
  data(): void {
    if (this.#open) this.#open.inData = true
  }

  /** Records the reply to the data; without an outcome the client left before the end. */
  finished({ id, client }: Pick<Envelope, 'id' | 'client'>, bytes: number, outcome: Outcome | undefined): void {
    const attempt = this.#open
    if (!attempt) return
    attempt.client.name = client.name
    if (outcome?.hasReceipt) this.#open = undefined
    else this.#end(attempt, { id, bytes, reply: outcome?.reply, outcome })
  }

  /** Writes the receipt in the transaction that stores the message; an outcome with `hasReceipt` then skips the separate write. Undefined without receipts. */
  writer(
    { id, client }: Pick<Envelope, 'id' | 'client'>,
    bytes: number,
  ): ((tx: Transaction, outcome: Outcome) => void) | undefined {
    const { receipts } = this.deps
    if (!receipts) return undefined
    return (tx, outcome) => {
      const attempt = this.#open
      if (!attempt) return
      attempt.client.name = client.name
      receipts.addWithin(tx, this.#receiptOf(attempt, { id, bytes, reply: outcome.reply, outcome }))
    }
  }

  /** Ends an attempt without data. Without recipients it leaves no receipt. */
  closed(): void {
    const attempt = this.#open
    if (!attempt || attempt.inData) return
    this.#open = undefined
    if (attempt.recipients.length === 0) return
    const taken = attempt.recipients.some((recipient) => recipient.refusal === null)
    const last = attempt.recipients.at(-1)?.refusal
    this.#end(attempt, { reply: taken ? undefined : (last ?? undefined) })
  }

  #end(attempt: Attempt, rest: EndOfAttempt): void {
    this.#open = undefined
    this.deps.receipts?.add(this.#receiptOf(attempt, rest))
  }

  #receiptOf(attempt: Attempt, rest: EndOfAttempt): Receipt {
    const { client, helo, protocol, tls, from, recipients } = attempt
    const now = this.deps.clock.now()
    // Field by field: spreading costs as much as everything else here.
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
