/**
 * Seals forwarded mail (RFC 8617 §5.1): one ARC set on top of the message reports our authentication results to the next server, before anything on
 * the way breaks the author's signatures.
 * Tags are sorted by name and separated by one space, as in the test vectors of the format's authors, so that a seal can be compared with theirs
 * octet by octet.
 */
import { headerLength } from '../mime/headers.js'
import { headerFields, relaxedBodyHash, relaxedField, selectFields, type HeaderField } from './canonical.js'
import { signedOctets } from './sign.js'
import type { ArcResult, DkimKey } from './types.js'

export interface Seal {
  /** Our authentication results: the value of our Authentication-Results field, beginning with our name. */
  results: string
  chain: ArcResult
  key: DkimKey
  /** Seconds since the epoch. */
  signedAt: number
  /** Names for `h=`; by default a selection of the message's fields. */
  signedNames?: string[]
}

export type Sealed = { kind: 'sealed'; raw: Buffer } | { kind: 'unsealed'; reason: 'chain ended' | 'chain too long' }

/** RFC 8617 §4.2.1. */
const MAX_INSTANCE = 50
const ARC_FIELDS = ['arc-authentication-results', 'arc-message-signature', 'arc-seal']
/** RFC 8617 §4.1.2: content fields and signatures of others; no ARC or trace fields, nor Authentication-Results, which later servers remove. */
const SIGNED_FIELDS = [
  'from',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'reply-to',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-id',
  'dkim-signature',
]
/** Max occurrences of one field: a message can have thousands, and each would be a name in `h=`. */
const MAX_REPEATED = 20
/** Max octets of a line of `h=`; RFC 5322 §2.1.1 allows 998. */
const MAX_NAMES_LINE = 700

/**
 * @param raw with CRLF line ends
 * @returns the message with the set on top; unsealed where a seal would be meaningless: after `cv=fail`, or past 50
 */
export async function sealMessage(raw: Buffer, { results, chain, key, signedAt, signedNames }: Seal): Promise<Sealed> {
  const bodyAt = headerLength(raw)
  const fields = headerFields(raw.subarray(0, bodyAt))
  const sets = fields.filter(({ name }) => ARC_FIELDS.includes(name))
  const highest = Math.max(0, ...sets.map(instanceOf))
  // RFC 8617 §5.1, steps 2 and 3.
  const newest = sets.filter((field) => field.name === 'arc-seal' && instanceOf(field) === highest)
  if (newest.some((seal) => tagOf(seal, 'cv')?.toLowerCase() === 'fail')) return unsealed('chain ended')
  if (highest >= MAX_INSTANCE) return unsealed('chain too long')
  const instance = highest + 1
  // Fields that form no chain count as not passed (RFC 8617 §5.1.2), and a chain consists of its sets only.
  const isWhole = sets.length === ARC_FIELDS.length * highest
  const cv = highest === 0 ? 'none' : chain === 'pass' && isWhole ? 'pass' : 'fail'

  const own = { d: key.domain, i: String(instance), s: key.selector, t: String(signedAt) }
  const names = signedNames ?? namesIn(fields)
  const authenticated = field('ARC-Authentication-Results', `i=${instance}; ${results}`)
  const signature = await signed(key, 'ARC-Message-Signature', selectFields(fields, names), {
    ...own,
    bh: await relaxedBodyHash(raw.subarray(bodyAt)),
    c: 'relaxed/relaxed',
    h: foldedNames(names),
  })
  // RFC 8617 §5.1.2: after a broken chain a seal covers its own set only.
  const earlier = cv === 'pass' ? inOrder(sets, highest) : []
  const seal = await signed(key, 'ARC-Seal', [...earlier, authenticated, signature], { ...own, cv })
  const set = [seal, signature, authenticated].map(({ text }) => `${text}\r\n`).join('')
  return { kind: 'sealed', raw: Buffer.concat([Buffer.from(set, 'latin1'), raw]) }
}

const unsealed = (reason: 'chain ended' | 'chain too long'): Sealed => ({ kind: 'unsealed', reason })

function field(name: string, value: string): HeaderField {
  return { name: name.toLowerCase(), text: `${name}: ${value}` }
}

/** A field whose `b=` covers others and itself (RFC 6376 §3.7, RFC 8617 §5.1.1). */
async function signed(
  key: DkimKey,
  name: string,
  covered: HeaderField[],
  tags: Record<string, string>,
): Promise<HeaderField> {
  const withValue = (b: string): HeaderField => {
    const all = Object.entries({ ...tags, a: key.algorithm, b }).sort(([one], [other]) => (one < other ? -1 : 1))
    // A fold replaces the space: in relaxed form both are equal.
    return field(name, all.map(([tag, value]) => `${tag}=${value}`).join(';\r\n '))
  }
  const octets = covered.map((one) => `${relaxedField(one)}\r\n`).join('') + relaxedField(withValue(''))
  // On one line: RSA-4096 needs 684 octets, and a line may have 998 (RFC 5322 §2.1.1).
  return withValue((await signedOctets(key, Buffer.from(octets, 'latin1'))).toString('base64'))
}

/** The sets of a passed chain, from the first to the newest, each in the order of §5.1.1. */
function inOrder(sets: HeaderField[], highest: number): HeaderField[] {
  const ordered: HeaderField[] = []
  // Three for each instance, at most 49: counted by the caller.
  for (let instance = 1; instance <= highest; instance++) {
    const set = sets.filter((one) => instanceOf(one) === instance)
    for (const name of ARC_FIELDS) ordered.push(...set.filter((one) => one.name === name))
  }
  return ordered
}

/** Each name as often as it occurs. */
function namesIn(fields: HeaderField[]): string[] {
  const counts = new Map<string, number>()
  for (const { name } of fields) counts.set(name, (counts.get(name) ?? 0) + 1)
  return SIGNED_FIELDS.flatMap((name) =>
    Array.from({ length: Math.min(counts.get(name) ?? 0, MAX_REPEATED) }, () => name),
  )
}

/** RFC 6376 §3.5 allows a fold at a colon. Most messages need none, and the test vectors have none. */
function foldedNames(names: string[]): string {
  let text = ''
  let line = 0
  for (const name of names) {
    const fold = line + name.length > MAX_NAMES_LINE
    text += `${text === '' ? '' : ':'}${fold ? '\r\n  ' : ''}${name}`
    line = (fold ? 0 : line) + name.length + 1
  }
  return text
}

/** RFC 8617 §4.2.1; 0 if missing or unreadable. */
function instanceOf(one: HeaderField): number {
  const value = tagOf(one, 'i')
  return value !== undefined && /^\d{1,2}$/.test(value) ? Number(value) : 0
}

/** Tag lists are bounded by the header, and scanned once per tag. */
function tagOf(one: HeaderField, tag: string): string | undefined {
  for (const part of one.text.slice(one.text.indexOf(':') + 1).split(';')) {
    const equals = part.indexOf('=')
    if (equals !== -1 && part.slice(0, equals).trim() === tag) return part.slice(equals + 1).trim()
  }
  return undefined
}
