/** Sections of a message: `[1.2.HEADER.FIELDS (FROM)]<0.100>` (RFC 9051 §6.4.5.1, §9: section). */
import type { ResponseLine } from '../wire/response.js'
import type { Scanner } from '../wire/scanner.js'
import { readNumber64, readNzNumber, readNzNumber64 } from '../wire/tokens.js'
import { MAX_HEADER_NAMES, MAX_PART_DEPTH } from './limits.js'

export type Section =
  /** `part` is empty for the whole message. */
  | { kind: 'all' | 'HEADER' | 'TEXT'; part: number[] }
  /** `part` is not empty. */
  | { kind: 'MIME'; part: number[] }
  /** Header names as the client wrote them. */
  | { kind: 'HEADER.FIELDS' | 'HEADER.FIELDS.NOT'; part: number[]; names: string[] }

export interface PartialRange {
  offset: number
  length: number
}

const TEXTS = ['HEADER', 'HEADER.FIELDS', 'HEADER.FIELDS.NOT', 'TEXT', 'MIME'] as const
/** RFC 5322 §3.6.8: field-name. */
const HEADER_NAME = /^[!-9;-~]{1,200}$/

export function readSection(scanner: Scanner): Section {
  scanner.expect('[')
  const { part, isOpen } = readPartNumbers(scanner)
  if (scanner.peek() === ']' && !isOpen) {
    scanner.expect(']')
    return { kind: 'all', part }
  }
  const kind = scanner.oneOf(TEXTS, 'section')
  if (kind === 'MIME' && part.length === 0) scanner.fail('MIME needs the number of a part')
  const section: Section =
    kind === 'HEADER.FIELDS' || kind === 'HEADER.FIELDS.NOT'
      ? { kind, part, names: readNames(scanner) }
      : { kind, part }
  scanner.expect(']')
  return section
}

/** A section of BINARY: part numbers only (RFC 9051 §9: section-binary). */
export function readSectionBinary(scanner: Scanner): number[] {
  scanner.expect('[')
  const { part, isOpen } = readPartNumbers(scanner)
  if (isOpen) scanner.fail('BINARY takes the numbers of a part only')
  scanner.expect(']')
  return part
}

export function readPartial(scanner: Scanner): PartialRange | undefined {
  if (!scanner.skip('<')) return undefined
  const offset = readNumber64(scanner, 'an offset')
  scanner.expect('.')
  const length = readNzNumber64(scanner, 'a length')
  scanner.expect('>')
  return { offset, length }
}

/** Writes a section as a response has it. */
export function writeSection(line: ResponseLine, section: Section): void {
  const parts = section.part.join('.')
  const text = section.kind === 'all' ? '' : section.kind
  line.raw(`[${parts}${parts && text ? '.' : ''}${text}`)
  if ('names' in section) line.raw(' ').list(section.names, (name) => line.astring(name))
  line.raw(']')
}

/** @returns `isOpen`: a dot follows the numbers */
function readPartNumbers(scanner: Scanner): { part: number[]; isOpen: boolean } {
  const part: number[] = []
  let isOpen = false
  while (/[0-9]/.test(scanner.peek())) {
    if (part.length === MAX_PART_DEPTH) scanner.fail(`more than ${MAX_PART_DEPTH} numbers in a section`)
    part.push(readNzNumber(scanner, 'a part number'))
    isOpen = scanner.skip('.')
    if (!isOpen) break
  }
  return { part, isOpen }
}

function readNames(scanner: Scanner): string[] {
  scanner.space()
  return scanner.list('header names', { min: 1, max: MAX_HEADER_NAMES }, () => {
    const name = scanner.astring('a header name')
    return HEADER_NAME.test(name) ? name : scanner.reject('not a header name')
  })
}
