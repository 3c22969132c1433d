/** SEARCH, SORT and THREAD (RFC 9051 §6.4.4; RFC 5256; RFC 5267 §3 for SORT with RETURN). */
import type { Scanner } from '../wire/scanner.js'
import { MAX_OPTIONS, MAX_SORT_KEYS } from './limits.js'
import { readSearchKeys, type SearchKey } from './search-keys.js'

const RETURNS = ['MIN', 'MAX', 'ALL', 'COUNT', 'SAVE'] as const
export type SearchReturn = (typeof RETURNS)[number]

const SORT_KEYS = ['ARRIVAL', 'CC', 'DATE', 'FROM', 'SIZE', 'SUBJECT', 'TO'] as const
export interface SortKey {
  by: (typeof SORT_KEYS)[number]
  reverse: boolean
}

const ALGORITHMS = ['ORDEREDSUBJECT', 'REFERENCES'] as const

/** `uid`: the response has UIDs. `key`: what messages have to match. */
export type SearchCommand =
  /** `returns`: undefined without RETURN, when a client of IMAP4rev1 expects an untagged SEARCH or SORT. */
  | { name: 'SEARCH'; uid: boolean; returns: SearchReturn[] | undefined; key: SearchKey }
  | { name: 'SORT'; uid: boolean; returns: SearchReturn[] | undefined; sort: SortKey[]; key: SearchKey }
  | { name: 'THREAD'; uid: boolean; algorithm: (typeof ALGORITHMS)[number]; key: SearchKey }

/** UTF-8 has US-ASCII in it, so that the charset changes nothing about how texts are read. */
const CHARSETS = ['US-ASCII', 'UTF-8']

type Read = (scanner: Scanner, uid: boolean) => SearchCommand

export const readSearch: Read = (scanner, uid) => {
  const returns = readReturns(scanner)
  scanner.space()
  if (scanner.skip('CHARSET ')) {
    readCharset(scanner)
    scanner.space()
  }
  return { name: 'SEARCH', uid, returns, key: readSearchKeys(scanner) }
}

export const readSort: Read = (scanner, uid) => {
  const returns = readReturns(scanner)
  scanner.space()
  const sort = scanner.list('sort keys', { min: 1, max: MAX_SORT_KEYS }, () => {
    const reverse = scanner.skip('REVERSE ')
    return { by: scanner.oneOf(SORT_KEYS, 'sort key'), reverse }
  })
  scanner.space()
  readCharset(scanner)
  scanner.space()
  return { name: 'SORT', uid, returns, sort, key: readSearchKeys(scanner) }
}

export const readThread: Read = (scanner, uid) => {
  scanner.space()
  const algorithm = scanner.oneOf(ALGORITHMS, 'threading algorithm')
  scanner.space()
  readCharset(scanner)
  scanner.space()
  return { name: 'THREAD', uid, algorithm, key: readSearchKeys(scanner) }
}

/** `RETURN ()` is `RETURN (ALL)` (RFC 9051 §6.4.4). */
function readReturns(scanner: Scanner): SearchReturn[] | undefined {
  if (!scanner.skip(' RETURN ')) return undefined
  const returns = scanner.list('return options', { min: 0, max: MAX_OPTIONS }, () =>
    scanner.oneOf(RETURNS, 'return option'),
  )
  return returns.length === 0 ? ['ALL'] : [...new Set(returns)]
}

function readCharset(scanner: Scanner): void {
  const charset = scanner.astring('a charset')
  if (CHARSETS.includes(charset.toUpperCase())) return
  // RFC 9051 §6.4.4: a tagged NO, whatever else is wrong with the command.
  scanner.reject('unknown charset', { status: 'NO', code: `BADCHARSET (${CHARSETS.join(' ')})` })
}
