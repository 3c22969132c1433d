/** Recognizes reports, and verifies who sent them. */
import type { AuthenticationResults } from '../../authentication/types.js'
import { domainOf } from '../../mime/address.js'
import type { ParsedMessage } from '../../mime/types.js'
import { REPORT_NAMES } from '../../publish/report-names.js'
import { isSameOrganisation } from './fields.js'
import type { Proof } from './types.js'

/** RFC 7489 §7.2.1.1, RFC 9990 §3.5.2 and RFC 8460 §5.3. */
const SUBJECT = /^\s*(?:\[[^\]]*\]\s*)?Report[ _]Domain:/i
/** `receiver!domain!begin!end`, with an optional id: RFC 7489 §7.2.1.1, RFC 8460 §5.1. */
const FILE_NAME = /^[^!]+![^!]+!\d+!\d+(?:![^!]*)?\.(?:xml|json|gz|zip|xml\.gz|json\.gz|xml\.zip)$/i
const MAY_BE =
  /^(?:application\/(?:x-)?(?:gzip|zip|zip-compressed|gunzip)|(?:application|text)\/(?:xml|json|octet-stream))$/i
const TLS_TYPE = /^application\/tlsrpt\+(?:gzip|json)$/i
const MAX_PARTS = 4

/** Attachments that may be a report; empty if the mail does not look like one. @param toReports sent to an address only for reports */
export function reportParts(
  { subject, attachments }: Pick<ParsedMessage, 'subject' | 'attachments'>,
  toReports: boolean,
): number[] {
  const isSaid = SUBJECT.test(subject) || toReports
  return attachments
    .filter(
      ({ contentType, filename }) =>
        TLS_TYPE.test(contentType) || FILE_NAME.test(filename) || (isSaid && MAY_BE.test(contentType)),
    )
    .slice(0, MAX_PARTS)
    .map(({ part }) => part)
}

export function isReportAddress(address: string): boolean {
  const name = address.slice(0, address.lastIndexOf('@')).toLowerCase().split('+')[0] ?? ''
  return Object.values(REPORT_NAMES).some((known) => known === name)
}

/** Whose word a report is: the domain in From, if DMARC passes or the domain itself signed. Undefined if anybody may have sent it. */
export function proofOf(auth: AuthenticationResults | null, from: ParsedMessage['from']): Proof | undefined {
  if (auth === null || from === null) return undefined
  if (auth.dmarc.result === 'pass' && auth.dmarc.domain !== null) return { domain: auth.dmarc.domain, by: 'dmarc' }
  const author = domainOf(from.address)
  const signer = auth.dkim.result === 'pass' ? auth.dkim.domain : null
  // If the author has a policy, DMARC has decided.
  if (auth.dmarc.result !== 'none' || signer === null || !isSameOrganisation(signer, author)) return undefined
  return { domain: signer, by: 'dkim' }
}
