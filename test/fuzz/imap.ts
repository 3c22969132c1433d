/** IMAP commands under mutation: framing as a plain reading of RFC 9051 §4.3 and RFC 7888 §4 has it, and one kind of error. */
import { parseCommand } from '../../src/imap/grammar/parse.js'
import type { ReaderLimits } from '../../src/imap/wire/reader-limits.js'
import { BadCommand, type Refusal } from '../../src/imap/wire/refusal.js'
import { ACCEPTED } from '../imap/grammar/commands.js'
import { REFUSED } from '../imap/grammar/refused-commands.js'
import type { Segment } from '../../src/imap/wire/segments.js'
import { feed, newReader, randomChunks } from '../imap/reading.js'
import { randomFrom } from '../support/random.js'

/** So few seeds that most runs are mutations of them. */
const COMMANDS_PER_SEED = 12
const MAX_LITERAL_BYTES = 1000
/** Only a literal can be too large. */
const LIMITS: ReaderLimits = {
  maxLineBytes: 2 ** 20,
  maxLiteralBytes: MAX_LITERAL_BYTES,
  maxLiterals: 2 ** 20,
  maxCommandBytes: 2 ** 30,
  maxDroppedBytes: Infinity,
}

export function imapSeeds(): Buffer[] {
  const lines = [...ACCEPTED, ...REFUSED].map(({ text }, i) => `a${i} ${text}\r\n`)
  const seeds: Buffer[] = []
  for (let at = 0; at < lines.length; at += COMMANDS_PER_SEED)
    seeds.push(Buffer.from(lines.slice(at, at + COMMANDS_PER_SEED).join('')))
  return seeds
}

type Kind = 'command' | 'refused'

/** What is complete in the octets, read in the plainest way; undefined if a number is too long for a server to look at. */
function plainly(text: string): Kind[] | undefined {
  const kinds: Kind[] = []
  let isRefused = false
  const end = (): void => {
    kinds.push(isRefused ? 'refused' : 'command')
    isRefused = false
  }
  for (let at = 0; ;) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd === -1) return kinds
    const line = text.slice(at, lineEnd)
    at = lineEnd + 2
    if (/[\0\r\n]/.test(line)) isRefused = true
    const [announcement, digits = '', plus] = /\{([0-9]+)(\+?)\}$/.exec(line) ?? []
    if (digits.length > 40 || /(?:^|[^{0-9])[0-9]{40,}\+?\}$/.test(line)) return undefined
    if (announcement === undefined) {
      end()
      continue
    }
    if (Number(digits) > MAX_LITERAL_BYTES) isRefused = true
    if (plus === '' && isRefused) end()
    else if (text.length - at < Number(digits)) return kinds
    else at += Number(digits)
  }
}

function demand(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`broken: ${promise}`)
}

/** @throws if a command is not told apart from its neighbours, or its refusal cannot be sent */
export function checkImap(input: Buffer): void {
  const events = feed(newReader(LIMITS), [input])
  const expected = plainly(input.toString('latin1'))
  const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'continue')
  if (expected) demand(kinds.join() === expected.join(), `commands end where they end: ${kinds.join()}`)
  const random = randomFrom(input.length)
  for (const largest of [1, 9, 300]) {
    const again = feed(newReader(LIMITS), randomChunks(random, input, largest))
    demand(JSON.stringify(again) === JSON.stringify(events), 'chunks change nothing')
  }
  for (const event of events) {
    if (event.kind === 'refused') checkRefusal(event.tag, event.refusal)
    if (event.kind === 'command') checkCommand(event.segments)
  }
}

function checkCommand(segments: Segment[]): void {
  for (const utf8 of [false, true]) {
    try {
      const command = parseCommand(segments, { utf8 })
      demand(command.tag !== '' && command.name.length > 0, 'a command has tag and name')
    } catch (error) {
      if (!(error instanceof BadCommand)) throw error
      checkRefusal(error.tag, error.refusal)
    }
  }
}

function checkRefusal(tag: string | undefined, { code, text }: Refusal): void {
  demand(tag === undefined || /^[^\0-\x20\x7f-\uffff(){%*"\\+]+$/.test(tag), 'a tag is a tag')
  demand(/^[ -~]{1,250}$/.test(text) && !text.startsWith('['), 'a refusal is a line of ASCII')
  demand(code === undefined || /^[ -\\^-~]+$/.test(code), 'a code has no bracket')
}

/** Reads commands of any length, each of them twice. */
export function readImap(text: string): void {
  for (const event of feed(newReader(LIMITS), [`a ${text}\r\n`]))
    if (event.kind === 'command') checkCommand(event.segments)
}

// prettier-ignore
export const IMAP_WORDS = [
  ' ', '(', ')', '()', '((', '))', '"', '\\', '\\"', '""', '*', '%', ',', ':', '$', '+', '-', '.', '[', ']', '<', '>', '=', '&', '&-', '&AOk-', '~', '\r\n', '\r', '\n', '\0',
  '{', '}', '{0}\r\n', '{0+}\r\n', '{1+}\r\n', '{5}\r\n', '{5+}\r\nINBOX', '~{3+}\r\n', '{1001+}\r\n', '{4294967296+}\r\n', '{99999999999999999999}\r\n', '\u00e9', '\ud83d\ude00', '\x7f',
  '1', '0', '4294967295', '4294967296', '9223372036854775807', '1:*', '*:4', '1,2,3', '7:5', 'NIL', 'INBOX', 'a', 'a1 ', ' \r\na2 NOOP\r\n',
  'UID ', 'FETCH ', 'STORE ', 'SEARCH ', 'SORT ', 'THREAD ', 'COPY ', 'MOVE ', 'EXPUNGE', 'SELECT ', 'LIST ', 'STATUS ', 'APPEND ', 'NOTIFY SET ', 'LOGIN ', 'AUTHENTICATE ', 'ID ', 'ENABLE ', 'CREATE ',
  'NOT ', 'OR ', 'ALL', 'SEEN', 'SUBJECT ', 'HEADER ', 'BEFORE ', '1-Feb-1994', '" 1-Feb-1994 21:52:25 -0800"', 'MODSEQ ', 'CHARSET UTF-8 ', 'RETURN (', 'MIN ', 'REVERSE ', 'DATE', 'REFERENCES ',
  'FLAGS', '+FLAGS.SILENT ', '\\Seen', '(\\Deleted)', 'BODY[', 'BODY.PEEK[', 'HEADER.FIELDS (', 'MIME', 'TEXT', '1.2.3', '<0.100>', 'BINARY.SIZE[', 'PREVIEW (LAZY)', 'ENVELOPE', 'FAST',
  '(CHANGEDSINCE ', 'VANISHED', '(UNCHANGEDSINCE ', '(QRESYNC (', '(CONDSTORE)', '(USE (', 'SUBSCRIBED', 'RECURSIVEMATCH', 'STATUS (', 'MESSAGES', 'UTF8 (', 'selected', 'mailboxes ', 'MessageNew', 'MessageExpunge', 'NONE',
]
