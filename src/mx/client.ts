/**
 * A client's identity by DNS: the name of its address, whether that name resolves back to it, and whether the HELO name is its own. Never a reason to refuse:
 * RFC 5321 §4.1.4 forbids it for HELO, and many honest hosts have no name.
 */
import { LookupError, type Resolver } from '../dns/types.js'
import { isHostName } from '../lib/host-port.js'
import { isWithin, parseAddress, unmapped } from '../lib/ip.js'
import { isIPv6 } from 'node:net'

export type AddressResolver = Pick<Resolver, 'a' | 'aaaa' | 'ptr'>

export interface ClientName {
  /** Name of the PTR record, in lower case; null if there is none or DNS gave no answer in time. */
  name: string | null
  /** True if the name resolves to the client's address. */
  confirmed: boolean
  /** False if DNS gave no answer; then missing data says nothing about the client. */
  known: boolean
}

/** `match`: HELO resolves to the client. `mismatch`: it resolves elsewhere, not at all, or is no name. `unknown`: no answer. */
export type HeloMatch = 'match' | 'mismatch' | 'unknown'

export interface ClientIdentity extends ClientName {
  helo: HeloMatch
  /** DNS blocklists that list the address, if they only add to the score. */
  listed: string[]
}

/** For clients that were not looked up, or before an answer. */
export const UNKNOWN_NAME: ClientName = { name: null, confirmed: false, known: false }

/** RFC 7208 §4.6.4 allows 10; several names of one address are virtual hosts, any of which will do. */
const MAX_NAMES = 4

/** The confirmed name of an address, or its first one. Never rejects. */
export async function clientName(resolver: AddressResolver, ip: string): Promise<ClientName> {
  let known = true
  const answers = await resolver.ptr(ip).catch((error: unknown) => {
    known = !isTemporary(error)
    return []
  })
  const names = answers
    .map((name) => name.toLowerCase().replace(/\.$/, ''))
    // Strangers choose DNS contents, and this goes into headers and logs.
    .filter(isHostName)
    .slice(0, MAX_NAMES)
  const leads = await Promise.all(names.map((name) => leadsTo(resolver, name, ip)))
  const confirmed = names.find((_name, index) => leads[index] === 'match')
  if (confirmed === undefined && leads.includes('unknown')) known = false
  return { name: confirmed ?? names[0] ?? null, confirmed: confirmed !== undefined, known }
}

/** Compares the HELO name with the client. Never rejects. */
export async function heloMatch(
  resolver: AddressResolver,
  helo: string,
  ip: string,
  { name, confirmed }: Pick<ClientName, 'name' | 'confirmed'>,
): Promise<HeloMatch> {
  const said = helo.toLowerCase().replace(/\.$/, '')
  const literal = /^\[(?:ipv6:)?([0-9a-f:.]+)\]$/.exec(said)?.[1]
  if (literal !== undefined) return isSame(literal, ip) ? 'match' : 'mismatch'
  if (confirmed && said === name) return 'match'
  return isHostName(said) ? leadsTo(resolver, said, ip) : 'mismatch'
}

/** Resolves with `late` after `ms` without an answer. */
export async function within<T>(ms: number, answer: Promise<T>, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), ms).unref()
  })
  return Promise.race([answer, expired]).finally(() => clearTimeout(timer))
}

async function leadsTo(resolver: AddressResolver, name: string, ip: string): Promise<HeloMatch> {
  try {
    const addresses = await (isIPv6(ip) ? resolver.aaaa(name) : resolver.a(name))
    return addresses.some((address) => isSame(address, ip)) ? 'match' : 'mismatch'
  } catch (error) {
    return isTemporary(error) ? 'unknown' : 'mismatch'
  }
}

function isTemporary(error: unknown): boolean {
  return !(error instanceof LookupError) || error.failure === 'temporary'
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [parseAddress(unmapped(a)), parseAddress(unmapped(b))]
  return one !== undefined && other !== undefined && isWithin(one, other, one.toByteArray().length * 8)
}
