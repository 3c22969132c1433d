/**
 * Records the day: once a minute it reads the metrics that there are and keeps what came since the minute before, for 24 hours. Nothing is counted for it,
 * and nothing is gone through: the work of a minute is the same however much mail there is.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Clock } from '../../lib/clock.js'
import { DAY, MINUTE } from '../../lib/clock.js'
import type { Log } from '../log.js'
import type { Metrics } from '../metrics.js'
import type { DayFile } from './file.js'
import type { Minute } from './minute.js'
import { added } from './minute.js'
import type { OwnLevels, Reading } from './reading.js'
import { readAll, since } from './reading.js'

export interface Day {
  /** Of the last 24 hours, the earliest first; none for minutes in which nothing ran. The one that is not over is the last. */
  minutes(): Promise<readonly Minute[]>
  /** As it stands, with totals since the start of the process. */
  now(): Promise<Reading>
}

export interface Recorder extends Day {
  /** Closes the minute that is over; by a timer, but for tests. */
  record(): Promise<void>
  /** Keeps what there is of the last minute. */
  stop(): Promise<void>
}

export interface RecorderDeps {
  metrics: Pick<Metrics, 'read'>
  file: DayFile
  clock: Clock
  log: Pick<Log, 'warn' | 'info'>
  /** How the process is; `restart` begins the next stretch. */
  own?: ProcessWatch
}

export interface ProcessWatch {
  read(): OwnLevels
  /** To be called at the end of a minute. */
  restart(): void
  stop(): void
}

/** A little behind the full minute, so that a timer which fires early counts nothing for the wrong one. */
const BEHIND_MS = 20

/** @returns a recorder whose timer runs, with what was kept of the last 24 hours */
export async function startRecorder(deps: RecorderDeps): Promise<Recorder> {
  const { metrics, file, clock, log, own = watchProcess() } = deps
  let minutes = ofTheDay(merged(await kept(deps)), clock.now())
  let base: Reading | undefined
  /** When the minute began of which nothing is kept yet. */
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
      if (isFailing) log.info({}, 'the numbers of the day are kept again')
      isFailing = false
    } catch (err) {
      // They are in memory all the same, and the log need not say it every minute.
      if (!isFailing) log.warn({ err }, 'the numbers of the day can not be kept; a restart would lose them')
      isFailing = true
    }
  }

  /** One after the other. */
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
    record,
    now: read,
    async minutes() {
      return ofTheDay(withNext(minutes, { at: openedAt, ...since(base, await read()) }), clock.now())
    },
    async stop() {
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
    log.warn({ err }, 'what was kept of the day can not be read; it begins anew')
    return []
  }
}

/** A minute in which the daemon was started again has two parts, and a clock that went back may write one a second time. */
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

/** What is ahead of the clock was written before it went back. */
const ofTheDay = (minutes: Minute[], now: number): Minute[] =>
  minutes.filter(({ at }) => at > floor(now) - DAY && at <= now)

/** Every so often the loop is looked at; what it was late by is its delay. */
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
