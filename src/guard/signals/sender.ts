/** Points of the spam score from authentication, the client and the sender's address. */
import type { AuthenticationResults } from '../../authentication/types.js'
import { domainOf } from '../../mime/address.js'
import type { Address } from '../../mime/types.js'
import { addressInName, impersonated } from './identity.js'
import type { SpamReason } from '../types.js'

/** The client of the SMTP session. */
export interface Client {
  address: string
  /** Its PTR name; null for none. */
  name: string | null
  /** True if that name resolves back to the address. */
  confirmed: boolean
  /** False when the DNS lookup of the name failed. */
  known: boolean
  helo: string
  /** DNS block lists that list it. */
  listed?: string[] | undefined
}

export interface Sender {
  auth: AuthenticationResults
  from: Address | null
  isList: boolean
  envelopeFrom?: string | undefined
  client?: Client | undefined
}

/** Points per block list, for at most two. */
const LISTED_POINTS = 2.5

export function senderPoints(sender: Sender): SpamReason[] {
  return [
    ...authenticationPoints(sender),
    ...(sender.client ? clientPoints(sender.client) : []),
    ...(sender.from ? namePoints(sender.from, sender.auth) : []),
  ]
}

/** An authenticated sender may still be a spammer, but is no forger; one without authentication is only unknown. */
function authenticationPoints({ auth, isList }: Sender): SpamReason[] {
  const { spf, dkim, dmarc, arc } = auth
  if (dmarc.result === 'pass') return [reason('dmarc_pass', -0.5, 'the sender is authenticated (DMARC)')]
  const found: SpamReason[] = []
  if (dmarc.result === 'fail') {
    // A mailing list that changes messages breaks the author's signature, and does so openly.
    const isForwarded = arc.result === 'pass' || (isList && spf.result === 'pass')
    const detail = `the sender fails the DMARC check of ${dmarc.domain ?? 'its domain'}`
    found.push(reason('dmarc_fail', isForwarded ? 1 : 2.5, detail))
  }
  if (spf.result === 'fail')
    found.push(reason('spf_fail', 1.5, `the SPF record of ${spf.domain ?? 'the domain'} does not permit this client`))
  else if (spf.result === 'softfail')
    found.push(
      reason('spf_softfail', 0.5, `the SPF record of ${spf.domain ?? 'the domain'} doubts this client (softfail)`),
    )
  if (dkim.result === 'fail') found.push(reason('dkim_fail', 0.5, 'a DKIM signature does not match the message'))
  if (spf.result !== 'pass' && dkim.result !== 'pass' && found.length === 0)
    found.push(reason('unauthenticated', 1, 'neither SPF nor DKIM authenticates the sender'))
  return found
}

/** PTR names of home lines and rented machines, which should use their provider's mail server. */
const HOME_LINE =
  /(?:^|[.-])(?:dyn(?:amic)?|dhcp|pool|ppp|pppoe|dial(?:up|in)?|dsl|adsl|cable|client|customer|broadband)\d*(?=[.-])/i

/** RFC 5321 §4.1.4 forbids refusing mail for its HELO; Postfix and others score it all the same. */
function clientPoints({ address, name, confirmed, known, helo, listed }: Client): SpamReason[] {
  const found: SpamReason[] = []
  if (name === null && known) found.push(reason('no_ptr', 1, 'the client has no PTR name'))
  if (name !== null && known && !confirmed)
    found.push(reason('ptr_not_confirmed', 0.5, "the client's PTR name does not resolve back to its address"))
  if (name !== null && (HOME_LINE.test(name) || holdsAddress(name, address)))
    found.push(reason('home_line', 1, "the client's PTR name looks like a home line, not a server"))
  if (!helo.startsWith('[') && !helo.includes('.'))
    found.push(reason('helo_not_a_name', 0.5, 'the HELO of the client is not a full host name'))
  for (const list of (listed ?? []).slice(0, 2))
    found.push(reason('dns_block_list', LISTED_POINTS, `the client is on the block list ${list}`))
  return found
}

/** True if all four numbers of an IPv4 address are in the name, in either order: `203-0-113-7.isp.example`. */
function holdsAddress(name: string, address: string): boolean {
  const octets = address.split('.')
  if (octets.length !== 4) return false
  const plain = name.replace(/[^0-9]+/g, '.')
  return [octets, octets.toReversed()].some((order) => `.${plain}.`.includes(`.${order.join('.')}.`))
}

/** Points for a sender's name with another address or a brand of another domain: most readers see only the name. */
function namePoints(from: Address, { dmarc }: AuthenticationResults): SpamReason[] {
  const domain = domainOf(from.address)
  const claimed = addressInName(from)
  if (claimed !== undefined)
    return [reason('address_in_name', 2, `the sender's name is an address at ${claimed}, but it writes from ${domain}`)]
  const brand = impersonated(from)
  if (brand === undefined) return []
  const detail = `the sender's name contains ${brand.name}, its domain does not`
  return [reason('brand_in_name', dmarc.result === 'pass' ? 1 : 2, detail)]
}

function reason(code: string, score: number, detail: string): SpamReason {
  return { code, score, detail }
}
