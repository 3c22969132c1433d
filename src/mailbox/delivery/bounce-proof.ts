/**
 * Which recipients a report that came to a return path may speak of. The path decides, and not what the report says: it was given to one recipient
 * (its bearer), who is the only one that the report is about. Where one path was given to several recipients of a domain, each of them could write a
 * report about the others, so it takes a client that was authenticated for that domain.
 */
import { isAuthenticatedFor } from '../../authentication/alignment.js'
import type { AuthenticationResults } from '../../authentication/types.js'
import { addressKey, domainOf } from '../../mime/address.js'
import { isComplaint } from '../../mime/parse/automation.js'
import type { Report, ReportedRecipient } from '../../mime/types.js'
import type { Recipient } from '../objects/objects.js'
import type { ReturnAddress } from './return-path.js'

/** What came back about a recipient after a message was handed over: a bounce, a notice of delay or delivery, a complaint. */
export interface RecipientReport {
  address: string
  kind: 'bounced' | 'delayed' | 'delivered' | 'complained'
  smtpCode: number | null
  detail: string
}

/** Who brought a report. */
export interface ReportSource {
  /** '' for the null sender. */
  envelopeFrom: string
  auth: AuthenticationResults
}

/**
 * What a report says of the recipients it may speak of. Nothing when it is no report of a delivery, comes from somebody who is not believed, or names
 * none of several recipients: then it is mail like any other.
 */
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
      // RFC 3464 §2: a DSN is sent from the null sender; what comes from an address is somebody's mail.
      if (source.envelopeFrom !== '') return []
      break
    case 'feedback':
      // Providers send complaints from addresses of theirs (RFC 5965 §6).
      if (!isComplaint(report)) return []
  }
  if (single) return aboutBearer(bearer, report)
  const domain = domainOf(bearer.address)
  return isAuthenticatedFor(source.auth, domain) ? aboutNamed(recipients, domain, report) : []
}

/**
 * A delivery to one recipient has one ending, also where the report names the address it was forwarded to. Where it names several (the members of a
 * list behind the address), only what it says of the bearer counts, if it says anything of it.
 */
function aboutBearer(bearer: Recipient, report: Report): RecipientReport[] {
  const { address } = bearer
  // Providers black out whom a complaint is from; a bounce that names nobody may be a notice of anything.
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
  return `complaint (${feedbackType ?? 'abuse'})${reportedBy === null ? '' : ` told by ${reportedBy}`}`
}
