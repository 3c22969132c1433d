/** Parses TLS reports (RFC 8460 §4.4). */
import { z } from 'zod'
import { addressOf, countOf, domainOfReport, textOf } from './fields.js'
import { Refused, type TlsFailure, type TlsReport } from './types.js'

const MAX_POLICIES = 100
const MAX_DETAILS = 1000
const MAX_ROWS = 200

const anything = z.unknown().optional()
/** Requires only what is needed; reporters omit much of the standard. */
const schema = z.object({
  'organization-name': anything,
  'date-range': z.object({ 'start-datetime': z.string(), 'end-datetime': z.string() }),
  'contact-info': anything,
  'report-id': anything,
  policies: z.array(
    z.object({
      policy: z.object({ 'policy-type': anything, 'policy-domain': anything }),
      summary: z.object({ 'total-successful-session-count': anything, 'total-failure-session-count': anything }),
      'failure-details': z.array(z.record(z.string(), z.unknown())).nullish().catch(null),
    }),
  ),
})

/** @throws Refused */
export function readTlsJson(text: string): TlsReport {
  const { success, data: found } = schema.safeParse(parsed(text))
  if (!success || found.policies.length === 0) throw new Refused('no_report')
  if (found.policies.length > MAX_POLICIES) throw new Refused('too_many_records')
  const begin = secondsAt(found['date-range']['start-datetime'])
  const end = secondsAt(found['date-range']['end-datetime'])
  if (begin === null || end === null) throw new Refused('bad_dates')
  // A report is about one domain; the standard would allow several.
  const domains = new Set(found.policies.map(({ policy }) => domainOfReport(policy['policy-domain'])))
  const [domain] = domains
  if (domain === undefined || domain === null || domains.size > 1) throw new Refused('broken')

  const policies = found.policies.map(({ policy, summary }) => {
    const [ok, failed] = [summary['total-successful-session-count'], summary['total-failure-session-count']].map(
      countOf,
    )
    if (ok === undefined || ok === null || failed === undefined || failed === null) throw new Refused('broken')
    return { type: textOf(policy['policy-type'], 40) ?? 'no-policy-found', ok, failed }
  })
  const details = found.policies.flatMap(({ 'failure-details': one }) => one ?? [])
  const rows = details.slice(0, MAX_DETAILS).flatMap((one) => failureOf(one) ?? [])
  const sum = (name: 'ok' | 'failed'): number => policies.reduce((all, one) => all + one[name], 0)
  return {
    kind: 'tls',
    org_name: textOf(found['organization-name']) ?? '',
    contact: textOf(found['contact-info']),
    report_id: textOf(found['report-id']) ?? `${begin}-${end}`,
    begin,
    end,
    domain,
    policies,
    sessions_ok: sum('ok'),
    sessions_failed: sum('failed'),
    rows: rows.sort((a, b) => b.count - a.count).slice(0, MAX_ROWS),
    rows_left_out: details.length - Math.min(rows.length, MAX_ROWS),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refused('broken')
    throw error
  }
}

function secondsAt(text: string): number | null {
  const ms = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000)
}

function failureOf(found: Record<string, unknown>): TlsFailure | undefined {
  const type = textOf(found['result-type'], 60)
  const count = countOf(found['failed-session-count'])
  if (type === null || count === null) return undefined
  return {
    type,
    count,
    mx: domainOfReport(found['receiving-mx-hostname']),
    sending_ip: addressOf(found['sending-mta-ip']),
    receiving_ip: addressOf(found['receiving-ip']),
    detail: textOf(found['failure-reason-code']) ?? textOf(found['additional-information']),
  }
}
