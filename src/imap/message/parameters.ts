/** Content-Type, Content-Disposition and Content-Language with their parameters, as BODYSTRUCTURE has them (RFC 2045 §5.1, RFC 2183 §2, RFC 3282). */
import { Scanner } from './scanner.js'
import type { Disposition, Parameter } from './types.js'

/** Max parameters of a field. */
const MAX_PARAMETERS = 1000
const TOKEN_ENDS = ' \t();='
/** RFC 2045 §5.1: tspecials, and white space. */
const TYPE_ENDS = ' \t()<>@,;:\\"/[]?='
const VALUE_ENDS = ' \t(;'

export interface MediaType {
  type: string
  subtype: string
  parameters: Parameter[]
}

/** @param value unfolded @returns undefined when it is not in the form of one, which means text/plain (RFC 2045 §5.2) */
export function readMediaType(value: string): MediaType | undefined {
  const scanner = new Scanner(value)
  scanner.skipBlanks()
  const type = scanner.until(TYPE_ENDS)
  scanner.skipBlanks()
  if (type === '' || !scanner.take('/')) return undefined
  scanner.skipBlanks()
  const subtype = scanner.until(TYPE_ENDS)
  return subtype === '' ? undefined : { type, subtype, parameters: readParameters(scanner) }
}

/** @param value unfolded */
export function readDisposition(value: string): Disposition | null {
  const scanner = new Scanner(value)
  scanner.skipBlanks()
  const type = scanner.until(TOKEN_ENDS)
  return type === '' ? null : { type, parameters: readParameters(scanner) }
}

/** The first token of a field: an encoding, for one. @param value unfolded */
export function readToken(value: string): string {
  const scanner = new Scanner(value)
  scanner.skipBlanks()
  return scanner.until(VALUE_ENDS)
}

/** Language tags, separated by commas (RFC 3282 §2). @param value unfolded */
export function readLanguages(value: string): string[] {
  const scanner = new Scanner(value)
  const tags: string[] = []
  while (!scanner.done && tags.length < MAX_PARAMETERS) {
    scanner.skipBlanks()
    const tag = scanner.until(' \t(,')
    if (tag !== '') tags.push(tag)
    scanner.skipBlanks()
    scanner.until(',')
    scanner.take(',')
  }
  return tags
}

/** The value of a parameter, decoded (RFC 2231 §4) but in its charset; '' when it is missing. @param name in lower case */
export function parameterOf(parameters: readonly Parameter[], name: string): string {
  const find = (key: string): string | undefined => parameters.find((each) => each[0].toLowerCase() === key)?.[1]
  const extended = find(`${name}*`)?.replace(/^[^']*'[^']*'/, '')
  const decoded = extended?.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return find(name) ?? decoded ?? ''
}

function readParameters(scanner: Scanner): Parameter[] {
  const parameters: Parameter[] = []
  for (;;) {
    scanner.until(';')
    if (!scanner.take(';') || parameters.length === MAX_PARAMETERS) return joined(parameters)
    scanner.skipBlanks()
    const name = scanner.until(TOKEN_ENDS)
    scanner.skipBlanks()
    if (name !== '' && scanner.take('=')) parameters.push([name, readValue(scanner)])
  }
}

function readValue(scanner: Scanner): string {
  scanner.skipBlanks()
  if (scanner.peek() === '"') return scanner.readQuoted()
  const from = scanner.at
  const token = scanner.until(VALUE_ENDS)
  scanner.skipBlanks()
  if (scanner.done || scanner.peek() === ';') return token
  // A file name with spaces and without quotes.
  scanner.until(';')
  return scanner.text.slice(from, scanner.at).trim()
}

interface Piece {
  number: number
  value: string
  isEncoded: boolean
}

const PIECE = /^([^*]+)\*(\d{1,4})(\*?)$/

/**
 * Joins values that are in pieces, `name*0`, `name*1*`, … (RFC 2231 §3), after the other parameters. When one piece is percent-encoded the whole is, with
 * its charset and the star that says so (§4). Pieces without a first one stay as they are.
 */
function joined(parameters: Parameter[]): Parameter[] {
  const pieces = new Map<string, Piece[]>()
  for (const [key, value] of parameters) {
    const [, name, number, star] = PIECE.exec(key) ?? []
    if (name === undefined) continue
    const others = pieces.get(name.toLowerCase())
    const piece = { number: Number(number), value, isEncoded: star === '*' }
    if (others) others.push(piece)
    else pieces.set(name.toLowerCase(), [piece])
  }
  if (pieces.size === 0) return parameters
  const values = new Map([...pieces].map(([name, those]) => [name, joinedValue(those)]))
  const isJoined = (key: string): boolean => values.get(PIECE.exec(key)?.[1]?.toLowerCase() ?? '') !== undefined
  const whole = parameters.filter(([key]) => !isJoined(key))
  for (const [name, value] of values) if (value) whole.push([value.isEncoded ? `${name}*` : name, value.text])
  return whole
}

/** Pieces in the order of their numbers, up to the first that is missing. */
function joinedValue(pieces: Piece[]): { text: string; isEncoded: boolean } | undefined {
  const byNumber = new Map(pieces.map((piece) => [piece.number, piece]))
  const run: Piece[] = []
  for (let piece = byNumber.get(0); piece; piece = byNumber.get(run.length)) run.push(piece)
  if (run.length === 0) return undefined
  const isEncoded = run.some((piece) => piece.isEncoded)
  const text = run.map((piece) => (isEncoded && !piece.isEncoded ? percentEncoded(piece.value) : piece.value)).join('')
  // Without a charset in front the value would have no form (RFC 2231 §7).
  return { text: isEncoded && run[0]?.isEncoded === false ? `''${text}` : text, isEncoded }
}

/** RFC 2231 §7: all but attribute-char. */
function percentEncoded(value: string): string {
  return value.replace(
    /[^\w!#$&+.^`{|}~-]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}
