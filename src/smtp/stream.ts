/**
 * The bytes of a session: command lines, and the data of messages between them. The SMTP library's own reading takes a bare LF for the end of
 * a command, runs what was left unfinished when the client goes away, ends the session at a long line, and yields to the event loop at each
 * line that begins with a dot. This takes its place in the library's stream.
 */
import type { SMTPStream } from 'smtp-server/lib/smtp-stream'
import { createDotDecoder } from './dots.js'

/** What is wrong with the form of a command line. It is not looked at any further. */
export type LineDefect = 'bare LF' | 'too long'

export interface StreamOptions {
  /** Of a command line without its CRLF (RFC 5321 §4.5.3.1.4 asks for 512 octets with it, and extensions add to that). */
  maxCommandBytes: number
  /** A line, or what is left of it; `done` has the next one read. */
  onLine(line: Buffer, defect: LineDefect | undefined, done: () => void): void
  /** The client goes on and on without ending its line. */
  onEndlessLine(): void
}

type Next = (error?: Error | null) => void

const CR = 0x0d
const LF = 0x0a
/** Commands run at a stretch before other connections have their turn. */
const COMMANDS_AT_A_STRETCH = 100
/** So much of one command line is skipped; past it the connection is cut. */
const ENDLESS_LINE_BYTES = 64 * 1024

export function readStrictly(stream: SMTPStream, options: StreamOptions): SMTPStream {
  let dots = createDotDecoder()
  /** The line that has begun, without what is over the limit. */
  let begun: Buffer[] = []
  let begunBytes = 0

  function keep(bytes: Buffer): void {
    const room = options.maxCommandBytes + 1 - begunBytes
    // A copy: a few bytes must not hold a whole packet.
    if (room > 0 && bytes.length > 0) begun.push(Buffer.from(bytes.subarray(0, room)))
    begunBytes += bytes.length
  }

  function takeLine(end: Buffer): { line: Buffer; defect: LineDefect | undefined } {
    keep(end)
    const whole = Buffer.concat(begun)
    const bytes = begunBytes
    begun = []
    begunBytes = 0
    if (bytes > options.maxCommandBytes + 1) return { line: whole, defect: 'too long' }
    return whole.at(-1) === CR ? { line: whole.subarray(0, -1), defect: undefined } : { line: whole, defect: 'bare LF' }
  }

  function readCommands(chunk: Buffer, next: Next): void {
    let at = 0
    let count = 0
    let busy = false
    let again = false
    // Commands may be done at once or later; in a loop, since a packet may hold thousands.
    const readOn = (): void => {
      again = true
      if (busy) return
      busy = true
      while (again) {
        again = false
        if (stream.isClosed) return next()
        if (stream._dataMode) return stream._feedDataStream(chunk.subarray(at), next)
        const lf = chunk.indexOf(LF, at)
        if (lf === -1) {
          keep(chunk.subarray(at))
          if (begunBytes > ENDLESS_LINE_BYTES) options.onEndlessLine()
          return next()
        }
        const { line, defect } = takeLine(chunk.subarray(at, lf))
        at = lf + 1
        const isTurnOver = ++count % COMMANDS_AT_A_STRETCH === 0
        options.onLine(line, defect, isTurnOver ? () => void setImmediate(readOn) : readOn)
      }
      busy = false
    }
    readOn()
  }

  const startDataMode = stream.startDataMode.bind(stream)
  stream.startDataMode = (maxBytes) => {
    dots = createDotDecoder()
    return startDataMode(maxBytes)
  }
  stream._write = (chunk, _encoding, next) => {
    if (stream.isClosed || chunk.length === 0) return next()
    if (stream._dataMode) stream._feedDataStream(chunk, next)
    else readCommands(chunk, next)
  }
  stream._feedDataStream = (chunk, next) => {
    const out = stream._dataStream
    if (!out || stream.isClosed) return next()
    const { data, rest } = dots.push(chunk)
    stream._countDataBytes(data.length)
    if (rest !== undefined) return stream._endDataMode(data, rest, next)
    if (data.length === 0 || !out.writable || out.write(data)) return next()
    const resume = (): void => {
      out.removeListener('drain', resume)
      out.removeListener('close', resume)
      next()
    }
    out.once('drain', resume)
    out.once('close', resume)
  }
  // What has no line end is no command.
  stream._flushData = () => undefined
  return stream
}
