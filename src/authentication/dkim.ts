/**
 * Checking the signatures of a message (RFC 6376, RFC 8463, RFC 8617).
 *
 * The judgement is mailauth's; what surrounds it is ours, because of what it costs. Its stream looks at each octet of the header
 * by itself and joins folded lines in quadratic time (seconds for a header of 256 KiB made of folds), and it parses each key
 * twice a signature, which takes longer than all the rest. So the message is taken apart here, and parsed keys are kept.
 */
import { createPublicKey } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { arc, type DKIMResult, type DNSResolver } from 'mailauth'
import { DkimVerifier, type KeyCache, type KeyOptions } from 'mailauth/lib/dkim/dkim-verifier.js'
import { getPublicKey } from 'mailauth/lib/tools.js'
import { createCache } from '../dns/cache.js'
import { DAY, systemClock } from '../lib/clock.js'
import type { HeaderField } from './canonical.js'

export interface CheckedSignatures {
  /** One for each signature, in the order of the message. */
  results: DKIMResult[]
  /** Addresses of all From fields. */
  fromAddresses: string[]
  fromFields: number
  arc: 'none' | 'pass' | 'fail'
}

const MAX_SIGNATURES = 10
/** RFC 8617 allows 50 sets, and each seal covers all sets before it. Nothing is decided by ARC, so longer chains just fail. */
const MAX_ARC_FIELDS = 3 * 20
const MIN_RSA_BITS = 1024
/** Keys past these are made to keep verifiers busy; in practice the exponent is 65537. */
const MAX_RSA_BITS = 8192
const MAX_RSA_EXPONENT = 2n ** 32n
/** Of fields that are parsed: one From field of 256 KiB can keep an address parser busy for most of a second. */
const MAX_PARSED_FIELD_BYTES = 16 * 1024
const SLICE_BYTES = 64 * 1024
const MAX_KEYS = 5000
const KEY_BYTES = 4000
const ARC_FIELDS = new Set(['arc-seal', 'arc-message-signature', 'arc-authentication-results'])

/** @returns a function that checks a message, given the fields of its header and its body */
export function createSignatureCheck(
  resolver: DNSResolver,
): (fields: HeaderField[], body: Buffer) => Promise<CheckedSignatures> {
  const options = { resolver, minBitLength: MIN_RSA_BITS, strict: true }
  const keys = keepParsedKeys(resolver)

  return async (fields, body) => {
    const arcFields = fields.filter(({ name }) => ARC_FIELDS.has(name))
    const chainTooLong = arcFields.length > MAX_ARC_FIELDS || arcFields.some(isTooLong)
    const checked = withinLimits(fields, chainTooLong)
    const verifier = new DkimVerifier(options)
    verifier.keyCache = keys
    verifier.arc.keyCache = keys
    await verifier.messageHeaders({ parsed: checked.map(row), original: Buffer.alloc(0) })
    const { headerFrom: fromAddresses, fromFields } = verifier
    const isSigned = checked.some(({ name }) => name === 'dkim-signature' || ARC_FIELDS.has(name))
    if (!isSigned) return { results: [], fromAddresses, fromFields, arc: chainTooLong ? 'fail' : 'none' }

    for (let from = 0; from < body.length; from += SLICE_BYTES) {
      if (from > 0) await nextTurn()
      const slice = body.subarray(from, from + SLICE_BYTES)
      for (const part of verifier.ensureLinebreaks(slice)) await verifier.nextChunk(part)
    }
    await verifier.finalChunk()
    return {
      // A message without signatures is reported as one result `none`.
      results: verifier.results.filter(({ status }) => status.result !== 'none'),
      fromAddresses,
      fromFields,
      arc: chainTooLong ? 'fail' : arcFields.length > 0 ? await checkChain(verifier, options) : 'none',
    }
  }
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
function keepParsedKeys(resolver: DNSResolver): KeyCache {
  const parsed = createCache<object>({ clock: systemClock, maxEntries: MAX_KEYS, maxBytes: MAX_KEYS * KEY_BYTES })
  return {
    resolver,
    get(type, name, minBitLength, options) {
      const key = parsedKey(type, name, minBitLength, options)
      // The keys of a whole chain are asked for ahead, and not all are waited for. Who waits still gets the error.
      key.catch(() => undefined)
      return key
    },
  }

  async function parsedKey(type: string, name: string, minBitLength: number, options: KeyOptions): Promise<object> {
    const answer = await resolver(name, 'TXT')
    const cacheKey = `${options.hashAlgo ?? ''} ${[answer[0]].flat().join('')}`
    const kept = parsed.get(cacheKey)
    if (kept) return kept
    const key = await getPublicKey(type, name, minBitLength, async () => answer, options)
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
