/**
 * One receipt per delivery attempt, from the steps of a session. An attempt begins with MAIL and ends with the reply to its data; without data, with the next
 * MAIL or the connection. The receipt of a message that the intake took or refused is written there, with the message.
 */
import type { Clock } from '../../lib/clock.js'
import { asciiAddress } from '../../mime/address.js'
import type { Reply } from '../../smtp/replies.js'
import { protocolOf, type Session } from '../../smtp/session.js'
import { receiptOf, type EndOfAttempt } from '../intake/receipt.js'
import type { Attempt, Envelope, Intake } from '../intake/types.js'

const MAX_REFUSED = 50

export interface AttemptsDeps {
  intake: Pick<Intake, 'receipt'>
  /** False: nothing is noted. */
  keepsReceipts: boolean
  clock: Clock
}

export class Attempts {
  #open: Attempt | undefined
  #inData = false

  constructor(
    private readonly deps: AttemptsDeps,
    private readonly session: Session,
  ) {}

  /** @param refusal the reply, if MAIL was refused */
  mail(from: string, refusal?: Reply): void {
    if (!this.deps.keepsReceipts) return
    this.closed()
    const { clientAddress, helo, tls } = this.session
    this.#inData = false
    this.#open = {
      startedAt: this.deps.clock.now(),
      client: { address: clientAddress, name: null },
      helo,
      protocol: protocolOf(this.session),
      tls: tls ? { version: tls.version, cipher: tls.name } : null,
      from: from === '' ? '' : asciiAddress(from),
      recipients: [],
      leftOut: 0,
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

  /** From here on `handOver` or `finished` ends the attempt, whatever happens to the connection. */
  data(): void {
    this.#inData = true
  }

  /** The attempt so far, for the intake, which writes its receipt. */
  handOver({ client }: Pick<Envelope, 'client'>): Attempt | undefined {
    const attempt = this.#open
    this.#open = undefined
    if (attempt) attempt.client.name = client.name
    return attempt
  }

  /** The data was refused before the intake was asked; without a reply the client left before the end. */
  finished(envelope: Pick<Envelope, 'id' | 'client'>, bytes: number, reply: Reply | undefined): void {
    const attempt = this.handOver(envelope)
    if (attempt) this.#end(attempt, { id: envelope.id, bytes, reply })
  }

  /** Ends an attempt without data. Without recipients it leaves no receipt. */
  closed(): void {
    const attempt = this.#open
    if (!attempt || this.#inData) return
    this.#open = undefined
    if (attempt.recipients.length === 0) return
    const taken = attempt.recipients.some((recipient) => recipient.refusal === null)
    const last = attempt.recipients.at(-1)?.refusal
    this.#end(attempt, { reply: taken ? undefined : (last ?? undefined) })
  }

  #end(attempt: Attempt, end: EndOfAttempt): void {
    this.#open = undefined
    this.deps.intake.receipt(receiptOf(attempt, end, this.deps.clock.now()))
  }
}
