/**
 * Checking the signatures of a message (RFC 6376, RFC 8463, RFC 8617).
 *
 * The judgement is mailauth's; what surrounds it is ours, because of what it costs. Its stream looks at each octet of the header
 * by itself and joins folded lines in quadratic time (seconds for a header of 256 KiB made of folds), it parses each key twice a
 * signature, which takes longer than all the rest, and it writes the lines of a field that is written here. So the message is taken
 * apart here, its signatures are handed over one by one, and parsed keys are kept.
 */
import { createPublicKey } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DKIMResult, DNSResolver } from 'mailauth'
import { arc } from 'mailauth/lib/arc/index.js'
import {
  DkimVerifier,
  type BodyHash,
  type KeyCache,
  type KeyOptions,
  type SignatureField,
} from 'mailauth/lib/dkim/dkim-verifier.js'
import { getPublicKey } from 'mailauth/lib/tools.js'
import { createCache, type Cache } from '../dns/cache.js'
import { DAY, HOUR, type Clock } from '../lib/clock.js'
import type { HeaderField } from './canonical.js'
import type { DkimResult } from './types.js'

/** What is known of one signature. */
export interface Signature {
  result: DkimResult
  reason?: string
  domain: string
  selector: string
  algorithm: string
  /** The first octets of the signature, by which several of one domain are told apart (RFC 6008). */
  value: string
}

export interface CheckedSignatures {
  /** In the order of the message. */
  signatures: Signature[]
  /** Addresses of all From fields. */
  fromAddresses: string[]
  fromFields: number
  arc: 'none' | 'pass' | 'fail'
}

const MAX_SIGNATURES = 10
/** RFC 8617 allows 50 sets, and each seal covers all sets before it. Nothing is decided by ARC, so longer chains just fail. */
const MAX_ARC_FIELDS = 3 * 20
const MIN_RSA_BITS = 1024
/** Between clocks that are set by hand. */
const MAX_CLOCK_SKEW_MS = HOUR
/** Keys past these are made to keep verifiers busy; in practice the exponent is 65537. */
const MAX_RSA_BITS = 8192
const MAX_RSA_EXPONENT = 2n ** 32n
/** Of fields that are parsed: one From field of 256 KiB can keep an address parser busy for most of a second. */
const MAX_PARSED_FIELD_BYTES = 16 * 1024
const SLICE_BYTES = 64 * 1024
const MAX_KEYS = 5000
const KEY_BYTES = 4000
const ARC_FIELDS = new Set(['arc-seal', 'arc-message-signature', 'arc-authentication-results'])
/** Fields that are read, and not only signed. */
const READ_FIELDS = new Set([...ARC_FIELDS, 'dkim-signature', 'from'])
const LF = 0x0a
const CR = 0x0d

/** Best first. */
export const DKIM_RESULTS: DkimResult[] = ['pass', 'temperror', 'policy', 'fail', 'neutral', 'permerror', 'none']

/** @returns a function that checks a message, given the fields of its header and its body */
export function createSignatureCheck(
  clock: Clock,
): (fields: HeaderField[], body: Buffer, resolver: DNSResolver) => Promise<CheckedSignatures> {
  const parsedKeys = createCache<object>({ clock, maxEntries: MAX_KEYS, maxBytes: MAX_KEYS * KEY_BYTES })

  return async (fields, body, resolver) => {
    const options = { resolver, minBitLength: MIN_RSA_BITS, strict: true, curTime: new Date(clock.now()) }
    const arcFields = fields.filter(({ name }) => ARC_FIELDS.has(name))
    const chainTooLong = arcFields.length > MAX_ARC_FIELDS || arcFields.some(isTooLong)
    const verifier = new DkimVerifier(options)
    // What it would do with the other fields (a Return-Path, the boundaries of a multipart) is of no use here, and costs.
    const read = withinLimits(fields, chainTooLong).filter(({ name }) => READ_FIELDS.has(name))
    await verifier.messageHeaders({ parsed: read.map(row) })
    // A signature that is not looked at may still be covered by another one.
    verifier.headers = { parsed: fields.map(row) }
    const { headerFrom: fromAddresses, fromFields, signatureHeaders } = verifier
    // It would judge the alignment of each signature by names alone.
    verifier.headerFrom = []
    const keys = keyCache(resolver, parsedKeys)
    verifier.keyCache = verifier.arc.keyCache = keys
    askAhead(signatureHeaders, resolver)
    await hashBody(body, [...verifier.bodyHashes.values()])
    const signatures: Signature[] = []
    for (const signature of signatureHeaders) {
      keys.algorithm = signature.signAlgo
      const found = signature.skip === undefined ? await verifier.verifySignature(signature) : undefined
      if (signature.type === 'DKIM') signatures.push(judged(signature, found, clock.now()))
      else if (found && verifier.arc.lastEntry) verifier.arc.lastEntry.messageSignature = found
    }
    const arc = chainTooLong ? 'fail' : arcFields.length > 0 ? await checkChain(verifier, options) : 'none'
    return { signatures, fromAddresses, fromFields, arc }
  }
}

/** Keys are looked up one after the other, when they are needed: asked for now, they come while the body is hashed. */
function askAhead(signatures: SignatureField[], resolver: DNSResolver): void {
  for (const { skip, invalid, hashAlgo, selector, signingDomain } of signatures) {
    if (skip !== undefined || invalid !== undefined || hashAlgo === 'sha1') continue
    // Who needs the answer meets the error there.
    resolver(`${selector}._domainkey.${signingDomain}`, 'TXT').catch(() => undefined)
  }
}

async function hashBody(body: Buffer, hashes: BodyHash[]): Promise<void> {
  if (hashes.length === 0) return
  const lines = withCrlf(body)
  for (let from = 0; from < lines.length; from += SLICE_BYTES) {
    if (from > 0) await nextTurn()
    const slice = lines.subarray(from, from + SLICE_BYTES)
    for (const hash of hashes) hash.update(slice)
  }
  for (const hash of hashes) hash.hash = hash.digest('base64')
}

/** The body itself unless a line ends with LF alone, which no body does that came by SMTP. */
function withCrlf(body: Buffer): Buffer {
  for (let at = body.indexOf(LF); at !== -1; at = body.indexOf(LF, at + 1)) {
    if (body[at - 1] !== CR) return Buffer.from(body.toString('latin1').replace(/(?<!\r)\n/g, '\r\n'), 'latin1')
  }
  return body
}

/** What the library found, under what it leaves to its caller's policy. */
function judged(field: SignatureField, found: DKIMResult | undefined, now: number): Signature {
  const common = {
    domain: field.signingDomain.toLowerCase(),
    selector: field.selector,
    algorithm: field.algorithm,
    value: (field.parsed.b?.value ?? '').slice(0, 8),
  }
  // Not one that can be processed at all (RFC 8601 §2.7.1).
  if (!found) return { ...common, result: 'neutral', reason: field.skip }
  const { status, signTime } = found
  const result = DKIM_RESULTS.find((known) => known === status.result) ?? 'permerror'
  if (result === 'pass') {
    // RFC 6376 §8.2: whatever was appended behind `l=` octets is somebody else's.
    if ((status.underSized ?? 0) > 0) return { ...common, result: 'policy', reason: 'part of the body is not signed' }
    // RFC 6376 §3.5: a verifier may ignore what was signed in the future.
    if (signTime && Date.parse(signTime) > now + MAX_CLOCK_SKEW_MS) {
      return { ...common, result: 'policy', reason: 'signed in the future' }
    }
    return { ...common, result }
  }
  // RFC 6376 §3.6.1, `t=y`: who only tries it out is taken for unsigned when it fails.
  if (status.testing) return { ...common, result: 'neutral', reason: 'the domain is testing DKIM' }
  if (result === 'temperror') return { ...common, result, reason: 'the key could not be looked up' }
  const reason = status.comment ?? status.policy?.['dkim-rules']
  return typeof reason === 'string' ? { ...common, result, reason } : { ...common, result }
}

/** Each signature costs a look-up and two hashes of what it chose to cover: the first ten count, the others are left out. */
function withinLimits(fields: HeaderField[], chainTooLong: boolean): HeaderField[] {
  let left = MAX_SIGNATURES
  return fields.filter((field) => {
    if (field.name === 'dkim-signature') return !isTooLong(field) && left-- > 0
    if (field.name === 'from') return !isTooLong(field)
    return !chainTooLong || !ARC_FIELDS.has(field.name)
  })
}

function isTooLong({ text }: HeaderField): boolean {
  return text.length > MAX_PARSED_FIELD_BYTES
}

function row({ name, text }: HeaderField): { key: string; casedKey: string; line: Buffer } {
  return { key: name, casedKey: text.slice(0, name.length), line: Buffer.from(text, 'latin1') }
}

async function checkChain(
  verifier: DkimVerifier,
  options: Parameters<typeof arc>[1],
): Promise<CheckedSignatures['arc']> {
  const { chain, keyCache, ...rest } = verifier.arc
  const data = Object.defineProperty({ ...rest, chain: chain || [] }, 'keyCache', { value: keyCache })
  const { status } = await arc(data, options)
  return status.result === 'pass' || status.result === 'fail' ? status.result : 'none'
}

/**
 * Parsed keys by the text of their record, so that a record that changes is another key. The text itself comes from the resolver,
 * which keeps it no longer than its TTL.
 */
function keyCache(resolver: DNSResolver, parsed: Cache<object>): KeyCache & { algorithm: string } {
  const cache = { resolver, get, algorithm: '' }
  return cache

  function get(type: string, name: string, minBitLength: number, options: KeyOptions): Promise<object> {
    const key = parsedKey(type, name, minBitLength, options)
    // The keys of a whole chain are asked for ahead, and not all are waited for. Who waits still gets the error.
    key.catch(() => undefined)
    return key
  }

  async function parsedKey(type: string, name: string, minBitLength: number, options: KeyOptions): Promise<object> {
    const answer = await resolver(name, 'TXT')
    const record = keyRecord(answer, cache.algorithm)
    const cacheKey = `${options.hashAlgo ?? ''} ${record}`
    const kept = parsed.get(cacheKey)
    if (kept) return kept
    const key = await getPublicKey(type, name, minBitLength, async () => [record], options)
    const publicKey = createPublicKey(key.publicKey)
    const { modulusLength = 0, publicExponent = 0n } = publicKey.asymmetricKeyDetails ?? {}
    if (modulusLength > MAX_RSA_BITS || publicExponent > MAX_RSA_EXPONENT) {
      throw Object.assign(new Error('RSA key too large'), { code: 'EINVALIDVAL' })
    }
    const usable = { ...key, publicKey }
    parsed.set(cacheKey, usable, KEY_BYTES + cacheKey.length, DAY)
    return usable
  }
}

/**
 * RFC 6376 §3.6.2.2 leaves it open what several records of one selector mean. Servers give them in an order that changes, so the one counts
 * that is a key of the signature's algorithm; where none is, the first.
 */
function keyRecord(answer: string[] | string[][], algorithm: string): string {
  const records = answer.map((record) => [record].flat().join(''))
  if (records.length < 2) return records[0] ?? ''
  const isKeyOf = (record: string): boolean => {
    const type = /(?:^|;)\s*k\s*=\s*([^;\s]*)/.exec(record)?.[1] ?? 'rsa'
    return /(?:^|;)\s*p\s*=/.test(record) && type.toLowerCase() === algorithm
  }
  return records.find(isKeyOf) ?? records[0] ?? ''
}
