/** Incoming reports: about mail sent from here (bounces, complaints), and about our domains (DMARC, TLS). */
import type { AuthenticationResults } from '../../authentication/types.js'
import type { ParsedMessage } from '../../mime/types.js'
import { isReportAddress, reportParts } from '../../reporting/received/recognise.js'
import type { Delivering, Envelope } from './types.js'

/** Addresses for complaints of providers' users (RFC 5965, RFC 2142 §4). */
const TAKES_COMPLAINTS = /^(?:abuse|postmaster)(?:@|$)/i

/** Records a report with its message. `kept`: its author's program asked for it, so it is delivered too. Undefined for ordinary mail. */
export async function takeReport(
  { returns }: Pick<Delivering, 'returns'>,
  { returned, recipients, from: envelopeFrom }: Pick<Envelope, 'returned' | 'recipients' | 'from'>,
  { report }: Pick<ParsedMessage, 'report'>,
  auth: AuthenticationResults,
  isAbandoned: () => boolean,
): Promise<'recorded' | 'kept' | undefined> {
  if (!returns || !report || isAbandoned()) return undefined
  const source = { envelopeFrom, auth }
  if (returned) {
    if (!(await returns.take(returned, report, source))) return undefined
    return (await returns.isAskedFor(returned, report, source)) ? 'kept' : 'recorded'
  }
  if (!recipients.some((address) => TAKES_COMPLAINTS.test(address))) return undefined
  return (await returns.takeComplaint(report, source)) ? 'recorded' : undefined
}

/** True for reports on our domains, sent to report addresses. */
export function isReportToUs({ recipients }: Pick<Envelope, 'recipients'>, parsed: ParsedMessage): boolean {
  const isForReports = recipients.every((address) => isReportAddress(address) || TAKES_COMPLAINTS.test(address))
  return isForReports && reportParts(parsed, recipients.every(isReportAddress)).length > 0
}
