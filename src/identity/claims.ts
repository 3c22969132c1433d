/** Validates the claims of a provider about a user. */
import { cut, oneLine } from '../lib/text.js'
import { ProviderError } from './types.js'

const MAX_SUBJECT = 255
const MAX_NAME = 100
const MAX_EMAIL = 254

/** OpenID Connect Core §2: at most 255 ASCII characters. @throws ProviderError */
export function subjectOf(value: string): string {
  if (value.length > 0 && value.length <= MAX_SUBJECT && /^[\x21-\x7e]+$/.test(value)) return value
  throw new ProviderError('refused', 'the subject is not 1 to 255 printable ASCII characters')
}

export function nameOf(value: unknown): string | null {
  const name = typeof value === 'string' ? cut(oneLine(value), MAX_NAME) : ''
  return name === '' ? null : name
}

/** One plain email address, or null for anything else. */
export function emailOf(value: unknown): string | null {
  const isPlain =
    typeof value === 'string' && value.length <= MAX_EMAIL && /^[^\s@<>()",:;\\]+@[^\s@<>()",:;\\]+$/.test(value)
  return isPlain && !/\p{Cc}|\p{Cf}/u.test(value) ? value : null
}
