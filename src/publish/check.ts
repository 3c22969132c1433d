/** Checks that the records are published and effective: a record may be worded differently and be right. */
import { X509Certificate } from 'node:crypto'
import { checkKeyRecord } from '../authentication/key-record.js'
import { libraryResolver } from '../authentication/library-resolver.js'
import { checkMailFrom } from '../authentication/spf.js'
import type { Config } from '../config/schema.js'
import { daneProblem, usableRecords } from '../dns/dane.js'
import { orNone } from '../dns/optional.js'
import { LookupError, type Resolver } from '../dns/types.js'
import { messageOf } from '../lib/thrown.js'
import { sendRequest } from '../lib/http-client.js'
import { isPublicAddress } from '../lib/ip.js'
import { oneLine } from '../lib/text.js'
import { POLICY_PATH, publishedPolicy } from './mta-sts.js'
import { settingsAt, type Served } from './program-check.js'
import type { PublishedRecord } from './types.js'

export interface RecordCheck {
  record: PublishedRecord
  /** `unknown`: DNS gives no answer now, or the record was not checked. */
  result: 'ok' | 'missing' | 'differs' | 'unknown'
  /** Problem or warning. */
  note: string | null
}

export interface CheckDeps {
  config: Config
  resolver: Resolver
}

export type Found = Omit<RecordCheck, 'record'>

const OK: Found = { result: 'ok', note: null }
const MAX_SHOWN_CHARS = 200
const FETCH_MS = 10_000
/** RFC 8461 §3.3: senders read 64 KiB of a policy. */
const MAX_SERVED_BYTES = 64 * 1024

/** DNS errors become results and are not thrown. */
export async function checkRecords(deps: CheckDeps, records: readonly PublishedRecord[]): Promise<RecordCheck[]> {
  return Promise.all(records.map(async (record) => ({ record, ...(await check(deps, record)) })))
}

/** True if the operator has to act. An optional record may be missing, but not wrong. */
export function needsWork({ record, result }: RecordCheck): boolean {
  // The record of a retired key may be empty on purpose, which revokes the key.
  if (record.key?.state === 'retired') return result === 'missing'
  return record.required ? result !== 'ok' : result === 'differs'
}

async function check(deps: CheckDeps, record: PublishedRecord): Promise<Found> {
  try {
    return await checkKind(deps, record)
  } catch (error) {
    if (!(error instanceof LookupError)) throw error
    if (error.failure === 'temporary') return { result: 'unknown', note: `DNS gives no answer now: ${error.message}` }
    return { result: 'missing', note: null }
  }
}

async function checkKind(deps: CheckDeps, record: PublishedRecord): Promise<Found> {
  const { config, resolver } = deps
  switch (record.kind) {
    case 'mx':
      return checkMx(deps, record)
    case 'address':
      return checkAddresses(await addressesOf(resolver, record.name), config)
    case 'reverse':
      return checkReverse(deps, record)
    case 'spf':
      return checkSpf(deps, record)
    case 'dkim':
      return checkDkim(deps, record)
    case 'dmarc':
      return checkDmarc(await theOne(resolver, record.name, /^v=DMARC1\s*(?:;|$)/i), record)
    case 'mta-sts':
      return sameText(await theOne(resolver, record.name, /^v=STSv1\s*(?:;|$)/), record)
    case 'mta-sts-host':
      return checkServed(deps, record, policyAt(config, record))
    case 'tls-rpt': {
      const found = await theOne(resolver, record.name, /^v=TLSRPTv1\s*(?:;|$)/)
      if (typeof found !== 'string') return found
      return /;\s*rua\s*=\s*(?:mailto|https):/i.test(found)
        ? OK
        : differs(`it has no rua=mailto: or https: ${shown(found)}`)
    }
    case 'tlsa':
      return checkTlsa(resolver, record)
    case 'srv':
      return checkService(resolver, record)
    case 'settings-host':
      return checkServed(deps, record, await settingsAt(config, record))
  }
}

/** Judges it as a sender with DANE does (RFC 7672 §3), in unsigned zones too: such a record was published to take effect. */
async function checkTlsa({ checked }: Resolver, { name, owner, certificate }: PublishedRecord): Promise<Found> {
  if (!certificate) throw new Error('a TLSA record without its certificate')
  const { records, authentic } = await checked.tlsa(name)
  const usable = usableRecords(records)
  if (usable.length === 0)
    return { result: 'ok', note: 'no usable record (usages 2 and 3 are): senders require TLS, and no certificate' }
  const problem = daneProblem(chainOf(certificate), { names: [owner], records: usable }, Date.now())
  if (problem !== undefined)
    return differs(`the certificate for STARTTLS does not match it (${problem}): senders with DANE deliver nothing`)
  const unproven = 'the resolvers of server.dns do not validate it by DNSSEC; in an unsigned zone it has no effect'
  return { result: 'ok', note: authentic ? null : unproven }
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function chainOf(certificate: Buffer): X509Certificate[] {
  return (certificate.toString('latin1').match(PEM) ?? []).map((pem) => new X509Certificate(pem))
}

async function checkMx({ config, resolver }: CheckDeps, { name }: PublishedRecord): Promise<Found> {
  const own = config.domains.hostname
  const hosts = (await resolver.mx(name)).map(({ exchange }) => exchange)
  if (!hosts.includes(own))
    return differs(`mail goes to ${shown(hosts.join(', ')) || 'nobody (null MX)'}, not to ${own}`)
  const strange = hosts.filter((host) => host !== own)
  if (publishedPolicy(config)?.mode === 'enforce' && strange.length > 0)
    return differs(`the MTA-STS policy lacks ${shown(strange.join(', '))}: senders will not deliver there`)
  return { result: 'ok', note: strange.length > 0 ? `also to ${shown(strange.join(', '))}` : null }
}

function checkAddresses(addresses: string[], { relay }: Config): Found {
  if (addresses.length === 0) return { result: 'missing', note: null }
  const inside = addresses.filter((address) => !isPublicAddress(address))
  if (inside.length > 0 && !relay.allow_private_addresses)
    return differs(`${inside.join(', ')} cannot be reached from the Internet`)
  return { result: 'ok', note: addresses.join(', ') }
}

/** RFC 1912 §2.1: address and name have to match. */
async function checkReverse({ resolver }: CheckDeps, { name }: PublishedRecord): Promise<Found> {
  const addresses = await addressesOf(resolver, name)
  if (addresses.length === 0) return { result: 'missing', note: 'the host has no address' }
  const wrong: string[] = []
  for (const address of addresses) {
    const names = await namesOf(resolver, address)
    if (!names.includes(name)) wrong.push(`${address} leads to ${shown(names.join(', ')) || 'no name'}`)
  }
  return wrong.length === 0 ? OK : differs(wrong.join('; '))
}

/** Evaluates it for mail from this host instead of comparing its text. */
async function checkSpf({ config, resolver }: CheckDeps, record: PublishedRecord): Promise<Found> {
  const found = await theOne(resolver, record.name, /^v=spf1(?: |$)/i)
  if (typeof found !== 'string') return found
  if (found === record.value) return OK
  // Only its provider knows the addresses of a smart host; and a domain that sends nothing from here may list other hosts.
  if (config.relay.smarthost !== '' || record.value === 'v=spf1 -all')
    return { result: 'ok', note: `it is: ${shown(found)}` }
  const sender = `postmaster@${record.name}`
  const { hostname } = config.domains
  for (const ip of await addressesOf(resolver, hostname)) {
    const input = { raw: Buffer.alloc(0), ip, helo: hostname, mailFrom: sender, fromCount: 1 }
    const { result } = await checkMailFrom(input, libraryResolver(resolver))
    if (result !== 'pass') return differs(`mail from ${ip} gets "${result}": ${shown(found)}`)
  }
  return { result: 'ok', note: `it is: ${shown(found)}` }
}

async function checkDkim({ resolver }: CheckDeps, { key }: PublishedRecord): Promise<Found> {
  if (!key) throw new Error('a DKIM record without its key')
  const { result, problem, warnings } = await checkKeyRecord(resolver, key)
  const note = [problem ?? '', ...warnings].filter((text) => text !== '').join('; ')
  return { result: result === 'wrong' ? 'differs' : result, note: note === '' ? null : note }
}

function checkDmarc(found: string | Found, { owner }: PublishedRecord): Found {
  if (typeof found !== 'string') return found
  const policy = /;\s*p\s*=\s*(\w+)/i.exec(found)?.[1]?.toLowerCase()
  if (policy === undefined || !['none', 'quarantine', 'reject'].includes(policy))
    return differs(`it has no p=none, p=quarantine or p=reject: ${shown(found)}`)
  const notes = [
    ...(policy === 'none' ? ['p=none requests no action'] : []),
    ...(/\brua\s*=/i.test(found) && !found.toLowerCase().includes(`@${owner}`)
      ? ['its reports go elsewhere, so "restante reports" does not have them']
      : []),
  ]
  return { result: 'ok', note: notes.length > 0 ? notes.join('; ') : null }
}

function policyAt(config: Config, { name }: PublishedRecord): Served {
  const policy = lines(publishedPolicy(config)?.text ?? '')
  return {
    url: new URL(`https://${name}${POLICY_PATH}`),
    isRight: (text) => lines(text) === policy,
    what: 'the policy',
  }
}

/** Checks the proxy, its certificate and the Host header, as others see them. */
async function checkServed({ resolver }: CheckDeps, { name }: PublishedRecord, served: Served): Promise<Found> {
  const [address] = await addressesOf(resolver, name)
  if (address === undefined) return { result: 'missing', note: null }
  const { url, isRight, what } = served
  try {
    const limits = { timeoutMs: FETCH_MS, maxBytes: MAX_SERVED_BYTES }
    const { status, body } = await sendRequest({ url, address, method: 'GET', ...limits })
    if (status !== 200) return differs(`${url.href} responds with ${status}`)
    return isRight(body.toString('utf8'))
      ? OK
      : differs(`${url.href} differs from ${what} of the settings; does the daemon need a restart?`)
  } catch (error) {
    return differs(`${url.href} cannot be fetched: ${shown(messageOf(error))}`)
  }
}

/** Other records beside ours are for other servers of the domain. */
async function checkService(resolver: Resolver, { name, value }: PublishedRecord): Promise<Found> {
  const found = (await resolver.srv(name)).map(({ port, target }) => `${port} ${target}`)
  const [, port = '', host = ''] = /^\d+ \d+ (\d+) (\S*)\.$/.exec(value ?? '') ?? []
  const others = found.filter((each) => each !== `${port} ${host}`)
  if (host === '' && others.length > 0) return differs(`it leads to ${shown(others.join(', '))}, which is not offered`)
  if (others.length === found.length) return differs(`it leads to ${shown(others.join(', '))}, not to ${port} ${host}`)
  return { result: 'ok', note: others.length > 0 ? `also to ${shown(others.join(', '))}` : null }
}

function lines(text: string): string {
  return text.trim().split(/\r?\n/).join('\n')
}

/** The only TXT record of its kind: two invalidate each other (RFC 7208 §4.5, RFC 7489 §6.6.3, RFC 8461 §3.1, RFC 8460 §3). */
async function theOne(resolver: Resolver, name: string, kind: RegExp): Promise<string | Found> {
  const found = (await resolver.txt(name)).filter((text) => kind.test(text))
  const [first] = found
  if (first === undefined) return { result: 'missing', note: null }
  return found.length === 1 ? first : differs(`there are ${found.length} of them, which makes all of them invalid`)
}

function sameText(found: string | Found, { value }: PublishedRecord): Found {
  if (typeof found !== 'string') return found
  const plain = (text: string): string => text.replace(/\s/g, '').replace(/;$/, '')
  return plain(found) === plain(value ?? '') ? OK : differs(`it is: ${shown(found)}`)
}

async function addressesOf(resolver: Resolver, name: string): Promise<string[]> {
  const answers = await Promise.all([resolver.a, resolver.aaaa].map((look) => orNone(look(name))))
  return answers.flat()
}

function namesOf(resolver: Resolver, address: string): Promise<string[]> {
  return orNone(resolver.ptr(address))
}

function differs(note: string): Found {
  return { result: 'differs', note }
}

function shown(text: string): string {
  return oneLine(text).slice(0, MAX_SHOWN_CHARS)
}
