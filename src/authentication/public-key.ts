/** Public keys in DNS, as verifiers read them (RFC 6376 §3.6.1 and §6.1.2, RFC 8463 §4, RFC 8301 §3.2). */
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import type { DNSResolver } from 'mailauth'
import type { Resolver } from '../dns/types.js'
import type { Clock } from '../lib/clock.js'
import { createKept } from './kept.js'
import { isAbsence } from './library-resolver.js'
import { itemsOf, parseTagList } from './tag-list.js'

export type KeyType = 'rsa' | 'ed25519'

export interface PublicKey {
  publicKey: KeyObject
  keyType: KeyType
  /** `t=y`. */
  isTest: boolean
  /** `t=s`: `i=` of a signature must not be a sub-domain of `d=`. */
  isStrict: boolean
}

export interface NoKey {
  publicKey?: undefined
  /** The result of a signature that needs this key. */
  result: 'neutral' | 'policy' | 'temperror'
  reason: string
}

/** Never throws for any content of DNS. */
export type KeyLookup = (name: string, type: KeyType, lookUp: DNSResolver) => Promise<PublicKey | NoKey>

const MIN_RSA_BITS = 1024
/** Larger keys are made to keep verifiers busy; in practice the exponent is 65537. */
const MAX_RSA_BITS = 8192
const MAX_RSA_EXPONENT = 2n ** 32n
const MAX_KEYS = 5000
const KEY_BYTES = 4000
/** RFC 8410 §4: prefix of the 32 octets of a key in its SubjectPublicKeyInfo. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const ED25519_BYTES = 32
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/
const DER_SEQUENCE = 0x30
const DER_INTEGER = 0x02

export function createKeyLookup(resolver: Pick<Resolver, 'keptUntil'>, clock: Clock): KeyLookup {
  const kept = createKept<PublicKey | NoKey>({ resolver, clock, maxEntries: MAX_KEYS, bytes: KEY_BYTES })
  return (name, type, lookUp) =>
    kept(`${type} ${name.toLowerCase()}`, lookUp, async (ask) => {
      try {
        return readKeyRecord(recordOf(await ask(name, 'TXT'), type))
      } catch (error) {
        if (isAbsence(error)) return noKey('no key')
        if (!(error instanceof Error && 'code' in error)) throw error
        return noKey('the key could not be looked up', 'temperror')
      }
    })
}

/** RFC 6376 §3.6.2.2 leaves several records undefined. Servers return them in changing order: a key of the signature's algorithm is preferred. */
function recordOf(answer: string[] | string[][], type: KeyType): string {
  const records = answer.map((record) => [record].flat().join(''))
  if (records.length < 2) return records[0] ?? ''
  const isKeyOf = (record: string): boolean => {
    const { tags } = parseTagList(record)
    return tags.has('p') && (tags.get('k') ?? 'rsa').toLowerCase() === type
  }
  return records.find(isKeyOf) ?? records[0] ?? ''
}

function readKeyRecord(record: string): PublicKey | NoKey {
  const { tags, problem } = parseTagList(record.replace(/\s+/g, ''))
  const text = tags.get('p') ?? ''
  // An empty `p=` means that the key was revoked.
  if (problem !== undefined || text === '' || !BASE64.test(text)) return noKey('invalid public key')
  const version = tags.get('v')
  if (version !== undefined && (version !== 'DKIM1' || [...tags.keys()][0] !== 'v')) return noKey('unknown key version')
  const services = itemsOf(tags.get('s') ?? '*')
  if (!services.includes('*') && !services.includes('email')) return noKey('key not for email')
  if (!itemsOf(tags.get('h') ?? 'sha256').includes('sha256')) return noKey('inappropriate hash algorithm')
  const type = (tags.get('k') ?? '').toLowerCase() || 'rsa'
  const octets = Buffer.from(text, 'base64')
  const publicKey = publicKeyOf(octets, type)
  if ((type !== 'rsa' && type !== 'ed25519') || publicKey?.asymmetricKeyType !== type) return noKey('unknown key type')
  // RFC 8463 §4: the bare key without any structure.
  if (type === 'ed25519' && octets.length !== ED25519_BYTES) return noKey('invalid public key')
  const { modulusLength = 0, publicExponent = 0n } = publicKey.asymmetricKeyDetails ?? {}
  if (type === 'rsa' && modulusLength < MIN_RSA_BITS) return noKey('weak-key', 'policy')
  if (modulusLength > MAX_RSA_BITS || publicExponent > MAX_RSA_EXPONENT) return noKey('invalid public key')
  const flags = itemsOf(tags.get('t') ?? '')
  return { publicKey, keyType: type, isTest: flags.includes('y'), isStrict: flags.includes('s') }
}

function noKey(reason: string, result: NoKey['result'] = 'neutral'): NoKey {
  return { result, reason }
}

/** @param signature in base64 */
export function isSignedBy({ publicKey, keyType }: PublicKey, octets: Buffer, signature: string): boolean {
  const value = Buffer.from(signature, 'base64')
  if (keyType === 'rsa') return verify('sha256', octets, publicKey, value)
  // RFC 8463 §3: over the SHA-256 of the signed octets.
  return verify(null, createHash('sha256').update(octets).digest(), publicKey, value)
}

/**
 * @param octets a bare Ed25519 key, a bare RSAPublicKey as in RFC 6376 §3.6.1, or the SubjectPublicKeyInfo that is published in practice
 * @returns undefined for anything else
 */
export function publicKeyOf(octets: Buffer, type: string): KeyObject | undefined {
  const isBare = type === 'ed25519' && octets.length === ED25519_BYTES
  const key = isBare ? Buffer.concat([ED25519_PREFIX, octets]) : octets
  try {
    return createPublicKey({ key, format: 'der', type: isBareRsaKey(key) ? 'pkcs1' : 'spki' })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return undefined
  }
}

/** True for a sequence that begins with a number; a SubjectPublicKeyInfo begins with another sequence. */
function isBareRsaKey(der: Buffer): boolean {
  const [tag, length = 0] = der
  return tag === DER_SEQUENCE && der[length < 0x80 ? 2 : 2 + (length & 0x7f)] === DER_INTEGER
}
