/** `restante reports …`: DMARC and TLS reports received about our domains. */
import type { z } from 'zod'
import { normalizeDomain } from '../../../config/setting/address.js'
import { reportListSchema, shownReportSchema } from '../../../admin/reports.js'
import { summarySchema, type Summary } from '../../../reporting/received/summary.js'
import type { DmarcRow, KeptReport, TlsFailure } from '../../../reporting/received/types.js'
import { askDaemon } from '../../terminal/admin.js'
import { CommandError, EXIT, type Command } from '../../terminal/command.js'
import { json, printable, table } from '../../terminal/output.js'
import { queryOf } from '../../terminal/query.js'
import { count } from '../../terminal/words.js'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 500
const DEFAULT_DAYS = 7
const MAX_DAYS = 400
const ABOUT_DOMAIN = { domain: 'only what is about this domain of ours' }

const summary: Command = {
  name: 'reports',
  args: [],
  options: ['days', 'domain', 'json'],
  abouts: ABOUT_DOMAIN,
  summary: 'summarize DMARC and TLS reports about our domains',
  about:
    'Asks the running daemon. Other servers send reports to dmarc-reports@ and tls-reports@ of each domain, mostly once a day ("restante dns" prints the records\nthat ask for them); those are read whose sender DMARC or DKIM proves. For each domain: how much mail in its name passed, where it came from (this server\nfirst), how to fix what failed, and TLS failures on the way here. See docs/reports.md.',
  examples: [
    'restante reports',
    'restante reports --days 30 --domain example.com',
    `restante reports --json | jq -r '.dmarc[].sources[] | select(.own and .failed > 0) | .hint'`,
  ],
  async run({ options: { days, domain }, flags, config, print, note }) {
    const query = queryOf({ days: String(asNumber('days', days, DEFAULT_DAYS, MAX_DAYS)), domain: asDomain(domain) })
    const found = await askDaemon(config(), 'GET', `/reports/summary?${query}`, summarySchema)
    if (flags.json) print(json(found))
    else if (found.reports === 0)
      note(
        `No report came that is about the last ${count(found.days, 'day')}. They come once others get mail from here and the records of "restante dns" are published.`,
      )
    else print(describe(found))
    return EXIT.ok
  },
}

const list: Command = {
  name: 'reports list',
  args: [],
  options: ['domain', 'limit', 'json'],
  abouts: ABOUT_DOMAIN,
  summary: 'list received reports about our domains',
  about:
    'Asks the running daemon. Sorted by the day they end on, newest first. They are kept for retention.reports_days.',
  examples: ['restante reports list', 'restante reports list --domain example.com --limit 20'],
  async run({ options: { domain, limit }, flags, config, print, note }) {
    const query = queryOf({
      domain: asDomain(domain),
      limit: String(asNumber('limit', limit, DEFAULT_LIMIT, MAX_LIMIT)),
    })
    const { data, has_more: more } = await askDaemon(config(), 'GET', `/reports?${query}`, reportListSchema)
    if (flags.json) print(json(data))
    else if (data.length === 0) note('There is no report.')
    else print(table(['DAY', 'KIND', 'DOMAIN', 'REPORTER', 'GOOD', 'BAD', 'ID'], data.map(listed)))
    if (more) note('There are more: a larger --limit shows them.')
    return EXIT.ok
  },
}

const show: Command = {
  name: 'reports show',
  args: ['ID'],
  options: ['json'],
  summary: 'show one received report with its rows',
  about:
    'Asks the running daemon for one report: its sender and how that is proven, its subject, and its rows, failures first.',
  examples: ['restante reports show rep_20261121_0123456789abcdef'],
  async run({ args: [id = ''], flags, config, print }) {
    const shown = await askDaemon(config(), 'GET', `/reports/${encodeURIComponent(id)}`, shownReportSchema)
    print(flags.json ? json(shown) : shownReport(shown))
    return EXIT.ok
  },
}

export const reportCommands: readonly Command[] = [summary, list, show]

function describe({ days, reports, dmarc, tls }: Summary): string {
  const blocks = [`${count(reports, 'report')} on the last ${count(days, 'day')}`]
  for (const one of dmarc) {
    const head = `DMARC of ${one.domain}: ${count(one.messages, 'message')}, ${one.passed} passed, ${one.failed} failed (${one.quarantined} put aside, ${one.rejected} refused); policy ${one.policy ?? 'unknown'}; told by ${one.reporters.join(', ')}`
    const rows = one.sources.map((source) => [
      source.ip,
      source.own ? 'this server' : (source.signed_by[0] ?? source.spf_domains[0] ?? ''),
      String(source.messages),
      String(source.passed),
      String(source.failed),
      String(source.dkim_passed),
      String(source.spf_passed),
    ])
    blocks.push(
      printable(head),
      ...(rows.length === 0 ? [] : [table(['SOURCE', 'WHO', 'MESSAGES', 'PASSED', 'FAILED', 'DKIM', 'SPF'], rows)]),
      ...(one.sources_left_out > 0 ? [`and ${count(one.sources_left_out, 'further source')}`] : []),
      ...one.sources.flatMap(({ ip, hint }) => (hint === null ? [] : [printable(`${ip}: ${hint}`)])),
    )
  }
  for (const one of tls) {
    const head = `TLS to ${one.domain}: ${count(one.sessions_ok, 'session')} good, ${one.sessions_failed} failed; told by ${one.reporters.join(', ')}`
    blocks.push(
      printable(head),
      ...one.failures.map(({ type, sessions, mx, meaning }) =>
        printable(`${type}, ${count(sessions, 'session')}${mx.length > 0 ? `, at ${mx.join(', ')}` : ''}: ${meaning}`),
      ),
    )
  }
  return blocks.join('\n')
}

function listed(report: KeptReport): string[] {
  const [good, bad] =
    report.kind === 'dmarc' ? [report.passed, report.failed] : [report.sessions_ok, report.sessions_failed]
  return [report.end.slice(0, 10), report.kind, report.domain, report.reporter, String(good), String(bad), report.id]
}

function shownReport({ report, rows }: z.infer<typeof shownReportSchema>): string {
  const head = [
    `${report.id}: ${report.kind === 'dmarc' ? 'DMARC' : 'TLS'} of ${report.domain}`,
    `from ${report.reporter} (proven by ${report.proven_by.toUpperCase()}), which calls itself ${report.org_name || 'nothing'}${report.contact === null ? '' : `, ${report.contact}`}`,
    `report ${report.report_id}, from ${report.begin} to ${report.end}, received ${report.received_at} in ${report.message_id}`,
    report.kind === 'dmarc'
      ? `${count(report.messages, 'message')}: ${report.passed} passed, ${report.failed} failed (${report.quarantined} put aside, ${report.rejected} refused); policy p=${report.policy.p ?? '?'} sp=${report.policy.sp ?? '?'}`
      : `${count(report.sessions_ok, 'session')} good, ${report.sessions_failed} failed`,
  ].map(printable)
  const dmarc = rows.filter((row): row is DmarcRow => 'source_ip' in row)
  const tls = rows.filter((row): row is TlsFailure => 'type' in row)
  if (dmarc.length > 0)
    head.push(table(['SOURCE', 'COUNT', 'DONE', 'DKIM', 'SPF', 'FROM', 'SIGNED BY', 'WHY'], dmarc.map(dmarcRow)))
  if (tls.length > 0)
    head.push(
      table(
        ['FAILURE', 'COUNT', 'MX', 'FROM', 'DETAIL'],
        tls.map(({ type, count: n, mx, sending_ip: ip, detail }) => [
          type,
          String(n),
          mx ?? '',
          ip ?? '',
          detail ?? '',
        ]),
      ),
    )
  if (report.rows_left_out > 0) head.push(`${count(report.rows_left_out, 'further row')} are in the totals alone`)
  return head.join('\n')
}

function dmarcRow({
  source_ip,
  count: n,
  disposition,
  dkim,
  spf,
  header_from,
  dkim_results,
  reasons,
}: DmarcRow): string[] {
  const signed = dkim_results.map(({ domain, result }) => `${domain} ${result}`).join(', ')
  return [source_ip, String(n), disposition, dkim, spf, header_from, signed, reasons.join(', ')]
}

/** @throws CommandError (usage) */
function asDomain(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const domain = normalizeDomain(text)
  if (domain !== undefined) return domain
  throw new CommandError(EXIT.usage, `"${text}" is no domain; it takes one such as example.com`)
}

/** @throws CommandError (usage) */
function asNumber(option: string, text: string | undefined, fallback: number, most: number): number {
  const number = text === undefined ? fallback : Number(text)
  if (text?.trim() !== '' && Number.isInteger(number) && number >= 1 && number <= most) return number
  throw new CommandError(EXIT.usage, `--${option} takes a whole number from 1 to ${most}, not "${text}"`)
}
