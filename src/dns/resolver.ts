/** A caching stub resolver (RFC 1034 §5.3.1): node's own gives no TTLs and has no cache, but each message needs SPF, DKIM and DMARC records. */
import { setMaxListeners } from 'node:events'
import { getServers } from 'node:dns'
import { isIP } from 'node:net'
import type { Answer, DecodedPacket } from 'dns-packet'
import { DAY, HOUR, SECOND, type Clock } from '../lib/clock.js'
import { parseHostPort } from '../lib/host-port.js'
import { isLoopback } from '../lib/ip.js'
import { asciiOnly } from '../lib/text.js'
import { createCache, type Cache } from './cache.js'
import { exchange, ExchangeError, type Server } from './transport.js'
import { queryName, reverseName } from './name.js'
import { createServerList, type ServerList } from './servers.js'
import { specialAnswer } from './special-names.js'
import { LookupError, type Answered, type LookupFailure, type MxRecord, type Resolver } from './types.js'
import { isMx, isSrv, isText, isTlsa, valuesOf, type Value } from './values.js'

export interface ResolverOptions {
  /** IP addresses, each alone (port 53) or as `host:port`. Empty: the system's. */
  servers: string[]
  /** Trust the servers to validate DNSSEC. `auto`: those on this machine; the AD bit of others could be forged in transit (RFC 6698 §A.3). */
  validates?: Validates
  /** Time limit of a look-up with all servers, tries and aliases. */
  timeoutMs?: number
  /** Time limit of one query to one server. */
  queryTimeoutMs?: number
  clock: Clock
}

export type Validates = 'auto' | 'on' | 'off'

type Type = 'A' | 'AAAA' | 'MX' | 'TXT' | 'PTR' | 'TLSA' | 'CNAME' | 'SRV'

/** A cached result: records, or the reason of their absence. */
type Outcome = { authentic: boolean } & (
  { found: true; values: Value[]; name: string } | { found: false; failure: LookupFailure; detail: string }
)

interface Looked {
  outcome: Outcome
  ttlMs: number
  bytes: number
}

const TIMEOUT_MS = 10 * SECOND
const QUERY_TIMEOUT_MS = 2 * SECOND
const ROUNDS = 3
const MAX_ALIASES = 8
const MAX_TTL_MS = DAY
/** RFC 2308 §5 allows up to 3 hours; an hour lets a new record be seen the same morning. */
const MAX_NEGATIVE_TTL_MS = HOUR
const MAX_CACHE_ENTRIES = 50_000
const MAX_CACHE_BYTES = 32 * 1024 * 1024
/** Each query has a socket: strangers must not exhaust the file descriptors. */
const MAX_QUERIES_AT_ONCE = 256
/** Max length of untrusted text in errors. */
const MAX_SHOWN_CHARS = 255
const RCODE_NOERROR = 0
const RCODE_NXDOMAIN = 3

/** @throws Error when an entry of `servers` can't be read */
export function createResolver(options: ResolverOptions): Resolver {
  const lookUps = new LookUps(options)

  async function checked<T extends Value>(
    type: Type,
    name: string,
    is: (value: Value) => value is T,
  ): Promise<Answered<T>> {
    const outcome = await lookUps.find(type, name)
    return { records: outcome.values.filter(is), authentic: outcome.authentic, name: outcome.name }
  }
  const texts = async (type: Exclude<Type, 'MX' | 'SRV' | 'TLSA'>, name: string): Promise<string[]> =>
    (await lookUps.find(type, name)).values.filter(isText)
  const mx = async (name: string): Promise<Answered<MxRecord>> => {
    const found = await checked('MX', name, isMx)
    // RFC 5321 §5.1: equal preferences in random order each time.
    return { ...found, records: shuffled(found.records).sort((a, b) => a.priority - b.priority) }
  }

  return {
    a: (name) => texts('A', name),
    aaaa: (name) => texts('AAAA', name),
    mx: async (name) => (await mx(name)).records,
    srv: async (name) => (await checked('SRV', name, isSrv)).records,
    txt: (name) => texts('TXT', name),
    async ptr(ip) {
      const name = reverseName(ip)
      if (name === undefined)
        throw new LookupError('not_found', asciiOnly(ip, MAX_SHOWN_CHARS), 'PTR', 'not an IP address')
      return texts('PTR', name)
    },
    checked: {
      a: (name) => checked('A', name, isText),
      aaaa: (name) => checked('AAAA', name, isText),
      mx,
      tlsa: (name) => checked('TLSA', name, isTlsa),
      cname: (name) => checked('CNAME', name, isText),
    },
    keptUntil: (name, type) => lookUps.keptUntil(name, type),
    validates: lookUps.validates(),
    close: () => lookUps.close(),
  }
}

class LookUps {
  readonly #timeoutMs: number
  readonly #queryTimeoutMs: number
  readonly #explicit: boolean
  readonly #servers: ServerList
  readonly #cache: Cache<Outcome>
  readonly #pending = new Map<string, Promise<Outcome>>()
  readonly #closing = new AbortController()
  readonly #slots = createSlots(MAX_QUERIES_AT_ONCE)

  constructor(options: ResolverOptions) {
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    this.#queryTimeoutMs = options.queryTimeoutMs ?? QUERY_TIMEOUT_MS
    this.#explicit = options.servers.length > 0
    this.#servers = createServerList(
      (this.#explicit ? options.servers : systemServers()).map(parseServer).map(judged(options.validates)),
      options.clock,
    )
    this.#cache = createCache<Outcome>({
      clock: options.clock,
      maxEntries: MAX_CACHE_ENTRIES,
      maxBytes: MAX_CACHE_BYTES,
    })
    setMaxListeners(0, this.#closing.signal)
  }

  async find(type: Type, name: string): Promise<Extract<Outcome, { found: true }>> {
    const asked = queryName(name)
    // An invalid name cannot exist.
    if (asked === undefined)
      throw new LookupError('not_found', asciiOnly(name, MAX_SHOWN_CHARS), type, 'not a domain name')
    const key = `${type} ${asked}`
    const outcome = this.#cache.get(key) ?? (await (this.#pending.get(key) ?? this.#start(key, type, asked)))
    if (outcome.found) return outcome
    throw new LookupError(outcome.failure, asked, type, outcome.detail, outcome.authentic)
  }

  /** Expiry of a cached answer; undefined if not cached. */
  keptUntil(name: string, type: string): number | undefined {
    return this.#cache.expiresAt(`${type} ${queryName(name) ?? ''}`)
  }

  validates(): boolean {
    return this.#servers.inOrder().some(({ validates }) => validates === true)
  }

  close(): void {
    this.#closing.abort()
  }

  /** Shares one look-up among concurrent callers. */
  #start(key: string, type: Type, name: string): Promise<Outcome> {
    const started = this.#lookUp(type, name)
      .then(({ outcome, ttlMs, bytes }) => {
        this.#cache.set(key, outcome, bytes, ttlMs)
        return outcome
      })
      .finally(() => this.#pending.delete(key))
    this.#pending.set(key, started)
    return started
  }

  /** Follows aliases with as many queries as needed. A recursive server returns the whole chain at once. */
  async #lookUp(type: Type, name: string): Promise<Looked> {
    const deadline = performance.now() + this.#timeoutMs
    const seen = new Set([name])
    let target = name
    let ttlMs = MAX_TTL_MS
    let bytes = 0
    let authentic = true
    const end = (outcome: Outcome, lastTtlMs: number): Looked => ({ outcome, ttlMs: Math.min(ttlMs, lastTtlMs), bytes })
    const fail = (failure: LookupFailure, detail: string, lastTtlMs = 0): Looked =>
      end({ found: false, failure, detail, authentic }, lastTtlMs)

    for (;;) {
      const special = this.#explicit ? undefined : specialAnswer(target, type)
      if (special) {
        authentic = false
        return special.length > 0
          ? end({ found: true, values: special.flatMap(valuesOf), name: target, authentic }, MAX_TTL_MS)
          : fail('not_found', 'special-use name', HOUR)
      }
      let answer: Awaited<ReturnType<typeof exchange>>
      try {
        answer = await this.#ask(type, target, deadline)
      } catch (error) {
        // RFC 2308 §7: a failure of the servers says nothing about the name, so it isn't cached.
        authentic = false
        if (error instanceof ExchangeError) return fail('temporary', error.message)
        throw error
      }
      bytes += answer.bytes
      authentic &&= answer.authentic
      const inClass = (answer.packet.answers ?? []).filter((record) => record.type !== 'OPT' && record.class === 'IN')

      let aliased = false
      for (;;) {
        const own = inClass.filter((record) => record.name.toLowerCase() === target)
        const matching = own.filter((record) => record.type === type)
        if (matching.length > 0) {
          return end({ found: true, values: matching.flatMap(valuesOf), name: target, authentic }, leastTtlMs(matching))
        }
        const alias = own.find((record) => record.type === 'CNAME')
        if (alias?.type !== 'CNAME') break
        const next = queryName(alias.data)
        if (next === undefined) return fail('no_data', 'alias to something that is not a name', leastTtlMs([alias]))
        if (seen.has(next) || seen.size > MAX_ALIASES) return fail('temporary', 'a loop or too many aliases')
        seen.add(next)
        ttlMs = Math.min(ttlMs, leastTtlMs([alias]))
        target = next
        aliased = true
      }

      const negativeTtlMs = negativeTtl(answer.packet)
      if (answer.rcode === RCODE_NXDOMAIN) return fail('not_found', 'no such name', negativeTtlMs ?? 0)
      // An alias without its target, and without an SOA for a negative answer: the server doesn't recurse.
      if (!aliased || negativeTtlMs !== undefined) return fail('no_data', 'no record of this type', negativeTtlMs ?? 0)
    }
  }

  /** The first usable answer of any server. After SERVFAIL, REFUSED and the like the next server is tried. */
  async #ask(
    type: Type,
    name: string,
    deadline: number,
  ): Promise<{ packet: DecodedPacket; bytes: number; rcode: number; authentic: boolean }> {
    let reason = 'no answer in time'
    const order = this.#servers.inOrder()
    for (let attempt = 0; attempt < ROUNDS * order.length; attempt++) {
      const server = order[attempt % order.length]
      const release = await this.#slots()
      try {
        const leftMs = deadline - performance.now()
        if (server === undefined || leftMs <= 0 || this.#closing.signal.aborted) break
        const answer = await exchange(server, name, type, Math.min(this.#queryTimeoutMs, leftMs), this.#closing.signal)
        this.#servers.answered(server)
        if (answer.rcode === RCODE_NOERROR || answer.rcode === RCODE_NXDOMAIN) return answer
        reason = `answered with code ${answer.rcode}`
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error
        if (server) this.#servers.failed(server)
        reason = error.message
      } finally {
        release()
      }
    }
    throw new ExchangeError(reason)
  }
}

function judged(validates: Validates = 'auto'): (server: Server) => Server {
  return (server) => ({ ...server, validates: validates === 'on' || (validates === 'auto' && isLoopback(server.host)) })
}

function systemServers(): string[] {
  const found = getServers()
  return found.length > 0 ? found : ['127.0.0.1']
}

function parseServer(text: string): Server {
  const server = isIP(text) ? { host: text, port: 53 } : parseHostPort(text)
  if (server && isIP(server.host)) return server
  throw new Error(`Not a DNS server: "${text}". Give an IP address with a port, such as "127.0.0.1:53".`)
}

function leastTtlMs(records: Answer[]): number {
  let least = MAX_TTL_MS
  for (const record of records) {
    if (record.type === 'OPT') continue
    const ttl = record.ttl ?? 0
    // RFC 2181 §8: a TTL with the highest bit set counts as zero.
    least = Math.min(least, ttl >= 2 ** 31 ? 0 : ttl * SECOND)
  }
  return least
}

/** RFC 2308 §5: the lesser of the SOA's TTL and its minimum field; without an SOA a negative answer isn't cached. */
function negativeTtl(packet: DecodedPacket): number | undefined {
  const soa = packet.authorities?.find((record) => record.type === 'SOA')
  if (soa?.type !== 'SOA') return undefined
  return Math.min(leastTtlMs([soa]), (soa.data.minimum ?? 0) * SECOND, MAX_NEGATIVE_TTL_MS)
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

/** Semaphore of `max` slots with a queue. Resolves to a function that releases the slot. */
function createSlots(max: number): () => Promise<() => void> {
  let free = max
  const waiting: (() => void)[] = []
  const release = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return async () => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    return release
  }
}
