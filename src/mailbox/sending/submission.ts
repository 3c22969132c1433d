/** A message as its author's mail program wrote it: its envelope and fields for the checks of a send, and what is added to it. */
import { invalidRequest, type ServiceError } from '../../lib/errors.js'
import { sha256Hex } from '../../lib/ids.js'
import type { Asker } from '../../lib/thread-pool.js'
import { addressKey, domainOf } from '../../mime/address.js'
import { withTrace } from '../../mime/compose/submitted.js'
import { mailDate } from '../../mime/date.js'
import { countField } from '../../mime/headers.js'
import { MessageFormatError, type Address } from '../../mime/types.js'
import { isOwnAddress } from '../addresses.js'
import { isSimulatorAddress } from '../decisions/simulator.js'
import { refuseUnlisted } from '../delivery/admission.js'
import { mailboxPartition } from '../keys.js'
import type { Composed, Submitted } from '../mail-work/mail-work.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { sha256InTurns } from '../raw.js'
import { envelopeOf, whoWroteFirst } from '../recipients.js'
import { requireMailbox } from '../record.js'
import { readSettings } from '../settings/settings.js'
import type { Outgoing } from './outgoing.js'
import type { Submission } from './requests.js'
import { mustBeAllowed, refuseManyAttached, tooLarge } from './send-checks.js'
import { isTooSoon, soonest } from './scheduled.js'
import type { SendDeps } from './send-deps.js'

/**
 * What a repeated submission has in common with the first: its bytes and its recipients. A message without a Message-ID is never a repetition: programs
 * write the same words on many days.
 */
export async function submissionKey({ raw, recipients }: Submission): Promise<string | undefined> {
  if (countField(raw, 'message-id') === 0) return undefined
  const to = sha256Hex([...recipients].map(addressKey).sort().join('\n'))
  return `submission ${await sha256InTurns(raw)} ${to}`
}

/** @throws ServiceError `invalid_request`, `payload_too_large` */
export async function submittedMail(
  deps: SendDeps,
  mailbox: MailboxRecord,
  { raw, recipients, requireTls, holdUntil, received, dsn, nullSender }: Submission,
  asker: Asker,
): Promise<Outgoing & { from: Address }> {
  const { limits, clock } = deps
  if (raw.length > limits.messageBytes) throw tooLarge(limits)
  const now = clock.now()
  const { message, from } = await checked(deps, mailbox, raw, asker)
  const { content } = message
  if (nullSender && !isReceipt(content, recipients)) throw notAReceipt()
  const left = new Map(recipients.map((address) => [addressKey(address), address]))
  const named = (list: Address[]): Address[] =>
    list.filter(({ address }) => {
      const isRecipient = left.delete(addressKey(address))
      return isRecipient
    })
  const to = named(content.to)
  const cc = named(content.cc)
  const bcc = [...left.values()].map((address) => ({ address, name: '' }))
  const isHeld = holdUntil !== undefined && holdUntil > now
  return {
    from,
    to,
    cc,
    bcc,
    replyTo: content.reply_to,
    subject: content.subject,
    text: content.text,
    html: content.html,
    attachments: [],
    labels: [],
    requireTls: requireTls ?? false,
    inReplyTo: content.in_reply_to,
    references: content.references,
    threadId: undefined,
    ...(isHeld && { sendAt: isTooSoon(holdUntil, now) ? soonest(now) : holdUntil }),
    submitted: { message: { ...message, content: { ...content, bcc } }, received, nullSender },
    dsn,
  }
}

/** A draft that keeps the message as a program sent it for approval: that goes as it is, to the recipients of the draft. @throws ServiceError `invalid_request` */
export async function keptMail(
  deps: SendDeps,
  mailbox: MailboxRecord,
  mail: Outgoing,
  raw: Buffer,
  asker: Asker,
): Promise<Outgoing> {
  const { message } = await checked(deps, mailbox, raw, asker)
  const content = { ...message.content, bcc: mail.bcc }
  return { ...mail, submitted: { message: { ...message, content }, received: undefined } }
}

/** @throws ServiceError `invalid_request` */
async function checked(
  { composing, limits, clock }: SendDeps,
  mailbox: MailboxRecord,
  raw: Buffer,
  asker: Asker,
): Promise<{ message: Submitted; from: Address }> {
  const message = await readable(() => composing.work.submitted(raw, clock.now(), composing.parseLimits, asker))
  const { content, senders, fromCount } = message
  const { from } = content
  if (from === null || fromCount !== 1) throw notOneAuthor()
  const stranger = senders.find(({ address }) => !isOwnAddress(mailbox, address))
  if (stranger) throw foreignSender(stranger.address)
  refuseManyAttached(content.attachments.length, limits)
  return { message, from }
}

/**
 * Checks recipients before their message is there.
 *
 * @param isLater the message is held for a time, and counts then
 * @throws ServiceError as the send would
 */
export async function checkRecipients(
  deps: SendDeps,
  mailboxId: string,
  recipients: string[],
  isLater: boolean,
): Promise<void> {
  const { store, accounts, domains, limits } = deps
  await store.read(mailboxPartition(mailboxId), async (view) => {
    const mailbox = await requireMailbox(view)
    const account = await mustBeAllowed(deps, mailbox, view)
    const to = recipients.map((address) => ({ address, name: '' }))
    const envelope = { view, isLocalDomain: domains.isLocal, recipientsPerMessage: limits.recipientsPerMessage }
    await envelopeOf(envelope, mailbox, { to, cc: [], bcc: [] })
    await refuseUnlisted(view, await readSettings(view), recipients)
    const free = await whoWroteFirst(view, recipients)
    const counted = recipients.filter((address) => !isSimulatorAddress(address, domains.isLocal))
    await accounts.previewRecipients(account.id, counted, free, undefined, { refuses: !isLater, view })
  })
}

interface Added {
  id: string
  messageId: string
  date: number
  now: number
}

/** The message with what was added to it: nothing to one that waited for approval, which had it added when it came. */
export function traced(
  { message, received, nullSender }: NonNullable<Outgoing['submitted']>,
  { id, messageId, date, now }: Added,
): Composed {
  const { raw, content, insides, displayed, print } = message
  if (!received) return { raw, content, insides, displayed, print }
  const isUndated = content.headers['date'] === undefined
  return {
    raw: withTrace(raw, { received: received(id, now), messageId, date }),
    content: {
      ...content,
      message_id: content.message_id ?? messageId,
      ...(nullSender && { null_sender: true as const }),
      ...(isUndated && { headers: { ...content.headers, date: mailDate(date) } }),
    },
    insides,
    displayed,
    print,
  }
}

async function readable(read: () => Promise<Submitted>): Promise<Submitted> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof MessageFormatError)) throw error
    throw invalidRequest(`The message cannot be read: ${error.reason}.`, 'Simplify it and send it again.')
  }
}

/** RFC 8098 §3: a report of that type, to one address. */
function isReceipt({ headers, report }: Composed['content'], recipients: readonly string[]): boolean {
  const type = headers['content-type'] ?? ''
  const isDeclared = /^multipart\/report\b.*;\s*report-type="?disposition-notification"?\s*(?:;|$)/is.test(type)
  return isDeclared && report?.kind === 'disposition' && report.recipients.length > 0 && recipients.length === 1
}

/** A draft keeps the texts of a message, and not that it is a report. */
export function receiptCannotWait(): ServiceError {
  return invalidRequest(
    'What this mailbox or password sends waits for its owner, and a read receipt cannot wait.',
    'Leave it, or answer the message instead.',
  )
}

function notAReceipt(): ServiceError {
  return invalidRequest(
    'Only a read receipt to one recipient may have the null sender <>.',
    'Write the address of the mailbox in MAIL FROM.',
    [{ field: 'from', problem: 'It must be an address of the mailbox.' }],
  )
}

function notOneAuthor(): ServiceError {
  return invalidRequest('The message has not exactly one author.', 'Write one address of the mailbox in From.', [
    { field: 'from', problem: 'It must be one address.' },
  ])
}

function foreignSender(address: string): ServiceError {
  return invalidRequest(
    `${address} in Sender is none of this mailbox's addresses.`,
    `Leave Sender out, or write an address of the mailbox there. Mail of ${domainOf(address)} goes by its own server.`,
    [{ field: 'from', problem: "Sender is not one of the mailbox's own addresses" }],
  )
}
