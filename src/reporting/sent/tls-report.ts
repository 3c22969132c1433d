/** Composes the report on one day's sessions with a domain, and finds its destinations (RFC 8460 §3 and §4). */
import { isIP } from 'node:net'
import { SECOND } from '../../lib/clock.js'
import { oneLine } from '../../lib/text.js'
import { domainOf } from '../../mime/address.js'
import type { DomainCounts } from './tls-counts.js'
import { endOfDay, startOfDay } from '../../store/days.js'

export interface ReportSender {
  /** The reporting domain, which sends and signs the mail. */
  domain: string
  contact: string
  /** Our sending addresses, if known. */
  addresses: string[]
}

export type Destination = { kind: 'mail'; address: string } | { kind: 'https'; url: string }

/** More would make us an amplifier. */
const MAX_DESTINATIONS = 2
const MAX_URI_CHARS = 1000

/** Empty without exactly one readable record (RFC 8460 §3). @param records of `_smtp._tls`, each with its strings joined */
export function destinationsOf(records: readonly string[]): Destination[] {
  const [record, another] = records.filter((text) => /^v=TLSRPTv1[ \t]*(?:;|$)/.test(text))
  if (record === undefined || another !== undefined) return []
  const uris = record
    .split(';')
    .slice(1)
    .flatMap((field) => /^[ \t]*rua[ \t]*=(.*)$/s.exec(field)?.[1]?.split(',') ?? [])
  const destinations = uris.flatMap((uri) => destinationOf(uri.trim()) ?? [])
  const distinct = new Map(destinations.map((one) => [JSON.stringify(one), one]))
  return [...distinct.values()].slice(0, MAX_DESTINATIONS)
}

function destinationOf(uri: string): Destination | undefined {
  if (uri.length > MAX_URI_CHARS) return undefined
  const mail = /^mailto:([^?]+)/i.exec(uri)?.[1]
  if (mail !== undefined) {
    const address = decodedAddress(mail)
    return address === undefined ? undefined : { kind: 'mail', address }
  }
  if (!/^https:\/\//i.test(uri) || !URL.canParse(uri)) return undefined
  const url = new URL(uri)
  return url.username === '' && url.password === '' ? { kind: 'https', url: url.href } : undefined
}

/** RFC 6068 §2: percent-encoded, including exclamation marks and commas (RFC 8460 §3). */
export function decodedAddress(text: string): string | undefined {
  try {
    const address = decodeURIComponent(text)
    return isAddress(address) ? address : undefined
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** Plain addresses only; quoted ones are never used for reports. */
function isAddress(text: string): boolean {
  return text.length <= 254 && /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/i.test(text)
}

export function reportId(day: string, domain: string, sender: string): string {
  return `${day}.${domain}@${sender}`
}

/** RFC 8460 §5.1 */
export function reportFileName(day: string, domain: string, sender: string): string {
  return `${sender}!${domain}!${startOfDay(day) / SECOND}!${endOfDay(day) / SECOND - 1}.json.gz`
}

/** RFC 8460 §4.4. Unknown fields are left out. */
export function composeReport(day: string, domain: string, counts: DomainCounts, sender: ReportSender): object {
  return {
    'organization-name': sender.domain,
    'date-range': {
      'start-datetime': dateTime(startOfDay(day)),
      'end-datetime': dateTime(endOfDay(day) - SECOND),
    },
    'contact-info': sender.contact,
    'report-id': reportId(day, domain, sender.domain),
    policies: counts.policies.map(({ policy, successes, failures, details }) => ({
      policy: {
        'policy-type': policy.type,
        ...(policy.strings.length > 0 && { 'policy-string': policy.strings }),
        'policy-domain': domain,
        ...(policy.mxHosts.length > 0 && { 'mx-host': policy.mxHosts }),
      },
      summary: { 'total-successful-session-count': successes, 'total-failure-session-count': failures },
      ...(details.length > 0 && {
        'failure-details': details.map(({ type, mxHost, receivingIp, detail, count }) => ({
          'result-type': type,
          ...sendingAddress(sender.addresses, receivingIp),
          ...(mxHost !== '' && { 'receiving-mx-hostname': mxHost }),
          ...(receivingIp !== null && { 'receiving-ip': receivingIp }),
          'failed-session-count': count,
          ...(detail !== null && { 'failure-reason-code': detail }),
        })),
      }),
    })),
  }
}

/** Ours of the same family. */
function sendingAddress(addresses: string[], receivingIp: string | null): { 'sending-mta-ip'?: string } {
  const family = receivingIp === null ? 4 : isIP(receivingIp)
  const address = addresses.find((one) => isIP(one) === family)
  return address === undefined ? {} : { 'sending-mta-ip': address }
}

/** RFC 3339 without fractions, as in the standard's example. */
function dateTime(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

/** Title of the report in log and mail. */
export function reportTitle(day: string, domain: string, sender: string): string {
  return oneLine(`Report Domain: ${domain} Submitter: ${sender} Report-ID: <${reportId(day, domain, sender)}>`)
}

export function destinationName(destination: Destination): string {
  return destination.kind === 'mail' ? domainOf(destination.address) : new URL(destination.url).hostname
}
