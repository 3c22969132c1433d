/**
 * How many deliveries are made at once: in all, to one destination and to one host. A few tasks wait in a short line at their destination, so
 * that a slot which comes free is used at once, and the lanes (mailboxes) in that line take turns; all others stay in the queue, parked under
 * the name of what they wait for, until the line has moved (`ask`). So neither a slow destination nor a mailbox that sends much takes room from
 * the others, and a backlog costs nothing while it waits.
 *
 * What takes longer than a second is slow: a server that does not answer, or a tarpit. It costs a socket and no work, so it moves out of the
 * slots that are shared by all, into a larger room for the slow. Should that room fill, destinations that never took mail have to wait
 * for others of their kind, so that a thousand dead ones leave those alone that are alive.
 */
import type { Clock } from '../../lib/clock.js'
import { SECOND } from '../../lib/clock.js'
import { forgetOldest } from './destinations.js'
import type { Destinations, DestinationState } from './destinations.js'

export interface Slot {
  /** Says to which host the delivery goes. What to wait for, without having tried, if that has its limit of deliveries already. */
  goesTo(host: string): { waitFor: string } | undefined
  /** It is the first delivery after a pause of its destination, and finds out whether that works again. */
  readonly isProbe: boolean
  /** @param how nothing when the destination was not tried */
  leave(how?: { state: DestinationState; answer: string }): void
}

/** Times are milliseconds since the epoch. */
export type Entry =
  | { kind: 'slot'; slot: Slot }
  /** There is no room now. `waitFor` is what `ask` knows it by. */
  | { kind: 'full'; waitFor: string }
  /** The destination is left alone; `answer` is what it said last. */
  | { kind: 'paused'; comeAgainAt: number; answer: string }

export interface Slots {
  /**
   * Waits for a slot.
   *
   * @throws the signal's reason when it is aborted while waiting
   */
  enter(who: { destination: string; lane: string }, signal: AbortSignal): Promise<Entry>
  /** Begins one asking for room of names that are destinations, or what somebody was told to wait for (`Rooms` of the work queue). */
  ask(): (name: string) => boolean
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
  /** Told when there is room because a delivery turned out to be slow. */
  onRoom?: (() => void) | undefined
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
}

const FIRST_MEAN_MS = 200
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
/** Of a pause, over which those that wait for its end come back. */
const SPREAD_OF_PAUSE = 0.2
/** Before the name of a host, where that is what somebody waits for; no domain has a space. */
const HOST = 'host '
const MAX_HOSTS_REMEMBERED = 10_000

export function createSlots(options: SlotsOptions): Slots {
  const { concurrency, perDestination, clock, destinations, jitter, after = afterTime, onRoom } = options
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

  const lineOf = (destination: string): Line => {
    const line = lines.get(destination) ?? {
      active: 0,
      waiting: [],
      round: 0,
      meanMs: FIRST_MEAN_MS,
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
  const isOneStrangerTooMany = (destination: string, coming = 0): boolean => {
    if (destinations.isProven(destination)) return false
    const all = strangers + coming
    if (slow >= (SLOW_ROOM * concurrency) / 2) return all >= Math.max(1, STRANGERS_SHARE * concurrency)
    return all >= STRANGERS_SHARE_BESIDE * concurrency && [...waitedFor].some(destinations.isProven)
  }

  function start(destination: string, line: Line): Slot {
    const startedAt = clock.now()
    const { epoch } = destinations
    const isStranger = !destinations.isProven(destination)
    const before = destinations.admission(destination)
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
      onRoom?.()
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
      isProbe: before.open && before.probeOf !== undefined,
      goesTo(next) {
        if (next === host) return undefined
        hostOf.delete(destination)
        hostOf.set(destination, next)
        if (hostOf.size > MAX_HOSTS_REMEMBERED) forgetOldest(hostOf)
        if (!hostHasRoom(next)) return { waitFor: HOST + next }
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

  /** Those who wait for the end of a pause come back one after the other, so that the first can try. */
  function paused({ until, pauseMs, answer }: { until: number; pauseMs: number; answer: string }): Entry {
    const spreadMs = ((1 + jitter()) / 2) * SPREAD_OF_PAUSE * pauseMs
    return { kind: 'paused', comeAgainAt: Math.round(until + spreadMs), answer }
  }

  /**
   * Who waits only because all are busy may wait: no more is taken out of the queue until they are served. The line of a destination at its
   * own limit is short; but whose lane has nobody in it finds room among some others.
   */
  function hasRoom(destination: string, line: Line, lane: string, atOnce: number): boolean {
    const room = destinations.isProven(destination) ? Infinity : (WAITING_ROOM * concurrency) / 2
    if (line.active + line.waiting.length < atOnce && waiting < room) return true
    if (waiting >= WAITING_ROOM * concurrency) return false
    const usual = usualLine(line.meanMs)
    const most = line.waiting.some((one) => one.lane === lane) ? usual : 2 * usual
    return line.waiting.length < most
  }

  function usualLine(meanMs: number): number {
    return Math.min(Math.ceil((perDestination * LINE_MS) / Math.max(meanMs, 1)), 2 * perDestination)
  }

  /**
   * How many more `enter` would take now, at least: never more than it does take, or they would go to and fro.
   *
   * @param coming so many others are on their way already
   */
  function roomOf(name: string, coming: number): number {
    if (name.startsWith(HOST)) return perDestination - (hosts.get(name.slice(HOST.length)) ?? 0)
    const admission = destinations.admission(name)
    // They are to be told.
    if (!admission.open) return Infinity
    const { active, waiting: own, meanMs } = lines.get(name) ?? { active: 0, waiting: [], meanMs: FIRST_MEAN_MS }
    if (admission.probeOf !== undefined) return active + own.length > 0 ? 0 : 1
    const inLines = waiting + Math.max(0, coming - Math.max(0, concurrency - working))
    const mayAllWait = destinations.isProven(name) || inLines < (WAITING_ROOM * concurrency) / 2
    const toStart = mayAllWait ? admission.atOnce - active - own.length : 0
    const toWait = inLines < WAITING_ROOM * concurrency ? usualLine(meanMs) - own.length : 0
    return Math.max(toStart, toWait)
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
      if (!admission.open) return paused(admission)
      const line = lineOf(destination)
      const full = (): Entry => {
        dropIdle(destination, line)
        return { kind: 'full', waitFor: destination }
      }
      if (isOneStrangerTooMany(destination)) return full()
      if (line.waiting.length === 0 && mayStart(destination, line)) {
        return { kind: 'slot', slot: start(destination, line) }
      }
      if (admission.probeOf !== undefined && line.active > 0) return full()
      if (!hasRoom(destination, line, lane, admission.atOnce)) return full()
      return wait(destination, line, lane, signal)
    },
    ask() {
      const granted = new Map<string, number>()
      let all = 0
      let strangersComing = 0
      return (name) => {
        const before = granted.get(name) ?? 0
        const isStranger = !name.startsWith(HOST) && !destinations.isProven(name)
        if (isStranger && destinations.admission(name).open && isOneStrangerTooMany(name, strangersComing)) return false
        if (before >= roomOf(name, all)) return false
        granted.set(name, before + 1)
        all++
        if (isStranger) strangersComing++
        return true
      }
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
