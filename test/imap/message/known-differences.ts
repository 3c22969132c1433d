/**
 * Where FETCH here and in Dovecot differ, by kind: both are legal, or ours is right. The counts are those of all messages of the public suites, so that
 * none is added without being looked at.
 */
import type { ImapValue } from '../../support/imap-reader.js'
import type { Difference } from './comparison.js'

/** Values that differ, at the same place of an item. */
export interface Pair extends Difference {
  /** Indexes in the nested lists of the item. */
  place: readonly number[]
}

interface Kind {
  name: string
  why: string
  /** Pairs of all suites. */
  count: number
  /** @param raw the message, one octet a character */
  explains(pair: Pair, raw: string): boolean
}

/** What Dovecot writes as the only part of a multipart without parts. */
const NO_PART = '["text","plain",["charset","us-ascii"],null,null,"7bit","0","0",null,null,null,null]'
/** Names by their place in ENVELOPE. */
const ENVELOPE = 'date subject from sender reply-to to cc bcc in-reply-to message-id'.split(' ')

const isMultipart = (value: ImapValue): value is ImapValue[] => Array.isArray(value) && Array.isArray(value[0])
const isNumber = (value: ImapValue): boolean => typeof value === 'string' && /^\d+$/.test(value)
/** Octets or lines that Dovecot has more; undefined if they are something else. */
const more = ({ ours, theirs }: Pair): number | undefined =>
  isNumber(ours) && isNumber(theirs) ? Number(theirs) - Number(ours) : undefined
const isIn = (item: string, { item: found }: Pair): boolean => found.startsWith(item)

/** The first that explains a pair counts. */
export const KINDS: readonly Kind[] = [
  {
    name: 'repeated fields',
    why: 'RFC 5322 §3.6 allows one. Here the first counts, as in the API; in Dovecot the last.',
    count: 11,
    explains: ({ item, place: [first] }, raw) =>
      item === 'ENVELOPE'
        ? new RegExp(`^${ENVELOPE[first ?? -1]}:[^]*^${ENVELOPE[first ?? -1]}:`, 'im').test(headerOf(raw))
        : item === 'BODYSTRUCTURE' && /^(content-[\w-]+|message-id):.*(?:\r\n[!-9;-~ \t].*)*\r\n\1:/im.test(raw),
  },
  {
    name: 'addresses out of form',
    why: 'What RFC 5322 §3.4 and §4.4 do not allow is read in other ways; empty elements of a list are none.',
    count: 34,
    explains: ({ item, place, ours }) =>
      (item === 'ENVELOPE' && (place[0] ?? 0) >= 2 && (place[0] ?? 0) <= 7) || ours === 'Recipients',
  },
  {
    name: 'a multipart in which no part begins',
    why: 'Here it is text, so that people see what is there; in Dovecot it has one part without content.',
    count: 36,
    explains: ({ ours, theirs }) =>
      Array.isArray(ours) && ours[1] === 'plain' && isMultipart(theirs) && JSON.stringify(theirs[0]) === NO_PART,
  },
  {
    name: 'a boundary without quotes, in RFC 2231 form, or longer than 70 characters',
    why: 'Here it is read whole, as mime/structure.ts reads it; Dovecot takes its beginning, or none.',
    count: 11,
    explains: (pair) => isIn('BODYSTRUCTURE', pair) && isMultipart(pair.ours) && isMultipart(pair.theirs),
  },
  {
    name: 'the line end between the last delimiter of a multipart and one of an outer multipart',
    why: 'It belongs to the outer delimiter (RFC 2046 §5.1.1); Dovecot leaves it to the multipart.',
    count: 70,
    explains: (pair) =>
      isIn('BODYSTRUCTURE', pair)
        ? [1, 2].includes(more(pair) ?? 0)
        : /^BODY\[[\d.]+\]$/.test(pair.item) && pair.theirs === `${String(pair.ours)}\r\n`,
  },
  {
    name: 'a part without a header, or a line with more than a boundary',
    why: 'Here its text is its body (mime/headers.ts), and only white space follows a boundary (mime/delimiters.ts); Dovecot takes all up to an empty line for a header, and a line that begins with a boundary for a delimiter.',
    count: 33,
    explains: (pair) => isIn('BODYSTRUCTURE', pair) && (more(pair) ?? 0) < 0,
  },
  {
    name: 'a Content-Type out of form',
    why: 'It is text/plain (RFC 2045 §5.2), or what it begins with; Dovecot has empty strings, which are no type.',
    count: 10,
    explains: ({ item, ours, theirs }) =>
      item === 'BODYSTRUCTURE' && ours !== null && (theirs === '' || (Array.isArray(theirs) && theirs[0] === '')),
  },
  {
    name: 'a Content-Disposition without a name',
    why: 'Here it is NIL; Dovecot has an empty name.',
    count: 1,
    explains: ({ ours, theirs }) => ours === null && JSON.stringify(theirs) === '["",null]',
  },
  {
    name: 'a transfer encoding with more than its name',
    why: 'Here the first word counts, and BINARY says whether it is known; in Dovecot it is 7bit.',
    count: 6,
    explains: ({ item, place, theirs }) => item === 'BODYSTRUCTURE' && place.at(-1) === 5 && theirs === '7bit',
  },
  {
    name: 'a parameter out of form',
    why: 'Without the quotes that it needs its value is all up to the semicolon, and without the last quote all of the field; Dovecot has the first word, or nothing.',
    count: 5,
    explains: ({ item, ours, theirs }) =>
      item === 'BODYSTRUCTURE' &&
      typeof ours === 'string' &&
      typeof theirs === 'string' &&
      (ours.startsWith(theirs) || ours.startsWith('UTF-8Return-Path')),
  },
  {
    name: 'a value of several pieces, some of them percent-encoded',
    why: 'Here all of it is (RFC 2231 §7); Dovecot leaves the other pieces as they are.',
    count: 1,
    explains: ({ ours, theirs }) =>
      typeof ours === 'string' &&
      ours.includes("''") === String(theirs).includes("''") &&
      decodable(ours) === decodable(theirs),
  },
  {
    name: 'a charset in RFC 2231 form',
    why: 'Here no other is added.',
    count: 1,
    explains: ({ ours, theirs }) =>
      Array.isArray(ours) &&
      ours[0] === 'charset*' &&
      JSON.stringify(theirs) === JSON.stringify(['charset', 'us-ascii', ...ours]),
  },
  {
    name: 'fields of a header without an empty line',
    why: 'There is none to follow the chosen fields (RFC 9051 §7.5.2); Dovecot adds one.',
    count: 51,
    explains: ({ item, ours, theirs }) => item.includes('HEADER.FIELDS') && theirs === `${String(ours)}\r\n`,
  },
  {
    name: 'a header that a delimiter ends',
    why: 'Here it keeps its empty line, which may be the line end of the delimiter too; in Dovecot it does not.',
    count: 12,
    explains: ({ item, ours, theirs }) => item.endsWith('.MIME]') && ours === `${String(theirs)}\r\n`,
  },
  {
    name: 'octets that Dovecot does not decode',
    why: 'Errors of base64 or quoted-printable anywhere in the message make it refuse all of its parts; here what can be read is (mime/transfer.ts).',
    count: 28,
    explains: (pair) => isIn('BINARY', pair) && pair.theirs === null,
  },
  {
    name: 'line ends of encoded text',
    why: 'They are CRLF, whatever is encoded (RFC 9051 §7.5.2); Dovecot leaves them as they are.',
    count: 29,
    explains: ({ item, ours, theirs }) =>
      item.startsWith('BINARY[') && ours === String(theirs).replace(/\r?\n/g, '\r\n'),
  },
  {
    name: 'white space at the end of quoted-printable text',
    why: 'Here it stays where no line end follows.',
    count: 1,
    explains: ({ item, ours, theirs }) =>
      item.startsWith('BINARY[') && String(ours).trimEnd() === String(theirs).trimEnd(),
  },
  {
    name: 'the size of decoded octets',
    why: 'Here and in Dovecot the octets are the same, but not their size in Dovecot, which must match (RFC 9051 §7.5.2).',
    count: 20,
    explains: (pair) => isIn('BINARY.SIZE', pair),
  },
]

/** The messages that end Dovecot's session: it can't decode them, or counts wrongly. */
export const ENDED_SESSIONS = 5

/** Pairs that differ, innermost first. */
export function* pairsOf({ item, ours, theirs }: Difference, place: readonly number[] = []): Generator<Pair> {
  if (Array.isArray(ours) && Array.isArray(theirs) && ours.length === theirs.length) {
    for (const [i, value] of ours.entries())
      yield* pairsOf({ item, ours: value, theirs: theirs[i] ?? null }, [...place, i])
  } else if (JSON.stringify(ours) !== JSON.stringify(theirs)) yield { item, ours, theirs, place }
}

const headerOf = (raw: string): string => raw.slice(0, raw.indexOf('\r\n\r\n') + 2)

function decodable(value: ImapValue): string {
  return String(value).replace(/%([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}
