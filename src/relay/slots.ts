/**
 * How many deliveries are made at once: in all, to one destination and to one host. A few tasks wait in a short line at their destination, so
 * that a slot which comes free is used at once, and the lanes (mailboxes) in that line take turns; further ones are sent back to the queue
 * until the line is expected to have moved. So neither a slow destination nor a mailbox that sends much takes room from the others.
 *
 * What takes longer than a second is slow: a server that does not answer, or a tarpit. It costs a socket and no work, so it moves out of the
 * slots that are shared by all, into a larger room for the slow. Should that room fill, destinations that never took mail have to wait
 * for others of their kind, so that a thousand dead ones leave those alone that are alive.
 */
import type { Clock } from '../lib/clock.js'
import { MINUTE, SECOND } from '../lib/clock.js'
import { forgetOldest } from './destinations.js'
import type { Destinations, DestinationState } from './destinations.js'

export interface Slot {
  /** Says to which host the delivery goes. When to come again, without having tried, if that has its limit of deliveries already. */
  goesTo(host: string): { comeAgainAt: number } | undefined
  /** @param how nothing when the destination was not tried */
  leave(how?: { state: DestinationState; answer: string }): void
}

/** Times are milliseconds since the epoch. */
export type Entry =
  | { kind: 'slot'; slot: Slot }
  /** There is no room now. */
  | { kind: 'full'; comeAgainAt: number }
  /** The destination is left alone; `answer` is what it said last. */
  | { kind: 'paused'; comeAgainAt: number; answer: string }

export interface Slots {
  /**
   * Waits for a slot.
   *
   * @throws the signal's reason when it is aborted while waiting
   */
  enter(who: { destination: string; lane: string }, signal: AbortSignal): Promise<Entry>
  /** Deliveries at work, and those of them that are slow. */
  readonly atWork: { all: number; slow: number }
}

export interface SlotsOptions {
  concurrency: number
  perDestination: number
  clock: Clock
  destinations: Destinations
  /** In [-1, 1). */
  jitter: () => number
  /** Calls once after so much time, unless it is cancelled. */
  after?: (ms: number, call: () => void) => () => void
}

/** Tasks in hand that a relay of so many deliveries at once can have use for: at work, slow, waiting in lines. */
export const placesFor = (concurrency: number): number => (1 + SLOW_ROOM + WAITING_ROOM) * concurrency

interface Waiter {
  lane: string
  /** Lanes take turns: the n-th waiter of a lane is served in the n-th round from when it came. */
  round: number
  begin: () => void
  /** Ends the wait without a slot. */
  sendBack: (entry: Entry) => void
}

interface Line {
  active: number
  waiting: Waiter[]
  round: number
  /** Running mean of how long a delivery took. */
  meanMs: number
  /** Running mean of the time from one that ends to the next. */
  gapMs: number
  leftAt: number
  /** When all that was sent back is expected to have been worked off. */
  clearAt: number
}

const FIRST_MEAN_MS = 200
const SHORTEST_RETURN_MS = 500
const LONGEST_RETURN_MS = MINUTE
/** A line is as long as what is served in so much time, so that nobody stands in the line of a slow destination. */
const LINE_MS = SECOND
const SLOW_AFTER_MS = SECOND
/** For each delivery at once. */
const SLOW_ROOM = 4
const WAITING_ROOM = 2
/** Of the deliveries at once, for destinations that never took mail, once half of the room for the slow is full. */
const STRANGERS_SHARE = 0.1
/** The same while others that are known to be alive wait. */
const STRANGERS_SHARE_BESIDE = 0.25
const STRANGER_MS = 30 * SECOND
const LONGEST_STRANGERS_RETURN_MS = 10 * MINUTE
/** Of a pause, over which those that wait for its end come back. */
const SPREAD_OF_PAUSE = 0.2
/** When to come again while somebody else tries whether a destination works again. */
const SHORTEST_PROBE_MS = 10 * SECOND
const SHARE_FOR_PROBE = 0.1
const MAX_HOSTS_REMEMBERED = 10_000

export function createSlots(options: SlotsOptions): Slots {
  const { concurrency, perDestination, clock, destinations, jitter, after = afterTime } = options
  const lines = new Map<string, Line>()
  /** Destinations at which somebody waits; the one served last is at the end. */
  const waitedFor = new Set<string>()
  const hosts = new Map<string, number>()
  /** The host to which the last delivery of a destination went. */
  const hostOf = new Map<string, string>()
  let working = 0
  let slow = 0
  let strangers = 0
  let waiting = 0
  let strangersClearAt = 0

  const lineOf = (destination: string): Line => {
    const line = lines.get(destination) ?? {
      active: 0,
      waiting: [],
      round: 0,
      meanMs: FIRST_MEAN_MS,
      gapMs: FIRST_MEAN_MS / perDestination,
      leftAt: clock.now(),
      clearAt: 0,
    }
    lines.set(destination, line)
    return line
  }

  const dropIdle = (destination: string, line: Line): void => {
    if (line.active === 0 && line.waiting.length === 0) lines.delete(destination)
  }

  const hostHasRoom = (host: string | undefined): boolean =>
    host === undefined || (hosts.get(host) ?? 0) < perDestination

  const mayStart = (destination: string, line: Line): boolean => {
    const admission = destinations.admission(destination)
    return (
      admission.open &&
      working < concurrency &&
      line.active < admission.atOnce &&
      hostHasRoom(hostOf.get(destination)) &&
      !isOneStrangerTooMany(destination)
    )
  }

  /** Nothing good is known of it, and such have their share: a small one once half of the room for the slow is full. */
  const isOneStrangerTooMany = (destination: string): boolean => {
    if (destinations.isProven(destination)) return false
    if (slow >= (SLOW_ROOM * concurrency) / 2) return strangers >= Math.max(1, STRANGERS_SHARE * concurrency)
    return strangers >= STRANGERS_SHARE_BESIDE * concurrency && [...waitedFor].some(destinations.isProven)
  }

  function start(destination: string, line: Line): Slot {
    const startedAt = clock.now()
    const { epoch } = destinations
    const isStranger = !destinations.isProven(destination)
    let room: 'working' | 'slow' = 'working'
    let host: string | undefined
    let left = false
    working++
    line.active++
    if (isStranger) strangers++

    const leaveWorking = (): void => {
      working--
      if (isStranger) strangers--
    }
    const cancel = after(SLOW_AFTER_MS, () => {
      if (left || slow >= SLOW_ROOM * concurrency) return
      room = 'slow'
      slow++
      leaveWorking()
      startWaiting()
    })
    const occupy = (next: string | undefined): void => {
      if (host !== undefined) {
        const others = (hosts.get(host) ?? 1) - 1
        if (others > 0) hosts.set(host, others)
        else hosts.delete(host)
      }
      host = next
      if (host !== undefined) hosts.set(host, (hosts.get(host) ?? 0) + 1)
    }
    occupy(hostOf.get(destination))

    return {
      goesTo(next) {
        if (next === host) return undefined
        hostOf.delete(destination)
        hostOf.set(destination, next)
        if (hostOf.size > MAX_HOSTS_REMEMBERED) forgetOldest(hostOf)
        if (!hostHasRoom(next)) return { comeAgainAt: sentBack(line) }
        occupy(next)
        return undefined
      },
      leave(how) {
        if (left) return
        left = true
        cancel()
        if (room === 'slow') slow--
        else leaveWorking()
        occupy(undefined)
        line.active--
        if (how) {
          line.meanMs += (clock.now() - startedAt - line.meanMs) / 8
          line.gapMs += (clock.now() - line.leftAt - line.gapMs) / 8
          line.leftAt = clock.now()
          destinations.report(destination, epoch, how.state, how.answer)
        }
        const admission = destinations.admission(destination)
        if (!admission.open) for (const waiter of [...line.waiting]) waiter.sendBack(paused(admission))
        startWaiting()
        dropIdle(destination, line)
      },
    }
  }

  /** Gives free slots to whoever waits, and puts a served destination behind the others. */
  function startWaiting(): void {
    for (const destination of [...waitedFor]) {
      const line = lineOf(destination)
      while (mayStart(destination, line)) {
        const [next] = [...line.waiting].sort((a, b) => a.round - b.round)
        if (!next) break
        line.round = next.round
        next.begin()
        waitedFor.delete(destination)
        if (line.waiting.length > 0) waitedFor.add(destination)
      }
      if (working >= concurrency) return
    }
  }

  function sentBack(line: Line): number {
    const now = clock.now()
    line.clearAt = Math.max(line.clearAt, now + SHORTEST_RETURN_MS) + line.gapMs
    return Math.round(Math.min(line.clearAt, now + LONGEST_RETURN_MS))
  }

  /** Those who wait for the end of a pause come back one after the other, so that the first can try. */
  function paused({ until, pauseMs, answer }: { until: number; pauseMs: number; answer: string }): Entry {
    return { kind: 'paused', comeAgainAt: Math.round(until + spread(pauseMs)), answer }
  }

  function spread(pauseMs: number): number {
    return ((1 + jitter()) / 2) * SPREAD_OF_PAUSE * pauseMs
  }

  /**
   * Who waits only because all are busy may wait: no more is taken out of the queue until they are served. The line of a destination at its
   * own limit is short; but whose lane has nobody in it finds room among some others.
   */
  function hasRoom(destination: string, line: Line, lane: string, atOnce: number): boolean {
    const room = destinations.isProven(destination) ? Infinity : (WAITING_ROOM * concurrency) / 2
    if (line.active + line.waiting.length < atOnce && waiting < room) return true
    if (waiting >= WAITING_ROOM * concurrency) return false
    const usual = Math.min(Math.ceil((perDestination * LINE_MS) / Math.max(line.meanMs, 1)), 2 * perDestination)
    const most = line.waiting.some((one) => one.lane === lane) ? usual : 2 * usual
    return line.waiting.length < most
  }

  function wait(destination: string, line: Line, lane: string, signal: AbortSignal): Promise<Entry> {
    return new Promise((resolve, reject) => {
      const leaveLine = (): void => {
        signal.removeEventListener('abort', abort)
        line.waiting.splice(line.waiting.indexOf(waiter), 1)
        waiting--
        if (line.waiting.length === 0) waitedFor.delete(destination)
      }
      const rounds = line.waiting.filter((one) => one.lane === lane).map(({ round }) => round)
      const waiter: Waiter = {
        lane,
        round: Math.max(line.round, ...rounds) + 1,
        begin() {
          leaveLine()
          resolve({ kind: 'slot', slot: start(destination, line) })
        },
        sendBack(entry) {
          leaveLine()
          resolve(entry)
        },
      }
      const abort = (): void => {
        leaveLine()
        dropIdle(destination, line)
        reject(signal.reason)
      }
      line.waiting.push(waiter)
      waiting++
      waitedFor.add(destination)
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  return {
    async enter({ destination, lane }, signal) {
      const admission = destinations.admission(destination)
      const now = clock.now()
      if (!admission.open) return paused(admission)
      const line = lineOf(destination)
      const full = (comeAgainAt: number): Entry => {
        dropIdle(destination, line)
        return { kind: 'full', comeAgainAt: Math.round(comeAgainAt) }
      }
      if (isOneStrangerTooMany(destination)) {
        strangersClearAt = Math.max(strangersClearAt, now + SHORTEST_RETURN_MS) + STRANGER_MS / (2 * concurrency)
        return full(Math.min(strangersClearAt, now + LONGEST_STRANGERS_RETURN_MS))
      }
      if (line.waiting.length === 0 && mayStart(destination, line)) {
        return { kind: 'slot', slot: start(destination, line) }
      }
      if (admission.probeOf !== undefined && line.active > 0) {
        return full(now + Math.max(SHORTEST_PROBE_MS, SHARE_FOR_PROBE * admission.probeOf) + spread(admission.probeOf))
      }
      if (!hasRoom(destination, line, lane, admission.atOnce)) return full(sentBack(line))
      return wait(destination, line, lane, signal)
    },
    get atWork() {
      return { all: working + slow, slow }
    },
  }
}

function afterTime(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms).unref()
  return () => clearTimeout(timer)
}
