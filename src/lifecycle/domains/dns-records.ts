/** DNS records of a custom domain: its ownership record, and those for mail. */
import type { DkimKeyInfo } from '../../authentication/keys.js'
import type { Config } from '../../config/schema.js'
import { LookupError, type Resolver } from '../../dns/types.js'
import { oneLine } from '../../lib/text.js'
import { checkRecords } from '../../publish/check.js'
import { domainRecords } from '../../publish/records.js'
import type { PublishedRecord } from '../../publish/types.js'
import type { OwnDomain } from './record.js'

export interface DomainRecord {
  purpose: 'ownership' | 'mx' | 'spf' | 'dkim' | 'dmarc'
  name: string
  type: 'TXT' | 'MX'
  value: string
  about: string
}

export interface CheckedRecord extends DomainRecord {
  /** `unknown`: DNS gives no answer now, or was not asked. */
  state: 'ok' | 'missing' | 'differs' | 'unknown'
  /** Record found instead, or a warning. */
  found: string | null
}

/** Label of the ownership record. */
const PROOF_LABEL = '_restante'
const PROOF = 'restante-verification='
const MAX_FOUND_CHARS = 200

export function proofOf({ domain, token }: OwnDomain): DomainRecord {
  return {
    purpose: 'ownership',
    name: `${PROOF_LABEL}.${domain}`,
    type: 'TXT',
    value: `${PROOF}${token}`,
    about: 'Proves that the domain is yours. Keep it: it is checked every day.',
  }
}

export async function checkProof(resolver: Pick<Resolver, 'txt'>, own: OwnDomain): Promise<CheckedRecord> {
  const record = proofOf(own)
  try {
    const texts = await resolver.txt(record.name)
    if (texts.some((text) => text.trim() === record.value)) return { ...record, state: 'ok', found: null }
    return { ...record, state: 'differs', found: oneLine(texts.join(' | ')).slice(0, MAX_FOUND_CHARS) }
  } catch (error) {
    if (!(error instanceof LookupError)) throw error
    return error.failure === 'temporary'
      ? { ...record, state: 'unknown', found: 'DNS gives no answer now.' }
      : { ...record, state: 'missing', found: null }
  }
}

export function mailRecords(config: Config, domain: string, keys: readonly DkimKeyInfo[]): DomainRecord[] {
  return published(config, domain, keys).map(({ record, purpose }) => plain(record, purpose))
}

export async function checkMailRecords(
  config: Config,
  resolver: Resolver,
  domain: string,
  keys: readonly DkimKeyInfo[],
): Promise<CheckedRecord[]> {
  const wanted = published(config, domain, keys)
  const checks = await checkRecords(
    { config, resolver },
    wanted.map(({ record }) => record),
  )
  return wanted.map(({ record, purpose }, i) => {
    const check = checks[i]
    return { ...plain(record, purpose), state: check?.result ?? 'unknown', found: check?.note ?? null }
  })
}

const PURPOSES = ['mx', 'spf', 'dkim', 'dmarc'] as const

/** Records of a server's domain that an account can set too, without report addresses, since it may have no postmaster@. */
function published(config: Config, domain: string, keys: readonly DkimKeyInfo[]) {
  return domainRecords(config, domain, keys).flatMap((record) => {
    const purpose = PURPOSES.find((each) => each === record.kind)
    if (purpose === undefined) return []
    return [{ purpose, record: purpose === 'dmarc' ? { ...record, value: 'v=DMARC1; p=quarantine' } : record }]
  })
}

function plain({ name, type, value, about }: PublishedRecord, purpose: DomainRecord['purpose']): DomainRecord {
  if (value === null || (type !== 'TXT' && type !== 'MX')) throw new Error(`${type} ${name} is no record of a domain`)
  return { purpose, name, type, value, about }
}
