/** What authentication, the client and the addresses tell of a sender, in points of the spam score. */
import type { AuthenticationResults } from '../../authentication/types.js'
import { domainOf } from '../../mime/address.js'
import type { Address } from '../../mime/types.js'
import { addressInName, impersonated } from './identity.js'
import type { SpamReason } from '../types.js'

/** The client of the SMTP session. */
export interface Client {
  address: string
  /** Its name by PTR; null when it has none. */
  name: string | null
  /** Whether that name leads back to the address. */
  confirmed: boolean
  /** False when DNS gave no answer about the name. */
  known: boolean
  helo: string
  /** Block lists that have it. */
  listed?: string[] | undefined
}

export interface Sender {
  auth: AuthenticationResults
  from: Address | null
  isList: boolean
  envelopeFrom?: string | undefined
  client?: Client | undefined
}

/** Each list that has the client, up to two of them. */
const LISTED_POINTS = 2.5

export function senderPoints(sender: Sender): SpamReason[] {
  return [
    ...authenticationPoints(sender),
    ...(sender.client ? clientPoints(sender.client) : []),
    ...(sender.from ? namePoints(sender.from, sender.auth) : []),
  ]
}

/** A sender that shows who it is may still be a spammer, but is not a forgery; one that nothing is known of is only unknown. */
function authenticationPoints({ auth, isList }: Sender): SpamReason[] {
  const { spf, dkim, dmarc, arc } = auth
  if (dmarc.result === 'pass') return [reason('dmarc_pass', -0.5, 'the sender is who it says')]
  const found: SpamReason[] = []
  if (dmarc.result === 'fail') {
    // A list that changes its messages breaks the author's signature, and says so in the open.
    const isForwarded = arc.result === 'pass' || (isList && spf.result === 'pass')
    const detail = `the sender is not shown to be ${dmarc.domain ?? 'who it says'}`
    found.push(reason('dmarc_fail', isForwarded ? 1 : 2.5, detail))
  }
  if (spf.result === 'fail')
    found.push(reason('spf_fail', 1.5, `${spf.domain ?? 'the domain'} does not let this client send for it`))
  else if (spf.result === 'softfail')
    found.push(reason('spf_softfail', 0.5, `${spf.domain ?? 'the domain'} doubts that this client may send for it`))
  if (dkim.result === 'fail') found.push(reason('dkim_fail', 0.5, 'a signature does not match the message'))
  if (spf.result !== 'pass' && dkim.result !== 'pass' && found.length === 0)
    found.push(reason('unauthenticated', 1, 'neither SPF nor DKIM says who sent it'))
  return found
}

/** Names that providers give to the lines of homes and to machines for hire, which have a mail server of their own to use. */
const HOME_LINE =
  /(?:^|[.-])(?:dyn(?:amic)?|dhcp|pool|ppp|pppoe|dial(?:up|in)?|dsl|adsl|cable|client|customer|broadband)\d*(?=[.-])/i

/** RFC 5321 §4.1.4 forbids to refuse for the greeting; Postfix and others count it all the same. */
function clientPoints({ address, name, confirmed, known, helo, listed }: Client): SpamReason[] {
  const found: SpamReason[] = []
  if (name === null && known) found.push(reason('no_ptr', 1, 'the address of the client has no name'))
  if (name !== null && known && !confirmed)
    found.push(reason('ptr_not_confirmed', 0.5, "the client's name does not lead back to its address"))
  if (name !== null && (HOME_LINE.test(name) || holdsAddress(name, address)))
    found.push(reason('home_line', 1, "the client's name is one of a line and not of a server"))
  if (!helo.startsWith('[') && !helo.includes('.'))
    found.push(reason('helo_not_a_name', 0.5, 'the client does not greet with a full name'))
  for (const list of (listed ?? []).slice(0, 2))
    found.push(reason('dns_block_list', LISTED_POINTS, `the client is on the block list ${list}`))
  return found
}

/** Whether all four numbers of an IPv4 address are in the name, in either order: `203-0-113-7.isp.example`. */
function holdsAddress(name: string, address: string): boolean {
  const octets = address.split('.')
  if (octets.length !== 4) return false
  const plain = name.replace(/[^0-9]+/g, '.')
  return [octets, octets.toReversed()].some((order) => `.${plain}.`.includes(`.${order.join('.')}.`))
}

/** A name that is another address, or a well-known one that the domain has nothing to do with: it is what most readers are shown. */
function namePoints(from: Address, { dmarc }: AuthenticationResults): SpamReason[] {
  const domain = domainOf(from.address)
  const claimed = addressInName(from)
  if (claimed !== undefined)
    return [reason('address_in_name', 2, `the sender's name is an address at ${claimed}, and it writes from ${domain}`)]
  const brand = impersonated(from)
  if (brand === undefined) return []
  const detail = `the sender's name has ${brand.name} in it, its domain not`
  return [reason('brand_in_name', dmarc.result === 'pass' ? 1 : 2, detail)]
}

function reason(code: string, score: number, detail: string): SpamReason {
  return { code, score, detail }
}
