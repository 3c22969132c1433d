/** One line of a response, written from typed parts (RFC 9051 §7, §9). Large strings are literals, and the buffers given are sent uncopied. */
import { formatDateTime } from './dates.js'
import { encodeMailbox } from './mailbox-name.js'

/** Longer strings are sent as literals. */
const MAX_QUOTED_LENGTH = 1000
/** Not `]`, which RFC 3501 allows too and some programs don't. `{` begins a literal. */
const PLAIN_ASTRING = /^[!#$&'+,\-./0-9:;<=>?@A-Z[^_`a-z|}~]+$/
const ATOM = /^\\?[!#$&'+,\-./0-9:;<=>?@A-Z[^_`a-z|}~]+$/
/** Most strings: quoted as they are, within MAX_QUOTED_LENGTH. */
const PLAIN = /^[ !#-[\]-~]{0,1000}$/
const QUOTABLE = /^[\x01-\x09\x0b\x0c\x0e-\x7f]*$/
const QUOTABLE_UTF8 = /^[^\0\n\r]*$/
const LINE = /^[^\0\r\n\x80-\u{10ffff}]*$/u
const CRLF = '\r\n'

export class ResponseLine {
  readonly #utf8: boolean
  readonly #buffers: Buffer[] = []
  #text = ''

  /** @param options `utf8`: after ENABLE of IMAP4rev2 or UTF8=ACCEPT */
  constructor(options: { utf8: boolean }) {
    this.#utf8 = options.utf8
  }

  /** Text of the protocol: keywords, spaces, parentheses. */
  raw(text: string): this {
    if (!LINE.test(text)) throw new Error('protocol text is one line of ASCII')
    this.#text += text
    return this
  }

  /** An atom or flag. */
  atom(text: string): this {
    if (!ATOM.test(text)) throw new Error('not an atom')
    this.#text += text
    return this
  }

  number(value: number): this {
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`not a number of IMAP: ${value}`)
    this.#text += value
    return this
  }

  /** Quoted if short and safe, a literal otherwise. Beyond ASCII it is quoted only where UTF-8 is enabled (RFC 9051 §4.3). */
  string(value: string | Buffer): this {
    if (typeof value === 'string' && PLAIN.test(value)) {
      this.#text += `"${value}"`
      return this
    }
    if (typeof value !== 'string' && value.length > MAX_QUOTED_LENGTH) return this.literal(value)
    const text = typeof value === 'string' ? value : value.toString('latin1')
    // The octets of a buffer are quoted only if they are ASCII: nobody knows their charset.
    const isQuotable = (this.#utf8 && typeof value === 'string' ? QUOTABLE_UTF8 : QUOTABLE).test(text)
    if (text.length > MAX_QUOTED_LENGTH || !isQuotable || /\p{Cs}/u.test(text))
      return this.literal(typeof value === 'string' ? Buffer.from(value, 'utf8') : value)
    this.#text += `"${text.replace(/["\\]/g, '\\$&')}"`
    return this
  }

  nstring(value: string | Buffer | null): this {
    return value === null ? this.nil() : this.string(value)
  }

  nil(): this {
    this.#text += 'NIL'
    return this
  }

  /** An atom if possible, a string otherwise. */
  astring(value: string): this {
    if (!PLAIN_ASTRING.test(value) || /^nil$/i.test(value)) return this.string(value)
    this.#text += value
    return this
  }

  mailbox(name: string): this {
    return this.astring(encodeMailbox(name, { utf8: this.#utf8 }))
  }

  /** A literal (RFC 9051 §4.3). It must not have NUL, so such an octet is sent as 0x80, in a copy. */
  literal(octets: Buffer): this {
    return this.#append(`{${octets.length}}`, octets.includes(0) ? withoutNul(octets) : octets)
  }

  /** A literal8, with NUL as it is (RFC 3516 §4.4): for BINARY only. */
  literal8(octets: Buffer): this {
    return this.#append(`~{${octets.length}}`, octets)
  }

  /** A list in parentheses. */
  list<T>(items: Iterable<T>, write: (item: T) => void): this {
    this.#text += '('
    let isFirst = true
    for (const item of items) {
      if (!isFirst) this.#text += ' '
      isFirst = false
      write(item)
    }
    this.#text += ')'
    return this
  }

  /** @param ms since 1970 */
  dateTime(ms: number): this {
    this.#text += `"${formatDateTime(ms)}"`
    return this
  }

  /** Octets so far that were not taken. */
  get bytes(): number {
    return this.#buffers.reduce((sum, { length }) => sum + length, this.#text.length)
  }

  /** Takes what the line has so far, which goes on after it. @returns what to write, in order */
  take(): Buffer[] {
    const taken = this.#buffers.splice(0)
    if (this.#text !== '') taken.push(Buffer.from(this.#text, 'utf8'))
    this.#text = ''
    return taken
  }

  /** Ends the line. @returns what to write, in order */
  end(): Buffer[] {
    this.#buffers.push(Buffer.from(this.#text + CRLF, 'utf8'))
    this.#text = ''
    return this.#buffers
  }

  #append(announcement: string, octets: Buffer): this {
    this.#buffers.push(Buffer.from(`${this.#text}${announcement}${CRLF}`, 'utf8'))
    if (octets.length > 0) this.#buffers.push(octets)
    this.#text = ''
    return this
  }
}

function withoutNul(octets: Buffer): Buffer {
  const copy = Buffer.from(octets)
  for (let at = copy.indexOf(0); at !== -1; at = copy.indexOf(0, at + 1)) copy[at] = 0x80
  return copy
}
