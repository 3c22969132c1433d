/** Summarizes reports by domain and by source of its mail. */
import { z } from 'zod'
import { timestamp } from '../../lib/clock.js'
import { timeSchema } from '../../mailbox/objects/objects.js'
import { isPass } from './fields.js'
import { hintFor, meaningOf } from './hints.js'
import type { DmarcRow, KeptReport, TlsFailure } from './types.js'

export type OwnAddress = (ip: string) => boolean

const names = z.array(z.string()).describe('The first of them')

const sourceSchema = z.object({
  ip: z.string(),
  own: z.boolean().describe('An address of this server'),
  messages: z.int(),
  passed: z.int(),
  failed: z.int(),
  dkim_passed: z.int().describe('With an aligned signature that passed'),
  spf_passed: z.int().describe('With SPF that passed and is aligned'),
  signed_by: names.describe('Domains whose signatures are valid'),
  spf_domains: names.describe('Domains for which SPF passed'),
  header_from: names,
  reasons: names.describe('Why reporters did something else than the policy asks for'),
  hint: z.string().nullable().describe('What it means, and what to do'),
})
export type Source = z.infer<typeof sourceSchema>

const dmarcSchema = z.object({
  domain: z.string(),
  reports: z.int(),
  reporters: names,
  messages: z.int(),
  passed: z.int(),
  failed: z.int(),
  quarantined: z.int(),
  rejected: z.int(),
  policy: z.string().nullable().describe('That of the newest report'),
  sources: z.array(sourceSchema).describe('Our own first, then those that fail most'),
  sources_left_out: z.int(),
})

const tlsSchema = z.object({
  domain: z.string(),
  reports: z.int(),
  reporters: names,
  sessions_ok: z.int(),
  sessions_failed: z.int(),
  failures: z.array(
    z.object({
      type: z.string(),
      sessions: z.int(),
      mx: names,
      reporters: names,
      details: names,
      meaning: z.string().describe('What it means, and what to do'),
    }),
  ),
})

export const summarySchema = z.object({
  days: z.int(),
  since: timeSchema,
  reports: z.int(),
  dmarc: z.array(dmarcSchema),
  tls: z.array(tlsSchema),
})
export type Summary = z.infer<typeof summarySchema>

const MAX_NAMES = 5
const MAX_SOURCES = 10_000
const MAX_SHOWN = 50
const MAX_TYPES = 50

type Dmarc = Summary['dmarc'][number] & { sourcesByIp: Map<string, SourceSum>; newest: string }
type Tls = Summary['tls'][number]
interface SourceSum extends Omit<Source, 'own' | 'hint'> {
  /** Failed messages with an invalid signature of the domain. */
  brokenSignatures: number
}

/** Adds reports one by one; sources beyond the limit of a domain are in its totals only. */
export function summed({ days, since, isOwn }: { days: number; since: number; isOwn: OwnAddress }) {
  const dmarc = new Map<string, Dmarc>()
  const tls = new Map<string, Tls>()
  let reports = 0

  function addDmarc(report: KeptReport & { kind: 'dmarc' }, rows: readonly DmarcRow[]): void {
    const found = dmarc.get(report.domain) ?? emptyDmarc(report.domain)
    dmarc.set(report.domain, found)
    found.reports++
    addName(found.reporters, report.reporter)
    for (const total of ['messages', 'passed', 'failed', 'quarantined', 'rejected'] as const)
      found[total] += report[total]
    if (report.end > found.newest) [found.newest, found.policy] = [report.end, report.policy.p]
    for (const row of rows) {
      const source = found.sourcesByIp.get(row.source_ip) ?? emptySource(row.source_ip)
      if (!found.sourcesByIp.has(row.source_ip) && found.sourcesByIp.size >= MAX_SOURCES) continue
      found.sourcesByIp.set(row.source_ip, source)
      addRow(source, row)
    }
  }

  function addTls(report: KeptReport & { kind: 'tls' }, rows: readonly TlsFailure[]): void {
    const found = tls.get(report.domain) ?? {
      domain: report.domain,
      reports: 0,
      reporters: [],
      sessions_ok: 0,
      sessions_failed: 0,
      failures: [],
    }
    tls.set(report.domain, found)
    found.reports++
    addName(found.reporters, report.reporter)
    found.sessions_ok += report.sessions_ok
    found.sessions_failed += report.sessions_failed
    for (const { type, count, mx, detail } of rows) {
      let failure = found.failures.find((one) => one.type === type)
      if (!failure) {
        if (found.failures.length >= MAX_TYPES) continue
        failure = { type, sessions: 0, mx: [], reporters: [], details: [], meaning: meaningOf(type) }
        found.failures.push(failure)
      }
      failure.sessions += count
      addName(failure.mx, mx)
      addName(failure.reporters, report.reporter)
      addName(failure.details, detail)
    }
  }

  return {
    /** @param rows stored rows of it */
    add(report: KeptReport, rows: readonly (DmarcRow | TlsFailure)[]): void {
      reports++
      if (report.kind === 'dmarc') addDmarc(report, rows.filter(isDmarcRow))
      else addTls(report, rows.filter(isTlsFailure))
    },
    end(): Summary {
      return {
        days,
        since: timestamp(since),
        reports,
        dmarc: [...dmarc.values()].sort(byDomain).map((one) => finished(one, isOwn)),
        tls: [...tls.values()].sort(byDomain).map((one) => ({
          ...one,
          failures: [...one.failures].sort((a, b) => b.sessions - a.sessions),
        })),
      }
    },
  }
}

function isDmarcRow(row: DmarcRow | TlsFailure): row is DmarcRow {
  return 'source_ip' in row
}

function isTlsFailure(row: DmarcRow | TlsFailure): row is TlsFailure {
  return !isDmarcRow(row)
}

function addRow(source: SourceSum, row: DmarcRow): void {
  const passed = isPass(row)
  source.messages += row.count
  if (passed) source.passed += row.count
  else source.failed += row.count
  if (row.dkim === 'pass') source.dkim_passed += row.count
  if (row.spf === 'pass') source.spf_passed += row.count
  if (!passed && row.dkim_results.some(({ domain, result }) => domain === row.header_from && result !== 'none'))
    source.brokenSignatures += row.count
  addName(source.header_from, row.header_from)
  for (const { domain, result } of row.dkim_results) if (result === 'pass') addName(source.signed_by, domain)
  for (const { domain, result } of row.spf_results) if (result === 'pass') addName(source.spf_domains, domain)
  for (const reason of row.reasons) addName(source.reasons, reason)
}

function finished({ sourcesByIp, newest: _newest, ...found }: Dmarc, isOwn: OwnAddress): Summary['dmarc'][number] {
  const sources = [...sourcesByIp.values()].map(({ brokenSignatures, ...source }) => {
    const own = isOwn(source.ip)
    const hint = hintFor({ ...source, own }, { domain: found.domain, brokenSignatures, policy: found.policy })
    return { ...source, own, hint }
  })
  sources.sort((a, b) => Number(b.own) - Number(a.own) || b.failed - a.failed || b.messages - a.messages)
  return { ...found, sources: sources.slice(0, MAX_SHOWN), sources_left_out: Math.max(0, sources.length - MAX_SHOWN) }
}

function emptyDmarc(domain: string): Dmarc {
  const totals = { reports: 0, messages: 0, passed: 0, failed: 0, quarantined: 0, rejected: 0 }
  const lists = { reporters: [], sources: [], sources_left_out: 0 }
  return { domain, ...totals, ...lists, policy: null, sourcesByIp: new Map(), newest: '' }
}

function emptySource(ip: string): SourceSum {
  const counts = { messages: 0, passed: 0, failed: 0, dkim_passed: 0, spf_passed: 0, brokenSignatures: 0 }
  return { ip, ...counts, signed_by: [], spf_domains: [], header_from: [], reasons: [] }
}

function addName(list: string[], name: string | null): void {
  if (name !== null && name !== '' && list.length < MAX_NAMES && !list.includes(name)) list.push(name)
}

function byDomain(a: { domain: string }, b: { domain: string }): number {
  return a.domain < b.domain ? -1 : 1
}
