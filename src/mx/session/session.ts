/** A session of a stranger: answers to MAIL, RCPT and DATA. Accepts mail for local mailboxes only. */
import { newId } from '../../lib/ids.js'
import type { Clock } from '../../lib/clock.js'
import type { Returned } from '../../mailbox/delivery/bounce-intake.js'
import { domainOf } from '../../mime/address.js'
import type { Log } from '../../observe/log.js'
import {
  INTERNAL,
  MAILBOX_FULL,
  NO_SUCH_MAILBOX,
  ONE_RETURN_PATH,
  RELAYING_DENIED,
  replyCodes,
  type Reply,
} from '../../smtp/replies.js'
import { protocolOf, type DataSink, type Recipient, type Transaction } from '../../smtp/session.js'
import type { DsnRequest } from '../judging/dsn.js'
import type { Delivering, Envelope, Names } from '../judging/types.js'
import type { ClientLookup, ClientLookups } from '../limits/client-lookups.js'
import type { Visitor, VisitorHandler } from '../limits/connections.js'
import { ALWAYS_REACHABLE, type Gatekeeper } from '../limits/gatekeeper.js'
import { Attempts, type AttemptsDeps } from './attempts.js'
import { type Messages, replyToFault } from './messages.js'

export interface MxSessionDeps {
  names: Names
  delivering: Delivering
  gate: Gatekeeper
  lookups: ClientLookups
  messages: Messages
  receipts: AttemptsDeps['receipts']
  clock: Clock
  log: Log
}

type Target = { kind: 'mailbox'; id: string } | { kind: 'return path'; returned: Returned }

export class MxSession implements VisitorHandler {
  readonly #visitor: Visitor & { lookup: ClientLookup }
  readonly #attempts: Attempts
  readonly #targets = new WeakMap<Recipient, Target>()

  constructor(
    private readonly deps: MxSessionDeps,
    visitor: Visitor,
  ) {
    this.#visitor = { ...visitor, lookup: deps.lookups.begin(visitor.session.clientAddress) }
    this.#attempts = new Attempts(deps, visitor.session)
  }

  async mail({ from }: Transaction): Promise<Reply | undefined> {
    try {
      const refusal = await this.deps.gate.mail(this.#visitor)
      this.#attempts.mail(from, refusal)
      return refusal
    } catch (err) {
      this.deps.log.error({ connection_id: this.#visitor.session.id, err }, 'sender could not be checked')
      return INTERNAL
    }
  }

  mailTooLarge(from: string, refusal: Reply): void {
    this.#attempts.mail(from, refusal)
  }

  async recipient(recipient: Recipient, transaction: Transaction): Promise<Reply | undefined> {
    const { log, gate } = this.deps
    const { session } = this.#visitor
    const { address } = recipient
    let refusal: Reply | undefined
    try {
      refusal = await this.#check(recipient, transaction)
      if (!refusal) return undefined
      const line = { connection_id: session.id, client: session.clientAddress, from: transaction.from, to: [address] }
      log.info({ ...line, reply: replyCodes(refusal), reason: refusal.reason }, refusal.text)
      gate.recipientRefused(refusal)
    } catch (err) {
      log.error({ connection_id: session.id, err }, 'recipient could not be checked')
      refusal = replyToFault(err)
    }
    this.#attempts.recipient(address, { refusal })
    return refusal
  }

  data(transaction: Transaction): DataSink | Reply {
    const { messages } = this.deps
    const refusal = messages.roomFor(declaredSize(transaction), this.#visitor)
    if (refusal) return refusal
    this.#attempts.data()
    const envelope = this.#envelopeOf(transaction)
    const identity = this.#visitor.lookup.identity(envelope.helo)
    return messages.receive({
      visitor: this.#visitor,
      attempts: this.#attempts,
      envelope: identity.then((client) => ({ ...envelope, client })),
    })
  }

  closed(): void {
    this.#attempts.closed()
  }

  async #check(recipient: Recipient, transaction: Transaction): Promise<Reply | undefined> {
    const { names, delivering, gate } = this.deps
    const { guarded } = this.#visitor
    const address = recipient.address.includes('@') ? recipient.address : `postmaster@${names.primaryDomain}`
    if (!names.isLocalDomain(domainOf(address))) return RELAYING_DENIED
    const harvesting = guarded.recipientNamed()
    if (harvesting) return harvesting
    if (delivering.returns?.hasForm(address)) return this.#checkReturnPath(recipient, address, transaction)
    if (transaction.recipients.some((other) => this.#targets.get(other)?.kind === 'return path')) return ONE_RETURN_PATH
    const mailbox = await delivering.mailboxes.directory.resolve(address)
    if (!mailbox) return guarded.recipientUnknown() ?? NO_SUCH_MAILBOX
    if (!delivering.mailboxes.directory.hasRoom(mailbox, declaredSize(transaction))) return MAILBOX_FULL
    const refusal = await gate.recipientFound(this.#visitor, transaction, address, mailbox.id)
    if (refusal) return refusal
    this.#targets.set(recipient, { kind: 'mailbox', id: mailbox.id })
    this.#attempts.recipient(recipient.address, { mailbox })
    return undefined
  }

  /** Accepted from anybody: whoever knows the address has the message. A report is for one recipient, and needs no quota. */
  async #checkReturnPath(
    recipient: Recipient,
    address: string,
    { recipients }: Transaction,
  ): Promise<Reply | undefined> {
    const { guarded } = this.#visitor
    const returned = await this.deps.delivering.returns?.find(address)
    if (!returned) return guarded.recipientUnknown() ?? NO_SUCH_MAILBOX
    if (recipients.length > 0) return ONE_RETURN_PATH
    guarded.recipientTaken()
    this.#targets.set(recipient, { kind: 'return path', returned })
    this.#attempts.recipient(recipient.address, { mailbox: returned.mailbox })
    return undefined
  }

  #envelopeOf({ from, recipients, requireTls, smtpUtf8, envid }: Transaction): Omit<Envelope, 'client'> {
    const { session } = this.#visitor
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
      openIds,
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
