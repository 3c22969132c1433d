/** LIST, basic and extended, and LSUB (RFC 9051 §6.3.9; RFC 5258, RFC 5819, RFC 6154; RFC 3501 §6.3.9). */
import { readMailbox, readMailboxPattern } from '../wire/mailbox-name.js'
import type { Scanner } from '../wire/scanner.js'
import { MAX_OPTIONS, MAX_PATTERNS } from './limits.js'
import { readStatusItems, type StatusItem } from './mailboxes.js'

const SELECTION_OPTIONS = ['SUBSCRIBED', 'REMOTE', 'RECURSIVEMATCH', 'SPECIAL-USE'] as const
const RETURN_OPTIONS = ['SUBSCRIBED', 'CHILDREN', 'SPECIAL-USE', 'STATUS'] as const

export type ListSelection = (typeof SELECTION_OPTIONS)[number]
export type ListReturn = Exclude<(typeof RETURN_OPTIONS)[number], 'STATUS'>

export type ListCommand =
  | {
      name: 'LIST'
      /** Has options or several patterns: then an empty pattern does not ask for the hierarchy delimiter (RFC 9051 §6.3.9). */
      isExtended: boolean
      selection: ListSelection[]
      reference: string
      patterns: string[]
      returns: ListReturn[]
      /** Empty: no STATUS. */
      status: StatusItem[]
    }
  | { name: 'LSUB'; reference: string; pattern: string }

export function readList(scanner: Scanner): ListCommand {
  scanner.space()
  const hasSelection = scanner.peek() === '('
  const selection = hasSelection ? readSelection(scanner) : []
  const reference = readMailbox(scanner)
  scanner.space()
  const hasList = scanner.peek() === '('
  const patterns = scanner.oneOrList('patterns', MAX_PATTERNS, () => readMailboxPattern(scanner))
  const hasReturn = scanner.skip(' ')
  const { returns, status } = hasReturn ? readReturn(scanner) : { returns: [], status: [] }
  const isExtended = hasSelection || hasList || hasReturn
  return { name: 'LIST', isExtended, selection, reference, patterns, returns, status }
}

export function readLsub(scanner: Scanner): ListCommand {
  scanner.space()
  const reference = readMailbox(scanner)
  scanner.space()
  return { name: 'LSUB', reference, pattern: readMailboxPattern(scanner) }
}

function readSelection(scanner: Scanner): ListSelection[] {
  const options = scanner.list('selection options', { min: 0, max: MAX_OPTIONS }, () =>
    scanner.oneOf(SELECTION_OPTIONS, 'selection option'),
  )
  // RFC 9051 §6.3.9.1: it says how another option is to be applied.
  const needsAnother = options.includes('RECURSIVEMATCH')
  if (needsAnother && !options.some((option) => option === 'SUBSCRIBED' || option === 'SPECIAL-USE'))
    scanner.fail('RECURSIVEMATCH needs SUBSCRIBED or SPECIAL-USE')
  scanner.space()
  return [...new Set(options)]
}

function readReturn(scanner: Scanner): { returns: ListReturn[]; status: StatusItem[] } {
  scanner.expect('RETURN ')
  const returns = new Set<ListReturn>()
  let status: StatusItem[] = []
  scanner.list('return options', { min: 0, max: MAX_OPTIONS }, () => {
    const option = scanner.oneOf(RETURN_OPTIONS, 'return option')
    if (option !== 'STATUS') returns.add(option)
    else {
      scanner.space()
      status = readStatusItems(scanner)
    }
  })
  return { returns: [...returns], status }
}
