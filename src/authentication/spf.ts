/**
 * SPF for both identities of a session (RFC 7208 §2.3 and §2.4): the domain of the reverse-path, whose result is the message's, and the name
 * that the client gave at HELO.
 */
import type { DNSResolver } from 'mailauth'
import { spf } from 'mailauth/lib/spf/index.js'
import { queryName } from '../dns/name.js'
import type { SpfResult, VerifyInput } from './types.js'

export interface CheckedSpf {
  result: SpfResult
  /** As it was asked for; '' when there was none. */
  domain: string
}

const RESULTS: SpfResult[] = ['none', 'neutral', 'pass', 'fail', 'softfail', 'temperror', 'permerror']

/** Labels of a host name with at least one dot between them, and a last one that is not a number: else it is an address. */
const FQDN = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/

/** @param mta our name, for `%{r}` */
export async function checkMailFrom(
  { ip, helo, mailFrom }: VerifyInput,
  resolver: DNSResolver,
  mta: string,
): Promise<CheckedSpf> {
  // RFC 7208 §2.4: of a null reverse-path the identity is postmaster at the HELO name; the library does so for an empty sender.
  const { status, domain } = await spf({ ip, helo, sender: mailFrom, mta, resolver, strict: true })
  return { result: RESULTS.find((result) => result === status.result) ?? 'permerror', domain: domain ?? '' }
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
