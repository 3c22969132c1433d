/**
 * The row of what never changes of a message: what it says beside what lists show, and the raw message where that is small. A text that stands in the
 * raw message as it is shown, or encoded, is not stored beside it, but read from there.
 */
import { transferDecoder } from '../mime/transfer.js'
import type { PlaceInRaw } from '../mime/types.js'
import { asBuffer } from '../store/keys.js'
import { pack, unpack } from '../store/packed.js'
import type { MessageContent, ShownContent } from './message.js'

/** Octets of the length that stands before the packed content; the raw message follows on that. */
const LENGTH_BYTES = 4
/** Any other, such as 7bit, changes nothing, as the first one. Their numbers are stored: a new one is put at the end. */
const ENCODINGS = ['', 'quoted-printable', 'base64']

/** Where a text stands in the raw message: how far before its end, how long it is there, and its encoding. */
type Slice = [fromEnd: number, length: number, encoding: number]
/** Part of the text: from where, and how much. */
type Piece = [start: number, length: number]

/** All that is said but what lists show. */
export type BodyContent = Omit<MessageContent, keyof ShownContent>

export type PackedBody = [
  text: string | Slice,
  html: string | Slice | null,
  truncated: boolean | null,
  extractedText: string | Piece | null,
  codes: string[],
  links: string[],
  references: string[],
  /** Names and values by turns. */
  headers: string[],
  report: MessageContent['report'],
  auth: MessageContent['auth'],
  scan: MessageContent['scan'],
  hiddenWords: number | null,
  parts: number[],
  /** What lists show, where that is too much for the row that changes. */
  shown: ShownContent | null,
]

/** @param raw undefined when it is in a blob */
export function packBody(content: MessageContent, shown: ShownContent | null, raw: Uint8Array | undefined): Uint8Array {
  const { text, html, truncated, extracted_text, extracted, references, headers, report, auth, scan } = content
  const packed = pack([
    inRaw(raw, content.places?.text, text) ?? text,
    html === null ? null : (inRaw(raw, content.places?.html, html) ?? html),
    truncated ?? null,
    extracted_text === null ? null : pieceOf(text, extracted_text),
    extracted.codes,
    extracted.links,
    references,
    Object.entries(headers).flat(),
    report,
    auth,
    scan,
    content.hidden_words ?? null,
    content.parts,
    shown,
  ] satisfies PackedBody)
  const row = Buffer.allocUnsafe(LENGTH_BYTES + packed.length + (raw?.length ?? 0))
  row.writeUInt32BE(packed.length)
  row.set(packed, LENGTH_BYTES)
  if (raw) row.set(raw, LENGTH_BYTES + packed.length)
  return row
}

export function unpackBody(row: Uint8Array): { content: BodyContent; shown: ShownContent | null } {
  const bytes = asBuffer(row)
  if (bytes.length < LENGTH_BYTES) throw new SyntaxError('A row of the store can not be read')
  const end = LENGTH_BYTES + bytes.readUInt32BE()
  const raw = bytes.subarray(end)
  return unpack(bytes.subarray(LENGTH_BYTES, end), (packed: PackedBody) => bodyFrom(packed, raw))
}

function bodyFrom(packed: PackedBody, raw: Buffer): { content: BodyContent; shown: ShownContent | null } {
  const [text, html, truncated, extracted, codes, links, references, headers, report, auth, scan, hidden, parts] =
    packed
  const wholeText = typeof text === 'string' ? text : readSlice(raw, text)
  return {
    shown: packed[13],
    content: {
      text: wholeText,
      html: html === null || typeof html === 'string' ? html : readSlice(raw, html),
      ...(truncated ? { truncated: true } : {}),
      ...(hidden === null ? {} : { hidden_words: hidden }),
      extracted_text:
        extracted === null || typeof extracted === 'string'
          ? extracted
          : wholeText.slice(extracted[0], extracted[0] + extracted[1]),
      extracted: { codes, links },
      references,
      headers: headersOf(headers),
      report,
      auth,
      scan,
      parts,
    },
  }
}

/** The raw message in the row; empty when it is in a blob. */
export function rawIn(row: Uint8Array): Buffer {
  const bytes = asBuffer(row)
  return bytes.subarray(LENGTH_BYTES + bytes.readUInt32BE())
}

/** Where a text stands in the raw message; undefined when what stands there is not just this. */
function inRaw(raw: Uint8Array | undefined, place: PlaceInRaw | undefined, text: string): Slice | undefined {
  if (!raw || !place) return undefined
  const slice: Slice = [place.fromEnd, place.length, Math.max(0, ENCODINGS.indexOf(place.encoding))]
  return place.fromEnd <= raw.length && readSlice(raw, slice) === text ? slice : undefined
}

function readSlice(raw: Uint8Array, [fromEnd, length, encoding]: Slice): string {
  const start = raw.length - fromEnd
  const encoded = asBuffer(raw).subarray(start, start + length)
  const decoder = transferDecoder(ENCODINGS[encoding] ?? '')
  const decoded = Buffer.concat([decoder.write(encoded), decoder.end()]).toString('utf8')
  return decoded.includes('\r') ? decoded.replace(/\r\n?/g, '\n') : decoded
}

function pieceOf(text: string, extracted: string): string | Piece {
  const start = text.indexOf(extracted)
  return start === -1 ? extracted : [start, extracted.length]
}

function headersOf(packed: string[]): Record<string, string> {
  return Object.fromEntries(Array.from({ length: packed.length / 2 }, (_, i) => [packed[2 * i], packed[2 * i + 1]]))
}
