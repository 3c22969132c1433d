/**
 * What an allow list, a block list or a label rule names: one address, a domain, or a domain with all below it (`*.example.org`). A pattern
 * is stored in one form, and an address is looked up under the few patterns that can stand for it: no list is ever walked.
 */
import { addressKey, asciiAddress, domainOf, parseAddress } from '../../mime/address.js'
import { untagged } from '../addresses.js'

const WILD = '*.'
/** Of a stranger's address longer than this nothing is looked up. */
const MAX_ADDRESS_CHARS = 320
/** Of the labels of a domain the last so many are looked at. */
const MAX_SUFFIXES = 20

export const PATTERN_FORMS =
  'an address (ada@example.org), a domain (example.org), or a domain with all below it (*.example.org)'

/** @returns the pattern as it is stored, in lower-case ASCII; undefined for what is none */
export function parsePattern(text: string): string | undefined {
  const given = text.trim()
  if (given.includes('@') && !given.startsWith('@')) {
    const parsed = parseAddress(given)
    return parsed?.name === '' ? addressKey(parsed.address) : undefined
  }
  const isWild = given.startsWith(WILD)
  const parsed = parseAddress(`x@${isWild ? given.slice(WILD.length) : given.replace(/^@/, '')}`)
  if (parsed?.name !== '') return undefined
  return (isWild ? WILD : '') + domainOf(parsed.address)
}

/** Every pattern that stands for an address, each once. `*.example.org` stands for the domain itself too, and an address for its tagged ones. */
export function patternsOf(address: string): string[] {
  if (address === '' || address.length > MAX_ADDRESS_CHARS) return []
  const plain = addressKey(asciiAddress(address))
  const labels = domainOf(plain).split('.')
  const suffixes = labels.map((_, i) => WILD + labels.slice(i).join('.')).slice(-MAX_SUFFIXES)
  return [...new Set([plain, untagged(plain), domainOf(plain), ...suffixes])]
}

export function matchesPattern(pattern: string, address: string): boolean {
  return patternsOf(address).includes(pattern)
}
