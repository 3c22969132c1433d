/** Rate limits in requests per minute, by key, account (all keys) and client network. In memory, and shared with the other daemons on the store. */
import { randomBytes } from 'node:crypto'
import type { Caller } from '../../accounts/types.js'
import { MINUTE, SECOND } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { clientNetwork } from '../../lib/ip.js'
import type { Asker } from '../../lib/thread-pool.js'
import { createWindowCounter } from '../../lib/window-counter.js'
import type { Fields } from '../listener/types.js'
import type { HttpRequest } from '../message.js'
import { NOT_SHARED, type SharedCounts } from '../../store/nodes/shared-counts.js'

/**
 * Number of counters shared by client networks, which bounds memory. An honest client shares one with a given abuser with probability 1 in 65,536, and the salt
 * prevents choosing whose.
 */
const NETWORK_COUNTERS = 65_536

export interface RateState {
  limit: number
  remaining: number
  resetSeconds: number
}

export type RateLimits = ReturnType<typeof createRateLimits>

type Counted = Pick<Caller, 'keyId' | 'account'>

/** @param limits requests per minute */
export function createRateLimits(
  { perKey, perAccount }: { perKey: number; perAccount: number },
  shared: SharedCounts = NOT_SHARED,
) {
  // Keys and accounts have exact counters: only existing ones are counted, and two agents must not share a limit.
  const salt = randomBytes(4).readUInt32LE()
  const counter = counters(shared)
  const keys = counter('requests of a key', perKey)
  const accounts = counter('requests of an account', perAccount)
  const networks = counter('requests of a network', perKey, (network) => String(bucket(network, salt)))

  return {
    /**
     * Counts a request against key and account.
     *
     * @param requests weight of this one; 0 only asks
     * @returns the limit closer to being reached
     * @throws ServiceError `rate_limited`
     */
    countCaller({ keyId, account }: Counted, requests = 1): RateState {
      const key = keys.count(keyId, 'this key', requests)
      if (!account) return key
      // A key over its limit costs its account nothing: it was refused before.
      const all = accounts.count(account.id, 'all keys of this account', requests)
      return all.remaining < key.remaining ? all : key
    },
    /** Charges work as further requests. Only later requests are refused for it. */
    charge({ keyId, account }: Counted, requests: number): void {
      if (requests < 1) return
      keys.charge(keyId, requests)
      if (account) accounts.charge(account.id, requests)
    },
    /** Counts a request without a valid key against its network. @throws ServiceError `rate_limited` */
    countClient: (remoteAddress: string): RateState => networks.count(clientNetwork(remoteAddress), 'your network', 1),
  }
}

/** @returns creates a counter; `placeOf` gives the one of a name, by default its own */
function counters(shared: SharedCounts) {
  return (counter: string, limit: number, placeOf = (name: string): string => name) => {
    const counts = createWindowCounter(MINUTE)
    const tell = shared.join(counter, (name, count) => void counts.add(placeOf(name), count))
    const add = (name: string, requests: number): ReturnType<typeof counts.add> => {
      if (requests > 0) tell(name, requests)
      return counts.add(placeOf(name), requests)
    }
    return {
      count(name: string, whose: string, requests: number): RateState {
        const { count, msLeft } = add(name, requests)
        const state = {
          limit,
          remaining: Math.max(0, limit - count),
          resetSeconds: Math.ceil(msLeft / SECOND),
        }
        if (count > limit) throw new RateLimited(state, whose)
        return state
      },
      charge: (name: string, requests: number) => void add(name, requests),
    }
  }
}

/** FNV-1a. */
function bucket(text: string, salt: number): number {
  let hash = 0x811c9dc5 ^ salt
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 16)) & (NETWORK_COUNTERS - 1)
}

export class RateLimited extends ServiceError {
  constructor(
    readonly state: RateState,
    whose: string,
  ) {
    super(
      'rate_limited',
      `More than ${state.limit} requests of ${whose} in a minute.`,
      `Wait ${state.resetSeconds} seconds. To wait for mail, use GET /v1/events with wait instead of polling.`,
      { retryAfterSeconds: state.resetSeconds },
    )
  }
}

export function rateFields(state: RateState): Fields {
  return [
    ['X-RateLimit-Limit', String(state.limit)],
    ['X-RateLimit-Remaining', String(state.remaining)],
    ['X-RateLimit-Reset', String(state.resetSeconds)],
  ]
}

/** Thread time that counts as a request. By default a key can use a quarter of a thread. */
export const MS_A_REQUEST = 25

/**
 * The caller of a request for work in threads: its account takes turns, and the cost counts against its limits.
 *
 * @param rates undefined: nothing is counted
 */
export function askerOf(
  caller: Caller,
  request: Pick<HttpRequest, 'signal'>,
  rates: Pick<RateLimits, 'charge'> | undefined,
): Asker {
  return new CallingAsker(caller, request, rates)
}

class CallingAsker implements Asker {
  readonly owner: string
  readonly key: string

  constructor(
    private readonly caller: Caller,
    private readonly request: Pick<HttpRequest, 'signal'>,
    private readonly rates: Pick<RateLimits, 'charge'> | undefined,
  ) {
    this.owner = caller.account?.id ?? caller.mailboxId
    this.key = caller.keyId
  }

  /** Only for threads: watching a connection has a cost. */
  get signal(): AbortSignal {
    return this.request.signal
  }

  charge(ms: number): void {
    this.rates?.charge(this.caller, Math.floor(ms / MS_A_REQUEST))
  }
}
