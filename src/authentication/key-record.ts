/** Whether the world can verify what a key signs: its record in DNS, held against the key itself (RFC 6376 §3.6.1, RFC 8463 §4). */
import type { KeyObject } from 'node:crypto'
import { LookupError, type Resolver } from '../dns/types.js'
import type { DkimKeyInfo } from './keys.js'
import { publicKeyOf } from './public-key.js'
import { itemsOf, parseTagList, shown } from './tag-list.js'

export interface KeyRecordCheck {
  /**
   * `differs`: a record of another key. `wrong`: no record that verifiers can use. `unknown`: DNS gives no answer now. Only `ok` lets mail
   * signed with the key be verified.
   */
  result: 'ok' | 'missing' | 'differs' | 'wrong' | 'unknown'
  /** What is the matter, when it is not `ok`. */
  problem: string | null
  /** What works and should be looked at all the same. */
  warnings: string[]
}

/** Asks DNS for the record of a key. Never throws for what DNS says. */
export async function checkKeyRecord(resolver: Pick<Resolver, 'txt'>, key: DkimKeyInfo): Promise<KeyRecordCheck> {
  let records: string[]
  try {
    records = await resolver.txt(key.recordName)
  } catch (error) {
    if (!(error instanceof LookupError)) throw error
    if (error.failure === 'temporary') return answer('unknown', `DNS gives no answer now: ${error.message}`)
    return (await isDoubled(resolver, key))
      ? answer('missing', `there is none, but one at ${key.recordName}.${key.domain}: the domain was put in twice`)
      : answer('missing', 'there is no such TXT record')
  }
  const [record = ''] = records
  // RFC 6376 §3.6.2.2: what several records of one name mean is left open.
  if (records.length > 1)
    return answer('wrong', `there are ${records.length} TXT records at this name, and verifiers may take any of them`)
  return compareRecord(record, key)
}

/** A panel that adds the domain by itself, given a name that has it already. */
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
    return answer('wrong', 'it has to begin with v=DKIM1')
  const wantedType = key.algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519'
  const type = tags.get('k') ?? 'rsa'
  if (type.toLowerCase() !== wantedType)
    return answer('wrong', `k=${shown(type)}${tags.has('k') ? '' : ' (as nothing is said)'} has to be k=${wantedType}`)
  if (!itemsOf(tags.get('h') ?? 'sha256').includes('sha256'))
    return answer('wrong', 'h= leaves out sha256, which is what we sign with')
  const services = itemsOf(tags.get('s') ?? '*')
  if (!services.includes('*') && !services.includes('email'))
    return answer('wrong', 's= leaves out email, so the key does not count for mail')
  const text = tags.get('p')
  if (text === undefined) return answer('wrong', 'it has no p=, the key itself')
  const base64 = text.replaceAll(' ', '')
  if (base64 === '') return answer('differs', 'p= is empty: this key is revoked')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 === 1)
    return answer('wrong', 'p= is no base64; a part of it may have been lost')
  const differs = compareKey(Buffer.from(base64, 'base64'), key.publicKey)
  if (differs !== undefined) return differs
  return { result: 'ok', problem: null, warnings: warningsOf(tags, itemsOf(tags.get('t') ?? ''), base64 !== text) }
}

function warningsOf(tags: Map<string, string>, flags: string[], spaced: boolean): string[] {
  return [
    ...(flags.includes('y')
      ? ['t=y says that you are testing: verifiers treat signed mail as if it were unsigned']
      : []),
    ...(tags.has('v') ? [] : ['v=DKIM1 is missing at its beginning; few verifiers mind']),
    ...(spaced ? ['there is white space inside of p=; some verifiers stumble over it'] : []),
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
  if (!found) return answer('wrong', 'p= can not be read as an RSA key; a part of it may have been lost')
  return found.equals(own) ? undefined : answer('differs', 'it is the record of another key')
}

function answer(result: Exclude<KeyRecordCheck['result'], 'ok'>, problem: string): KeyRecordCheck {
  return { result, problem, warnings: [] }
}
