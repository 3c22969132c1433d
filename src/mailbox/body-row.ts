/** The row of a message's immutable content and, if small, the raw message. A text that the raw message contains is stored as a reference to it. */
import { transferDecoder } from '../mime/transfer.js'
import type { DsnRequest, Notify } from '../mime/dsn-request.js'
import type { PlaceInRaw } from '../mime/types.js'
import { asBuffer } from '../store/keys.js'
import { listOf, maybe, nullOr, pack, plain, record, unpack, type Form } from '../store/packed.js'
import type { MessageContent, ShownContent } from './message.js'

/** Bytes of the length prefix of the packed content; the raw message follows the content. */
const LENGTH_BYTES = 4
/** Others, such as 7bit, mean no encoding, like the first one. Stored as indexes: append new ones. */
const ENCODINGS = ['', 'quoted-printable', 'base64']

/** Place of a text in the raw message: distance from its end, length there, index of its encoding. */
type Slice = [fromEnd: number, length: number, encoding: number]
/** Part of the text: start and length. */
type Piece = [start: number, length: number]

export type BodyContent = Omit<MessageContent, keyof ShownContent>

/** Packed content: texts may be references, and what lists show is included if too large for the message row. */
type StoredBody = Omit<BodyContent, 'text' | 'html' | 'extracted_text' | 'places'> & {
  text: string | Slice
  html: string | Slice | null
  extracted_text: string | Piece | null
  shown: ShownContent | null
}

type Auth = NonNullable<MessageContent['auth']>

/** Names and values alternate. */
const headersForm: Form<Record<string, string>> = {
  pack: (headers) => Object.entries(headers).flat(),
  read: (packed: string[]) =>
    Object.fromEntries(Array.from({ length: packed.length / 2 }, (_, i) => [packed[2 * i], packed[2 * i + 1]])),
}

type PackedWish = [place: number, bits: number, original?: string]

/** Each is a bit. */
const NOTIFY: readonly Notify[] = ['NEVER', 'SUCCESS', 'FAILURE', 'DELAY']
const OWN = 1 << NOTIFY.length

/** What is asked for is bits, by their order in `NOTIFY`, and one more for an original address that is the recipient's own. */
const wishForm: Form<DsnRequest['recipients'][number]> = {
  pack({ place, notify = [], original, isOwn }): PackedWish {
    const bits = NOTIFY.reduce((all, value, i) => (notify.includes(value) ? all | (1 << i) : all), isOwn ? OWN : 0)
    return original === undefined ? [place, bits] : [place, bits, original]
  },
  read([place, bits, original]: PackedWish) {
    const notify = NOTIFY.filter((_, i) => bits & (1 << i))
    return {
      place,
      ...(notify.length > 0 && { notify }),
      ...(original !== undefined && { original }),
      ...(bits & OWN && { isOwn: true as const }),
    }
  },
}

const dsnForm = record<DsnRequest>({
  recipients: listOf(wishForm),
  ret: maybe(plain<NonNullable<DsnRequest['ret']>>()),
  envelopeId: maybe(plain<string>()),
})

const bodyForm = record<StoredBody>({
  text: plain(),
  html: plain(),
  extracted_text: plain(),
  extracted: record<MessageContent['extracted']>({ codes: plain(), links: plain() }),
  references: plain(),
  headers: headersForm,
  parts: plain(),
  auth: nullOr(
    record<Auth>({
      spf: plain(),
      dkim: plain(),
      dmarc: plain(),
      arc: plain(),
      spf_domain: plain(),
      dkim_domain: plain(),
      dkim_selector: plain(),
      dmarc_policy: plain(),
    }),
  ),
  scan: plain(),
  report: plain(),
  truncated: maybe(plain<true>()),
  hidden_words: maybe(plain<number>()),
  shown: plain(),
  dsn: maybe(dsnForm),
  null_sender: maybe(plain<true>()),
})

/** @param raw undefined if it is in a blob */
export function packBody(content: MessageContent, shown: ShownContent | null, raw: Uint8Array | undefined): Uint8Array {
  const { text, html, extracted_text, places } = content
  const packed = pack(bodyForm, {
    ...content,
    text: inRaw(raw, places?.text, text) ?? text,
    html: html === null ? null : (inRaw(raw, places?.html, html) ?? html),
    extracted_text: extracted_text === null ? null : pieceOf(text, extracted_text),
    shown,
  })
  const row = Buffer.allocUnsafe(LENGTH_BYTES + packed.length + (raw?.length ?? 0))
  row.writeUInt32BE(packed.length)
  row.set(packed, LENGTH_BYTES)
  if (raw) row.set(raw, LENGTH_BYTES + packed.length)
  return row
}

export function unpackBody(row: Uint8Array): { content: BodyContent; shown: ShownContent | null } {
  const bytes = asBuffer(row)
  if (bytes.length < LENGTH_BYTES) throw new SyntaxError('A row of the store cannot be read')
  const end = LENGTH_BYTES + bytes.readUInt32BE()
  const raw = bytes.subarray(end)
  const { shown, text, html, extracted_text, ...rest } = unpack(bodyForm, bytes.subarray(LENGTH_BYTES, end))
  const wholeText = typeof text === 'string' ? text : readSlice(raw, text)
  const content = {
    ...rest,
    text: wholeText,
    html: html === null || typeof html === 'string' ? html : readSlice(raw, html),
    extracted_text:
      extracted_text === null || typeof extracted_text === 'string'
        ? extracted_text
        : wholeText.slice(extracted_text[0], extracted_text[0] + extracted_text[1]),
  }
  return { content, shown }
}

/** The raw message in the row; empty if it is in a blob. */
export function rawIn(row: Uint8Array): Buffer {
  const bytes = asBuffer(row)
  return bytes.subarray(LENGTH_BYTES + bytes.readUInt32BE())
}

/** Reference to a text in the raw message; undefined if the place holds anything else. */
function inRaw(raw: Uint8Array | undefined, place: PlaceInRaw | undefined, text: string): Slice | undefined {
  if (!raw || !place) return undefined
  const slice: Slice = [place.fromEnd, place.length, Math.max(0, ENCODINGS.indexOf(place.encoding))]
  return place.fromEnd <= raw.length && readSlice(raw, slice) === text ? slice : undefined
}

function readSlice(raw: Uint8Array, [fromEnd, length, encoding]: Slice): string {
  const from = raw.length - fromEnd
  const encoded = asBuffer(raw).subarray(from, from + length)
  const decoder = transferDecoder(ENCODINGS[encoding] ?? '')
  const [start, rest] = [decoder.write(encoded), decoder.end()]
  const decoded = (rest.length === 0 ? start : Buffer.concat([start, rest])).toString('utf8')
  return decoded.includes('\r') ? decoded.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : decoded
}

/** Extracted text is expected at the start or end of a text. A search elsewhere could take as long as a stranger wants. */
function pieceOf(text: string, extracted: string): string | Piece {
  const starts = [0, text.length - text.trimStart().length, text.trimEnd().length - extracted.length]
  const start = starts.find((at) => at >= 0 && text.startsWith(extracted, at))
  return start === undefined ? extracted : [start, extracted.length]
}
