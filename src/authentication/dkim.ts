/**
 * Checks the signatures of a message (RFC 6376, RFC 8301, RFC 8463), and the newest message signature of an ARC chain (RFC 8617), which is alike.
 * A stranger controls how much is hashed and how often: so the body is hashed in one pass for all signatures, ten of them at most.
 */
import type { DNSResolver } from 'mailauth'
import addressparser from 'nodemailer/lib/addressparser'
import type { Resolver } from '../dns/types.js'
import { HOUR, SECOND, type Clock } from '../lib/clock.js'
import { checkSeals, readChain } from './arc.js'
import {
  createBodyHash,
  hashBody,
  relaxedField,
  selectFields,
  valueOf,
  withoutSignature,
  type BodyHash,
  type HeaderField,
} from './canonical.js'
import { createKeyLookup, isSignedBy, type KeyLookup, type NoKey, type PublicKey } from './public-key.js'
import { MAX_READ_BYTES, readSignature, utf8, type SignatureField } from './signature-field.js'
import type { ArcResult, DkimResult } from './types.js'

export interface Signature {
  result: DkimResult
  reason?: string
  domain: string
  selector: string
  algorithm: string
  /** The first octets of the signature, which distinguish several of one domain (RFC 6008). */
  value: string
}

export interface CheckedSignatures {
  /** In the order of the message. */
  signatures: Signature[]
  fromAddresses: string[]
  fromFields: number
  arc: ArcResult
}

export type SignatureCheck = (fields: HeaderField[], body: Buffer, lookUp: DNSResolver) => Promise<CheckedSignatures>

/** A signature with its key look-up and body hash, both in progress. */
interface Check {
  signature: SignatureField
  key: Promise<PublicKey | NoKey>
  /** Missing if the signature is invalid without any hashing. */
  body?: BodyHash
}

type Verdict = Pick<Signature, 'result' | 'reason'>

const MAX_SIGNATURES = 10
/** Tolerance for clocks set by hand. */
const MAX_CLOCK_SKEW_MS = HOUR

/** Best first. */
export const DKIM_RESULTS: DkimResult[] = ['pass', 'temperror', 'policy', 'fail', 'neutral', 'permerror', 'none']

/** @returns a function that checks the signatures of a message, given its header fields and body */
export function createSignatureCheck(resolver: Pick<Resolver, 'keptUntil'>, clock: Clock): SignatureCheck {
  const keyOf = createKeyLookup(resolver, clock)

  return async (fields, body, lookUp) => {
    const readable = (name: string): HeaderField[] =>
      fields.filter((field) => field.name === name && field.text.length <= MAX_READ_BYTES)
    const from = readable('from')
    const bodies = new Map<string, BodyHash>()
    const begin = (signature: SignatureField): Check => beginCheck(signature, bodies, keyOf, lookUp)
    const checks = readable('dkim-signature')
      .slice(0, MAX_SIGNATURES)
      .map((field) => begin(readSignature(field, 'dkim')))
    const chain = readChain(fields)
    const newest = chain.state === 'whole' ? begin(chain.newest) : undefined
    await hashBody(body, [...bodies.values()])
    const now = clock.now()
    const signatures: Signature[] = []
    for (const check of checks) {
      const { domain, selector, algorithm, value } = check.signature
      const { result, reason } = underPolicy(check, await verdictOf(check, fields, now), now)
      signatures.push({ result, reason, domain: domain.toLowerCase(), selector, algorithm, value: value.slice(0, 8) })
    }
    const sealed = newest && (await verdictOf(newest, fields, now)).result === 'pass'
    return {
      signatures,
      fromAddresses: from.flatMap(addressesOf),
      fromFields: from.length,
      arc: chain.state !== 'whole' ? chain.state : sealed ? await checkSeals(chain.sets, keyOf, lookUp) : 'fail',
    }
  }
}

/** Starts the key look-up and registers the body hash, which signatures of one form share. */
function beginCheck(
  signature: SignatureField,
  bodies: Map<string, BodyHash>,
  keyOf: KeyLookup,
  lookUp: DNSResolver,
): Check {
  const { problem, bodyForm, hash, maxLength, selector, domain, keyType } = signature
  if (problem !== undefined) return { signature, key: Promise.resolve({ result: 'neutral', reason: problem }) }
  const id = `${bodyForm} ${hash} ${maxLength}`
  const body = bodies.get(id) ?? createBodyHash(bodyForm, hash, maxLength)
  bodies.set(id, body)
  // RFC 8301 §3.1: SHA-1 is never acceptable, whatever the key.
  if (hash === 'sha1') return { signature, body, key: Promise.resolve({ result: 'policy', reason: 'weak algorithm' }) }
  return { signature, body, key: keyOf(`${selector}._domainkey.${domain}`, keyType, lookUp) }
}

/** RFC 6376 §6.1.2 and §6.1.3. */
async function verdictOf({ signature, key, body }: Check, fields: HeaderField[], now: number): Promise<Verdict> {
  if (body && body.digest() !== signature.bodyHash) return { result: 'fail', reason: 'body hash did not verify' }
  const found = await key
  if (!found.publicKey) return { result: found.result, reason: found.reason }
  const verdict = verdictByKey(signature, found, fields, now)
  // RFC 6376 §3.6.1, `t=y`: while a domain tests DKIM, a failed signature counts as none.
  if (found.isTest && verdict.result !== 'pass') return { result: 'neutral', reason: 'the domain is testing DKIM' }
  return verdict
}

function verdictByKey(signature: SignatureField, key: PublicKey, fields: HeaderField[], now: number): Verdict {
  const { domain, identity, keyType, value, expiresAt } = signature
  if (key.keyType !== keyType) return { result: 'neutral', reason: 'inappropriate key algorithm' }
  if (key.isStrict && identity && identity.domain !== domain.toLowerCase())
    return { result: 'neutral', reason: 'domain mismatch' }
  const octets = signedOctets(signature, fields)
  if (!isSignedBy(key, octets, value)) return { result: 'fail', reason: 'bad signature' }
  if (expiresAt !== undefined && expiresAt * SECOND < now) return { result: 'neutral', reason: 'expired' }
  return { result: 'pass' }
}

/** RFC 6376 §3.7: the covered fields, and its own without its value and without a CRLF. */
function signedOctets({ field, names, headerForm }: SignatureField, fields: HeaderField[]): Buffer {
  const canonical = headerForm === 'relaxed' ? relaxedField : ({ text }: HeaderField): string => text
  let octets = ''
  for (const covered of selectFields(fields, names)) octets += `${canonical(covered)}\r\n`
  octets += canonical(withoutSignature(field))
  return Buffer.from(octets, 'latin1')
}

/** Local policy on a verified signature (RFC 6376 §6.3). */
function underPolicy({ signature, body }: Check, verdict: Verdict, now: number): Verdict {
  if (verdict.result !== 'pass') return verdict
  // RFC 6376 §8.2: octets beyond `l=` may have been appended by anyone.
  if (body && body.length > signature.maxLength) return { result: 'policy', reason: 'part of the body is not signed' }
  // RFC 6376 §3.5: a verifier may ignore signatures from the future.
  if ((signature.signedAt ?? 0) * SECOND > now + MAX_CLOCK_SKEW_MS)
    return { result: 'policy', reason: 'signed in the future' }
  return verdict
}

/** RFC 6854 §2.1: including those of a group. */
function addressesOf(field: HeaderField): string[] {
  return addressparser(utf8(valueOf(field)), { flatten: true }).flatMap(({ address }) => address || [])
}
