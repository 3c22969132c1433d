/** The log: one line of JSON per event, with ids and verdicts, never content; on a terminal as short text. */
import { pino, type DestinationStream, type LevelWithSilent, type Logger as PinoLogger } from 'pino'
import { timestamp } from '../lib/clock.js'
import { textLine } from './log-text.js'

/** The log of a part: fields by name, and a sentence. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The root logger, of which every part gets a child. */
export type Logger = PinoLogger

export interface LoggerOptions {
  level: LevelWithSilent
  /** `text` is for terminals; JSON by default. */
  format?: 'json' | 'text'
  /** Destination of the lines; standard output by default. */
  destination?: FlushedStream
}

/**
 * A logger whose lines have `time` (RFC 3339), `level` (a word), `msg`, and the caller's fields. Parts get a child with their own `part`.
 * Standard output is written asynchronously, so a slow reader never stops the daemon; `flush` reports when all lines are written.
 */
export function createLogger(options: LoggerOptions): Logger {
  const destination = options.destination ?? standardOutput()
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${timestamp(Date.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError, error: describeError },
    },
    options.format === 'text' ? asText(destination) : destination,
  )
}

/** Writes lines that another process has formatted, as they are. @param lines whole ones, each with its line feed */
export function writeLines(logger: Logger, lines: string): void {
  const stream = (logger as unknown as Record<symbol, DestinationStream>)[pino.symbols.streamSym]
  for (let at = 0, end = 0; at < lines.length; at = end) {
    end = lines.indexOf('\n', at) + 1 || lines.length
    stream?.write(lines.slice(at, end))
  }
}

/** `flush` calls back when everything before it is written. */
interface FlushedStream extends DestinationStream {
  flush?(done: (error?: Error) => void): void
}

function asText(destination: FlushedStream): FlushedStream {
  return {
    write: (line) => destination.write(`${textLine(line)}\n`),
    flush: (done) => (destination.flush ? destination.flush(done) : done()),
  }
}

/**
 * At exit, and on a fatal error, the library would write the rest synchronously and retry forever if the reader has died, so the process would never
 * end. Instead, code that ends the process waits for `flush`, with a time limit.
 */
function standardOutput(): FlushedStream {
  // With a length of 0, the default, each line is written at once as well, but `flush` waits for none.
  const destination = pino.destination({ dest: 1, sync: false, minLength: 1 })
  destination.flushSync = () => undefined
  return destination
}

/** The fields of an error that may be logged. Others are left out: libraries put whole replies and messages there. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const described: Record<string, unknown> = { type: error.name, message: error.message }
  if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number')) described.code = error.code
  if (error.stack !== undefined) described.stack = error.stack
  if (error.cause !== undefined) described.cause = describeError(error.cause)
  return described
}
