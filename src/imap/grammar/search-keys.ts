/** Search keys (RFC 9051 §6.4.4, RFC 3501 §6.4.4; RFC 5032, RFC 7162 §3.1.5, RFC 8474 §5.2, RFC 8514 §4.3). */
import { shown } from '../wire/refusal.js'
import type { Scanner } from '../wire/scanner.js'
import { readSequenceSet, type SequenceSet } from '../wire/sequence-set.js'
import { readDate, readNumber64, readNzNumber } from '../wire/tokens.js'
import { MAX_SEARCH_DEPTH, MAX_SEARCH_KEYS } from './limits.js'

/** `isSet: false` finds messages without the flag. Dates are the beginning of a day, as if in UTC. */
export type SearchKey =
  | { key: 'all' }
  /** RFC 3501 only: \Recent, and \Recent without \Seen. */
  | { key: 'recent' | 'new' | 'old' }
  | { key: 'flag'; flag: SystemFlag; isSet: boolean }
  | { key: 'keyword'; keyword: string; isSet: boolean }
  | { key: 'text'; in: 'BCC' | 'BODY' | 'CC' | 'FROM' | 'SUBJECT' | 'TEXT' | 'TO'; value: string }
  /** An empty value finds messages that have the field. */
  | { key: 'header'; name: string; value: string }
  | { key: 'date'; of: 'internal' | 'sent' | 'saved'; is: 'BEFORE' | 'ON' | 'SINCE'; dateMs: number }
  | { key: 'size'; is: 'LARGER' | 'SMALLER'; bytes: number }
  | { key: 'age'; is: 'OLDER' | 'YOUNGER'; seconds: number }
  | { key: 'sequence' | 'uid'; set: SequenceSet }
  /** With `entry` the modseq of one flag (RFC 7162 §3.1.5); a server may take that of the message. */
  | { key: 'modseq'; modseq: number; entry: { name: string; type: 'PRIV' | 'SHARED' | 'ALL' } | undefined }
  | { key: 'email id' | 'thread id'; id: string }
  /** True of all messages where SAVEDATE is known. */
  | { key: 'saved date supported' }
  | { key: 'not'; not: SearchKey }
  | { key: 'or'; either: SearchKey; or: SearchKey }
  | { key: 'and'; keys: SearchKey[] }

export type SystemFlag = '\\Answered' | '\\Deleted' | '\\Draft' | '\\Flagged' | '\\Seen'

const FLAGS: Record<string, SystemFlag> = {
  ANSWERED: '\\Answered',
  DELETED: '\\Deleted',
  DRAFT: '\\Draft',
  FLAGGED: '\\Flagged',
  SEEN: '\\Seen',
}
/** RFC 8474 §4: objectid. */
const OBJECT_ID = /^[A-Za-z0-9_-]{1,255}$/

/** Counts the keys of one command and how deep they are. */
class Budget {
  #keys = 0
  #depth = 0

  constructor(private readonly scanner: Scanner) {}

  count(): void {
    if (++this.#keys > MAX_SEARCH_KEYS) this.scanner.fail(`more than ${MAX_SEARCH_KEYS} search keys`)
  }

  deeper<T>(read: () => T): T {
    if (++this.#depth > MAX_SEARCH_DEPTH) this.scanner.fail(`search keys are nested more than ${MAX_SEARCH_DEPTH} deep`)
    const result = read()
    this.#depth--
    return result
  }
}

/** One or more keys up to the end of the command: all of them have to match. */
export function readSearchKeys(scanner: Scanner): SearchKey {
  const budget = new Budget(scanner)
  const keys = [readKey(scanner, budget)]
  while (scanner.skip(' ')) keys.push(readKey(scanner, budget))
  return allOf(keys)
}

function allOf(keys: SearchKey[]): SearchKey {
  const [first] = keys
  return keys.length === 1 && first ? first : { key: 'and', keys }
}

function readKey(scanner: Scanner, budget: Budget): SearchKey {
  budget.count()
  const next = scanner.peek()
  if (next === '(') {
    const read = (): SearchKey => readKey(scanner, budget)
    return budget.deeper(() => allOf(scanner.list('search keys', { min: 1, max: MAX_SEARCH_KEYS }, read)))
  }
  if (/[0-9*$]/.test(next)) return { key: 'sequence', set: readSequenceSet(scanner) }
  const word = scanner.word('a search key')
  const flag = FLAGS[word.replace(/^UN/, '')]
  if (flag) return { key: 'flag', flag, isSet: !word.startsWith('UN') }
  return readArgument(scanner, word, budget)
}

function readArgument(scanner: Scanner, word: string, budget: Budget): SearchKey {
  switch (word) {
    case 'ALL':
      return { key: 'all' }
    case 'NEW':
      return { key: 'new' }
    case 'OLD':
      return { key: 'old' }
    case 'RECENT':
      return { key: 'recent' }
    case 'SAVEDATESUPPORTED':
      return { key: 'saved date supported' }
  }
  if (!scanner.skip(' ')) scanner.reject('unknown search key, or one without its argument')
  switch (word) {
    case 'KEYWORD':
    case 'UNKEYWORD':
      return { key: 'keyword', keyword: scanner.atom('a keyword'), isSet: word === 'KEYWORD' }
    case 'BCC':
    case 'BODY':
    case 'CC':
    case 'FROM':
    case 'SUBJECT':
    case 'TEXT':
    case 'TO':
      return { key: 'text', in: word, value: scanner.astring('a search text') }
    case 'HEADER':
      return readHeader(scanner)
    case 'BEFORE':
    case 'ON':
    case 'SINCE':
      return { key: 'date', of: 'internal', is: word, dateMs: readDate(scanner) }
    case 'SENTBEFORE':
    case 'SENTON':
    case 'SENTSINCE':
      return { key: 'date', of: 'sent', is: relation(word.slice(4)), dateMs: readDate(scanner) }
    case 'SAVEDBEFORE':
    case 'SAVEDON':
    case 'SAVEDSINCE':
      return { key: 'date', of: 'saved', is: relation(word.slice(5)), dateMs: readDate(scanner) }
    case 'LARGER':
    case 'SMALLER':
      return { key: 'size', is: word, bytes: readNumber64(scanner, 'a size') }
    case 'OLDER':
    case 'YOUNGER':
      return { key: 'age', is: word, seconds: readNzNumber(scanner, 'an age in seconds') }
    case 'UID':
      return { key: 'uid', set: readSequenceSet(scanner) }
    case 'MODSEQ':
      return readModseq(scanner)
    case 'EMAILID':
    case 'THREADID':
      return { key: word === 'EMAILID' ? 'email id' : 'thread id', id: readObjectId(scanner) }
    case 'NOT':
      return budget.deeper(() => ({ key: 'not', not: readKey(scanner, budget) }))
    case 'OR':
      return budget.deeper(() => readOr(scanner, budget))
    default:
      return scanner.reject(`unknown search key ${shown(word)}`)
  }
}

function relation(word: string): 'BEFORE' | 'ON' | 'SINCE' {
  return word === 'BEFORE' || word === 'ON' ? word : 'SINCE'
}

function readHeader(scanner: Scanner): SearchKey {
  const name = scanner.astring('a header name')
  scanner.space()
  return { key: 'header', name, value: scanner.astring('a search text') }
}

function readOr(scanner: Scanner, budget: Budget): SearchKey {
  const either = readKey(scanner, budget)
  scanner.space()
  return { key: 'or', either, or: readKey(scanner, budget) }
}

function readModseq(scanner: Scanner): SearchKey {
  if (scanner.peek() !== '"')
    return { key: 'modseq', modseq: readNumber64(scanner, 'a mod-sequence'), entry: undefined }
  const name = scanner.quoted('an entry name')
  scanner.space()
  const type = scanner.oneOf(['PRIV', 'SHARED', 'ALL'], 'entry type')
  scanner.space()
  return { key: 'modseq', modseq: readNumber64(scanner, 'a mod-sequence'), entry: { name, type } }
}

function readObjectId(scanner: Scanner): string {
  const id = scanner.atom('an object id')
  return OBJECT_ID.test(id) ? id : scanner.reject('not an object id')
}
