/**
 * SPF for both identities of a session (RFC 7208 §2.3 and §2.4): the domain of the reverse-path, whose result is the message's, and the name
 * that the client gave at HELO. What a domain is and the limits (§4.3, §4.6.4) are ours, the records are mailauth's to evaluate: its own entry refuses
 * every domain with an underscore.
 */
import type { DNSResolver } from 'mailauth'
import { spfVerify } from 'mailauth/lib/spf/spf-verify.js'
import { queryName } from '../dns/name.js'
import { unmapped } from '../lib/ip.js'
import { spfLookups } from './spf-lookups.js'
import type { SpfResult, VerifyInput } from './types.js'

export interface CheckedSpf {
  result: SpfResult
  /** As it was asked for; '' when there was none. */
  domain: string
}

/**
 * RFC 7208 §4.3: a domain has several labels. Underscores are for any of them but the last (they make no host names, but names of mail domains),
 * and the last is not a number: else it is an address.
 */
const FQDN = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/

/** @param mta our name, for `%{r}` */
export async function checkMailFrom(
  { ip, helo, mailFrom }: VerifyInput,
  resolver: DNSResolver,
  mta: string,
): Promise<CheckedSpf> {
  // RFC 7208 §2.4: of a null reverse-path the identity is postmaster at the HELO name.
  const sender = mailFrom === '' ? `postmaster@${helo}` : mailFrom
  const at = sender.lastIndexOf('@')
  const given = sender.slice(at + 1)
  const domain = queryName(given)
  if (domain === undefined || !FQDN.test(domain)) return { result: 'none', domain: domain ?? given.toLowerCase() }
  // RFC 7208 §4.3: without a local part it is postmaster.
  const local = at > 0 ? sender.slice(0, at) : 'postmaster'
  const { lookups, uncounted, forAddresses } = spfLookups(resolver)
  const found = await spfVerify(domain, {
    sender: `${local}@${domain}`,
    // RFC 7208 §5: a mapped address is one of IPv4.
    ip: unmapped(ip),
    helo,
    mta,
    strict: true,
    ctx: { warnings: new Set() },
    resolver: lookups,
    expResolver: uncounted,
    createSubResolver: (options) => forAddresses(options?.ignoreVoid === true),
  }).then(
    (match) => (match && match.error !== undefined ? errorOf(match.error) : resultOf(match ? match.qualifier : '?')),
    (error: unknown) => errorOf(errorTold(error)),
  )
  return { result: found, domain }
}

/**
 * The HELO name by itself.
 *
 * @returns undefined where it is no domain name, and so no identity (RFC 7208 §2.3)
 */
export async function checkHelo(
  input: VerifyInput,
  resolver: DNSResolver,
  mta: string,
): Promise<SpfResult | undefined> {
  const name = queryName(input.helo)
  if (name === undefined || !FQDN.test(name)) return undefined
  // Few hosts have a record of their own: for the others one look-up tells all (RFC 7208 §4.5).
  if (!(await mayHaveRecord(name, resolver))) return 'none'
  const { result } = await checkMailFrom({ ...input, mailFrom: '' }, resolver, mta)
  return result
}

async function mayHaveRecord(name: string, resolver: DNSResolver): Promise<boolean> {
  try {
    const records = await resolver(name, 'TXT')
    return records.some((record) => /^v=spf1(?: |$)/i.test([record].flat().join('')))
  } catch (error) {
    // The judge meets the same failure, and says what it means.
    return !(error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA'))
  }
}

/** RFC 7208 §4.6.2 */
function resultOf(qualifier: string | undefined): SpfResult {
  switch (qualifier) {
    case '+':
      return 'pass'
    case '-':
      return 'fail'
    case '~':
      return 'softfail'
    default:
      return 'neutral'
  }
}

/** Everything but what the record itself is to blame for may pass. */
function errorOf(kind: unknown): SpfResult {
  return kind === 'none' || kind === 'permerror' ? kind : 'temperror'
}

/** How the library says what is wrong. */
function errorTold(error: unknown): unknown {
  const told = typeof error === 'object' && error !== null && 'spfResult' in error ? error.spfResult : undefined
  return typeof told === 'object' && told !== null && 'error' in told ? told.error : undefined
}
