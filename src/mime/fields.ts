/** Header fields as a reader sees them: unfolded (RFC 5322 §2.2.3), with 8-bit text and encoded words (RFC 2047) decoded to Unicode. */
import { toUSVString } from 'node:util'
import type { Entity } from './entity.js'
import { headerOf } from './structure.js'
import { unfold } from './unfold.js'
import { decodeWords as decodeEncodedWords } from './words.js'

const MAX_FIELDS = 500
const MAX_VALUE_CHARS = 10_000
const MAX_TOTAL_CHARS = 100_000

/** Trace fields and signatures: long, and useful only to programs that read the raw message. */
const LEFT_OUT =
  /^(?:received|received-spf|return-path|delivered-to|dkim-signature|domainkey-signature|x-google-dkim-signature|x-google-smtp-source|x-gm-message-state|x-received|authentication-results|arc-.*|x-ms-exchange-antispam.*|x-microsoft-antispam.*|autocrypt|openpgp|face|x-face)$/
/** May contain invisible characters or superfluous spaces. */
const TO_BE_CLEANED = /[^ -~]| {2}|^ | $/
const FIELD_NAME = /^[!-9;-~]{1,76}$/

export type Fields = ReturnType<typeof readFields>

export function readFields(entity: Entity) {
  const folded = new Map<string, string[]>()
  for (const { key, line } of entity.headerLines) {
    const lines = folded.get(key)
    if (lines) lines.push(line)
    else if (FIELD_NAME.test(key)) folded.set(key, [line])
  }
  const unfolded = new Map<string, string[]>()
  const all = (name: string): string[] => {
    const known = unfolded.get(name)
    if (known) return known
    const values = (folded.get(name) ?? []).map((line) => unfold(line.slice(line.indexOf(':') + 1), entity.charset))
    unfolded.set(name, values)
    return values
  }
  return {
    /** Unfolded values of every field of this name, in the order of the message, encoded words left as they are. */
    all,
    /** The first of them, '' for none. */
    first: (name: string): string => all(name)[0] ?? '',
    /** All fields except trace and signatures, decoded, by lower-case name. */
    decoded: () => decodeFields(folded.keys(), all),
  }
}

function decodeFields(names: Iterable<string>, all: (name: string) => string[]): Record<string, string> {
  const decoded: [string, string][] = []
  let total = 0
  for (const name of names) {
    if (LEFT_OUT.test(name)) continue
    const value = all(name)
      .slice(0, MAX_FIELDS)
      .map((encoded) => decodeWords(encoded.slice(0, MAX_VALUE_CHARS)))
      .join('\n')
      .slice(0, MAX_VALUE_CHARS)
    total += name.length + value.length
    if (total > MAX_TOTAL_CHARS || decoded.length === MAX_FIELDS) break
    decoded.push([name, value])
  }
  return Object.fromEntries(decoded)
}

/**
 * True if a message may have a field that its decoded fields lack, or have in part only: limits were reached, or the field is left out.
 *
 * @param decoded by `decoded` of `readFields` @param name in lower case
 */
export function mayLackField(decoded: Readonly<Record<string, string>>, name: string): boolean {
  if (LEFT_OUT.test(name) || !FIELD_NAME.test(name)) return true
  const value = Object.hasOwn(decoded, name) ? decoded[name] : undefined
  if (value !== undefined) return value.length >= MAX_VALUE_CHARS
  const all = Object.entries(decoded)
  const total = all.reduce((sum, [key, { length }]) => sum + key.length + length, 0)
  return all.length >= MAX_FIELDS || total > MAX_TOTAL_CHARS - 2 * MAX_VALUE_CHARS
}

/** All decoded values of a field in the header of a message. @param name in lower case */
export function readHeaderField(raw: Buffer, name: string): string[] {
  const entity = headerOf(raw)
  return entity.headerLines
    .filter(({ key }) => key === name)
    .map(({ line }) => decodeWords(unfold(line.slice(line.indexOf(':') + 1), entity.charset)))
}

/**
 * Encoded words to Unicode, on one line. An encoded word may hide line feeds, other control characters and overrides of the direction of text, all of
 * which make a field look like something else: they are removed.
 */
export function decodeWords(value: string): string {
  const text = decodeEncodedWords(value)
  if (!TO_BE_CLEANED.test(text)) return text
  const visible = text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').replace(/[\s\p{Cc}]+/gu, ' ')
  return toUSVString(visible.trim())
}
