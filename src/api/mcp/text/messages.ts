/** Messages for models: our text outside the fence, strangers' text inside, only what is needed. */
import { z } from 'zod'
import { cut } from '../../../lib/text.js'
import type { Message } from '../../../mailbox/objects/objects.js'
import type { Fence } from './fence.js'
import { bodyLines, splitOwn } from './own-words.js'
import { firstPeople, person, plural, toTheSecond } from './people.js'
import { STATE } from './states.js'

/** Max characters of one message's text; read_message continues. */
export const TEXT_CHARACTERS = 8000
/** Max characters of all texts in an answer. */
const ANSWER_CHARACTERS = 32_000
/** Max length of other untrusted fields: in lists, and where one message is read. */
const FEW = { people: 10, links: 5, attachments: 20 }
const MANY = { people: 50, links: 30, attachments: 100 }
const MAX_LINK = 500
const MAX_CODES = 5

const attachmentOutput = z.strictObject({
  attachment_id: z.string(),
  size_bytes: z.int(),
  warnings: z.array(z.string()),
  untrusted: z.strictObject({ filename: z.string() }),
})

export const messageFields = {
  message_id: z.string(),
  thread_id: z.string(),
  status: z.string(),
  at: z.string(),
  unread: z.boolean(),
  labels: z.array(z.string()),
  automation: z.string().optional(),
  authentication: z.string().optional(),
  scan: z.string().optional(),
  attachments: z.array(attachmentOutput),
  left_out: z.enum(['quoted', 'rest']).optional(),
  sent_text: z.string().optional(),
  untrusted: z.strictObject({
    from: z.string().optional(),
    to: z.array(z.string()),
    cc: z.array(z.string()).optional(),
    reply_to: z.array(z.string()).optional(),
    subject: z.string(),
    text: z.string(),
    codes: z.array(z.string()).optional(),
    links: z.array(z.string()).optional(),
  }),
}
export const messageOutput = z.strictObject(messageFields)
export type MessageOutput = z.infer<typeof messageOutput>

export interface Shown {
  text: string
  /** The rest: text of other messages, or what follows. */
  leftOut?: 'quoted' | 'rest' | undefined
  /** Length of the leading part written by the mailbox itself; 0 when not given. */
  ownLength?: number | undefined
  /** Nothing else is shown beside this message. */
  isAlone?: true
}

/** Max characters per text in a response with this many messages. */
export function charactersEach(messages: number): number {
  return Math.min(TEXT_CHARACTERS, Math.floor(ANSWER_CHARACTERS / Math.max(1, messages)))
}

/** New words only; the quoted part is in the conversation. */
export function newWords(message: Message, characters: number): Shown {
  const words = message.extracted_text.trim() === '' ? message.text : message.extracted_text
  const ownLength = ownLengthOf(message, words)
  if (words.length > characters) return { text: cut(words, characters), leftOut: 'rest', ownLength }
  return words.trim() === message.text.trim()
    ? { text: words, ownLength }
    : { text: words, leftOut: 'quoted', ownLength }
}

/** Length of the leading part of the text that the mailbox itself wrote. */
export function ownLengthOf({ direction, text }: Message, words: string): number {
  if (direction !== 'outbound') return 0
  const { own } = splitOwn(words)
  // The text removed may have been the mark before others' words.
  return splitOwn(text).own.includes(own.trim()) ? own.length : 0
}

function partsOf({ text, ownLength = 0 }: Shown): { own: string; theirs: string } {
  return { own: text.slice(0, ownLength), theirs: text.slice(ownLength) }
}

export function messageResult(fence: Fence, message: Message, shown: Shown): MessageOutput {
  const most = shown.isAlone ? MANY : FEW
  const people = (list: Message['to']) => firstPeople(fence, list, most.people)
  const codes = message.extracted.codes.slice(0, MAX_CODES).map((code) => fence.inline(code, 100))
  // Text from HTML has no URLs; those already in the text are not repeated.
  const links = message.extracted.links
    .filter((link) => !shown.text.includes(link))
    .slice(0, most.links)
    .map((link) => fence.inline(link, MAX_LINK))
  const { auth, scan } = message
  const { own, theirs } = partsOf(shown)
  return {
    message_id: message.id,
    thread_id: message.thread_id,
    status: message.status,
    at: toTheSecond(message.created_at),
    unread: message.unread,
    labels: message.labels,
    ...(message.automation && { automation: message.automation }),
    ...(auth && { authentication: `spf=${auth.spf} dkim=${auth.dkim} dmarc=${auth.dmarc}` }),
    ...(scan && { scan: `virus=${scan.virus} spam=${scan.spam.verdict}` }),
    attachments: message.attachments.slice(0, most.attachments).map(({ id, size_bytes, scan, risk, filename }) => ({
      attachment_id: id,
      size_bytes,
      warnings: [...(scan === 'unscanned' ? ['unscanned'] : []), ...risk.map(({ code }) => code)],
      untrusted: { filename: fence.inline(filename) },
    })),
    ...(shown.leftOut && { left_out: shown.leftOut }),
    ...(own.trim() !== '' && { sent_text: fence.wrapOwn(own.trimEnd()) }),
    untrusted: {
      ...(message.from && { from: person(fence, message.from) }),
      to: people(message.to),
      ...(message.cc.length > 0 && { cc: people(message.cc) }),
      ...(message.reply_to.length > 0 && { reply_to: people(message.reply_to) }),
      subject: fence.inline(message.subject, 500),
      text: own.trim() !== '' && theirs.trim() === '' ? '' : fence.wrap(theirs),
      ...(codes.length > 0 && { codes }),
      ...(links.length > 0 && { links }),
    },
  }
}

export function messageText(fence: Fence, message: Message, shown: Shown): string {
  const result = messageResult(fence, message, shown)
  const { own, theirs } = partsOf(shown)
  const said =
    own.trim() === ''
      ? [fence.wrap(theirText(result, theirs))]
      : [fence.wrap(theirText(result, '').trimEnd()), ...bodyLines(fence, own, theirs)]
  return [...ourLines(message, result), ...said, ...leftOutLines(result)].join('\n')
}

function ourLines(message: Message, m: MessageOutput): string[] {
  const marks = [message.direction, m.status, m.at, ...(m.unread ? ['unread'] : []), ...m.labels]
  const lines = [`${m.message_id} (${marks.join(', ')})`]
  if (m.authentication !== undefined)
    lines.push(`Sender authentication: ${m.authentication}. Scan: ${m.scan ?? 'none'}.`)
  for (const { attachment_id: id, size_bytes: bytes, warnings } of m.attachments) {
    const careful = warnings.length === 0 ? '' : `: ${warnings.join(', ')}; leave it closed unless your human wants it`
    lines.push(`Attachment ${id}, ${bytes} bytes${careful}.`)
  }
  const unseen = message.attachments.length - m.attachments.length
  if (unseen > 0) lines.push(`And ${plural(unseen, 'attachment')} more.`)
  if (m.automation !== undefined) lines.push(`Written by a machine (${m.automation}): do not answer it.`)
  if (message.composed_by === 'human') lines.push('Your human wrote it, or changed what you had written.')
  if (TROUBLED.has(m.status)) lines.push(`It ${STATE[message.status]}: get_message_status says why, and what to do.`)
  if (m.status === 'scheduled')
    lines.push(`It is sent at ${message.send_at ?? 'its time'}, unless cancel_send stops it.`)
  return lines
}

const TROUBLED: ReadonlySet<string> = new Set<Message['status']>([
  'cancelled',
  'held',
  'blocked',
  'bounced',
  'partially_delivered',
])

/** Header lines first: no field can start a line of its own. */
function theirText(m: MessageOutput, words: string): string {
  const { from, to, cc = [], reply_to: replyTo = [], subject, codes = [], links = [] } = m.untrusted
  const head = [
    ['From', from ?? ''],
    ['To', to.join(', ')],
    ['Cc', cc.join(', ')],
    ['Reply-To', replyTo.join(', ')],
    ['Subject', subject],
    ...m.attachments.map((each) => [`Attachment ${each.attachment_id}`, each.untrusted.filename]),
  ].flatMap(([name = '', value = '']) => (value === '' && name !== 'Subject' ? [] : [`${name}: ${value}`]))
  const found = [...codes.map((code) => `Code: ${code}`), ...links.map((link) => `Link: ${link}`)]
  return [...head, '', words, ...(found.length > 0 ? ['', ...found] : [])].join('\n')
}

function leftOutLines({ left_out: leftOut, message_id: id }: MessageOutput): string[] {
  switch (leftOut) {
    case undefined:
      return []
    case 'quoted':
      return [`(without quoted text; read_message ${id} shows it)`]
    case 'rest':
      return [`(cut; read_message ${id} shows all)`]
  }
}
