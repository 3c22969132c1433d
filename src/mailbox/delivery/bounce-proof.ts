/**
 * Which recipients a report to a return path may be about: its bearer. On a path shared by recipients of a domain, only a client authenticated for that
 * domain is trusted.
 */
import { isAuthenticatedFor } from '../../authentication/alignment.js'
import type { AuthenticationResults } from '../../authentication/types.js'
import { addressKey, domainOf } from '../../mime/address.js'
import { isComplaint } from '../../mime/parse/automation.js'
import type { Report, ReportedRecipient } from '../../mime/types.js'
import type { Recipient } from '../objects/objects.js'
import type { ReturnAddress } from './return-path.js'

/** A report about a recipient after handover: bounce, delay, delivery or complaint. */
export interface RecipientReport {
  address: string
  kind: 'bounced' | 'delayed' | 'delivered' | 'complained'
  smtpCode: number | null
  detail: string
}

export interface ReportSource {
  /** '' for the null sender. */
  envelopeFrom: string
  auth: AuthenticationResults
}

/** The trusted part of a report; if empty, it is ordinary mail. */
export function believedReports(
  recipients: Recipient[],
  { index, single }: ReturnAddress,
  report: Report,
  source: ReportSource,
): RecipientReport[] {
  const bearer = recipients[index]
  if (!bearer) return []
  switch (report.kind) {
    case 'disposition':
      return []
    case 'delivery':
      // RFC 3464 §2: a DSN has the null sender; mail from an address is written by somebody.
      if (source.envelopeFrom !== '') return []
      break
    case 'feedback':
      // Providers send complaints from their own addresses (RFC 5965 §6).
      if (!isComplaint(report)) return []
  }
  if (single) return aboutBearer(bearer, report)
  const domain = domainOf(bearer.address)
  return isAuthenticatedFor(source.auth, domain) ? aboutNamed(recipients, domain, report) : []
}

/**
 * A delivery to one recipient has one outcome, even if the report names the address it was forwarded to. If it names several (members of a list), what it says
 * of the bearer counts.
 */
function aboutBearer(bearer: Recipient, report: Report): RecipientReport[] {
  const { address } = bearer
  // Providers redact the complainant; a bounce without recipients may be about anything.
  if (report.recipients.length === 0 && report.kind === 'feedback')
    return [{ address, kind: 'complained', smtpCode: null, detail: complaintOf(report) }]
  const named = report.recipients.filter((recipient) => names(recipient, address))
  return (named.length > 0 ? named : report.recipients).flatMap((recipient) => reportOf(report, recipient, address))
}

function aboutNamed(recipients: Recipient[], domain: string, report: Report): RecipientReport[] {
  return report.recipients.flatMap((reported) => {
    const meant = recipients.find(({ address }) => domainOf(address) === domain && names(reported, address))
    return meant ? reportOf(report, reported, meant.address) : []
  })
}

function names({ address, finalAddress }: ReportedRecipient, wanted: string): boolean {
  return [address, finalAddress].some((one) => one !== null && addressKey(one) === addressKey(wanted))
}

function reportOf(report: Report, recipient: ReportedRecipient, address: string): RecipientReport[] {
  const { status, diagnostic, action } = recipient
  const words = [status !== null && !diagnostic.includes(status) ? status : '', diagnostic].filter(
    (part) => part !== '',
  )
  const code = /(?:^|\s)([245]\d\d)(?=[ -]|$)/.exec(diagnostic)?.[1]
  const rest = { address, smtpCode: code === undefined ? null : Number(code), detail: words.join(' ') }
  switch (action) {
    case 'failed':
      return [{ kind: 'bounced', ...rest, detail: rest.detail || 'returned without a reason' }]
    case 'delayed':
      return [{ kind: 'delayed', ...rest }]
    case 'delivered':
    case 'relayed':
    case 'expanded':
      return [{ kind: 'delivered', ...rest }]
    case 'complained':
      return [{ kind: 'complained', address, smtpCode: null, detail: complaintOf(report) }]
    case 'displayed':
    case 'deleted':
      return []
  }
}

function complaintOf({ feedbackType, reportedBy }: Report): string {
  return `complaint (${feedbackType ?? 'abuse'})${reportedBy === null ? '' : `, reported by ${reportedBy}`}`
}
