/** `restante reports …`: DMARC and TLS reports received about our domains. */
import type { z } from 'zod'
import { reportListSchema, shownReportSchema } from '../../../admin/reports.js'
import { summarySchema, type Summary } from '../../../reporting/received/summary.js'
import type { DmarcRow, KeptReport, TlsFailure } from '../../../reporting/received/types.js'
import { askDaemon, queryOf } from '../../terminal/admin.js'
import { domainArgument, numberOption } from '../../terminal/arguments.js'
import { defineCommand, type Invocation } from '../../terminal/command.js'
import { json, optionalTable, printable, printList, type Cell } from '../../terminal/output.js'
import { count } from '../../terminal/words.js'

const MAX_LIMIT = 500
const DEFAULT_DAYS = 7
const MAX_DAYS = 400
const ABOUT_DOMAIN = { domain: 'only what is about this domain of ours' }

const summary = defineCommand({
  usage: 'reports',
  options: ['days', 'domain', 'json'],
  abouts: ABOUT_DOMAIN,
  summary: 'summarize DMARC and TLS reports about our domains',
  about:
    'Asks the running daemon. Other servers send reports to dmarc-reports@ and tls-reports@ of each domain, mostly once a day ("restante dns" prints the records\nthat ask for them); only those with a sender verified by DMARC or DKIM are read. For each domain: how much mail in its name passed, where it came from (this server\nfirst), how to fix what failed, and TLS failures on the way here. See docs/reports.md.',
  examples: [
    'restante reports',
    'restante reports --days 30 --domain example.com',
    `restante reports --json | jq -r '.dmarc[].sources[] | select(.own and .failed > 0) | .hint'`,
  ],
  async run(invocation) {
    const { options, config, print, note } = invocation
    const days = numberOption(invocation, 'days', MAX_DAYS, DEFAULT_DAYS)
    const query = queryOf({ days: String(days), domain: domainOption(invocation) })
    const found = await askDaemon(config(), 'GET', `/reports/summary?${query}`, summarySchema)
    if (options.json) print(json(found))
    else if (found.reports === 0)
      note(
        `No report covers the last ${count(found.days, 'day')}. Reports come once others get mail from here and the records of "restante dns" are published.`,
      )
    else print(describe(found))
  },
})

const list = defineCommand({
  usage: 'reports list',
  options: ['domain', 'limit', 'json'],
  abouts: ABOUT_DOMAIN,
  summary: 'list received reports about our domains',
  about:
    'Asks the running daemon. Sorted by the day they end on, newest first. They are kept for retention.reports_days.',
  examples: ['restante reports list', 'restante reports list --domain example.com --limit 20'],
  async run(invocation) {
    const { config, note } = invocation
    const limit = String(numberOption(invocation, 'limit', MAX_LIMIT))
    const query = queryOf({ domain: domainOption(invocation), limit })
    const { data, has_more: more } = await askDaemon(config(), 'GET', `/reports?${query}`, reportListSchema)
    const head = ['DAY', 'KIND', 'DOMAIN', 'REPORTER', 'GOOD', 'BAD', 'ID']
    printList(invocation, data, head, listed, 'There is no report.')
    if (more) note('There are more: a larger --limit shows them.')
  },
})

const show = defineCommand({
  usage: 'reports show ID',
  options: ['json'],
  summary: 'show one received report with its rows',
  about:
    'Asks the running daemon for one report: its sender and how that is proven, its subject, and its rows, failures first.',
  examples: ['restante reports show rep_20261121_0123456789abcdef'],
  async run({ args: [id = ''], options, config, print }) {
    const shown = await askDaemon(config(), 'GET', `/reports/${encodeURIComponent(id)}`, shownReportSchema)
    print(options.json ? json(shown) : shownReport(shown))
  },
})

export const commands = [summary, list, show]

function describe({ days, reports, dmarc, tls }: Summary): string {
  const blocks = [`${count(reports, 'report')} on the last ${count(days, 'day')}`]
  for (const one of dmarc) {
    const head = `DMARC of ${one.domain}: ${count(one.messages, 'message')}, ${one.passed} passed, ${one.failed} failed (${one.quarantined} quarantined, ${one.rejected} refused); policy ${one.policy ?? 'unknown'}; reported by ${one.reporters.join(', ')}`
    const rows = one.sources.map((source) => [
      source.ip,
      source.own ? 'this server' : (source.signed_by[0] ?? source.spf_domains[0] ?? ''),
      source.messages,
      source.passed,
      source.failed,
      source.dkim_passed,
      source.spf_passed,
    ])
    blocks.push(
      printable(head),
      ...optionalTable(['SOURCE', 'WHO', 'MESSAGES', 'PASSED', 'FAILED', 'DKIM', 'SPF'], rows),
      ...(one.sources_left_out > 0 ? [`and ${count(one.sources_left_out, 'further source')}`] : []),
      ...one.sources.flatMap(({ ip, hint }) => (hint === null ? [] : [printable(`${ip}: ${hint}`)])),
    )
  }
  for (const one of tls) {
    const head = `TLS to ${one.domain}: ${count(one.sessions_ok, 'session')} good, ${one.sessions_failed} failed; reported by ${one.reporters.join(', ')}`
    blocks.push(
      printable(head),
      ...one.failures.map(({ type, sessions, mx, meaning }) =>
        printable(`${type}, ${count(sessions, 'session')}${mx.length > 0 ? `, at ${mx.join(', ')}` : ''}: ${meaning}`),
      ),
    )
  }
  return blocks.join('\n')
}

function listed(report: KeptReport): Cell[] {
  const [good, bad] =
    report.kind === 'dmarc' ? [report.passed, report.failed] : [report.sessions_ok, report.sessions_failed]
  return [report.end.slice(0, 10), report.kind, report.domain, report.reporter, good, bad, report.id]
}

function shownReport({ report, rows }: z.infer<typeof shownReportSchema>): string {
  const head = [
    `${report.id}: ${report.kind === 'dmarc' ? 'DMARC' : 'TLS'} of ${report.domain}`,
    `from ${report.reporter} (proven by ${report.proven_by.toUpperCase()}), which calls itself ${report.org_name || 'nothing'}${report.contact === null ? '' : `, ${report.contact}`}`,
    `report ${report.report_id}, from ${report.begin} to ${report.end}, received ${report.received_at} in ${report.message_id}`,
    report.kind === 'dmarc'
      ? `${count(report.messages, 'message')}: ${report.passed} passed, ${report.failed} failed (${report.quarantined} quarantined, ${report.rejected} refused); policy p=${report.policy.p ?? '?'} sp=${report.policy.sp ?? '?'}`
      : `${count(report.sessions_ok, 'session')} good, ${report.sessions_failed} failed`,
  ].map(printable)
  const dmarc = rows.filter((row): row is DmarcRow => 'source_ip' in row)
  const tls = rows.filter((row): row is TlsFailure => 'type' in row)
  return [
    ...head,
    ...optionalTable(['SOURCE', 'COUNT', 'DONE', 'DKIM', 'SPF', 'FROM', 'SIGNED BY', 'WHY'], dmarc.map(dmarcRow)),
    ...optionalTable(
      ['FAILURE', 'COUNT', 'MX', 'FROM', 'DETAIL'],
      tls.map((row) => [row.type, row.count, row.mx, row.sending_ip, row.detail]),
    ),
    ...(report.rows_left_out > 0 ? [`${count(report.rows_left_out, 'further row')} are in the totals alone`] : []),
  ].join('\n')
}

function dmarcRow(row: DmarcRow): Cell[] {
  const signed = row.dkim_results.map(({ domain, result }) => `${domain} ${result}`).join(', ')
  const { source_ip, count: n, disposition, dkim, spf, header_from, reasons } = row
  return [source_ip, n, disposition, dkim, spf, header_from, signed, reasons.join(', ')]
}

function domainOption(invocation: Invocation): string | undefined {
  const { domain } = invocation.options
  return domain === undefined ? undefined : domainArgument(invocation, domain, 'example.com')
}
