/** Mail between mailboxes of this server: scanned and delivered like mail from outside, without the network. */
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { isId } from '../../lib/ids.js'
import { mailWorkInPlace, type MailWork } from '../../mailbox/mail-work/mail-work.js'
import { withFollowUp, type FollowUps } from '../../mailbox/delivery/follow-up.js'
import type {
  Deliveries,
  Delivery,
  LocalDelivery as LocalDeliveryCopy,
  PreparedDelivery,
} from '../../mailbox/delivery/deliver.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { Directory } from '../../mailbox/directory/directory.js'
import { mailDate } from '../../mime/date.js'
import { prependFields } from '../../mime/headers.js'
import type { ParseLimits } from '../../mime/types.js'
import type { Log } from '../../observe/log.js'
import type { Scanner } from '../../scan/types.js'
import { sameForAll, type Outcome, type Outcomes } from '../outcome.js'

export interface LocalDeliveryDeps {
  mailboxes: {
    directory: Pick<Directory, 'resolveFor' | 'hasRoom'>
    delivery: Pick<Deliveries, 'deliver' | 'prepare'>
  }
  followUps?: FollowUps | undefined
  isLocalDomain: (domain: string) => boolean
  scanner: Scanner
  scanOnError: 'defer' | 'accept'
  parseLimits: ParseLimits
  /** Parses mail; in place without it. */
  work?: Pick<MailWork, 'parse'> | undefined
  hostname: string
  clock: Clock
  log: Log
}

const DELIVERED: Outcome = {
  kind: 'delivered',
  smtpCode: 250,
  detail: '2.0.0 delivered on this server',
  confirms: 'delivered',
}
const UNSCANNED: Outcome = { kind: 'deferred', smtpCode: 451, detail: '4.7.1 the malware scanner gives no answer now' }
const FULL: Outcome = { kind: 'deferred', smtpCode: 452, detail: '4.2.2 mailbox is over its storage quota' }

export interface LocalMail {
  /** Id of the message, or of the task for the service's own mail. */
  messageId: string
  from: string
  recipients: string[]
  raw: Buffer
  /** REQUIRETLS (RFC 8689), kept when the message is forwarded. */
  requireTls?: boolean
}

interface Copy {
  recipient: string
  mailbox: MailboxRecord
  delivery: Delivery
}

export class LocalDelivery {
  constructor(private readonly deps: LocalDeliveryDeps) {}

  isFor(domain: string): boolean {
    return this.deps.isLocalDomain(domain)
  }

  /** Each mailbox gets the message once, however often this is repeated and however many of its addresses are named. */
  async deliver(mail: LocalMail): Promise<Outcomes> {
    return this.#forEach(mail, async ({ delivery }) => {
      const identified = { ...delivery, deliveryId: deliveryIdOf(mail, delivery) }
      const stored = await this.deps.mailboxes.delivery.deliver(withFollowUp(identified, this.deps.followUps))
      this.#logDelivery(mail, stored.id, delivery.mailboxId)
      return DELIVERED
    })
  }

  /** `deliver` up to the commits, to store copies with other changes. @param mail `isForOthersHere`: it also goes to further local domains */
  async prepare(
    mail: LocalMail & { isForOthersHere: boolean },
  ): Promise<{ outcomes: Outcomes; deliveries: LocalDeliveryCopy[] }> {
    const { mailboxes } = this.deps
    const deliveries = new Map<string, LocalDeliveryCopy>()
    const outcomes = await this.#forEach(mail, async ({ mailbox, delivery, recipient }) => {
      const other = deliveries.get(mailbox.id)
      if (other) {
        other.addresses.push(recipient)
        return DELIVERED
      }
      if (!mailboxes.directory.hasRoom(mailbox, delivery.raw.length)) return FULL
      const identified = mail.isForOthersHere ? { ...delivery, deliveryId: deliveryIdOf(mail, delivery) } : delivery
      const prepared = await mailboxes.delivery.prepare(withFollowUp(identified, this.deps.followUps))
      const store: PreparedDelivery['store'] = async (tx) => {
        const stored = await prepared.store(tx)
        tx.afterCommit(() => this.#logDelivery(mail, stored.id, mailbox.id))
        return stored
      }
      deliveries.set(mailbox.id, { addresses: [recipient], delivery: { mailboxId: mailbox.id, store } })
      return DELIVERED
    })
    return { outcomes, deliveries: [...deliveries.values()] }
  }

  /** Outcome of each recipient: that of `take` unless something prevents it. */
  async #forEach(mail: LocalMail, take: (copy: Copy) => Promise<Outcome>): Promise<Outcomes> {
    const { scanner, scanOnError, mailboxes, work = mailWorkInPlace(), parseLimits } = this.deps
    const scan = await scanner.scan(mail.raw)
    if (scan.virus === 'infected') return sameForAll(mail.recipients, refused(550, '5.7.1 message carries malware'))
    if (scan.virus === 'unscanned' && scanner.enabled && scanOnError === 'defer')
      return sameForAll(mail.recipients, UNSCANNED)
    // Senders take turns: slow mail delays others by one message at most.
    const parsed = await work.parse(mail.raw, parseLimits, { owner: mail.from })

    const deliverTo = async (recipient: string): Promise<Outcome> => {
      // The sender is known: the message was sent by this server.
      const from = [mail.from, parsed.from?.address ?? ''].filter((address) => address !== '')
      const found = await mailboxes.directory.resolveFor(recipient, { named: from, believed: from, proven: from })
      if (!found) return refused(550, '5.1.1 no such mailbox here')
      const { mailbox, admission } = found
      if (admission === 'refused') return refused(550, '5.7.1 the recipient does not take mail from this sender')
      const delivery: Delivery = {
        mailboxId: mailbox.id,
        raw: prependFields(mail.raw, [`Return-Path: <${mail.from}>`, this.#receivedField(mail.messageId)]),
        parsed,
        auth: null,
        virus: scan.virus,
        // The guard judged it before it was sent.
        spam: { score: 0, verdict: 'ham', reasons: [] },
        labels: [],
        envelopeFrom: mail.from,
        recipients: [recipient],
        requireTls: mail.requireTls === true,
      }
      try {
        return await take({ recipient, mailbox, delivery })
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'quota_exceeded') throw error
        return FULL
      }
    }

    const outcomes: Outcomes = new Map()
    for (const recipient of mail.recipients) outcomes.set(recipient, await deliverTo(recipient))
    return outcomes
  }

  #logDelivery({ messageId }: LocalMail, storedId: string, mailboxId: string): void {
    // Each mailbox has its own id for the message.
    const sentAs = isId('msg', messageId) ? { sent_message_id: messageId } : { task_id: messageId }
    this.deps.log.info({ message_id: storedId, mailbox_id: mailboxId, ...sentAs }, 'delivered on this server')
  }

  /** RFC 5321 §4.4, without network clauses. */
  #receivedField(messageId: string): string {
    return `Received: by ${this.deps.hostname} id ${messageId};\r\n\t${mailDate(this.deps.clock.now())}`
  }
}

const deliveryIdOf = ({ messageId }: LocalMail, { mailboxId }: Delivery): string => `${messageId}:${mailboxId}`

function refused(smtpCode: number, detail: string): Outcome {
  return { kind: 'failed', smtpCode, detail }
}
