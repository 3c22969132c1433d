/**
 * Parses the bytes of a message into its content. Runs for every message before it is accepted: one pass over the bytes, no copies of skipped parts,
 * and limits on everything a stranger can enlarge.
 */
import { isAscii } from 'node:buffer'
import { readAddresses, readMessageId, readReferences } from '../addresses.js'
import { readAutomation } from './automation.js'
import { readBody, type Body } from './body.js'
import { findCodes } from './codes.js'
import { decodeWords, readFields } from '../fields.js'
import { asDisplayed } from '../html/direction.js'
import { htmlToText } from '../html/html.js'
import { findLinks } from '../html/links.js'
import { makePreview } from './preview.js'
import { extractReply } from '../reply/reply.js'
import { readReport } from '../reports/report.js'
import { headerOf, placeIn, readStructure } from '../structure.js'
import type { ParsedMessage, ParseLimits, PlaceInRaw } from '../types.js'
import { hiddenInWords, visibleText } from '../html/visible.js'

/**
 * Parses a message. Malformed messages are read as well as possible; only broken limits are refused.
 *
 * @throws MessageFormatError and nothing else, whatever the bytes
 */
export async function parseMessage(raw: Buffer, limits: ParseLimits): Promise<ParsedMessage> {
  const root = readStructure(raw, limits)
  const fields = readFields(root)
  const body = await readBody(root)
  const from = readAddresses(fields.all('from'))
  const subject = decodeWords(fields.first('subject'))
  const isTextOfHtml = body.text === '' && body.html !== null
  const written = body.text === '' && body.html !== null ? htmlToText(body.html) : body.text
  const text = visibleText(written)
  const displayed = asDisplayed(written)
  const hiddenWords = text === written ? 0 : hiddenInWords(written)
  const extractedText = extractReply(text)
  const report = await readReport(root, fields, subject, text)
  return {
    from: from.addresses[0] ?? null,
    fromCount: from.count,
    to: readAddresses(fields.all('to')).addresses,
    cc: readAddresses(fields.all('cc')).addresses,
    bcc: readAddresses(fields.all('bcc')).addresses,
    replyTo: readAddresses(fields.all('reply-to')).addresses,
    subject,
    messageId: readMessageId(fields.first('message-id')),
    inReplyTo: readMessageId(fields.first('in-reply-to')),
    references: readReferences(fields.all('references')),
    date: readDate(fields.first('date')),
    headers: fields.decoded(),
    text,
    html: body.html,
    ...(isTextOfHtml ? { isTextOfHtml } : {}),
    ...(displayed === written ? {} : { displayedText: visibleText(displayed) }),
    places: placesOf(raw, body),
    ...(hiddenWords > 0 ? { hiddenWords } : {}),
    preview: makePreview(extractedText === '' ? text : extractedText),
    extractedText,
    extracted: {
      codes: findCodes(subject, extractedText === '' ? text : extractedText),
      links: findLinks(text, body.html),
    },
    attachments: body.attachments,
    ...(body.hasUnshownParts && { hasUnshownParts: true as const }),
    automation: readAutomation(fields, subject, report),
    report,
  }
}

function placesOf(raw: Buffer, { parts }: Body): { text?: PlaceInRaw; html?: PlaceInRaw } {
  const text = parts.text && placeIn(raw, parts.text)
  const html = parts.html && placeIn(raw, parts.html)
  return { ...(text && { text }), ...(html && { html }) }
}

/** RFC 5322 §3.3, and the variations that programs write; without the guesses of `Date.parse` for any text with a number in it. */
function readDate(value: string): number | null {
  const form = /\d{1,2}[\s-]+\p{L}{3,9}\.?,?[\s-]+\d{2,4}|\p{L}{3,9}\s+\d{1,2},?\s.*\d{4}|\d{4}-\d{2}-\d{2}/u
  if (value.length > 128 || !form.test(value)) return null
  const ms = Date.parse(value.replace(/\([^()]*\)/g, ' '))
  return ms >= 0 && ms < Date.UTC(10_000, 0) ? ms : null
}

/** Fields with addresses (RFC 5322 §3.6.2, §3.6.3, §3.6.6; RFC 8098 §2.1). */
const ADDRESS_FIELDS = [
  ...['from', 'sender', 'reply-to', 'to', 'cc', 'disposition-notification-to'],
  ...['resent-from', 'resent-sender', 'resent-to', 'resent-cc'],
]

/** True if the header of a message has an address beyond ASCII: only then is it mail that a server without SMTPUTF8 can't read (RFC 6532 §3.2). */
export function hasUtf8Address(raw: Buffer): boolean {
  const fields = readFields(headerOf(raw))
  const values = ADDRESS_FIELDS.flatMap((name) => fields.all(name))
  return readAddresses(values).addresses.some(({ address }) => !isAscii(Buffer.from(address)))
}
