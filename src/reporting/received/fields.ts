/** Normalizes values of reports, as strangers write them. */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { organizationalDomain } from '../../authentication/alignment.js'
import { cut, oneLine } from '../../lib/text.js'
import type { DmarcRow } from './types.js'

const MAX_TEXT_CHARS = 200
const MAX_DOMAIN_CHARS = 253
/** Keeps sums exact. */
const MAX_COUNT = 1_000_000_000

/** Null for nothing. */
export function textOf(value: unknown, chars = MAX_TEXT_CHARS): string | null {
  const text = typeof value === 'string' ? cut(oneLine(value), chars) : ''
  return text === '' ? null : text
}

/** Lower-case ASCII without trailing dot; null if invalid. */
export function domainOfReport(value: unknown): string | null {
  const text = textOf(value, MAX_DOMAIN_CHARS + 1)
    ?.toLowerCase()
    .replace(/\.$/, '')
  if (text === undefined || text.length > MAX_DOMAIN_CHARS) return null
  const ascii = /^[\x21-\x7e]+$/.test(text) ? text : domainToASCII(text)
  return /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/.test(ascii) ? ascii : null
}

/** Null if invalid. */
export function countOf(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,10}$/.test(value.trim()) ? Number(value) : value
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT ? count : null
}

export function addressOf(value: unknown): string | null {
  const text = textOf(value, 45)?.toLowerCase()
  return text !== undefined && isIP(text) !== 0 && !text.includes('%') ? text : null
}

/** Seconds since the epoch; null if invalid. */
export function secondsOf(value: unknown): number | null {
  const seconds = typeof value === 'string' && /^\d{1,10}$/.test(value.trim()) ? Number(value) : NaN
  return Number.isSafeInteger(seconds) ? seconds : null
}

export function isPass({ dkim, spf }: Pick<DmarcRow, 'dkim' | 'spf'>): boolean {
  return dkim === 'pass' || spf === 'pass'
}

export function isSameOrganisation(a: string, b: string): boolean {
  return a !== '' && organizationalDomain(a) === organizationalDomain(b)
}
