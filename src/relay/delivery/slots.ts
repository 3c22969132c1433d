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
import { type Clock, SECOND } from '../../lib/clock.js'
import { forgetOldest, type Destinations, type DestinationState } from './destinations.js'

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

/** Slots of deliveries at once, and the lines of those who wait for one. */
export class Slots {
  readonly #options: SlotsOptions
  readonly #after: (ms: number, call: () => void) => () => void
  readonly #perDestination: number
  readonly #destinations: Destinations
  readonly #concurrency: number
  readonly #lines = new Map<string, Line>()
  /** Destinations at which somebody waits; the one served last is at the end. */
  readonly #waitedFor = new Set<string>()
  readonly #hosts = new Map<string, number>()
  /** The host to which the last delivery of a destination went. */
  readonly #hostOf = new Map<string, string>()
  #working = 0
  #slow = 0
  #strangers = 0
  #waiting = 0

  constructor(options: SlotsOptions) {
    this.#options = options
    this.#after = options.after ?? afterTime
    this.#perDestination = options.perDestination
    this.#destinations = options.destinations
    this.#concurrency = options.concurrency
  }

  /**
   * Waits for a slot.
   *
   * @throws the signal's reason when it is aborted while waiting
   */
  async enter({ destination, lane }: { destination: string; lane: string }, signal: AbortSignal): Promise<Entry> {
    const admission = this.#destinations.admission(destination)
    if (!admission.open) return this.#paused(admission)
    const line = this.#lineOf(destination)
    const full = (): Entry => {
      this.#dropIdle(destination, line)
      return { kind: 'full', waitFor: destination }
    }
    if (this.#isOneStrangerTooMany(destination)) return full()
    if (line.waiting.length === 0 && this.#mayStart(destination, line)) {
      return { kind: 'slot', slot: this.#start(destination, line) }
    }
    if (admission.probeOf !== undefined && line.active > 0) return full()
    if (!this.#hasRoom(destination, line, lane, admission.atOnce)) return full()
    return this.#wait(destination, line, lane, signal)
  }

  /** Begins one asking for room of names that are destinations, or what somebody was told to wait for (`Rooms` of the work queue). */
  ask(): (name: string) => boolean {
    const granted = new Map<string, number>()
    let all = 0
    let strangersComing = 0
    return (name) => {
      const before = granted.get(name) ?? 0
      const isStranger = !name.startsWith(HOST) && !this.#destinations.isProven(name)
      if (isStranger && this.#destinations.admission(name).open && this.#isOneStrangerTooMany(name, strangersComing))
        return false
      if (before >= this.#roomOf(name, all)) return false
      granted.set(name, before + 1)
      all++
      if (isStranger) strangersComing++
      return true
    }
  }

  /** Deliveries at work, and those of them that are slow. */
  get atWork(): { all: number; slow: number } {
    return { all: this.#working + this.#slow, slow: this.#slow }
  }

  #lineOf(destination: string): Line {
    const line = this.#lines.get(destination) ?? { active: 0, waiting: [], round: 0, meanMs: FIRST_MEAN_MS }
    this.#lines.set(destination, line)
    return line
  }

  #dropIdle(destination: string, line: Line): void {
    if (line.active === 0 && line.waiting.length === 0) this.#lines.delete(destination)
  }

  #hostHasRoom(host: string | undefined): boolean {
    return host === undefined || (this.#hosts.get(host) ?? 0) < this.#perDestination
  }

  #mayStart(destination: string, line: Line): boolean {
    const admission = this.#destinations.admission(destination)
    return (
      admission.open &&
      this.#working < this.#concurrency &&
      line.active < admission.atOnce &&
      this.#hostHasRoom(this.#hostOf.get(destination)) &&
      !this.#isOneStrangerTooMany(destination)
    )
  }

  /** Nothing good is known of it, and such have their share: a small one once half of the room for the slow is full. */
  #isOneStrangerTooMany(destination: string, coming = 0): boolean {
    if (this.#destinations.isProven(destination)) return false
    const all = this.#strangers + coming
    if (this.#slow >= (SLOW_ROOM * this.#concurrency) / 2)
      return all >= Math.max(1, STRANGERS_SHARE * this.#concurrency)
    return all >= STRANGERS_SHARE_BESIDE * this.#concurrency && [...this.#waitedFor].some(this.#destinations.isProven)
  }

  #start(destination: string, line: Line): Slot {
    const startedAt = this.#options.clock.now()
    const { epoch } = this.#destinations
    const isStranger = !this.#destinations.isProven(destination)
    const before = this.#destinations.admission(destination)
    let room: 'working' | 'slow' = 'working'
    let host: string | undefined
    let left = false
    this.#working++
    line.active++
    if (isStranger) this.#strangers++

    const leaveWorking = (): void => {
      this.#working--
      if (isStranger) this.#strangers--
    }
    const cancel = this.#after(SLOW_AFTER_MS, () => {
      if (left || this.#slow >= SLOW_ROOM * this.#concurrency) return
      room = 'slow'
      this.#slow++
      leaveWorking()
      this.#startWaiting()
      this.#options.onRoom?.()
    })
    const occupy = (next: string | undefined): void => {
      if (host !== undefined) {
        const others = (this.#hosts.get(host) ?? 1) - 1
        if (others > 0) this.#hosts.set(host, others)
        else this.#hosts.delete(host)
      }
      host = next
      if (host !== undefined) this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1)
    }
    occupy(this.#hostOf.get(destination))

    return {
      isProbe: before.open && before.probeOf !== undefined,
      goesTo: (next) => {
        if (next === host) return undefined
        this.#hostOf.delete(destination)
        this.#hostOf.set(destination, next)
        if (this.#hostOf.size > MAX_HOSTS_REMEMBERED) forgetOldest(this.#hostOf)
        if (!this.#hostHasRoom(next)) return { waitFor: HOST + next }
        occupy(next)
        return undefined
      },
      leave: (how) => {
        if (left) return
        left = true
        cancel()
        if (room === 'slow') this.#slow--
        else leaveWorking()
        occupy(undefined)
        line.active--
        if (how) {
          line.meanMs += (this.#options.clock.now() - startedAt - line.meanMs) / 8
          this.#destinations.report(destination, epoch, how.state, how.answer)
        }
        const admission = this.#destinations.admission(destination)
        if (!admission.open) for (const waiter of [...line.waiting]) waiter.sendBack(this.#paused(admission))
        this.#startWaiting()
        this.#dropIdle(destination, line)
      },
    }
  }

  /** Gives free slots to whoever waits, and puts a served destination behind the others. */
  #startWaiting(): void {
    for (const destination of [...this.#waitedFor]) {
      const line = this.#lineOf(destination)
      while (this.#mayStart(destination, line)) {
        const [next] = [...line.waiting].sort((a, b) => a.round - b.round)
        if (!next) break
        line.round = next.round
        next.begin()
        this.#waitedFor.delete(destination)
        if (line.waiting.length > 0) this.#waitedFor.add(destination)
      }
      if (this.#working >= this.#concurrency) return
    }
  }

  /** Those who wait for the end of a pause come back one after the other, so that the first can try. */
  #paused({ until, pauseMs, answer }: { until: number; pauseMs: number; answer: string }): Entry {
    const spreadMs = ((1 + this.#options.jitter()) / 2) * SPREAD_OF_PAUSE * pauseMs
    return { kind: 'paused', comeAgainAt: Math.round(until + spreadMs), answer }
  }

  /**
   * Who waits only because all are busy may wait: no more is taken out of the queue until they are served. The line of a destination at its
   * own limit is short; but whose lane has nobody in it finds room among some others.
   */
  #hasRoom(destination: string, line: Line, lane: string, atOnce: number): boolean {
    const room = this.#destinations.isProven(destination) ? Infinity : (WAITING_ROOM * this.#concurrency) / 2
    if (line.active + line.waiting.length < atOnce && this.#waiting < room) return true
    if (this.#waiting >= WAITING_ROOM * this.#concurrency) return false
    const usual = this.#usualLine(line.meanMs)
    const most = line.waiting.some((one) => one.lane === lane) ? usual : 2 * usual
    return line.waiting.length < most
  }

  #usualLine(meanMs: number): number {
    return Math.min(Math.ceil((this.#perDestination * LINE_MS) / Math.max(meanMs, 1)), 2 * this.#perDestination)
  }

  /**
   * How many more `enter` would take now, at least: never more than it does take, or they would go to and fro.
   *
   * @param coming so many others are on their way already
   */
  #roomOf(name: string, coming: number): number {
    if (name.startsWith(HOST)) return this.#perDestination - (this.#hosts.get(name.slice(HOST.length)) ?? 0)
    const admission = this.#destinations.admission(name)
    // They are to be told.
    if (!admission.open) return Infinity
    const { active, waiting: own, meanMs } = this.#lines.get(name) ?? { active: 0, waiting: [], meanMs: FIRST_MEAN_MS }
    if (admission.probeOf !== undefined) return active + own.length > 0 ? 0 : 1
    const inLines = this.#waiting + Math.max(0, coming - Math.max(0, this.#concurrency - this.#working))
    const mayAllWait = this.#destinations.isProven(name) || inLines < (WAITING_ROOM * this.#concurrency) / 2
    const toStart = mayAllWait ? admission.atOnce - active - own.length : 0
    const toWait = inLines < WAITING_ROOM * this.#concurrency ? this.#usualLine(meanMs) - own.length : 0
    return Math.max(toStart, toWait)
  }

  #wait(destination: string, line: Line, lane: string, signal: AbortSignal): Promise<Entry> {
    return new Promise((resolve, reject) => {
      const leaveLine = (): void => {
        signal.removeEventListener('abort', abort)
        line.waiting.splice(line.waiting.indexOf(waiter), 1)
        this.#waiting--
        if (line.waiting.length === 0) this.#waitedFor.delete(destination)
      }
      const rounds = line.waiting.filter((one) => one.lane === lane).map(({ round }) => round)
      const waiter: Waiter = {
        lane,
        round: Math.max(line.round, ...rounds) + 1,
        begin: () => {
          leaveLine()
          resolve({ kind: 'slot', slot: this.#start(destination, line) })
        },
        sendBack: (entry) => {
          leaveLine()
          resolve(entry)
        },
      }
      const abort = (): void => {
        leaveLine()
        this.#dropIdle(destination, line)
        reject(signal.reason)
      }
      line.waiting.push(waiter)
      this.#waiting++
      this.#waitedFor.add(destination)
      signal.addEventListener('abort', abort, { once: true })
    })
  }
}

function afterTime(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms).unref()
  return () => clearTimeout(timer)
}
