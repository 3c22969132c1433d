/**
 * Records the last 24 hours: once a minute it reads the existing metrics and stores the difference to the minute before. It counts nothing itself, so
 * the cost of a minute does not depend on the amount of mail.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Clock, DAY, MINUTE } from '../../lib/clock.js'
import type { Log } from '../log.js'
import type { Metrics } from '../metrics.js'
import type { DayFile } from './file.js'
import { type Minute, added } from './minute.js'
import { type OwnLevels, type Reading, readAll, since } from './reading.js'

export type Day = Pick<Awaited<ReturnType<typeof startRecorder>>, 'minutes' | 'now'>

export interface RecorderDeps {
  metrics: Pick<Metrics, 'read'>
  file: DayFile
  clock: Clock
  log: Pick<Log, 'warn' | 'info'>
  /** Values of the process; `restart` begins the next period. */
  own?: ProcessWatch
}

export interface ProcessWatch {
  read(): OwnLevels
  /** Called at the end of a minute. */
  restart(): void
  stop(): void
}

/** Delay after the full minute, so that a timer which fires early does not count for the wrong one. */
const BEHIND_MS = 20

/** @returns a running recorder with the stored records of the last 24 hours */
export async function startRecorder(deps: RecorderDeps) {
  const { metrics, file, clock, log, own = watchProcess() } = deps
  let minutes = ofTheDay(merged(await kept(deps)), clock.now())
  let base: Reading | undefined
  /** Start of the first minute that is not recorded yet. */
  let openedAt = floor(clock.now())
  let isFailing = false
  let timer: NodeJS.Timeout | undefined
  let closing = Promise.resolve()

  const read = (): Promise<Reading> => readAll(metrics, own.read())

  async function close(): Promise<void> {
    const reading = await read()
    own.restart()
    const minute: Minute = { at: openedAt, ...since(base, reading) }
    base = reading
    openedAt = floor(clock.now())
    minutes = ofTheDay(withNext(minutes, minute), clock.now())
    try {
      await file.append(minute)
      if (isFailing) log.info({}, "the day's records are stored again")
      isFailing = false
    } catch (err) {
      // They are in memory all the same, and one log line is enough.
      if (!isFailing) log.warn({ err }, "the day's records cannot be stored; a restart would lose them")
      isFailing = true
    }
  }

  /** One at a time. */
  function record(): Promise<void> {
    closing = closing.then(close).catch((err: unknown) => log.warn({ err }, 'a minute could not be recorded'))
    return closing
  }

  function wait(): void {
    timer = setTimeout(
      () => void record().finally(() => timer && wait()),
      MINUTE - (clock.now() % MINUTE) + BEHIND_MS,
    ).unref()
  }
  wait()

  return {
    /** Records the last complete minute; called by a timer, and by tests. */
    record,
    /** Current values, with totals since the start of the process. */
    now: read,
    /** The last 24 hours, the earliest first, without minutes in which nothing ran. The last one is incomplete. */
    async minutes(): Promise<readonly Minute[]> {
      return ofTheDay(withNext(minutes, { at: openedAt, ...since(base, await read()) }), clock.now())
    },
    /** Records the incomplete last minute. */
    async stop(): Promise<void> {
      clearTimeout(timer)
      timer = undefined
      await record()
      own.stop()
    },
  }
}

const floor = (ms: number): number => ms - (ms % MINUTE)

async function kept({ file, log }: RecorderDeps): Promise<Minute[]> {
  try {
    return await file.read()
  } catch (err) {
    log.warn({ err }, "the day's stored records cannot be read; recording begins again")
    return []
  }
}

/** A minute with a restart has two parts, and a clock set back may record a minute twice. */
function merged(found: Minute[]): Minute[] {
  const byTime = new Map<number, Minute>()
  for (const minute of found) {
    const earlier = byTime.get(minute.at)
    byTime.set(minute.at, earlier ? added(earlier, minute) : minute)
  }
  return [...byTime.values()].sort((a, b) => a.at - b.at)
}

function withNext(minutes: readonly Minute[], next: Minute): Minute[] {
  const last = minutes.at(-1)
  if (last && last.at >= next.at) return [...minutes.slice(0, -1), added(last, next)]
  return [...minutes, next]
}

/** Records in the future were written before the clock was set back. */
const ofTheDay = (minutes: Minute[], now: number): Minute[] =>
  minutes.filter(({ at }) => at > floor(now) - DAY && at <= now)

/** Interval of the samples of the event loop; a late sample is its delay. */
const RESOLUTION_MS = 20

function watchProcess(): ProcessWatch {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  return {
    read: () => ({
      memory_bytes: process.memoryUsage.rss(),
      loop_delay_ms: Math.max(0, Math.round(delays.percentile(99) / 1e6 - RESOLUTION_MS)),
    }),
    restart: () => delays.reset(),
    stop: () => void delays.disable(),
  }
}
