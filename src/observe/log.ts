/** The log: one line of JSON an event, with ids and verdicts, never content; on a terminal the same as short text. */
import { pino } from 'pino'
import type { DestinationStream, LevelWithSilent, Logger as PinoLogger } from 'pino'
import { timestamp } from '../lib/clock.js'
import { textLine } from './log-text.js'

/** What a part writes to: fields by name, and a sentence. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The logger itself, of which every part gets a child. */
export type Logger = PinoLogger

export interface LoggerOptions {
  level: LevelWithSilent
  /** `text` is for a person at a terminal; JSON when not given. */
  format?: 'json' | 'text'
  /** Where the lines go; standard output when not given. */
  destination?: FlushedStream
}

/**
 * A logger whose lines have `time` (RFC 3339), `level` (a word), `msg`, and what the caller adds. Parts take a child with their own `part`.
 *
 * Writing to standard output is asynchronous, so a slow reader never stops the daemon; `flush` tells when what is left has been written.
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
 * At the end of the process, and at a fatal error, the library would write what is left in one go, and try for ever where nobody reads any more: a
 * process whose reader has died would never end. Who ends the process waits for `flush` instead, and not for long.
 */
function standardOutput(): FlushedStream {
  const destination = pino.destination({ dest: 1, sync: false })
  destination.flushSync = () => undefined
  return destination
}

/** The fields of an error that a log may hold. Others are left out: libraries put whole replies and messages there. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const described: Record<string, unknown> = { type: error.name, message: error.message }
  if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number')) described.code = error.code
  if (error.stack !== undefined) described.stack = error.stack
  if (error.cause !== undefined) described.cause = describeError(error.cause)
  return described
}
