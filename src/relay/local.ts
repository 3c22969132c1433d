/** Mail from one mailbox of this server to another: scanned and delivered like mail from outside, without the network. */
import type { Clock } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { isId } from '../lib/ids.js'
import { mailWorkInPlace, type MailWork } from '../mailbox/mail-work.js'
import type { Mailboxes } from '../mailbox/types.js'
import { mailDate } from '../mime/date.js'
import { prependFields } from '../mime/headers.js'
import type { ParseLimits } from '../mime/types.js'
import type { Log } from '../observe/log.js'
import type { Scanner } from '../scan/types.js'
import { sameForAll } from './outcome.js'
import type { Outcome, Outcomes } from './outcome.js'

export interface LocalDeps {
  mailboxes: Pick<Mailboxes, 'resolve' | 'deliver'> & Partial<Pick<Mailboxes, 'admission'>>
  scanner: Scanner
  scanOnError: 'defer' | 'accept'
  parseLimits: ParseLimits
  /** Where mail is read; in place without it. */
  work?: Pick<MailWork, 'parse'> | undefined
  hostname: string
  clock: Clock
  log: Log
}

export interface LocalMail {
  /** Of the message; of the task for what the server itself sends. */
  messageId: string
  from: string
  recipients: string[]
  raw: Buffer
  /** Its author asks for TLS on the whole way, which goes on when it is forwarded from here (RFC 8689). */
  requireTls?: boolean
}

/** Each mailbox gets the message once, however often this is repeated and by however many addresses it is reached. */
export async function deliverLocally(deps: LocalDeps, mail: LocalMail): Promise<Outcomes> {
  const scan = await deps.scanner.scan(mail.raw)
  if (scan.virus === 'infected') return sameForAll(mail.recipients, refused(550, '5.7.1 message carries malware'))
  if (scan.virus === 'unscanned' && deps.scanner.enabled && deps.scanOnError === 'defer') {
    return sameForAll(mail.recipients, {
      kind: 'deferred',
      smtpCode: 451,
      detail: '4.7.1 the malware scanner gives no answer now',
    })
  }
  // Senders take turns: one whose mail is slow to read delays the mail of others by one message at most.
  const { work = mailWorkInPlace(), parseLimits } = deps
  const parsed = await work.parse(mail.raw, parseLimits, { owner: mail.from })

  const deliverTo = async (recipient: string): Promise<Outcome> => {
    const mailbox = await deps.mailboxes.resolve(recipient)
    if (!mailbox) return refused(550, '5.1.1 no such mailbox here')
    // Who writes is known here: the message was sent by this server.
    const from = [mail.from, parsed.from?.address ?? ''].filter((address) => address !== '')
    if ((await deps.mailboxes.admission?.(mailbox.id, { named: from, believed: from, proven: from })) === 'refused')
      return refused(550, '5.7.1 the recipient does not take mail from this sender')
    try {
      const stored = await deps.mailboxes.deliver({
        mailboxId: mailbox.id,
        raw: prependFields(mail.raw, [`Return-Path: <${mail.from}>`, receivedField(deps, mail.messageId)]),
        parsed,
        auth: null,
        virus: scan.virus,
        // What it is was judged by the guard before it was sent.
        spam: { score: 0, verdict: 'ham', reasons: [] },
        labels: [],
        envelopeFrom: mail.from,
        deliveryId: `${mail.messageId}:${mailbox.id}`,
        recipients: [recipient],
        requireTls: mail.requireTls === true,
      })
      // Each end has an id of its own for the message.
      const sentAs = isId('msg', mail.messageId) ? { sent_message_id: mail.messageId } : { task_id: mail.messageId }
      deps.log.info({ message_id: stored.id, mailbox_id: mailbox.id, ...sentAs }, 'delivered on this server')
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'quota_exceeded') throw error
      return { kind: 'deferred', smtpCode: 452, detail: '4.2.2 mailbox is over its storage quota' }
    }
    return { kind: 'delivered', smtpCode: 250, detail: '2.0.0 delivered on this server' }
  }

  const outcomes: Outcomes = new Map()
  for (const recipient of mail.recipients) outcomes.set(recipient, await deliverTo(recipient))
  return outcomes
}

/** RFC 5321 §4.4, without the clauses of a network that had no part in it. */
function receivedField({ hostname, clock }: LocalDeps, messageId: string): string {
  return `Received: by ${hostname} id ${messageId};\r\n\t${mailDate(clock.now())}`
}

function refused(smtpCode: number, detail: string): Outcome {
  return { kind: 'failed', smtpCode, detail }
}
