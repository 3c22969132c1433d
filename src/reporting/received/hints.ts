/** Explains findings of reports and what to do, for operators new to them. */

export interface Seen {
  own: boolean
  messages: number
  failed: number
  dkim_passed: number
  spf_passed: number
  signed_by: string[]
  header_from: string[]
}

export interface Around {
  domain: string
  /** Failed messages with an invalid signature of the domain. */
  brokenSignatures: number
  policy: string | null
}

/** Null if all passed. */
export function hintFor(source: Seen, around: Around): string | null {
  const { domain, brokenSignatures, policy } = around
  if (source.failed === 0) return source.own ? unproven(source) : null
  if (source.own) {
    const spf = source.spf_passed > 0 ? '' : ' SPF does not name this address either.'
    return brokenSignatures > 0
      ? `Mail of this server fails: its signature is there and not valid. The record of the key is missing or another one, or something changes mail on its way out.${spf} See "restante dns --check" and "restante dkim check".`
      : `Mail of this server fails: it has no signature of ${domain}.${spf} See "restante dkim list" and "restante dns --check".`
  }
  const others = source.signed_by.filter((name) => name !== domain && !source.header_from.includes(name))
  if (others.length > 0)
    return `Signed by ${others.join(', ')}, which does not speak for ${domain}. If that is a service which sends for you, have it sign as ${domain}; if not, it is mail that was passed on, or forged.`
  if (brokenSignatures > 0)
    return `It was signed by ${domain} and changed on its way, as mailing lists and forwarding do; or its key is not published. Nothing to do unless you run that server.`
  const asked =
    policy === 'reject'
      ? 'is refused'
      : policy === 'quarantine'
        ? 'is put aside'
        : `is not stopped, as the policy of ${domain} is p=none`
  return `Nothing in it proves ${domain}. If you send from there, sign it with DKIM or name the address in SPF; if not, somebody forges your name, and such mail ${asked} by those who keep to DMARC.`
}

/** Mail of ours that passes by only one method fails when that one breaks. */
function unproven({ messages, dkim_passed: dkim, spf_passed: spf }: Seen): string | null {
  if (dkim < messages / 2)
    return 'It passes by SPF alone, which forwarding breaks: the signatures are missing or not valid. See "restante dkim check".'
  if (spf < messages / 2) return 'It passes by DKIM alone: SPF does not name this address. See "restante dns --check".'
  return null
}

/** RFC 8460 §4.3. */
const MEANINGS: Record<string, string> = {
  'starttls-not-supported':
    'STARTTLS was not offered. smtp.tls_cert and smtp.tls_key are missing, or something on the way removes it.',
  'certificate-host-mismatch':
    'The certificate is for another name than that of the MX record. See "restante doctor", tls.smtp.',
  'certificate-expired': 'The certificate had expired. See "restante doctor", tls.smtp, and what is to renew it.',
  'certificate-not-trusted':
    'The sender does not trust the certificate or its chain: smtp.tls_cert must contain the whole chain.',
  'validation-failure':
    'The connection with TLS failed for a reason that has no name of its own; the details may tell.',
  'tlsa-invalid':
    'The TLSA record and the certificate do not fit: it was not changed before the key was. See "restante dns --check".',
  'dnssec-invalid': 'DNSSEC of the zone is broken; senders under DANE cannot deliver. Ask whoever signs the zone.',
  'dane-required': 'The sender asks for DANE, and there is no TLSA record that is proven by DNSSEC.',
  'sts-policy-fetch-error':
    'The MTA-STS policy could not be fetched: https://mta-sts.DOMAIN/ does not answer. See "restante doctor", dns.mta_sts_policy.',
  'sts-policy-invalid': 'The MTA-STS policy was fetched and cannot be read. See "restante doctor", dns.mta_sts_policy.',
  'sts-webpki-invalid':
    'The certificate of https://mta-sts.DOMAIN/ is not valid for that name. See "restante doctor", dns.mta_sts_policy.',
}

export function meaningOf(type: string): string {
  return Object.hasOwn(MEANINGS, type)
    ? (MEANINGS[type] ?? '')
    : 'A failure that RFC 8460 has no word for; ask the reporter.'
}
