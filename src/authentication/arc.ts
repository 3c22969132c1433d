/**
 * Verifies ARC chains (RFC 8617 §5.2). mailauth judges the structure and the seals; the newest message signature is checked like DKIM (dkim.ts), with
 * the same look-up and cache of keys.
 */
import type { ARCChainEntry, DNSResolver } from 'mailauth'
import { getARChain, verifyASChain } from 'mailauth/lib/arc/index.js'
import { valueOf, type HeaderField } from './canonical.js'
import type { KeyLookup, PublicKey } from './public-key.js'
import { MAX_READ_BYTES, readSignature, type SignatureField } from './signature-field.js'
import { parseTagList } from './tag-list.js'

export type Chain = { state: 'none' | 'fail' } | { state: 'whole'; sets: ARCChainEntry[]; newest: SignatureField }

/** RFC 8617 allows 50 sets, and each seal covers all sets before it. No verdict depends on ARC, so longer chains just fail. */
const MAX_FIELDS = 3 * 20
const MESSAGE_SIGNATURE = 'arc-message-signature'
const FIELDS = new Set(['arc-seal', MESSAGE_SIGNATURE, 'arc-authentication-results'])

export function readChain(fields: HeaderField[]): Chain {
  const own = fields.filter(({ name }) => FIELDS.has(name))
  if (own.length === 0) return { state: 'none' }
  if (own.length > MAX_FIELDS || own.some(({ text }) => text.length > MAX_READ_BYTES)) return { state: 'fail' }
  let sets: ARCChainEntry[] | false
  try {
    const parsed = own.map(({ name, text }) => ({ key: name, line: Buffer.from(text, 'latin1') }))
    sets = getARChain({ parsed }, { strict: true })
  } catch (error) {
    return failed(error)
  }
  const highest = sets ? sets.length : 0
  const newest = own.find(
    (field) => field.name === MESSAGE_SIGNATURE && Number(parseTagList(valueOf(field)).tags.get('i')) === highest,
  )
  return sets && newest ? { state: 'whole', sets, newest: readSignature(newest, 'arc') } : { state: 'fail' }
}

/** RFC 8617 §5.2, steps 2, 3.C and 6: every seal. */
export async function checkSeals(
  { sets, newest }: Extract<Chain, { state: 'whole' }>,
  keyOf: KeyLookup,
  lookUp: DNSResolver,
): Promise<'pass' | 'fail'> {
  const get = (_type: string, name: string): Promise<PublicKey> => {
    const key = keyOf(name, newest.keyType, lookUp).then((found) => {
      if (found.publicKey) return found
      throw Object.assign(new Error(found.reason), { code: 'EINVALIDVAL' })
    })
    // The keys of a whole chain are requested ahead, and not all are awaited. An awaiting caller still gets the error.
    key.catch(() => undefined)
    return key
  }
  const options = { strict: true, resolver: lookUp, keyCache: { get } }
  try {
    return (await verifyASChain({ chain: sets }, options)) ? 'pass' : 'fail'
  } catch (error) {
    return failed(error).state
  }
}

/** The library throws chain faults as errors with a code. */
function failed(error: unknown): { state: 'fail' } {
  if (error instanceof Error && 'code' in error) return { state: 'fail' }
  throw error
}
