/** A log whose lines a test reads as objects. */
import { createLogger, type Logger } from '../../src/observe/log.js'

export interface CapturedLog {
  log: Logger
  /** Every line so far. */
  lines: Record<string, unknown>[]
}

export function captureLog(level: 'info' | 'debug' = 'info'): CapturedLog {
  const lines: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  return { lines, log: createLogger({ level, destination }) }
}
