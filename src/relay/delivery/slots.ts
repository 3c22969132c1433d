/**
 * Concurrency limits: overall, per destination and per host. A few tasks wait in a short line at their destination, so that a free slot is used at once, and
 * lanes (mailboxes) in it take turns; all others stay in the queue, parked under the name of what they wait for, until the line moves (`ask`). So neither a
 * slow destination nor a busy mailbox delays the others, and a waiting backlog costs nothing.
 *
 * A delivery of more than a second is slow: an unresponsive server or a tarpit. It costs a socket but no work, so it moves from the shared slots to a larger
 * pool for slow ones. When that fills, destinations that never accepted mail wait for each other, so that a thousand dead ones don't block live ones.
 */
import { type Clock, SECOND } from '../../lib/clock.js'
import { forgetOldest, type Destinations, type DestinationState } from './destinations.js'

export interface Slot {
  /** Names the host of the delivery. Returns what to wait for if its limit is reached. */
  goesTo(host: string): { waitFor: string } | undefined
  /** The first delivery after a pause, which probes the destination. */
  readonly isProbe: boolean
  /** @param how undefined if the destination was not tried */
  leave(how?: { state: DestinationState; answer: string }): void
}

/** Times are milliseconds since the epoch. */
export type Entry =
  | { kind: 'slot'; slot: Slot }
  /** No capacity. `waitFor` is the name known to `ask`. */
  | { kind: 'full'; waitFor: string }
  /** The destination is paused; `answer` is its last reply. */
  | { kind: 'paused'; comeAgainAt: number; answer: string }

export interface SlotsOptions {
  concurrency: number
  perDestination: number
  clock: Clock
  destinations: Destinations
  /** In [-1, 1). */
  jitter: () => number
  after?: (ms: number, call: () => void) => () => void
  /** Called when a slow delivery frees a slot. */
  onRoom?: (() => void) | undefined
}

/** Tasks a relay of this concurrency can use: running, slow, waiting in lines. */
export const placesFor = (concurrency: number): number => (1 + SLOW_ROOM + WAITING_ROOM) * concurrency

interface Waiter {
  lane: string
  /** Lanes take turns: the n-th waiter of a lane is served in the n-th round after it came. */
  round: number
  begin: () => void
  sendBack: (entry: Entry) => void
}

interface Line {
  active: number
  waiting: Waiter[]
  round: number
  /** Running mean of delivery times. */
  meanMs: number
}

const FIRST_MEAN_MS = 200
/** A line is as long as what is served in this time, so that nobody waits in a slow one. */
const LINE_MS = SECOND
const SLOW_AFTER_MS = SECOND
/** Slow deliveries per concurrent delivery. */
const SLOW_ROOM = 4
const WAITING_ROOM = 2
/** Share of deliveries for destinations that never accepted mail, once half of the slow pool is in use. */
const UNPROVEN_SHARE = 0.1
/** That share while proven destinations wait. */
const UNPROVEN_SHARE_BESIDE = 0.25
/** Share of a pause over which waiters return. */
const SPREAD_OF_PAUSE = 0.2
/** Prefix of a host's name among names to wait for; domains have no spaces. */
const HOST = 'host '
const MAX_HOSTS_REMEMBERED = 10_000

export class Slots {
  readonly #after: (ms: number, call: () => void) => () => void
  readonly #perDestination: number
  readonly #destinations: Destinations
  readonly #concurrency: number
  readonly #lines = new Map<string, Line>()
  /** Destinations with waiters; the one served last is at the end. */
  readonly #waitedFor = new Set<string>()
  readonly #hosts = new Map<string, number>()
  readonly #hostOf = new Map<string, string>()
  #working = 0
  #slow = 0
  #unproven = 0
  #waiting = 0

  constructor(private readonly options: SlotsOptions) {
    this.#after = options.after ?? afterTime
    this.#perDestination = options.perDestination
    this.#destinations = options.destinations
    this.#concurrency = options.concurrency
  }

  /** Waits for a slot. @throws the signal's reason when aborted */
  async enter({ destination, lane }: { destination: string; lane: string }, signal: AbortSignal): Promise<Entry> {
    const admission = this.#destinations.admission(destination)
    if (!admission.open) return this.#paused(admission)
    const line = this.#lineOf(destination)
    const full = (): Entry => {
      this.#dropIdle(destination, line)
      return { kind: 'full', waitFor: destination }
    }
    if (this.#exceedsUnprovenShare(destination)) return full()
    if (line.waiting.length === 0 && this.#mayStart(destination, line)) {
      return { kind: 'slot', slot: this.#start(destination, line) }
    }
    if (admission.probeOf !== undefined && line.active > 0) return full()
    if (!this.#hasRoom(destination, line, lane, admission.atOnce)) return full()
    return this.#wait(destination, line, lane, signal)
  }

  /** Starts one query for capacity by name (`Rooms` of the work queue). */
  ask(): (name: string) => boolean {
    const granted = new Map<string, number>()
    let all = 0
    let unprovenComing = 0
    return (name) => {
      const before = granted.get(name) ?? 0
      const isUnproven = !name.startsWith(HOST) && !this.#destinations.isProven(name)
      if (isUnproven && this.#destinations.admission(name).open && this.#exceedsUnprovenShare(name, unprovenComing))
        return false
      if (before >= this.#roomOf(name, all)) return false
      granted.set(name, before + 1)
      all++
      if (isUnproven) unprovenComing++
      return true
    }
  }

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
      !this.#exceedsUnprovenShare(destination)
    )
  }

  /** Unproven destinations have a share: a small one once half of the slow pool is in use. */
  #exceedsUnprovenShare(destination: string, coming = 0): boolean {
    if (this.#destinations.isProven(destination)) return false
    const all = this.#unproven + coming
    if (this.#slow >= (SLOW_ROOM * this.#concurrency) / 2) return all >= Math.max(1, UNPROVEN_SHARE * this.#concurrency)
    return all >= UNPROVEN_SHARE_BESIDE * this.#concurrency && [...this.#waitedFor].some(this.#destinations.isProven)
  }

  #start(destination: string, line: Line): Slot {
    const startedAt = this.options.clock.now()
    const { epoch } = this.#destinations
    const isUnproven = !this.#destinations.isProven(destination)
    const before = this.#destinations.admission(destination)
    let room: 'working' | 'slow' = 'working'
    let host: string | undefined
    let left = false
    this.#working++
    line.active++
    if (isUnproven) this.#unproven++

    const leaveWorking = (): void => {
      this.#working--
      if (isUnproven) this.#unproven--
    }
    const cancel = this.#after(SLOW_AFTER_MS, () => {
      if (left || this.#slow >= SLOW_ROOM * this.#concurrency) return
      room = 'slow'
      this.#slow++
      leaveWorking()
      this.#startWaiting()
      this.options.onRoom?.()
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
          line.meanMs += (this.options.clock.now() - startedAt - line.meanMs) / 8
          this.#destinations.report(destination, epoch, how.state, how.answer)
        }
        const admission = this.#destinations.admission(destination)
        if (!admission.open) for (const waiter of [...line.waiting]) waiter.sendBack(this.#paused(admission))
        this.#startWaiting()
        this.#dropIdle(destination, line)
      },
    }
  }

  /** Gives free slots to waiters; a served destination moves to the end. */
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

  /** Waiters for a pause's end return one after the other, so that the first can probe. */
  #paused({ until, pauseMs, answer }: { until: number; pauseMs: number; answer: string }): Entry {
    const spreadMs = ((1 + this.options.jitter()) / 2) * SPREAD_OF_PAUSE * pauseMs
    return { kind: 'paused', comeAgainAt: Math.round(until + spreadMs), answer }
  }

  /**
   * With all slots busy, waiting is fine: nothing more is taken from the queue. The line of a destination at its limit is short; but a lane without a waiter
   * finds room among some others.
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

  /** Lower bound of what `enter` would accept now; more would bounce back and forth. @param coming others already on their way */
  #roomOf(name: string, coming: number): number {
    if (name.startsWith(HOST)) return this.#perDestination - (this.#hosts.get(name.slice(HOST.length)) ?? 0)
    const admission = this.#destinations.admission(name)
    // They have to be informed.
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
