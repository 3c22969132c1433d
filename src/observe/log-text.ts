/** Log lines as short text for a terminal. The JSON lines have all details. */
import { cut } from '../lib/text.js'

/** Max length of one value, and of all fields of a line together. */
const MAX_VALUE_CHARS = 80
const MAX_FIELDS_CHARS = 240

/**
 * @param line one line of JSON as written by the logger, with or without its line end
 * @returns `22:48:31 warn  mx: refused  client=192.0.2.1 code=550`; other text unchanged. Control characters, which could control a terminal, are
 *   replaced
 */
export function textLine(line: string): string {
  const fields = parsed(line)
  if (!fields) return plain(line.trimEnd())
  const { time, level, part, msg, ...rest } = fields
  const head = [clockOf(time), level === 'info' ? '' : String(level ?? '').padEnd(5)]
  const said = `${part === undefined ? '' : `${String(part)}: `}${String(msg ?? '')}`
  const details = cut(detailsOf(rest), MAX_FIELDS_CHARS + 1)
  const short = details.length > MAX_FIELDS_CHARS ? `${cut(details, MAX_FIELDS_CHARS)}…` : details
  return plain([...head, said, short === '' ? '' : ` ${short}`].filter((word) => word !== '').join(' '))
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    // Not written by our logger: unchanged.
    return undefined
  }
}

/** In UTC, as in the JSON lines. */
function clockOf(time: unknown): string {
  return typeof time === 'string' ? time.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM:SS'.length) : ''
}

function detailsOf(fields: Record<string, unknown>): string {
  const words = Object.entries(fields).map(([name, value]) => {
    if (name === 'err' || name === 'error') return errorText(value)
    const text = valueText(value)
    return text === '' ? '' : `${name}=${cut(text, MAX_VALUE_CHARS)}`
  })
  return words.filter((word) => word !== '').join(' ')
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(',')
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  return /[\s="]/.test(text) ? JSON.stringify(text) : text
}

/** The messages of an error and its causes. */
function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return valueText(error)
  const message = 'message' in error ? String(error.message) : ''
  const cause = 'cause' in error ? errorText(error.cause) : ''
  return cause === '' ? message : `${message} (${cause})`
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
}
