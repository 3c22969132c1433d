/** A session of a stranger: answers to MAIL, RCPT and DATA. Who may send to whom is the intake's decision. */
import { newId } from '../../lib/ids.js'
import type { Clock } from '../../lib/clock.js'
import type { Returned } from '../../mailbox/delivery/bounce-intake.js'
import type { Log } from '../../observe/log.js'
import { INTERNAL, NO_SUCH_MAILBOX, replyCodes, type Reply } from '../../smtp/replies.js'
import type { Visitor, VisitorHandler } from '../../smtp/server/connections.js'
import { protocolOf, type DataSink, type Recipient, type Transaction } from '../../smtp/session.js'
import type { DsnRequest } from '../intake/dsn.js'
import { ALWAYS_REACHABLE } from '../intake/reachable.js'
import type { Envelope, Intake, RecipientQuestion } from '../intake/types.js'
import type { ClientLookup, ClientLookups } from '../limits/client-lookups.js'
import { Attempts, type AttemptsDeps } from './attempts.js'
import type { Messages } from './messages.js'

export interface MxSessionDeps {
  intake: Pick<Intake, 'mail' | 'recipient' | 'receipt'>
  lookups: ClientLookups
  messages: Messages
  keepsReceipts: AttemptsDeps['keepsReceipts']
  /** Counts a refused recipient. */
  onRefused: (refusal: Reply) => void
  clock: Clock
  log: Log
}

type Target = { kind: 'mailbox'; id: string } | { kind: 'return path'; returned: Returned }

export class MxSession implements VisitorHandler {
  readonly #lookup: ClientLookup
  readonly #attempts: Attempts
  readonly #targets = new WeakMap<Recipient, Target>()

  constructor(
    private readonly deps: MxSessionDeps,
    private readonly visitor: Visitor,
  ) {
    this.#lookup = deps.lookups.begin(visitor.session.clientAddress)
    this.#attempts = new Attempts(deps, visitor.session)
  }

  async mail({ from }: Transaction): Promise<Reply | undefined> {
    const { session, counts } = this.visitor
    const refusal = counts.mail() ?? (await this.#ask(() => this.deps.intake.mail(session.id)))
    if (refusal) {
      const line = { connection_id: session.id, client: session.clientAddress, reply: replyCodes(refusal) }
      this.deps.log.info({ ...line, reason: refusal.reason }, refusal.text)
    }
    this.#attempts.mail(from, refusal)
    return refusal
  }

  mailTooLarge(from: string, refusal: Reply): void {
    this.#attempts.mail(from, refusal)
  }

  async recipient(recipient: Recipient, transaction: Transaction): Promise<Reply | undefined> {
    const { log, onRefused } = this.deps
    const { session } = this.visitor
    const { address } = recipient
    const refusal = await this.#ask(() => this.#check(recipient, transaction))
    if (!refusal) return undefined
    const line = { connection_id: session.id, client: session.clientAddress, from: transaction.from, to: [address] }
    log.info({ ...line, reply: replyCodes(refusal), reason: refusal.reason }, refusal.text)
    onRefused(refusal)
    this.#attempts.recipient(address, { refusal })
    return refusal
  }

  data(transaction: Transaction): DataSink | Reply {
    const { messages } = this.deps
    const refusal = messages.roomFor(declaredSize(transaction), this.visitor)
    if (refusal) return refusal
    this.#attempts.data()
    const envelope = this.#envelopeOf(transaction)
    const identity = this.#lookup.identity(envelope.helo)
    return messages.receive({
      visitor: this.visitor,
      attempts: this.#attempts,
      envelope: identity.then((client) => ({ ...envelope, client })),
    })
  }

  closed(): void {
    this.#attempts.closed()
  }

  /** The intake answers with a reply of its own to a fault; it can only be gone. */
  async #ask<T>(question: () => T | Promise<T>): Promise<T | Reply> {
    try {
      return await question()
    } catch (err) {
      this.deps.log.error({ connection_id: this.visitor.session.id, err }, 'the client could not be checked')
      return INTERNAL
    }
  }

  async #check(recipient: Recipient, transaction: Transaction): Promise<Reply | undefined> {
    const { session, counts } = this.visitor
    const { address } = recipient
    const [listedBy] = await this.#lookup.refusedBy()
    const answer = await this.deps.intake.recipient(session.id, {
      clientAddress: session.clientAddress,
      address,
      from: transaction.from,
      bytes: declaredSize(transaction),
      before: this.#before(transaction),
      listedBy,
    })
    if (answer.kind === 'refused') {
      const { refusal } = answer
      return (refusal.reason === NO_SUCH_MAILBOX.reason ? counts.recipientUnknown() : undefined) ?? refusal
    }
    const mailbox = answer.kind === 'mailbox' ? answer : answer.returned.mailbox
    this.#targets.set(recipient, answer)
    this.#attempts.recipient(address, { mailbox })
    return undefined
  }

  #before({ recipients }: Transaction): RecipientQuestion['before'] {
    if (recipients.length === 0) return 'none'
    return recipients.some((other) => this.#targets.get(other)?.kind === 'return path') ? 'return path' : 'mailboxes'
  }

  #envelopeOf({ from, recipients, requireTls, smtpUtf8, envid }: Transaction): Omit<Envelope, 'client'> {
    const { session } = this.visitor
    const ids = new Set<string>()
    const openIds = new Set<string>()
    let returned: Returned | undefined
    for (const recipient of recipients) {
      const target = this.#targets.get(recipient)
      if (target?.kind === 'return path') returned = target.returned
      if (target?.kind !== 'mailbox') continue
      ids.add(target.id)
      if (ALWAYS_REACHABLE.test(recipient.address)) openIds.add(target.id)
    }
    const protocol = protocolOf(session)
    return {
      id: newId('rcp', this.deps.clock.now()),
      clientAddress: session.clientAddress,
      helo: session.helo,
      // RFC 6531 §4.3: sessions with SMTPUTF8 have their own protocol names.
      protocol: smtpUtf8 ? protocol.replace('ESMTP', 'UTF8SMTP') : protocol,
      cipher: session.tls,
      from,
      recipients: recipients.map(({ address }) => address),
      mailboxIds: returned ? [returned.mailbox.id] : [...ids],
      openIds: [...openIds],
      returned,
      requireTls,
      dsn: { envelopeId: envid, onSuccess: wantingNotice(recipients) },
    }
  }
}

/** SIZE of MAIL (RFC 1870 §6.1); a message has at least one byte. */
function declaredSize({ size = 0 }: Transaction): number {
  return Math.max(1, size)
}

function wantingNotice(recipients: Recipient[]): DsnRequest['onSuccess'] {
  return recipients
    .filter(({ notify }) => notify?.includes('SUCCESS'))
    .map(({ address, orcpt }) => ({ address, original: orcpt }))
}
