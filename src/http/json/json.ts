/** Parses JSON bodies within limits (RFC 8259). */
import { isUtf8 } from 'node:buffer'
import { invalidRequest, type ServiceError } from '../../lib/errors.js'

/** Far above any request; strings count once, whatever their length. */
const MAX_DEPTH = 32
const MAX_VALUES = 20_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Parses a body after checking its structure: megabytes of brackets or commas would block the thread.
 *
 * @throws ServiceError `invalid_request` with the position of the error
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw brokenJson('The body is empty.')
  if (!isUtf8(body)) throw brokenJson(`The body is not valid UTF-8 (at byte ${invalidUtf8At(body)}).`)
  checkStructure(body)
  const text = body.toString('utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw brokenJson(`The body is not valid JSON: ${whereBroken(text, error)}.`)
  }
}

/** @throws ServiceError `invalid_request` for more structure than any request needs */
function checkStructure(body: Buffer): void {
  let depth = 0
  let values = 1
  for (let i = 0; i < body.length; i++) {
    switch (body[i]) {
      case QUOTE:
        i = endOfString(body, i)
        break
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        if (++depth > MAX_DEPTH) throw brokenJson(`The body is nested deeper than ${MAX_DEPTH} levels (at byte ${i}).`)
        values++
        break
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth--
        break
      case COMMA:
        values++
        break
      default:
    }
    if (values > MAX_VALUES) throw brokenJson(`The body has more than ${MAX_VALUES} values (at byte ${i}).`)
  }
}

/** Index of the closing quote; the end of the body if missing. */
function endOfString(body: Buffer, open: number): number {
  for (let close = body.indexOf(QUOTE, open + 1); close !== -1; close = body.indexOf(QUOTE, close + 1)) {
    let backslashes = 0
    while (body[close - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return close
  }
  return body.length
}

/** Offset of the first invalid UTF-8 byte: re-encoding differs there first. */
function invalidUtf8At(body: Buffer): number {
  const again = Buffer.from(body.toString('utf8'))
  let at = 0
  while (body[at] === again[at]) at++
  return at
}

function whereBroken(text: string, error: SyntaxError): string {
  const found = / in JSON at position (\d+)/.exec(error.message)
  const token = /^Unexpected token [^]*? is not valid JSON$/.test(error.message)
  const at = found ? Number(found[1]) : token && text.length <= 65_536 ? unexpectedTokenAt(text) : undefined
  if (at === undefined) return token ? 'unexpected token' : error.message
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  const what = found ? error.message.slice(0, found.index) : `Unexpected token '${text.charAt(at)}'`
  return `${what} at line ${line}, column ${column}`
}

/** The parser does not give the position of an unexpected token: the longest prefix without that error ends there. */
function unexpectedTokenAt(text: string): number {
  let good = 0
  let bad = text.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (complainsOfToken(text.slice(0, middle))) bad = middle
    else good = middle
  }
  return good
}

function complainsOfToken(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    return error instanceof SyntaxError && error.message.startsWith('Unexpected token')
  }
}

export function brokenJson(problem: string): ServiceError {
  return invalidRequest(problem, 'Send one JSON object in UTF-8, with Content-Type: application/json.')
}
