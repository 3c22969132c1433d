/**
 * Sealing what is passed on as it came (RFC 8617 §5.1): one ARC set on top of the message, which tells the next server what was found here
 * before anything on the way breaks the author's own signatures.
 *
 * Tags stand in the order of their names with one space between them, as the test vectors of the format's authors have them, so that a seal
 * made here can be compared with theirs octet by octet.
 */
import { headerLength } from '../mime/headers.js'
import { headerFields, relaxedBodyHash, relaxedField, selectFields, type HeaderField } from './canonical.js'
import { signedOctets } from './sign.js'
import type { ArcResult, DkimKey } from './types.js'

export interface Seal {
  /** What was found here: the value of our Authentication-Results field, beginning with our name. */
  results: string
  /** Of the chain as it came. */
  chain: ArcResult
  key: DkimKey
  /** Seconds since the epoch. */
  signedAt: number
  /** Names for `h=`; a choice of those that the message has when not given. */
  signedNames?: string[]
}

export type Sealed = { kind: 'sealed'; raw: Buffer } | { kind: 'unsealed'; reason: 'chain ended' | 'chain too long' }

/** RFC 8617 §4.2.1. */
const MAX_INSTANCE = 50
const ARC_FIELDS = ['arc-authentication-results', 'arc-message-signature', 'arc-seal']
/**
 * RFC 8617 §4.1.2: what makes the message, and signatures of others; neither ARC fields nor Authentication-Results, which later servers take
 * away, nor trace.
 */
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
/** Of one field: a message can have thousands, and each of them would be a name in `h=`. */
const MAX_REPEATED = 20
/** Of a line of `h=`; RFC 5322 §2.1.1 allows 998 octets. */
const MAX_NAMES_LINE = 700

/**
 * @param raw with CRLF line ends
 * @returns the message with the set on top; unsealed where another seal would mean nothing: behind one that says `cv=fail`, or past 50
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
  // Fields that make no chain are none that passed (RFC 8617 §5.1.2), and a chain has nothing beside its sets.
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
  // RFC 8617 §5.1.2: behind a broken chain a seal covers its own set alone.
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
    // A fold takes the place of the space: relaxed, both are the same.
    return field(name, all.map(([tag, value]) => `${tag}=${value}`).join(';\r\n '))
  }
  const octets = covered.map((one) => `${relaxedField(one)}\r\n`).join('') + relaxedField(withValue(''))
  // In one line: of RSA-4096 it has 684 octets, and a line may have 998 (RFC 5322 §2.1.1).
  return withValue((await signedOctets(key, Buffer.from(octets, 'latin1'))).toString('base64'))
}

/** The sets of a chain that passed, from the first to the newest, each as §5.1.1 has it. */
function inOrder(sets: HeaderField[], highest: number): HeaderField[] {
  const ordered: HeaderField[] = []
  // Three for each instance, 49 at most: the caller has counted them.
  for (let instance = 1; instance <= highest; instance++) {
    const set = sets.filter((one) => instanceOf(one) === instance)
    for (const name of ARC_FIELDS) ordered.push(...set.filter((one) => one.name === name))
  }
  return ordered
}

/** Each as often as it occurs. */
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

/** RFC 8617 §4.2.1; 0 where there is none that can be read. */
function instanceOf(one: HeaderField): number {
  const value = tagOf(one, 'i')
  return value !== undefined && /^\d{1,2}$/.test(value) ? Number(value) : 0
}

/** Tag lists are bounded by the header, and looked through once for each tag that is wanted. */
function tagOf(one: HeaderField, tag: string): string | undefined {
  for (const part of one.text.slice(one.text.indexOf(':') + 1).split(';')) {
    const equals = part.indexOf('=')
    if (equals !== -1 && part.slice(0, equals).trim() === tag) return part.slice(equals + 1).trim()
  }
  return undefined
}
