/** Compares a key with its record in DNS, so that others can verify its signatures (RFC 6376 §3.6.1, RFC 8463 §4). */
import type { KeyObject } from 'node:crypto'
import { LookupError, type Resolver } from '../dns/types.js'
import type { DkimKeyInfo } from './keys.js'
import { publicKeyOf } from './public-key.js'
import { itemsOf, parseTagList, shown } from './tag-list.js'

export interface KeyRecordCheck {
  /** `differs`: a record of another key. `wrong`: no usable record. `unknown`: DNS does not respond. Only with `ok` can mail be verified. */
  result: 'ok' | 'missing' | 'differs' | 'wrong' | 'unknown'
  problem: string | null
  warnings: string[]
}

/** Looks up the record of a key. Never throws for any content of DNS. */
export async function checkKeyRecord(resolver: Pick<Resolver, 'txt'>, key: DkimKeyInfo): Promise<KeyRecordCheck> {
  let records: string[]
  try {
    records = await resolver.txt(key.recordName)
  } catch (error) {
    if (!(error instanceof LookupError)) throw error
    if (error.failure === 'temporary') return answer('unknown', `DNS does not respond: ${error.message}`)
    return (await isDoubled(resolver, key))
      ? answer('missing', `there is none, but one at ${key.recordName}.${key.domain}: the domain was entered twice`)
      : answer('missing', 'there is no such TXT record')
  }
  const [record = ''] = records
  // RFC 6376 §3.6.2.2: several records at one name are undefined.
  if (records.length > 1)
    return answer('wrong', `there are ${records.length} TXT records at this name, and verifiers may use any of them`)
  return compareRecord(record, key)
}

/** Detects a DNS panel that appended the domain to a name that already had it. */
async function isDoubled(resolver: Pick<Resolver, 'txt'>, { recordName, domain }: DkimKeyInfo): Promise<boolean> {
  try {
    return (await resolver.txt(`${recordName}.${domain}`)).length > 0
  } catch (error) {
    if (error instanceof LookupError) return false
    throw error
  }
}

/** @param record its text in one piece */
export function compareRecord(record: string, key: Pick<DkimKeyInfo, 'algorithm' | 'publicKey'>): KeyRecordCheck {
  const { tags, problem } = parseTagList(record)
  if (problem !== undefined) return answer('wrong', problem)
  const version = tags.get('v')
  if (version !== undefined && (version !== 'DKIM1' || [...tags.keys()][0] !== 'v'))
    return answer('wrong', 'it must begin with v=DKIM1')
  const wantedType = key.algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519'
  const type = tags.get('k') ?? 'rsa'
  if (type.toLowerCase() !== wantedType)
    return answer('wrong', `k=${shown(type)}${tags.has('k') ? '' : ' (the default)'} must be k=${wantedType}`)
  if (!itemsOf(tags.get('h') ?? 'sha256').includes('sha256'))
    return answer('wrong', 'h= lacks sha256, which our signatures use')
  const services = itemsOf(tags.get('s') ?? '*')
  if (!services.includes('*') && !services.includes('email'))
    return answer('wrong', 's= lacks email, so the key is not valid for mail')
  const text = tags.get('p')
  if (text === undefined) return answer('wrong', 'it has no p=, the key itself')
  const base64 = text.replaceAll(' ', '')
  if (base64 === '') return answer('differs', 'p= is empty: this key is revoked')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 === 1)
    return answer('wrong', 'p= is not base64; a part of it may be missing')
  const differs = compareKey(Buffer.from(base64, 'base64'), key.publicKey)
  if (differs !== undefined) return differs
  return { result: 'ok', problem: null, warnings: warningsOf(tags, itemsOf(tags.get('t') ?? ''), base64 !== text) }
}

function warningsOf(tags: Map<string, string>, flags: string[], spaced: boolean): string[] {
  return [
    ...(flags.includes('y') ? ['t=y declares a test: verifiers treat signed mail as unsigned'] : []),
    ...(tags.has('v') ? [] : ['v=DKIM1 is missing at its beginning; few verifiers require it']),
    ...(spaced ? ['p= contains white space; some verifiers reject it'] : []),
  ]
}

function compareKey(published: Buffer, own: KeyObject): KeyRecordCheck | undefined {
  if (own.asymmetricKeyType === 'ed25519') {
    const bare = own.export({ type: 'spki', format: 'der' }).subarray(-32)
    if (published.equals(bare)) return undefined
    if (published.length !== bare.length)
      return answer('wrong', `p= has ${published.length} octets; the bare Ed25519 key has 32 (RFC 8463 §4)`)
    return answer('differs', 'it is the record of another key')
  }
  const found = publicKeyOf(published, 'rsa')
  if (!found) return answer('wrong', 'p= cannot be read as an RSA key; a part of it may be missing')
  return found.equals(own) ? undefined : answer('differs', 'it is the record of another key')
}

function answer(result: Exclude<KeyRecordCheck['result'], 'ok'>, problem: string): KeyRecordCheck {
  return { result, problem, warnings: [] }
}
