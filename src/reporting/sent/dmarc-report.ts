/**
 * Composes the aggregate report of one day and policy domain, and finds its destinations. In the format of RFC 7489 appendix C, which readers of RFC 9990
 * accept, while many know no other.
 */
import { SECOND } from '../../lib/clock.js'
import { escapeHtml } from '../../lib/text.js'
import { domainOf } from '../../mime/address.js'
import { organizationalDomain } from '../../authentication/alignment.js'
import { endOfDay, startOfDay } from '../../store/days.js'
import type { DmarcRow, PolicyCounts } from './dmarc-counts.js'
import { decodedAddress, reportId } from './tls-report.js'

export interface DmarcDestination {
  address: string
  /** Max encoded size; null for none (RFC 7489 §6.2). */
  maxBytes: number | null
}

/** RFC 7489 §6.2 requires at least two; more would make us an amplifier. */
const MAX_DESTINATIONS = 2
const MAX_URI_CHARS = 1000
const UNITS: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 }
const KNOWN_POLICIES = ['none', 'quarantine', 'reject']

/** Tags of a record; empty if it is no DMARC record. */
function tagsOf(record: string): Map<string, string> {
  if (!/^\s*v\s*=\s*DMARC1\s*(?:;|$)/.test(record)) return new Map()
  const tags = record.split(';').map((tag) => /^\s*(\w+)\s*=\s*(.*?)\s*$/s.exec(tag))
  return new Map(tags.flatMap((tag) => (tag ? [[(tag[1] ?? '').toLowerCase(), tag[2] ?? '']] : [])))
}

/** Mail destinations of a policy record; empty without exactly one record (RFC 7489 §6.6.3). @param records each record's strings joined */
export function dmarcDestinations(records: readonly string[]): DmarcDestination[] {
  const [tags, another] = records.map(tagsOf).filter(({ size }) => size > 0)
  if (tags === undefined || another !== undefined) return []
  const found = (tags.get('rua') ?? '').split(',').flatMap((uri) => destinationOf(uri.trim()) ?? [])
  return [...new Map(found.map((one) => [one.address.toLowerCase(), one])).values()].slice(0, MAX_DESTINATIONS)
}

function destinationOf(uri: string): DmarcDestination | undefined {
  const [, mail, size, unit] = /^mailto:([^?!]+)(?:\?[^!]*)?(?:!(\d{1,12})([kmgt]?))?$/i.exec(uri) ?? []
  if (mail === undefined || uri.length > MAX_URI_CHARS) return undefined
  const address = decodedAddress(mail)
  if (address === undefined) return undefined
  const maxBytes = size === undefined ? null : Number(size) * (UNITS[(unit ?? '').toLowerCase()] ?? 1)
  return { address, maxBytes }
}

/** True if the destination belongs to another organization, which must agree (RFC 7489 §7.1). */
export function isExternal(policyDomain: string, { address }: DmarcDestination): boolean {
  return organizationalDomain(domainOf(address)) !== organizationalDomain(policyDomain)
}

/** Name of the record that agrees. */
export function permissionName(policyDomain: string, { address }: DmarcDestination): string {
  return `${policyDomain}._report._dmarc.${domainOf(address)}`
}

/** Destination after the other organization's answer (RFC 7489 §7.1): without a record none; its own address replaces the requested one. */
export function permitted(asked: DmarcDestination, records: readonly string[]): DmarcDestination[] {
  const permissions = records.map(tagsOf).filter(({ size }) => size > 0)
  if (permissions.length === 0) return []
  const own = permissions.map((tags) => tags.get('rua')).find((rua) => rua !== undefined)
  if (own === undefined) return [asked]
  const instead = dmarcDestinations([`v=DMARC1; rua=${own}`])
  return instead.filter(({ address }) => domainOf(address) === domainOf(asked.address))
}

/** RFC 7489 §7.2.1.1 */
export function dmarcFileName(day: string, domain: string, sender: string): string {
  return `${sender}!${domain}!${startOfDay(day) / SECOND}!${endOfDay(day) / SECOND - 1}.xml.gz`
}

export function composeDmarcXml(
  day: string,
  domain: string,
  { record, rows, leftOut }: PolicyCounts,
  sender: { domain: string; contact: string },
): string {
  const tags = tagsOf(record)
  const known = (name: string, values: readonly string[], fallback: string): string => {
    const value = tags.get(name)?.toLowerCase() ?? ''
    return values.includes(value) ? value : fallback
  }
  const p = known('p', KNOWN_POLICIES, 'none')
  const errors =
    leftOut > 0 ? [element('error', `${leftOut} messages are in no record: there were too many sources`)] : []
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feedback>',
    element('version', '1.0'),
    '<report_metadata>',
    element('org_name', sender.domain),
    element('email', sender.contact),
    element('report_id', reportId(day, domain, sender.domain)),
    `<date_range>${element('begin', startOfDay(day) / SECOND)}${element('end', endOfDay(day) / SECOND - 1)}</date_range>`,
    ...errors,
    '</report_metadata>',
    '<policy_published>',
    element('domain', domain),
    element('adkim', known('adkim', ['r', 's'], 'r')),
    element('aspf', known('aspf', ['r', 's'], 'r')),
    element('p', p),
    element('sp', known('sp', KNOWN_POLICIES, p)),
    // RFC 9989 has none, but the schema requires it.
    element('pct', 100),
    element('fo', /^[01ds](?::[01ds])*$/i.exec(tags.get('fo') ?? '')?.[0] ?? '0'),
    '</policy_published>',
    ...rows.map(({ row, count }) => recordOf(row, count, tags.get('t')?.toLowerCase() === 'y')),
    '</feedback>',
    '',
  ].join('\n')
}

function recordOf(row: DmarcRow, count: number, isTesting: boolean): string {
  const { ip, disposition, override, dkimAligned, spfAligned, headerFrom, envelopeFrom, spf, dkim } = row
  const failed = !dkimAligned && !spfAligned
  const verdict = (passed: boolean): string => (passed ? 'pass' : 'fail')
  const reasons = [
    ...(override ? [element('type', 'local_policy')] : []),
    ...(failed && isTesting
      ? [`${element('type', 'other')}${element('comment', 'the policy is in testing mode')}`]
      : []),
  ]
  return [
    '<record>',
    `<row>${element('source_ip', ip)}${element('count', count)}`,
    `<policy_evaluated>${element('disposition', disposition)}${element('dkim', verdict(dkimAligned))}${element('spf', verdict(spfAligned))}${reasons.map((reason) => `<reason>${reason}</reason>`).join('')}</policy_evaluated></row>`,
    `<identifiers>${element('envelope_from', envelopeFrom)}${element('header_from', headerFrom)}</identifiers>`,
    '<auth_results>',
    ...dkim.map(
      ({ domain, selector, result }) =>
        `<dkim>${element('domain', domain)}${element('selector', selector)}${element('result', result)}</dkim>`,
    ),
    `<spf>${element('domain', spf.domain)}${element('scope', spf.scope)}${element('result', spf.result)}</spf>`,
    '</auth_results>',
    '</record>',
  ].join('\n')
}

function element(name: string, value: string | number): string {
  return `<${name}>${escapeHtml(String(value))}</${name}>`
}
