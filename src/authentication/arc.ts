/** Verifies ARC chains (RFC 8617 §5.2): their structure, and the seals. The newest message signature is checked like DKIM (dkim.ts). */
import type { DNSResolver } from 'mailauth'
import { relaxedField, valueOf, withoutSignature, type HeaderField } from './canonical.js'
import { isSignedBy, type KeyLookup, type KeyType } from './public-key.js'
import { BODY_LENGTH, MAX_READ_BYTES, readSignature, TIMESTAMP, type SignatureField } from './signature-field.js'
import { itemsOf, parseTagList, type TagList } from './tag-list.js'

export type Chain = { state: 'none' | 'fail' } | { state: 'whole'; sets: ArcSet[]; newest: SignatureField }

/** The three fields that one server added. */
interface ArcSet {
  results: HeaderField
  signature: HeaderField
  signatureTags: TagList
  seal: HeaderField
  sealTags: TagList
}

/** RFC 8617 allows 50 sets, and each seal covers all sets before it. No verdict depends on ARC, so longer chains just fail. */
const MAX_SETS = 20
const RESULTS = 'arc-authentication-results'
const MESSAGE_SIGNATURE = 'arc-message-signature'
const SEAL = 'arc-seal'
const FIELDS = [RESULTS, MESSAGE_SIGNATURE, SEAL]

/** RFC 8617 §4.1.1: `i=` is the first in ARC-Authentication-Results, perhaps between comments. */
const CFWS = String.raw`(?:[ \t\r\n]|\([^()\\]*\))*`
const RESULTS_INSTANCE = new RegExp(`^${CFWS}i${CFWS}=${CFWS}(\\d{1,2})${CFWS};`)
/** RFC 8617 §4.1: ARC has no SHA-1. */
const ALGORITHM = /^(?:rsa|ed25519)-sha256$/i
/** RFC 8617 §4.1.2 and §4.1.3. */
const SIGNATURE_TAGS = ['a', 'b', 'bh', 'd', 'h', 's']
const SEAL_TAGS = ['a', 'b', 'cv', 'd', 's']

/** RFC 8617 §5.2, steps 1 to 3. */
export function readChain(fields: HeaderField[]): Chain {
  const own = fields.filter(({ name }) => FIELDS.includes(name))
  if (own.length === 0) return { state: 'none' }
  if (own.length > MAX_SETS * FIELDS.length || own.some(({ text }) => text.length > MAX_READ_BYTES))
    return { state: 'fail' }
  const sets = setsOf(own)
  const newest = sets?.at(-1)
  if (!sets || !newest || !isWellFormed(newest.signatureTags, SIGNATURE_TAGS) || !sets.every(isValidSet))
    return { state: 'fail' }
  return { state: 'whole', sets, newest: readSignature(newest.signature, 'arc') }
}

/** @returns the sets by instance; undefined unless each instance from 1 on has each field once */
function setsOf(own: HeaderField[]): ArcSet[] | undefined {
  const byPlace = new Map<string, { field: HeaderField; tags: TagList }>()
  for (const field of own) {
    const tags = parseTagList(valueOf(field))
    byPlace.set(`${field.name} ${instanceOf(field, tags)}`, { field, tags })
  }
  const sets: ArcSet[] = []
  for (let i = 1; i <= own.length / FIELDS.length; i++) {
    const [results, signature, seal] = FIELDS.map((name) => byPlace.get(`${name} ${i}`))
    if (!results || !signature || !seal) return undefined
    sets.push({
      results: results.field,
      signature: signature.field,
      signatureTags: signature.tags,
      seal: seal.field,
      sealTags: seal.tags,
    })
  }
  // A field beyond those of the sets is a duplicate, or of an incomplete set.
  return sets.length * FIELDS.length === own.length ? sets : undefined
}

/** @returns NaN for an invalid instance */
function instanceOf(field: HeaderField, { tags }: TagList): number {
  const written = field.name === RESULTS ? RESULTS_INSTANCE.exec(valueOf(field))?.[1] : tags.get('i')
  return written !== undefined && /^\d{1,2}$/.test(written) ? Number(written) : NaN
}

function isValidSet({ signatureTags, sealTags }: ArcSet, index: number): boolean {
  const status = (sealTags.tags.get('cv') ?? '').toLowerCase()
  return (
    isWellFormed(sealTags, SEAL_TAGS) &&
    !sealTags.tags.has('h') &&
    // A seal that says `cv=fail` fails the chain too (step 2).
    status === (index === 0 ? 'none' : 'pass') &&
    [sealTags, signatureTags].every(({ tags }) => ALGORITHM.test(tags.get('a') ?? '')) &&
    // RFC 8617 §4.1.2: a message signature must not cover seals.
    !itemsOf(signatureTags.tags.get('h') ?? '').includes(SEAL)
  )
}

function isWellFormed({ tags, problem }: TagList, required: string[]): boolean {
  return (
    problem === undefined &&
    required.every((name) => tags.has(name)) &&
    ['t', 'x'].every((name) => TIMESTAMP.test(tags.get(name) ?? '0')) &&
    BODY_LENGTH.test(tags.get('l') ?? '0')
  )
}

/** RFC 8617 §5.2, step 6: every seal. It covers all sets up to its own. */
export async function checkSeals(sets: ArcSet[], keyOf: KeyLookup, lookUp: DNSResolver): Promise<'pass' | 'fail'> {
  let before = ''
  const checks = sets.map(async ({ results, signature, seal, sealTags: { tags } }) => {
    const covered = `${before}${relaxedField(results)}\r\n${relaxedField(signature)}\r\n`
    before = `${covered}${relaxedField(seal)}\r\n`
    const keyType: KeyType = /^ed/i.test(tags.get('a') ?? '') ? 'ed25519' : 'rsa'
    const key = await keyOf(`${tags.get('s')}._domainkey.${tags.get('d')}`, keyType, lookUp)
    const octets = Buffer.from(covered + relaxedField(withoutSignature(seal)), 'latin1')
    return key.publicKey !== undefined && key.keyType === keyType && isSignedBy(key, octets, tags.get('b') ?? '')
  })
  return (await Promise.all(checks)).every(Boolean) ? 'pass' : 'fail'
}
