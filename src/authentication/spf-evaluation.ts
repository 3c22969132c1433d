/** `check_host()` of RFC 7208 §4: evaluates the record of a domain for a client, with the limits on look-ups of §4.6.4. */
import type { DNSResolver } from 'mailauth'
import { queryName, reverseName } from '../dns/name.js'
import type { MxRecord } from '../dns/types.js'
import { isWithin, nibblesOf, parseAddress, type Address } from '../lib/ip.js'
import { isAbsence } from './library-resolver.js'
import { isSpfRecord, parseSpfRecord, type Mechanism } from './spf-record.js'
import type { SpfResult } from './types.js'

export interface SpfSession {
  /** IPv4 addresses without their IPv6 mapping (RFC 7208 §5). */
  ip: string
  helo: string
  local: string
  domain: string
}

/** Max terms with look-ups; for an `mx` or a `ptr`, max names whose addresses are looked up. */
const MAX_LOOKUPS = 10
const MAX_VOID = 2
const MAX_NAME_CHARS = 253
/** A target name: several labels of printable characters, the last of which is not a number (RFC 7208 §7.1). */
const TARGET = /^(?:[ -\-/-~]{1,63}\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/i
const MACRO = /%(?:([%_-])|\{([a-z])(\d*)(r?)([^}]*)\})/gi
/** RFC 7208 §7.3: the macros whose value is an address of the sender. */
const LOCAL_MACRO = /%\{[sl]/i
const NON_ASCII = /[^\0-\x7f]/

class SpfError extends Error {
  constructor(readonly result: 'permerror' | 'temperror') {
    super(`SPF ${result}`)
  }
}

/** @returns the result for the record of `session.domain`; never throws for any content of DNS */
export async function evaluateSpf(session: SpfSession, resolver: DNSResolver): Promise<SpfResult> {
  try {
    return await new Evaluation(session, resolver).check(session.domain)
  } catch (error) {
    if (error instanceof SpfError) return error.result
    throw error
  }
}

class Evaluation {
  readonly #session: SpfSession
  readonly #resolver: DNSResolver
  readonly #client: Address
  readonly #addressType: 'A' | 'AAAA'
  #lookups = 0
  #voids = 0

  constructor(session: SpfSession, resolver: DNSResolver) {
    const client = parseAddress(session.ip)
    if (!client) throw new SpfError('temperror')
    this.#session = session
    this.#resolver = resolver
    this.#client = client
    this.#addressType = client.kind() === 'ipv4' ? 'A' : 'AAAA'
  }

  async check(domain: string): Promise<SpfResult> {
    const texts = await this.#answer(domain, 'TXT')
    const records = texts.map((text) => [text].flat().join('')).filter(isSpfRecord)
    const [text] = records
    if (text === undefined) return 'none'
    const record = records.length === 1 ? parseSpfRecord(text) : undefined
    if (!record) throw new SpfError('permerror')
    for (const mechanism of record.mechanisms) if (await this.#matches(mechanism, domain)) return mechanism.result
    // RFC 7208 §6.1: without effect if the record has `all`, which has matched then.
    if (record.redirect === undefined) return 'neutral'
    return this.#checkOther(await this.#expand(record.redirect, domain))
  }

  /** For `include` and `redirect`, which need a record. */
  async #checkOther(target: string | undefined): Promise<SpfResult> {
    if (target === undefined || !TARGET.test(target)) throw new SpfError('permerror')
    this.#countTerm()
    const result = await this.check(target)
    if (result === 'none') throw new SpfError('permerror')
    return result
  }

  async #matches({ kind, spec, network, bits4, bits6 }: Mechanism, domain: string): Promise<boolean> {
    const bits = this.#addressType === 'A' ? bits4 : bits6
    if (kind === 'all') return true
    if (kind === 'ip4' || kind === 'ip6') return network !== undefined && isWithin(this.#client, network, bits)
    // RFC 8616 §4: a local part that is not ASCII matches nothing.
    if (spec !== undefined && LOCAL_MACRO.test(spec) && NON_ASCII.test(this.#session.local)) return false
    const target = spec === undefined ? domain : await this.#expand(spec, domain)
    if (kind === 'include') return (await this.#checkOther(target)) === 'pass'
    if (!TARGET.test(target)) return false
    switch (kind) {
      case 'a':
        return this.#hasClient(await this.#lookUp(target, this.#addressType), bits)
      case 'mx':
        return this.#matchesMx(target, bits)
      case 'exists':
        return (await this.#lookUp(target, 'A')).length > 0
      case 'ptr':
        return (await this.#clientNames()).some((name) => isWithinDomain(name, target))
    }
  }

  async #matchesMx(target: string, bits: number): Promise<boolean> {
    const records = (await this.#lookUp(target, 'MX')).filter(isMx).sort((a, b) => a.priority - b.priority)
    let asked = 0
    for (const { exchange } of records) {
      if (exchange === '' || exchange === '.') continue
      if (++asked > MAX_LOOKUPS) throw new SpfError('permerror')
      if (this.#hasClient(await this.#answer(exchange, this.#addressType), bits)) return true
    }
    return false
  }

  /** The client's names that resolve to its address (RFC 7208 §5.5). */
  async #clientNames(): Promise<string[]> {
    let names: unknown[]
    try {
      names = await this.#lookUp(reverseName(this.#session.ip) ?? '', 'PTR')
    } catch (error) {
      if (error instanceof SpfError && error.result === 'temperror') return []
      throw error
    }
    const candidates = names.filter((name) => typeof name === 'string').slice(0, MAX_LOOKUPS)
    const answers = await Promise.allSettled(candidates.map((name) => this.#answer(name, this.#addressType)))
    return candidates.filter((_, i) => {
      const answer = answers[i]
      return answer?.status === 'fulfilled' && this.#hasClient(answer.value, 128)
    })
  }

  #hasClient(addresses: unknown[], bits: number): boolean {
    return addresses.some((text) => {
      const address = typeof text === 'string' ? parseAddress(text) : undefined
      return address !== undefined && isWithin(this.#client, address, bits)
    })
  }

  #countTerm(): void {
    if (++this.#lookups > MAX_LOOKUPS) throw new SpfError('permerror')
  }

  async #lookUp(name: string, type: string): Promise<unknown[]> {
    this.#countTerm()
    const answer = await this.#answer(name, type)
    if (answer.length === 0) this.#countVoid()
    return answer
  }

  #countVoid(): void {
    if (++this.#voids > MAX_VOID) throw new SpfError('permerror')
  }

  /** @returns nothing if there is no such record */
  async #answer(name: string, type: string): Promise<unknown[]> {
    if (!TARGET.test(name)) throw new SpfError('permerror')
    try {
      return await this.#resolver(name, type)
    } catch (error) {
      if (isAbsence(error)) return []
      throw new SpfError(
        error instanceof Error && 'code' in error && error.code === 'EBADNAME' ? 'permerror' : 'temperror',
      )
    }
  }

  /** Replaces the macros of a domain-spec (RFC 7208 §7). */
  async #expand(spec: string, domain: string): Promise<string> {
    let name = spec
    if (spec.includes('%')) {
      const clientName = /%\{p/i.test(spec) ? await this.#clientName(domain) : ''
      name = spec.replace(MACRO, (_, escaped: string | undefined, letter: string, ...transformers: Transformers) => {
        if (escaped !== undefined) return ESCAPES[escaped] ?? ''
        const value = transformed(this.#macroValue(letter.toLowerCase(), domain, clientName), transformers)
        return letter === letter.toLowerCase() ? value : urlEscaped(value)
      })
    }
    if (name.endsWith('.')) name = name.slice(0, -1)
    while (name.length > MAX_NAME_CHARS && name.includes('.')) name = name.slice(name.indexOf('.') + 1)
    return name
  }

  #macroValue(letter: string, domain: string, clientName: string): string {
    const { ip, helo, local, domain: sender } = this.#session
    switch (letter) {
      case 's':
        return `${local}@${sender}`
      case 'l':
        return local
      case 'o':
        return sender
      case 'd':
        return domain
      case 'i':
        return this.#addressType === 'A' ? ip : nibblesOf(ip).join('.')
      case 'p':
        return clientName
      case 'v':
        return this.#addressType === 'A' ? 'in-addr' : 'ip6'
      default:
        return helo
    }
  }

  /** `%{p}`: preferably the domain itself, else a name below it. */
  async #clientName(domain: string): Promise<string> {
    const names = await this.#clientNames()
    const same = names.find((name) => queryName(name) === queryName(domain))
    return same ?? names.find((name) => isWithinDomain(name, domain)) ?? names[0] ?? 'unknown'
  }
}

const ESCAPES: Record<string, string> = { '%': '%', _: ' ', '-': '%20' }

/** Transformers of a macro (RFC 7208 §7.1), each '' if not given; the offset and the whole text are the rest of `replace`. */
type Transformers = [digits: string, reverse: string, delimiters: string, ...unknown[]]

/** RFC 7208 §7.1: splits a macro's value, reverses it, and keeps the last parts. */
function transformed(value: string, [digits, reverse, delimiters]: Transformers): string {
  if (digits === '' && reverse === '' && delimiters === '') return value
  const parts: string[] = ['']
  for (const char of value) {
    if ((delimiters || '.').includes(char)) parts.push('')
    else parts.push(`${parts.pop()}${char}`)
  }
  if (reverse !== '') parts.reverse()
  return parts.slice(digits === '' ? 0 : -Number(digits)).join('.')
}

/** RFC 3986 §2.3. */
function urlEscaped(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function isWithinDomain(name: string, domain: string): boolean {
  return `.${queryName(name)}`.endsWith(`.${queryName(domain)}`)
}

function isMx(value: unknown): value is MxRecord {
  return typeof value === 'object' && value !== null && 'exchange' in value && 'priority' in value
}
