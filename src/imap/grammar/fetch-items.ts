/** Items of FETCH (RFC 9051 §6.4.5; RFC 3501 §6.4.5; RFC 7162, RFC 8474, RFC 8514, RFC 8970). */
import type { Scanner } from '../wire/scanner.js'
import { MAX_FETCH_ITEMS, MAX_OPTIONS } from './limits.js'
import { readPartial, readSection, readSectionBinary, type PartialRange, type Section } from './section.js'

const PLAIN_ITEMS = [
  'FLAGS',
  'INTERNALDATE',
  'RFC822',
  'RFC822.SIZE',
  'RFC822.HEADER',
  'RFC822.TEXT',
  'ENVELOPE',
  'BODYSTRUCTURE',
  'UID',
  /** RFC 7162 §3.1.4. */
  'MODSEQ',
  /** RFC 8474 §5. */
  'EMAILID',
  'THREADID',
  /** RFC 8514 §4.2. */
  'SAVEDATE',
] as const
type PlainItem = (typeof PLAIN_ITEMS)[number]

const ITEMS = [...PLAIN_ITEMS, 'BODY', 'BODY.PEEK', 'BINARY', 'BINARY.PEEK', 'BINARY.SIZE', 'PREVIEW'] as const

export type FetchItem =
  /** `BODY` without a section: the structure without extensions. */
  | { item: PlainItem | 'BODY' }
  /** `BODY[...]`. `peek`: does not set \Seen. */
  | { item: 'SECTION'; section: Section; peek: boolean; partial: PartialRange | undefined }
  | { item: 'BINARY'; part: number[]; peek: boolean; partial: PartialRange | undefined }
  | { item: 'BINARY.SIZE'; part: number[] }
  /** RFC 8970 §3.1. */
  | { item: 'PREVIEW'; lazy: boolean }

const FAST: FetchItem[] = [{ item: 'FLAGS' }, { item: 'INTERNALDATE' }, { item: 'RFC822.SIZE' }]
const ALL: FetchItem[] = [...FAST, { item: 'ENVELOPE' }]
const FULL: FetchItem[] = [...ALL, { item: 'BODY' }]
const MACROS: [string, FetchItem[]][] = [
  ['ALL', ALL],
  ['FAST', FAST],
  ['FULL', FULL],
]

/** Items in parentheses, or one item, or a macro in its full form. */
export function readFetchItems(scanner: Scanner): FetchItem[] {
  for (const [macro, items] of MACROS) if (scanner.skip(macro)) return [...items]
  return scanner.peek() === '(' ? readFetchItemList(scanner) : [readFetchItem(scanner)]
}

export function readFetchItemList(scanner: Scanner): FetchItem[] {
  return scanner.list('fetch items', { min: 1, max: MAX_FETCH_ITEMS }, () => readFetchItem(scanner))
}

function readFetchItem(scanner: Scanner): FetchItem {
  const item = scanner.oneOf(ITEMS, 'fetch item')
  switch (item) {
    case 'BODY':
      return scanner.peek() === '[' ? readBodySection(scanner, false) : { item }
    case 'BODY.PEEK':
      return readBodySection(scanner, true)
    case 'BINARY':
    case 'BINARY.PEEK': {
      const part = readSectionBinary(scanner)
      return { item: 'BINARY', part, peek: item === 'BINARY.PEEK', partial: readPartial(scanner) }
    }
    case 'BINARY.SIZE':
      return { item, part: readSectionBinary(scanner) }
    case 'PREVIEW':
      return { item, lazy: readLazy(scanner) }
    default:
      return { item }
  }
}

function readBodySection(scanner: Scanner, peek: boolean): FetchItem {
  const section = readSection(scanner)
  return { item: 'SECTION', section, peek, partial: readPartial(scanner) }
}

/** A list after PREVIEW that does not begin so is one of modifiers of FETCH. */
function readLazy(scanner: Scanner): boolean {
  if (!scanner.looksAt(' (LAZY')) return false
  scanner.space()
  scanner.list('modifiers of PREVIEW', { min: 1, max: MAX_OPTIONS }, () =>
    scanner.oneOf(['LAZY'], 'modifier of PREVIEW'),
  )
  return true
}
