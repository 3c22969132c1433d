/**
 * SPF for both identities of a session (RFC 7208 §2.3 and §2.4): the domain of the reverse-path, whose result is the message's, and the HELO name.
 * mailauth's documented `spf()` is not used: it refuses every domain with an underscore and always looks up explanations.
 */
import type { DNSResolver } from 'mailauth'
import { queryName } from '../dns/name.js'
import { unmapped } from '../lib/ip.js'
import { unkept, type Kept } from './kept.js'
import { evaluateSpf } from './spf-evaluation.js'
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

/** @param kept cached results by address and domain */
export async function checkMailFrom(
  input: VerifyInput,
  resolver: DNSResolver,
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
  const ip = unmapped(input.ip)
  const result = await kept(`${ip} ${domain}`, resolver, (lookUp, once) =>
    evaluateSpf({ ip, helo: input.helo, local, domain }, async (name, type) => {
      const answer = await lookUp(name, type)
      if (type === 'TXT' && answer.flat().some((text) => PERSONAL_MACRO.test(text))) once()
      return answer
    }),
  )
  return { result, domain }
}

/** @returns undefined when the HELO name is no domain name, and so no identity (RFC 7208 §2.3) */
export async function checkHelo(
  input: VerifyInput,
  resolver: DNSResolver,
  kept: Kept<SpfResult>,
): Promise<SpfResult | undefined> {
  const name = queryName(input.helo)
  if (name === undefined || !FQDN.test(name)) return undefined
  return (await checkMailFrom({ ...input, mailFrom: '' }, resolver, kept)).result
}
