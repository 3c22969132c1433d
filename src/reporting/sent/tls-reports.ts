/** Daily TLS reports to domains that ask for them (RFC 8460), delivered whatever the TLS of the destination. Their sessions are not counted (§3). */
import { gzip } from 'node:zlib'
import { promisify } from 'node:util'
import { LookupError, type Resolver } from '../../dns/types.js'
import { composeReportMail } from '../../mime/compose/report-mail.js'
import { startDailyReports, type DailyReportsDeps } from './daily-reports.js'
import { postReport } from './report-post.js'
import {
  composeReport,
  destinationName,
  destinationsOf,
  reportFileName,
  reportTitle,
  type Destination,
  type ReportSender,
} from './tls-report.js'
import { listReports, REPORT_KIND, type ReportList, type ReportQuery } from './tls-report-list.js'
import type { TlsCounts } from './tls-counts.js'

export interface TlsReportsDeps extends DailyReportsDeps {
  counts: Pick<TlsCounts, 'days' | 'endedDays' | 'domains' | 'counts' | 'finish' | 'reports' | 'dropDay'>
  resolver: Pick<Resolver, 'a' | 'aaaa' | 'txt'>
  hostname: string
  /** Also allows posting to loopback, private and link-local addresses. */
  allowPrivateAddresses: boolean
}

export type TlsReports = ReturnType<typeof startTlsReports>

const compress = promisify(gzip)

export function startTlsReports(deps: TlsReportsDeps) {
  const { counts, queue, clock, primaryDomain, resolver } = deps

  const counter = deps.metrics?.counter('tls_reports_total', 'Attempts to deliver a report on TLS, by how they went.', [
    'status',
  ])

  /** Undefined if DNS gives no answer now. */
  async function lookUp(domain: string): Promise<Destination[] | undefined> {
    try {
      return destinationsOf(await resolver.txt(`_smtp._tls.${domain}`))
    } catch (error) {
      if (!(error instanceof LookupError)) throw error
      return error.failure === 'temporary' ? undefined : []
    }
  }

  async function sender(): Promise<ReportSender> {
    const answers = await Promise.allSettled([resolver.a(deps.hostname), resolver.aaaa(deps.hostname)])
    return {
      domain: primaryDomain,
      contact: `postmaster@${primaryDomain}`,
      addresses: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    }
  }

  function contentFor(day: string, domain: string, destination: Destination, report: Buffer): string {
    if (destination.kind === 'https') return report.toString('base64')
    return composeReportMail({
      submitter: primaryDomain,
      from: `postmaster@${primaryDomain}`,
      to: destination.address,
      subject: reportTitle(day, domain, primaryDomain),
      fields: [
        `TLS-Report-Domain: ${domain}`,
        `TLS-Report-Submitter: ${primaryDomain}`,
        // RFC 8689 §5: it must arrive especially where TLS is broken.
        'TLS-Required: No',
      ],
      type: 'multipart/report; report-type="tlsrpt"',
      words: `This is an aggregate TLS report of ${primaryDomain} on mail to ${domain}.`,
      fileType: 'application/tlsrpt+gzip',
      fileName: reportFileName(day, domain, primaryDomain),
      report,
      now: clock.now(),
    }).toString('latin1')
  }

  const reports = startDailyReports<Destination>(deps, {
    kind: REPORT_KIND,
    what: 'report on TLS',
    several: 'reports on TLS',
    onAttempt: (status) => counter?.inc({ status }),
    counts,
    nameOf: destinationName,
    async compose(day, domain) {
      const found = await counts.counts(day, domain)
      const wanted = found ? await lookUp(domain) : []
      if (wanted === undefined || !found || wanted.length === 0) return wanted && []
      const report = await compress(JSON.stringify(composeReport(day, domain, found, await sender())))
      return wanted.map((destination) => ({ destination, content: contentFor(day, domain, destination, report) }))
    },
    deliver: (destination, content, mail) =>
      destination.kind === 'https'
        ? postReport(deps, destination.url, Buffer.from(content, 'base64'))
        : mail(destination.address, 'any'),
  })
  return {
    ...reports,
    /** Counts, and reports being delivered. */
    list: (wanted: ReportQuery): Promise<ReportList> => listReports({ counts, queue, clock }, wanted),
  }
}
