/**
 * Counts DMARC results of incoming mail by UTC day, policy and source, for the next day's reports (RFC 9990 §3.1). Layout in daily-counts.ts. Only domains,
 * client address and results are counted.
 *
 * Senders choose the domains, so a day's size is limited in total, per policy, and per organization.
 */
import type { DmarcEvidence } from '../../authentication/types.js'
import type { Clock } from '../../lib/clock.js'
import { sha256Hex } from '../../lib/ids.js'
import { asciiOnly } from '../../lib/text.js'
import type { Log } from '../../observe/log.js'
import { organizationalDomain } from '../../authentication/alignment.js'
import { decode, encode, key } from '../../store/keys.js'
import type { Store, Transaction } from '../../store/types.js'
import { createDailyCounts, domainKey, rowKey, rowsRange, type DayRow } from './daily-counts.js'

export interface DmarcResult extends DmarcEvidence {
  ip: string
  /** Domain of the reverse-path, '' for the null sender. */
  envelopeFrom: string
  disposition: 'none' | 'quarantine' | 'reject'
  /** The policy was not fully applied. */
  override: boolean
}

export type DmarcResults = Pick<DmarcCounts, 'record'>

export type DmarcRow = Omit<DmarcResult, 'policyDomain' | 'record'>

export interface PolicyCounts {
  record: string
  rows: { row: DmarcRow; count: number }[]
  /** Messages beyond the limit of rows. */
  leftOut: number
}

export type DmarcCounts = ReturnType<typeof createDmarcCounts>

interface Domain {
  record: string
  rows: number
  leftOut: number
}

interface Share {
  domains: number
  rows: number
}

const MAX_ROWS_A_DAY = 50_000
const MAX_ROWS = 1000
const MAX_ROWS_OF_ONE = 2000
const MAX_DOMAINS_OF_ONE = 50
const MAX_DOMAINS_A_DAY = 10_000
const MAX_DOMAIN_CHARS = 253
const MAX_RECORD_CHARS = 1000

const shareKey = (organisation: string): Uint8Array => key('organisation', organisation)

export function createDmarcCounts({
  isLocalDomain,
  ...deps
}: {
  store: Store
  clock: Clock
  isLocalDomain: (domain: string) => boolean
  log: Pick<Log, 'warn' | 'error'>
}) {
  const { add, read, ...daily } = createDailyCounts<DmarcResult>({
    ...deps,
    name: 'dmarc-results',
    what: 'results of DMARC',
    async put(tx, day, policyDomain, collected) {
      const shareBytes = await tx.get(shareKey(organizationalDomain(policyDomain)))
      const share: Share = shareBytes ? decode(shareBytes) : { domains: 0, rows: 0 }
      const stored = await tx.get(domainKey(policyDomain))
      if (!stored && (day.domains >= MAX_DOMAINS_A_DAY || share.domains >= MAX_DOMAINS_OF_ONE)) return
      if (!stored) {
        day.domains++
        share.domains++
      }
      const domain: Domain = stored ? decode(stored) : { record: '', rows: 0, leftOut: 0 }
      for (const { item, count } of collected) {
        domain.record = item.record
        if (!(await addRow(tx, policyDomain, rowOf(item), count, { day, share, domain }))) domain.leftOut += count
      }
      tx.put(domainKey(policyDomain), encode(domain))
      tx.put(shareKey(organizationalDomain(policyDomain)), encode(share))
    },
  })

  return {
    ...daily,
    /** Once per message with a final reply. Never throws. */
    record(given: DmarcResult): void {
      const result = bounded(given)
      // Results of our own domains are reported to nobody.
      if (!isLocalDomain(result.policyDomain) && !isLocalDomain(result.headerFrom)) add(result.policyDomain, result)
    },
    counts: (day: string, policyDomain: string): Promise<PolicyCounts | undefined> =>
      read(day, async (view) => {
        const bytes = await view.get(domainKey(policyDomain))
        if (!bytes) return undefined
        const { record, leftOut } = decode<Domain>(bytes)
        const rows = await view.range({ ...rowsRange(policyDomain), limit: MAX_ROWS })
        return { record, leftOut, rows: rows.map(([, value]) => decode<PolicyCounts['rows'][number]>(value)) }
      }),
  }
}

/** False if there is no room for another row. */
async function addRow(
  tx: Transaction,
  policyDomain: string,
  row: DmarcRow,
  count: number,
  { day, share, domain }: { day: DayRow; share: Share; domain: Domain },
): Promise<boolean> {
  const at = rowKey(policyDomain, sha256Hex(JSON.stringify(row)).slice(0, 20))
  const before = await tx.get(at)
  if (!before) {
    const rows = day.rows ?? 0
    if (rows >= MAX_ROWS_A_DAY || domain.rows >= MAX_ROWS || share.rows >= MAX_ROWS_OF_ONE) return false
    day.rows = rows + 1
    domain.rows++
    share.rows++
  }
  const counted = before ? decode<PolicyCounts['rows'][number]>(before).count : 0
  tx.put(at, encode({ row, count: counted + count }))
  return true
}

function rowOf({ policyDomain: _policyDomain, record: _record, ...row }: DmarcResult): DmarcRow {
  return row
}

/** Fixed property order: equal results have equal texts. */
function bounded(given: DmarcResult): DmarcResult {
  const name = (text: string): string => asciiOnly(text, MAX_DOMAIN_CHARS).toLowerCase()
  const { spf, dkim } = given
  return {
    policyDomain: name(given.policyDomain),
    record: asciiOnly(given.record, MAX_RECORD_CHARS),
    ip: given.ip,
    headerFrom: name(given.headerFrom),
    envelopeFrom: name(given.envelopeFrom),
    disposition: given.disposition,
    override: given.override,
    dkimAligned: given.dkimAligned,
    spfAligned: given.spfAligned,
    spf: { domain: name(spf.domain), result: spf.result, scope: spf.scope },
    dkim: dkim.map(({ domain, selector, result }) => ({ domain: name(domain), selector: name(selector), result })),
  }
}
