/**
 * Mail as mboxrd: RFC 4155 with lines of any number of `>` and `From ` quoted by one more `>`, which is reversible. Lines end with LF, the last one too;
 * nothing else changes.
 */
import type { WalkedMessage } from '../../mailbox/reading/export-walk.js'

const FROM = 'From '
const LF = Buffer.from('\n')

/** Contents of the mbox file, in pieces of any size. @param address of the mailbox, the sender of outgoing mail */
export async function* toMbox(
  messages: AsyncIterable<WalkedMessage>,
  address: string,
  onMessage: (rawBytes: number) => Promise<void>,
): AsyncGenerator<Buffer> {
  for await (const message of messages) {
    const quote = createQuoter()
    let isFirst = true
    for await (const chunk of Buffer.isBuffer(message.raw) ? pieces(message.raw) : bytesOf(message.raw)) {
      if (isFirst) yield envelopeLine(message, address, chunk)
      isFirst = false
      yield quote.write(chunk)
    }
    if (isFirst) yield envelopeLine(message, address, Buffer.alloc(0))
    yield quote.end()
    yield LF
    await onMessage(message.rawBytes)
  }
}

/** `From ada@example.com Thu Jan  1 00:00:00 1970`, in UTC (RFC 4155, appendix A). */
function envelopeLine({ direction, at }: WalkedMessage, address: string, start: Buffer): Buffer {
  const sender = direction === 'outbound' ? address : reversePath(start)
  // The second word is the sender, so it must not contain spaces.
  const word = sender.replace(/[^\x21-\x7e]/g, '_') || 'MAILER-DAEMON'
  return Buffer.from(`${FROM}${word} ${asctime(at)}\n`)
}

/** RFC 5321 §4.4: a final delivery puts the reverse-path on top of the message. */
function reversePath(start: Buffer): string {
  const first = start.toString('latin1', 0, 2_000)
  return /^return-path:\s*<([^\r\n]*)>/i.exec(first)?.[1] ?? ''
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export function asctime(ms: number): string {
  const at = new Date(ms)
  const day = String(at.getUTCDate()).padStart(2)
  const time = at.toISOString().slice(11, 19)
  return `${DAYS[at.getUTCDay()]} ${MONTHS[at.getUTCMonth()]} ${day} ${time} ${at.getUTCFullYear()}`
}

/** Quotes a message in pieces cut anywhere; retains five octets at most. */
export function createQuoter() {
  /** Undecided octets: a CR that an LF may follow, or the beginning of `From `. */
  let kept = ''
  /** Nothing of this line has been written but `>`. */
  let atStart = true
  let endsLine = true

  function quoted(text: string): string {
    if (text === '') return text
    const lines = text.replace(/\r\n/g, '\n')
    const first = atStart ? quoteFirst(lines) : lines
    const written = first.replace(/\n(>*From )/g, '\n>$1')
    const line = lines.slice(lines.lastIndexOf('\n') + 1)
    atStart = (atStart || line.length < lines.length) && skipMarks(line) === line.length
    endsLine = lines.endsWith('\n')
    return written
  }

  return {
    write(chunk: Buffer): Buffer {
      const text = kept + chunk.toString('latin1')
      const from = text.length - keptLength(text, atStart)
      kept = text.slice(from)
      return Buffer.from(quoted(text.slice(0, from)), 'latin1')
    },
    /** The retained octets, and an end for the last line. */
    end(): Buffer {
      // Too short for a whole `From `: it is no separator, whatever it was the beginning of.
      const rest = quoted(kept)
      kept = ''
      return Buffer.from(endsLine ? rest : `${rest}\n`, 'latin1')
    },
  }
}

function quoteFirst(lines: string): string {
  // The run of `>` may have been written before: one more stands well anywhere in it.
  return lines.startsWith(FROM, skipMarks(lines)) ? `>${lines}` : lines
}

function skipMarks(line: string): number {
  let at = 0
  while (line.charCodeAt(at) === 0x3e) at++
  return at
}

/** Number of octets at the end that depend on the next piece. */
function keptLength(text: string, atStart: boolean): number {
  if (text.endsWith('\r')) return 1
  const tail = text.slice(-FROM.length)
  for (let length = Math.min(FROM.length - 1, tail.length); length > 0; length--) {
    if (!FROM.startsWith(tail.slice(tail.length - length))) continue
    let before = text.length - length
    while (before > 0 && text.charCodeAt(before - 1) === 0x3e) before--
    const isLineStart = before === 0 ? atStart : text.charCodeAt(before - 1) === 0x0a
    return isLineStart ? length : 0
  }
  return 0
}

/** A stored message may have tens of kilobytes; its pieces go through what follows one by one. */
const PIECE_BYTES = 64 * 1024

function* pieces(raw: Buffer): Generator<Buffer> {
  for (let at = 0; at < raw.length; at += PIECE_BYTES) yield raw.subarray(at, at + PIECE_BYTES)
}

async function* bytesOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('Not a stream of octets')
    yield chunk
  }
}
