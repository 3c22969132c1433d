/** What is fuzzed, and what has to hold whatever the input: pure functions that strangers' bytes reach first. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toUSVString } from 'node:util'
import { createLineCheck } from '../../src/smtp/lines.js'
import { addTrace } from '../../src/mx/intake/trace-fields.js'
import { isLooping } from '../../src/mx/judging/loops.js'
import { parseAddress } from '../../src/mime/address.js'
import { readAddresses, readMessageId, readReferences } from '../../src/mime/addresses.js'
import { findCodes } from '../../src/mime/parse/codes.js'
import { composeMessage } from '../../src/mime/compose/compose.js'
import { htmlToText } from '../../src/mime/html/html.js'
import { countField, prependFields, removeAuthenticationResults } from '../../src/mime/headers.js'
import { findLinks } from '../../src/mime/html/links.js'
import { parseMessage } from '../../src/mime/parse/parse.js'
import { readPart } from '../../src/mime/part.js'
import { makePreview } from '../../src/mime/parse/preview.js'
import { extractReply } from '../../src/mime/reply/reply.js'
import { baseSubject, forwardSubject, replySubject } from '../../src/mime/subject.js'
import { MessageFormatError, type Address, type ParsedMessage, type ParseLimits } from '../../src/mime/types.js'
import { below, randomFrom } from '../support/random.js'
import { ADDRESS_WORDS, MIME_WORDS, TEXT_WORDS } from './dictionary.js'
import type { Target } from './fuzz.js'
import { checkImap, IMAP_WORDS, imapSeeds } from './imap.js'
import { checkSasl, SASL_WORDS, saslSeeds } from './sasl.js'

export const LIMITS: ParseLimits = { maxHeaderBytes: 8192, maxParts: 20, maxDepth: 5 }

const CONTROL = /\p{Cc}/u

/** Beside the source of this file; compiled, it is somewhere else, but is run from the same folder. */
const SEEDS = join(process.cwd(), 'test', 'fuzz', 'seeds')

function seedsOf(name: string): Buffer[] {
  const folder = join(SEEDS, name)
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file)))
}

/** No half of a surrogate pair stands alone. */
const isUnicode = (text: string): boolean => toUSVString(text) === text

function demand(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`broken: ${promise}`)
}

/** The message, or undefined when it was refused for a reason that may be said. @throws whatever else the parser throws */
export async function parseOrRefuse(raw: Buffer): Promise<ParsedMessage | undefined> {
  try {
    return await parseMessage(raw, LIMITS)
  } catch (error) {
    if (!(error instanceof MessageFormatError)) throw error
    demand(error.reason !== '' && !CONTROL.test(error.reason), 'a reason fits into a reply')
    return undefined
  }
}

/** @throws when a message has what its reader was promised it would not have */
export async function checkParsed(raw: Buffer, message: ParsedMessage): Promise<void> {
  demand(message.attachments.length <= LIMITS.maxParts, 'not more attachments than parts may be')
  const copy = structuredClone(message)
  demand(JSON.stringify(copy) === JSON.stringify(message), 'a message is plain data')
  demand(message.preview.length <= 200 && !/[\p{Cc}\p{Cf}]/u.test(message.preview), 'a preview is short and visible')
  demand(!/[\r\n]/.test(message.subject), 'a subject is one line')
  demand(isUnicode(message.text) && isUnicode(message.extractedText), 'text is Unicode')
  demand(
    message.extracted.links.every((link) => /^https?:\/\//.test(link)),
    'links are of the web',
  )
  const all = [message.from, ...message.to, ...message.cc, ...message.bcc, ...message.replyTo]
  for (const address of all) if (address) checkAddress(address)
  for (const id of [message.messageId, message.inReplyTo, ...message.references]) {
    demand(id === null || (id.length > 0 && id.length <= 998 && !/[\p{Cc}<>]/u.test(id)), 'an id is clean')
  }
  for (const { part, sizeBytes, filename, contentType } of message.attachments) {
    demand((await readPart(raw, part, LIMITS)).length === sizeBytes, 'a part is as long as it is said to be')
    demand(
      filename !== '' && Buffer.byteLength(filename) <= 255 && !/[/\\\p{Cc}]/u.test(filename),
      'a file name is safe',
    )
    demand(!CONTROL.test(contentType), 'a type is clean')
  }
}

function checkAddress({ address, name }: Address): void {
  const at = address.lastIndexOf('@')
  demand(at > 0 && at < address.length - 1, 'an address has two sides')
  demand(!/[\p{Cc}\s]/u.test(address.slice(at)), 'a domain is clean')
  demand(!/[\r\n\0]/.test(address) && !/[\r\n\0]/.test(name), 'an address is one line')
  demand(isUnicode(address) && isUnicode(name), 'an address is Unicode')
}

async function checkMessage(raw: Buffer): Promise<void> {
  const message = await parseOrRefuse(raw)
  if (message) await checkParsed(raw, message)
}

/** What an API caller may write has to come back the same from a message made of it. */
export async function checkRoundTrip(text: string): Promise<void> {
  const parsed = parseAddress(text)
  if (!parsed) return
  demand(/^[^\p{Cc}]+@[a-z0-9.-]+$/u.test(parsed.address) && parsed.address.length <= 254, 'an address is clean')
  demand(!CONTROL.test(parsed.name), 'a name is clean')
  const raw = await composeMessage({
    messageId: 'id@example.com',
    date: 0,
    from: parsed,
    to: [parsed, { address: 'last@example.com', name: '' }],
    cc: [],
    replyTo: [],
    subject: '',
    text: '',
    html: null,
    inReplyTo: null,
    references: [],
    attachments: [],
  })
  const message = await parseMessage(raw, LIMITS)
  demand(parseAddress(parsed.address)?.address === parsed.address, 'an address that was read can be read again')
  demand(message.fromCount === 1 && message.from?.address === parsed.address, 'the address comes back')
  demand(message.to.length === 2 && message.to[0]?.address === parsed.address, 'it comes back from a list')
  // Readers are lenient with encoded words in quotes (RFC 2047 §5), so such a name is what somebody makes of it.
  if (parsed.name.includes('=?')) return
  // A name of nothing but quotes is no name to the composer.
  if (/^["\s]*$/.test(parsed.name)) return
  const spaced = parsed.name.replace(/\s+/g, ' ').trim()
  // Quotes within an encoded word are other programs' mistakes, and taken off.
  const plain = /^[\x20-\x7e]*$/.test(spaced) ? spaced : spaced.replace(/^"(.*)"$/, '$1').trim()
  demand(message.from?.name.replace(/\s+/g, ' ').trim() === plain, 'the name comes back')
}

async function checkAddresses(input: Buffer): Promise<void> {
  const text = input.toString('utf8')
  const list = readAddresses([text])
  demand(list.addresses.length <= 500 && list.addresses.length <= list.count, 'a list has an end')
  for (const address of list.addresses) checkAddress(address)
  const ids = [readMessageId(text), ...readReferences([text])]
  demand(ids.length <= 101 && ids.every((id) => id === null || !/[\p{Cc}<>]/u.test(id)), 'ids are clean')
  await checkRoundTrip(text)
}

/** RFC 5321 §2.3.8 in its plainest form, for the whole message at once. */
function plainLineProblem(data: Buffer): boolean {
  const text = data.toString('latin1')
  return /\0|\r(?!\n)|(?<!\r)\n/.test(text) || text.split('\r\n').some((line) => line.length > 998)
}

function checkLines(input: Buffer): void {
  const whole = plainLineProblem(input)
  const random = randomFrom(input.length)
  for (const largest of [1, 7, 1000, input.length + 1]) {
    const check = createLineCheck()
    let problem: string | undefined
    for (let at = 0; at < input.length && problem === undefined;) {
      const end = at + 1 + below(random, largest)
      problem = check.push(input.subarray(at, end))
      at = end
    }
    problem ??= check.end()
    demand((problem !== undefined) === whole, 'a problem is seen however the data is cut')
  }
}

function checkHeaders(raw: Buffer): void {
  const removed = removeAuthenticationResults(raw, 'mx.test')
  demand(removed.length <= raw.length, 'removing adds nothing')
  demand(removeAuthenticationResults(removed, 'mx.test').equals(removed), 'what is removed is gone')
  const before = countField(raw, 'received')
  demand(countField(prependFields(raw, ['Received: x']), 'received') === before + 1, 'a field on top counts')
  isLooping(raw, 'mx.test', 50)
  const traced = addTrace(raw, {
    envelopeFrom: 'a@b.example',
    helo: raw.toString('latin1', 0, 300),
    clientName: null,
    clientAddress: '192.0.2.1',
    hostname: 'mx.test',
    protocol: 'ESMTP',
    cipher: undefined,
    id: 'rcp_1',
    recipient: undefined,
    authenticationResults: 'mx.test; spf=pass',
    now: 0,
  })
  demand(
    countField(traced, 'authentication-results') <= countField(raw, 'authentication-results') + 1,
    'one verdict is ours',
  )
  demand(countField(traced, 'received') === countField(raw, 'received') + 1, 'a greeting adds no field')
  demand(
    /^Return-Path: [^\n]*\r\nAuthentication-Results: mx\.test; spf=pass\r\nReceived: /.test(traced.toString('latin1')),
    'ours is on top',
  )
}

/** Functions that read text as people and programs write it. */
export const READERS: Record<string, (text: string) => unknown> = {
  extractReply,
  makePreview,
  htmlToText,
  findCodes: (text) => findCodes('', text),
  'findCodes in a subject': (text) => findCodes(text, ''),
  'findLinks in text': (text) => findLinks(text, null),
  'findLinks in HTML': (text) => findLinks('', text),
  baseSubject,
  replySubject,
  forwardSubject,
}

function checkText(input: Buffer): void {
  const text = input.toString('utf8')
  for (const read of Object.values(READERS)) read(text)
  demand(extractReply(text).length <= text.length, 'new words are words of the message')
  const preview = makePreview(text)
  demand(preview.length <= 200 && !/[\p{Cc}\p{Cf}]/u.test(preview), 'a preview is short and visible')
  // Of a longer subject only the beginning is looked at.
  const subject = text.slice(0, 1000)
  const base = baseSubject(subject)
  demand(baseSubject(replySubject(subject)) === base, 'an answer has the subject it answers')
  demand(
    findCodes('', text).every((code) => /^[A-Z0-9-]{4,60}$/i.test(code)),
    'a code is short and plain',
  )
}

export const TARGETS: Record<string, Target> = {
  parser: { seeds: seedsOf('parser'), dictionary: MIME_WORDS, files: /\/mime\//, check: checkMessage },
  addresses: {
    seeds: seedsOf('addresses'),
    dictionary: ADDRESS_WORDS,
    files: /\/mime\/|addressparser/,
    check: checkAddresses,
  },
  lines: {
    seeds: seedsOf('lines'),
    dictionary: ['\r\n', '\n', '\r', '\0', '.', 'x'.repeat(998)],
    files: /\/mx\//,
    check: checkLines,
  },
  headers: { seeds: seedsOf('parser'), dictionary: MIME_WORDS, files: /\/mx\/|\/mime\/headers/, check: checkHeaders },
  imap: { seeds: imapSeeds(), dictionary: IMAP_WORDS, files: /\/imap\//, check: checkImap },
  sasl: { seeds: saslSeeds(), dictionary: SASL_WORDS, files: /\/smtp\/oauth-bearer/, check: checkSasl },
  text: { seeds: seedsOf('text'), dictionary: TEXT_WORDS, files: /\/mime\//, check: checkText },
}
