/**
 * Patterns of lists and label rules: an address, a domain, or a domain with all subdomains (`*.example.org`). Lists are looked up by pattern, never
 * scanned.
 */
import { addressKey, asciiAddress, domainOf, parseAddress } from '../../mime/address.js'
import { untagged } from '../addresses.js'

const WILD = '*.'
/** Longer addresses are not looked up. */
const MAX_ADDRESS_CHARS = 320
/** Max labels of a domain that are looked up. */
const MAX_SUFFIXES = 20

export const PATTERN_FORMS =
  'an address (ada@example.org), a domain (example.org), or a domain with all below it (*.example.org)'

/** @returns the stored form, in lower-case ASCII; undefined if invalid */
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

/** All patterns that match an address. `*.example.org` matches the domain itself too, and an address its tagged forms. */
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
