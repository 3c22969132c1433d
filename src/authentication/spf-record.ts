/** The syntax of SPF records (RFC 7208 §4.6 and §12). */
import { parseAddress, type Address } from '../lib/ip.js'

export interface Mechanism {
  kind: 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists'
  result: 'pass' | 'fail' | 'softfail' | 'neutral'
  /** The domain-spec before its macros are expanded; undefined for the current domain. */
  spec: string | undefined
  /** Only of `ip4` and `ip6`. */
  network: Address | undefined
  /** Prefix lengths of the two kinds of addresses. */
  bits4: number
  bits6: number
}

export interface SpfRecord {
  mechanisms: Mechanism[]
  /** Domain-spec. */
  redirect: string | undefined
}

const VERSION = /^v=spf1(?: |$)/i
const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/i
const DIRECTIVE = /^([+?~-]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?![^:/])(.*)$/i
/** A domain-spec and the prefix lengths of `a` and `mx`. */
const TARGET = /^(?::(.+?))?(?:\/(0|[1-9]\d?))?(?:\/\/(0|[1-9]\d{0,2}))?$/
const NETWORK = /^:([0-9a-f:.]+)(?:\/(0|[1-9]\d{0,2}))?$/i

/** RFC 7208 §7.1. The letters c, r and t are for explanations only. */
const MACRO = String.raw`%\{[slodiphv](?:0*[1-9]\d*)?r?[.+,/_=-]*\}|%[%_-]`
const MACRO_STRING = new RegExp(String.raw`^(?:[!-$&-~]|${MACRO})*$`, 'i')
/** Not a number. Written so that a long label takes linear time. */
const TOP_LABEL = String.raw`(?=[a-z0-9-]*[a-z-])[a-z0-9](?:[a-z0-9-]*[a-z0-9])?`
const DOMAIN_END = new RegExp(String.raw`(?:\.${TOP_LABEL}\.?|${MACRO})$`, 'i')

const RESULTS: Record<string, Mechanism['result']> = { '-': 'fail', '~': 'softfail', '?': 'neutral' }

export function isSpfRecord(text: string): boolean {
  return VERSION.test(text)
}

/** @returns undefined for a syntax error anywhere in the record, which is a permerror (RFC 7208 §4.6) */
export function parseSpfRecord(text: string): SpfRecord | undefined {
  if (!/^[ -~]*$/.test(text)) return undefined
  const mechanisms: Mechanism[] = []
  const modifiers = new Map<string, string>()
  for (const term of text.split(' ').slice(1)) {
    if (term === '') continue
    const mechanism = parseMechanism(term)
    if (mechanism) {
      mechanisms.push(mechanism)
      continue
    }
    const [, name = '', value = ''] = MODIFIER.exec(term) ?? []
    const known = name.toLowerCase()
    if (name === '' || !MACRO_STRING.test(value)) return undefined
    if (known !== 'redirect' && known !== 'exp') continue
    // RFC 7208 §6: each at most once.
    if (modifiers.has(known) || !isDomainSpec(value)) return undefined
    modifiers.set(known, value)
  }
  return { mechanisms, redirect: modifiers.get('redirect') }
}

function parseMechanism(term: string): Mechanism | undefined {
  const [, qualifier = '', name = '', rest = ''] = DIRECTIVE.exec(term) ?? []
  const result = RESULTS[qualifier] ?? 'pass'
  const plain = { result, spec: undefined, network: undefined, bits4: 32, bits6: 128 }
  const kind = name.toLowerCase()
  switch (kind) {
    case 'all':
      return rest === '' ? { ...plain, kind } : undefined
    case 'ip4':
    case 'ip6': {
      const [, address = '', bits] = NETWORK.exec(rest) ?? []
      const longest = kind === 'ip4' ? 32 : 128
      const length = bits === undefined ? longest : Number(bits)
      const network = parseAddress(address)
      if (network?.kind() !== (kind === 'ip4' ? 'ipv4' : 'ipv6') || length > longest) return undefined
      return { ...plain, kind, network, bits4: length, bits6: length }
    }
    case 'include':
    case 'exists':
    case 'ptr': {
      const spec = rest === '' ? undefined : rest.slice(1)
      if (spec === undefined ? kind !== 'ptr' : !rest.startsWith(':') || !isDomainSpec(spec)) return undefined
      return { ...plain, kind, spec }
    }
    case 'a':
    case 'mx': {
      const match = TARGET.exec(rest)
      const [, spec, bits4 = '32', bits6 = '128'] = match ?? []
      const isValid = match !== null && (spec === undefined || isDomainSpec(spec))
      if (!isValid || Number(bits4) > 32 || Number(bits6) > 128) return undefined
      return { ...plain, kind, spec, bits4: Number(bits4), bits6: Number(bits6) }
    }
    default:
      return undefined
  }
}

function isDomainSpec(text: string): boolean {
  return MACRO_STRING.test(text) && DOMAIN_END.test(text)
}
