/**
 * Held requests: a limit per key, and their end when access ends: at once where this process ended it, within seconds where another one did. In memory.
 */
import type { Accounts, Caller, EndedAccess } from '../../accounts/types.js'
import { HOUR, SECOND, systemClock, type Clock } from '../../lib/clock.js'
import { addTo } from './concurrency.js'
import { ServiceError } from '../../lib/errors.js'
import type { Nodes } from '../../store/nodes/nodes.js'

export interface HoldsOptions {
  clock?: Clock
  /** Other processes, which may end the access of a caller; `onError` is called when that could not be looked for. */
  others?: { nodes: Pick<Nodes, 'peers'>; onError: (error: unknown) => void } | undefined
  /** For tests: calls back every few seconds, and returns a function that stops it. */
  every?: (work: () => void) => () => void
}

/** Between two looks for access that was ended by other processes. */
const LOOK_MS = 5 * SECOND

export type Holds = ReturnType<typeof createHolds>

interface Hold {
  /** Aborts with the given signal, and when access ends. */
  readonly signal: AbortSignal
  readonly accessEnded: boolean
  release(): void
}

interface Open {
  caller: Caller
  end: () => void
}

/** Counts held requests per key, over REST and MCP together if shared. */
export function createHolds(
  maxPerKey: number,
  accounts: Pick<Accounts, 'onAccessEnd' | 'findEnded'>,
  { clock = systemClock, others, every = everyFewSeconds }: HoldsOptions = {},
) {
  const held = new Map<string, number>()
  const open = new Map<string, Set<Open>>()
  const allOpen = (): Open[] => [...open.values()].flatMap((each) => [...each])
  function openOf(ended: EndedAccess): Open[] {
    if ('keyId' in ended) return [...(open.get(ended.keyId) ?? [])]
    if ('mailboxId' in ended) return allOpen().filter(({ caller }) => caller.mailboxId === ended.mailboxId)
    return allOpen().filter(({ caller }) => caller.account?.id === ended.accountId)
  }
  let all = 0
  let stopLooking: (() => void) | undefined
  let isLooking = false

  accounts.onAccessEnd((ended: EndedAccess) => {
    for (const each of openOf(ended)) each.end()
  })

  async function look(): Promise<void> {
    if (isLooking || !others || others.nodes.peers().length === 0) return
    isLooking = true
    try {
      const ended = new Set(await accounts.findEnded(allOpen().map(({ caller }) => caller)))
      for (const { caller, end } of allOpen()) if (ended.has(caller)) end()
    } catch (error) {
      others.onError(error)
    } finally {
      isLooking = false
    }
  }

  /** Reports the end of a caller's access, revoked or expired, until released; for connections without a time limit. */
  function watch(caller: Caller, onEnd: () => void): { release: () => void } {
    const { keyId, endsAt } = caller
    const one: Open = { caller, end: onEnd }
    const ofKey = open.get(keyId) ?? new Set()
    open.set(keyId, ofKey.add(one))
    stopLooking ??= every(() => void look())
    let timer: NodeJS.Timeout | undefined
    const awaitEnd = (at: number): void => {
      const leftMs = at - clock.now()
      if (leftMs <= 0) onEnd()
      // Checked again within an hour: timers ignore clock changes.
      else timer = setTimeout(() => awaitEnd(at), Math.min(leftMs, HOUR))
    }
    if (endsAt !== undefined) awaitEnd(endsAt)
    return {
      release() {
        clearTimeout(timer)
        ofKey.delete(one)
        if (ofKey.size === 0 && open.get(keyId) === ofKey) open.delete(keyId)
        if (open.size > 0) return
        stopLooking?.()
        stopLooking = undefined
      },
    }
  }

  /** For an ongoing response: holds a place until `release`, which is idempotent. @throws ServiceError `rate_limited` */
  function take(caller: Caller, signal: AbortSignal): Hold {
    const { keyId } = caller
    if ((held.get(keyId) ?? 0) >= maxPerKey) {
      throw new ServiceError(
        'rate_limited',
        `This key already has ${maxPerKey} waiting requests.`,
        'Wait until one ends; one waiting GET /v1/events sees everything.',
        { retryAfterSeconds: 5 },
      )
    }
    addTo(held, keyId, 1)
    all++
    const over = new AbortController()
    const end = (): void => over.abort()
    const { endsAt = Infinity } = caller
    let hasEnded = false
    let isHeld = true
    const watched = watch(caller, () => {
      hasEnded = true
      end()
    })
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
    return {
      signal: over.signal,
      get accessEnded() {
        // The timer may be late.
        return hasEnded || clock.now() >= endsAt
      },
      release() {
        if (!isHeld) return
        isHeld = false
        all--
        watched.release()
        signal.removeEventListener('abort', end)
        addTo(held, keyId, -1)
      },
    }
  }

  return {
    watch,
    take,
    heldBy: (keyId: string): number => held.get(keyId) ?? 0,
    /** Number of all held requests. */
    get count() {
      return all
    },
    /**
     * Runs `fn` as a held request. Its signal aborts with the given one, and when access ends.
     *
     * @throws ServiceError `rate_limited` if the key holds too many; `unauthorized` if access ended meanwhile
     */
    async hold<T>(caller: Caller, signal: AbortSignal, fn: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const place = take(caller, signal)
      try {
        const result = await fn(place.signal)
        if (place.accessEnded) throw accessEnded()
        return result
      } finally {
        place.release()
      }
    },
  }
}

function everyFewSeconds(work: () => void): () => void {
  const timer = setInterval(work, LOOK_MS).unref()
  return () => clearInterval(timer)
}

function accessEnded(): ServiceError {
  return new ServiceError(
    'unauthorized',
    'The access of this key has just ended.',
    'Call again to see why. A revoked, rotated or expired key stays invalid: ask your human for a new one.',
  )
}
