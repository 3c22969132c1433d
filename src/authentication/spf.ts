/**
 * SPF for both identities of a session (RFC 7208 §2.3 and §2.4): the domain of the reverse-path, whose result is the message's, and the HELO name.
 * The check of domains and the limits (§4.3, §4.6.4) are ours, mailauth evaluates the records: its own entry point refuses every domain with an
 * underscore.
 */
import type { DNSResolver } from 'mailauth'
import { spfVerify, type SpfOptions } from 'mailauth/lib/spf/spf-verify.js'
import { queryName } from '../dns/name.js'
import { unmapped } from '../lib/ip.js'
import { unkept, type Kept } from './kept.js'
import { spfLookups } from './spf-lookups.js'
import type { SpfResult, VerifyInput } from './types.js'

export interface CheckedSpf {
  result: SpfResult
  /** The domain checked; '' for none. */
  domain: string
}

/**
 * RFC 7208 §4.3: a domain has several labels. Underscores are allowed in all but the last (invalid in host names, but valid in mail domains), and the
 * last is not a number, which would make it an address.
 */
const FQDN = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/

/** RFC 7208 §7.2: macros that make a result specific to one sender or session. */
const PERSONAL_MACRO = /%\{[slh]/i

/**
 * @param mta our name, for `%{r}`
 * @param kept cached results by address and domain
 */
export async function checkMailFrom(
  input: VerifyInput,
  resolver: DNSResolver,
  mta: string,
  kept: Kept<SpfResult> = unkept,
): Promise<CheckedSpf> {
  // RFC 7208 §2.4: the identity of a null reverse-path is postmaster at the HELO name.
  const sender = input.mailFrom === '' ? `postmaster@${input.helo}` : input.mailFrom
  const at = sender.lastIndexOf('@')
  const given = sender.slice(at + 1)
  const domain = queryName(given)
  if (domain === undefined || !FQDN.test(domain)) return { result: 'none', domain: domain ?? given.toLowerCase() }
  // RFC 7208 §4.3: the default local part is postmaster.
  const local = at > 0 ? sender.slice(0, at) : 'postmaster'
  // RFC 7208 §5: a mapped address counts as IPv4.
  const session = { sender: `${local}@${domain}`, ip: unmapped(input.ip), helo: input.helo, mta }
  const result = await kept(`${session.ip} ${domain}`, resolver, (lookUp, once) =>
    evaluate(domain, session, async (name, type) => {
      const answer = await lookUp(name, type)
      if (type === 'TXT' && answer.flat().some((text) => PERSONAL_MACRO.test(text))) once()
      return answer
    }),
  )
  return { result, domain }
}

type Session = Pick<SpfOptions, 'sender' | 'ip' | 'helo' | 'mta'>

function evaluate(domain: string, session: Session, resolver: DNSResolver): Promise<SpfResult> {
  const { lookups, none, forAddresses } = spfLookups(resolver)
  return spfVerify(domain, {
    ...session,
    strict: true,
    ctx: { warnings: new Set() },
    resolver: lookups,
    expResolver: none,
    createSubResolver: (options) => forAddresses(options?.ignoreVoid === true),
  }).then(
    (match) => (match && match.error !== undefined ? errorOf(match.error) : resultOf(match ? match.qualifier : '?')),
    (error: unknown) => errorOf(errorTold(error)),
  )
}

/**
 * Checks the HELO name itself.
 *
 * @returns undefined when it is no domain name, and so no identity (RFC 7208 §2.3)
 */
export async function checkHelo(
  input: VerifyInput,
  resolver: DNSResolver,
  mta: string,
  kept: Kept<SpfResult>,
): Promise<SpfResult | undefined> {
  const name = queryName(input.helo)
  if (name === undefined || !FQDN.test(name)) return undefined
  return (await checkMailFrom({ ...input, mailFrom: '' }, resolver, mta, kept)).result
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

/** Every error not caused by the record itself is temporary. */
function errorOf(kind: unknown): SpfResult {
  return kind === 'none' || kind === 'permerror' ? kind : 'temperror'
}

/** The library's code for the error. */
function errorTold(error: unknown): unknown {
  const told = typeof error === 'object' && error !== null && 'spfResult' in error ? error.spfResult : undefined
  return typeof told === 'object' && told !== null && 'error' in told ? told.error : undefined
}
