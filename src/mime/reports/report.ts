/**
 * Reports about earlier messages: DSN (RFC 3464, and bounces of programs that don't support it), disposition (RFC 8098) and ARF (RFC 5965). The
 * header identifies ordinary messages, so only likely reports are read further.
 */
import libmime from 'libmime'
import { readAddresses, readMessageId } from '../addresses.js'
import { COPY, DAEMON, DELAY, SUBJECT, TEXT } from './bounce-words.js'
import { localNames, namedRecipients, recipientsInProse } from './bounce-recipients.js'
import type { Entity } from '../entity.js'
import type { Fields } from '../fields.js'
import { decodedStart } from '../part.js'
import {
  complainant,
  readDeliveryRecipients,
  readDisposition,
  readGroups,
  typedAddress,
  typedName,
  type FieldGroup,
} from './report-fields.js'
import { leaves } from '../structure.js'
import type { Report, ReportedRecipient } from '../types.js'

const MAX_PART_BYTES = 64 * 1024
const MAX_NOTICE_CHARS = 32 * 1024
const MAX_RECIPIENTS = 100
/** The phrases of a bounce are near its beginning. */
const TELLING_CHARS = 3000

const MACHINE_PART = /^message\/(?:global-)?(delivery-status|disposition-notification|feedback-report)$/
const RETURNED = /^(?:message\/(?:rfc822|global|partial|global-headers)|text\/rfc822-headers?)$/
/** First lines that occur only in the header of a returned message. */
const RETURNED_LINE =
  /^>?\s?(?:content-type: ?(?:message\/rfc822|text\/rfc822-headers)|received: ?(?:from|by|\(|via)|return-path: ?<|x-(?:originating-ip|envelope-from|sender|receiver): )/i

/** @returns null for a message that is no report */
export async function readReport(root: Entity, fields: Fields, subject: string, text: string): Promise<Report | null> {
  const parts = [...leaves(root)]
  const machine = parts.find((part) => MACHINE_PART.test(part.contentType))
  const declared = declaredType(fields)
  const isReport = declared !== null
  const complaint = isComplaintInProse(subject, parts)
  // Cheap, since it runs for every message.
  const mayBeBounce = fromMachine(fields) || SUBJECT.test(subject.slice(0, 300))
  if (!machine && !isReport && !complaint && !mayBeBounce) return null

  const { notice, copy } = splitNotice(text.slice(0, 2 * MAX_NOTICE_CHARS))
  const returned = await returnedHeader(parts, copy)
  const groups = machine ? readGroups(await partText(machine)) : []
  const about = { groups, returned, fields, notice }
  switch (MACHINE_PART.exec(machine?.contentType ?? '')?.[1] ?? declared) {
    case 'feedback-report':
      return feedbackReport(about)
    case 'disposition-notification':
      return dispositionReport(about)
    default:
  }
  if (complaint) return feedbackReport(about)

  const delayed = DELAY.test(`${subject}\n${notice.slice(0, TELLING_CHARS)}`)
  let recipients = readDeliveryRecipients(groups)
  if (recipients.length === 0) {
    if (!machine && !isReport && !isBounce(fields, subject, notice, returned)) return null
    recipients = readDeliveryRecipients(await strayGroups(text, parts))
    if (recipients.length === 0) recipients = inProse(about, delayed)
  }
  // The recipient of the notice sent the message, and is not the failed recipient; unless it was sent to themselves.
  const addressees = new Set(keysOf(fields.all('to')))
  for (const key of keysOf([returned.get('to') ?? '', returned.get('cc') ?? ''])) addressees.delete(key)
  const others = recipients.filter(({ address }) => !addressees.has(address.toLowerCase()))
  return {
    kind: 'delivery',
    recipients: others.slice(0, MAX_RECIPIENTS),
    originalMessageId: originalId(about),
    reportedBy: typedName(groups.find((group) => group.has('reporting-mta'))?.get('reporting-mta')),
    feedbackType: null,
    returnPath: null,
  }
}

function keysOf(values: string[]): string[] {
  return readAddresses(values).addresses.map(({ address }) => address.toLowerCase())
}

/** The fields of RFC 3464, if written into the text, or if a gateway packed a whole report into another message. */
async function strayGroups(text: string, parts: Entity[]): Promise<FieldGroup[]> {
  const packed = parts.find((part) => part.contentType === 'message/rfc822')
  for (const place of [text.slice(0, MAX_NOTICE_CHARS), packed ? await partText(packed) : '']) {
    if (/^[ \t]{0,20}final-recipient[ \t]?:/im.test(place)) return readGroups(place)
  }
  return []
}

/** The report-type of RFC 6522 §3; null when the message declares none. The required parts may be missing all the same. */
function declaredType(fields: Fields): string | null {
  const value = fields.first('content-type').slice(0, 2000)
  if (!/^multipart\/report\b/i.test(value)) return null
  return libmime.parseHeaderValue(value).params['report-type']?.toLowerCase() ?? ''
}

interface About {
  groups: FieldGroup[]
  returned: FieldGroup
  fields: Fields
  notice: string
}

function feedbackReport(about: About): Report {
  const report: FieldGroup = about.groups[0] ?? new Map()
  const told = [
    report.get('original-rcpt-to'),
    report.get('removal-recipient'),
    about.returned.get('x-hmxmroriginalrecipient'),
    about.returned.get('to'),
  ]
  const named = told
    .map((value) => (value ?? '').split(',').map(typedAddress))
    .map((list) => list.filter((one) => one !== undefined))
  const addresses = [...new Set(named.find((list) => list.length > 0) ?? [])]
  return {
    kind: 'feedback',
    recipients: addresses.slice(0, MAX_RECIPIENTS).map(complainant),
    originalMessageId: originalId(about),
    reportedBy: typedName(report.get('user-agent')),
    feedbackType: (/^[\w-]{1,40}/.exec(report.get('feedback-type') ?? '')?.[0] ?? 'abuse').toLowerCase(),
    returnPath:
      typedAddress(report.get('original-mail-from')) ?? typedAddress(about.returned.get('return-path')) ?? null,
  }
}

function dispositionReport(about: About): Report {
  const report: FieldGroup = about.groups.find((group) => group.has('final-recipient')) ?? about.groups[0] ?? new Map()
  return {
    kind: 'disposition',
    recipients: readDisposition(report),
    originalMessageId: readMessageId(report.get('original-message-id') ?? '') ?? originalId(about),
    reportedBy: typedName(report.get('reporting-ua')),
    feedbackType: null,
    returnPath: null,
  }
}

/** Complaints of a large provider have no machine-readable part, but always this subject and the message itself. */
function isComplaintInProse(subject: string, parts: Entity[]): boolean {
  return (
    /^\s*complaint about message from [\da-f.:]+/i.test(subject) &&
    parts.some((part) => RETURNED.test(part.contentType))
  )
}

function inProse({ fields, returned, notice }: About, delayed: boolean): ReportedRecipient[] {
  const header = readAddresses(fields.all('x-failed-recipients').concat(fields.all('x-failed-recipient'))).addresses
  if (header.length > 0) return namedRecipients([...new Set(header.map(({ address }) => address))], notice, delayed)
  const own = readAddresses([...fields.all('from'), ...fields.all('to')]).addresses.map(({ address }) => address)
  const found = recipientsInProse(notice, own, delayed)
  if (found.length > 0) return found
  const domain = /@([^@]+)$/.exec(own[0] ?? '')?.[1]
  const local = domain === undefined ? [] : localNames(notice).map((name) => `${name}@${domain.toLowerCase()}`)
  if (local.length > 0) return namedRecipients(local, notice, delayed)
  const envelope = [returned.get('x-envelope-to'), returned.get('x-receiver'), forClause(returned.get('received'))]
  // The To field of a list's message is not the recipient that the list sent it to.
  const ofList = ['list-id', 'list-post', 'x-beenthere', 'mailing-list', 'newsgroups'].some((name) =>
    returned.has(name),
  )
  const to = ofList ? [] : readAddresses([returned.get('to') ?? '']).addresses.map(({ address }) => address)
  const known =
    envelope.map(typedAddress).find((address) => address !== undefined) ?? (to.length === 1 ? to[0] : undefined)
  return known === undefined ? [] : namedRecipients([known], notice, delayed)
}

/** RFC 5321 §4.4: the envelope recipient, if the failing server recorded it. */
function forClause(received: string | undefined): string | undefined {
  return /\sfor\s+(<?[^\s<>;]{3,320}>?)\s*[;(]?/i.exec(received ?? '')?.[1]
}

function fromMachine(fields: Fields): boolean {
  const from = fields.first('from').slice(0, 320)
  const { address, name } = readAddresses([from]).addresses[0] ?? { address: '', name: from }
  return (
    DAEMON.test(address) ||
    DAEMON.test(name.replace(/[<>"]/g, '').trim()) ||
    /^\s*(?:<>)?\s*$/.test(from) ||
    /<>\s*$/.test(from) ||
    fields.first('x-failed-recipients') !== '' ||
    /^\s*<>\s*$/.test(fields.first('return-path'))
  )
}

function isBounce(fields: Fields, subject: string, notice: string, returned: FieldGroup): boolean {
  if (fields.first('x-failed-recipients') !== '') return true
  const telling = TEXT.test(notice.slice(0, TELLING_CHARS))
  const named = SUBJECT.test(subject.slice(0, 300))
  if (fromMachine(fields)) return named || telling
  // Without a typical sender: no reply or forward of a person begins like this.
  const returns = returned.size > 0 || /^(?:auto-(?:replied|generated))/i.test(fields.first('auto-submitted'))
  const forwarded =
    /^\s*(?:re|fwd?|aw|wg|tr|rv|sv|vs)\s*:/i.test(subject) ||
    /^[\s>]*(?:begin forwarded message|-+ ?forwarded)/im.test(notice)
  return named && telling && !forwarded && (returns || fields.first('in-reply-to') === '')
}

/** The notice, and the returned part of the message. */
function splitNotice(text: string): { notice: string; copy: string } {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.length < 400 && (COPY.test(line) || RETURNED_LINE.test(line)))
  if (at === -1) return { notice: text.slice(0, MAX_NOTICE_CHARS), copy: '' }
  return {
    notice: lines.slice(0, at).join('\n').slice(0, MAX_NOTICE_CHARS),
    copy: lines.slice(at).join('\n').slice(0, MAX_PART_BYTES),
  }
}

/** The header of the returned message, from a part or from the end of the text. */
async function returnedHeader(parts: Entity[], copy: string): Promise<FieldGroup> {
  const part = parts.find(({ contentType }) => RETURNED.test(contentType))
  const text = part ? (await partText(part)).trimStart() : copy.replace(/^> ?/gm, '')
  const groups = readGroups(text)
  return (
    groups.find((group) => group.has('message-id')) ??
    groups.find((group) => group.has('received') || group.has('to')) ??
    new Map()
  )
}

function originalId({ groups, returned, fields, notice }: About): string | null {
  const candidates = [
    returned.get('message-id'),
    ...groups.flatMap((group) => [group.get('original-message-id'), group.get('x-original-message-id')]),
    fields.first('x-original-message-id'),
    /^[\s>]*message-?id:\s*(<[^<>\s]{3,900}>)/im.exec(notice)?.[1],
    fields.first('in-reply-to'),
    fields.first('references'),
  ]
  for (const candidate of candidates) {
    const id = readMessageId(candidate ?? '')
    if (id !== null) return id
  }
  return null
}

async function partText(entity: Entity): Promise<string> {
  const bytes = await decodedStart(entity, MAX_PART_BYTES)
  return bytes.toString('utf8', 0, MAX_PART_BYTES).replace(/\r\n?/g, '\n')
}
