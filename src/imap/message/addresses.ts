/**
 * Address lists as ENVELOPE has them (RFC 9051 §7.5.2, RFC 5322 §3.4 and §4.4): display names as written, groups by their start and end. Other code reads
 * addresses with mime/addresses.ts, which decodes them and drops groups.
 */
import { Scanner } from './scanner.js'
import type { EnvelopeAddress } from './types.js'

/** Max addresses of a list. A message of the usual max header size may name ten times as many. */
const MAX_ADDRESSES = 10_000

/** Characters that end a word outside of quotes. Stray brackets and backslashes are part of it. */
const WORD_ENDS = ' \t(<>@,;:."'
const DOMAIN_ENDS = ' \t(<>@,;:'
const GROUP_END: EnvelopeAddress = { name: null, adl: null, mailbox: null, host: null }

/** @param values unfolded fields of one name, read as one list */
export function addressesOf(values: readonly string[]): EnvelopeAddress[] {
  const list: EnvelopeAddress[] = []
  for (const value of values) readList(new Scanner(value), list)
  return list
}

function readList(scanner: Scanner, list: EnvelopeAddress[]): void {
  let inGroup = false
  while (list.length < MAX_ADDRESSES) {
    scanner.comment = null
    const words = readWords(scanner)
    const { phrase } = words
    if (scanner.take('<')) {
      list.push(readAngle(scanner, phrase))
    } else if (scanner.take('@')) {
      list.push(readPlain(scanner, words))
    } else if (!inGroup && phrase !== '' && scanner.take(':')) {
      inGroup = true
      list.push({ name: null, adl: null, mailbox: phrase, host: null })
      continue
    } else if (phrase !== '') {
      // A local part alone, or a name without an address.
      const { before, localPart } = words
      const isName = before !== ''
      list.push({ name: isName ? phrase : scanner.comment, adl: null, mailbox: isName ? '' : localPart, host: '' })
    }
    scanner.until(',;')
    if (scanner.take(';') && inGroup) {
      inGroup = false
      list.push(GROUP_END)
    } else if (!scanner.take(',') && scanner.done) break
  }
  if (inGroup) list.push(GROUP_END)
}

/** Words before `<`, `@`, `:`, a comma or the end. */
interface Words {
  /** All of them, separated by one space where there was white space: a display name. */
  phrase: string
  /** The last of them with those that dots join to it, without white space (RFC 5322 §4.4): a local part. */
  localPart: string
  /** Those before. */
  before: string
}

function readWords(scanner: Scanner): Words {
  let phrase = ''
  let localPart = ''
  let before = ''
  for (;;) {
    const isSeparate = scanner.skipBlanks() && phrase !== ''
    const word = readWord(scanner)
    if (word === undefined) return { phrase, localPart, before }
    if (isSeparate && word !== '.' && !localPart.endsWith('.')) {
      before = phrase
      localPart = ''
    }
    phrase += isSeparate ? ` ${word}` : word
    localPart += word
  }
}

function readWord(scanner: Scanner): string | undefined {
  if (scanner.peek() === '"') return scanner.readQuoted()
  if (scanner.take('.')) return '.'
  return scanner.until(WORD_ENDS) || undefined
}

/** `<route:local@domain>` after its first bracket. */
function readAngle(scanner: Scanner, phrase: string): EnvelopeAddress {
  scanner.skipBlanks()
  const adl = scanner.peek() === '@' ? scanner.until(':>') : null
  scanner.take(':')
  const mailbox = readWords(scanner).localPart
  const host = scanner.take('@') ? readDomain(scanner) : ''
  scanner.until('>,;')
  if (scanner.take('>')) scanner.skipBlanks()
  return { name: phrase || scanner.comment, adl, mailbox, host }
}

/** An address without brackets, after its `@`. Its name is in a comment, as in RFC 822, or before it without the brackets that should be there. */
function readPlain(scanner: Scanner, { localPart, before }: Words): EnvelopeAddress {
  const host = readDomain(scanner)
  return { name: before || scanner.comment, adl: null, mailbox: localPart, host }
}

/** A domain, which may have blanks between its labels (RFC 5322 §4.4), or a domain literal. */
function readDomain(scanner: Scanner): string {
  scanner.skipBlanks()
  if (scanner.peek() === '[') {
    const literal = scanner.until('],;>')
    if (scanner.take(']')) scanner.skipBlanks()
    return `${literal}]`
  }
  let domain = ''
  for (;;) {
    domain += scanner.until(DOMAIN_ENDS)
    const isSeparate = scanner.skipBlanks()
    if (!isSeparate || !(domain.endsWith('.') || scanner.peek() === '.')) return domain
  }
}
