/**
 * Daily DMARC aggregate reports to domains that ask for them (RFC 7489 §7.2, RFC 9990). Reports on single messages (`ruf=`) are never sent: they would disclose
 * mail to strangers. `ri=` is ignored: one report a day, as in RFC 9990.
 */
import { gzip } from 'node:zlib'
import { promisify } from 'node:util'
import { orNone } from '../../dns/optional.js'
import { LookupError, type Resolver } from '../../dns/types.js'
import { domainOf } from '../../mime/address.js'
import { composeReportMail } from '../../mime/compose/report-mail.js'
import { startDailyReports, type DailyReports, type DailyReportsDeps } from './daily-reports.js'
import type { DmarcCounts } from './dmarc-counts.js'
import {
  composeDmarcXml,
  dmarcDestinations,
  dmarcFileName,
  isExternal,
  permissionName,
  permitted,
  type DmarcDestination,
} from './dmarc-report.js'
import { reportTitle } from './tls-report.js'

export interface DmarcReportsDeps extends DailyReportsDeps {
  counts: Pick<DmarcCounts, 'endedDays' | 'domains' | 'counts' | 'finish' | 'reports' | 'dropDay'>
  resolver: Pick<Resolver, 'txt'>
}

const compress = promisify(gzip)

export function startDmarcReports(deps: DmarcReportsDeps): DailyReports {
  const { counts, clock, primaryDomain, resolver } = deps

  const counter = deps.metrics?.counter(
    'dmarc_reports_total',
    'Attempts to deliver a report on DMARC, by how they went.',
    ['status'],
  )

  /** @throws LookupError if DNS gives no answer now */
  const textAt = (name: string): Promise<string[]> => orNone(resolver.txt(name))

  /** Current permitted destinations. @throws LookupError if DNS gives no answer now */
  async function wantedBy(domain: string): Promise<DmarcDestination[]> {
    const asked = dmarcDestinations(await textAt(`_dmarc.${domain}`))
    const allowed = await Promise.all(
      asked.map(async (one) =>
        isExternal(domain, one) ? permitted(one, await textAt(permissionName(domain, one))) : [one],
      ),
    )
    return allowed.flat()
  }

  async function compose(day: string, domain: string): Promise<{ destination: DmarcDestination; content: string }[]> {
    const found = await counts.counts(day, domain)
    if (!found || found.rows.length === 0) return []
    const wanted = await wantedBy(domain)
    if (wanted.length === 0) return []
    const sender = { domain: primaryDomain, contact: `postmaster@${primaryDomain}` }
    const report = await compress(composeDmarcXml(day, domain, found, sender))
    return wanted
      .map((destination) => ({ destination, content: contentFor(day, domain, destination, report) }))
      .filter(({ destination: { maxBytes }, content }) => maxBytes === null || content.length <= maxBytes)
  }

  function contentFor(day: string, domain: string, { address }: DmarcDestination, report: Buffer): string {
    return composeReportMail({
      submitter: primaryDomain,
      from: `postmaster@${primaryDomain}`,
      to: address,
      subject: reportTitle(day, domain, primaryDomain),
      fields: [],
      type: 'multipart/mixed',
      words: `This is a DMARC aggregate report of ${primaryDomain} on mail of ${domain}.`,
      fileType: 'application/gzip',
      fileName: dmarcFileName(day, domain, primaryDomain),
      report,
      now: clock.now(),
    }).toString('latin1')
  }

  return startDailyReports<DmarcDestination>(deps, {
    kind: 'dmarc-report',
    what: 'report on DMARC',
    several: 'reports on DMARC',
    onAttempt: (status) => counter?.inc({ status }),
    counts,
    nameOf: ({ address }) => domainOf(address),
    async compose(day, domain) {
      try {
        return await compose(day, domain)
      } catch (error) {
        if (error instanceof LookupError) return undefined
        throw error
      }
    },
    deliver: ({ address }, _content, mail) => mail(address, 'usual'),
  })
}
