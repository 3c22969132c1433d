/**
 * Gives memory of V8's young generation back while the process is idle. It grows with the work, at the start already, and V8 shrinks it only in a
 * collection before which little was allocated for seconds: one that an idle process does not come to by itself.
 */
import { performance, type EventLoopUtilization } from 'node:perf_hooks'
import { getHeapSpaceStatistics } from 'node:v8'
import { SECOND } from '../clock.js'
import { collectYoung } from './garbage.js'

const LOOK_MS = 10 * SECOND
/** Share of the time that the event loop was busy, of an idle process. */
const IDLE_SHARE = 0.05
/** V8 shrinks it to 1 MiB. */
const SMALL_BYTES = 4 * 1024 * 1024

export interface YoungSpaceDeps {
  lookMs?: number
  /** Resident bytes of the young generation. */
  bytes?: () => number
  /** Utilization of the event loop since `before`. */
  busy?: (before?: EventLoopUtilization) => EventLoopUtilization
  collect?: () => void
}

export function youngSpaceBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.physical_space_size ?? 0
}

/** Looks until `stop`, and collects while the young generation is large and nothing is done. */
export function trimYoungSpace({
  lookMs = LOOK_MS,
  bytes = youngSpaceBytes,
  busy = (before) => performance.eventLoopUtilization(before),
  collect = collectYoung,
}: YoungSpaceDeps = {}): { stop(): void } {
  let before = busy()
  const looks = setInterval(() => {
    const { utilization } = busy(before)
    before = busy()
    if (utilization <= IDLE_SHARE && bytes() > SMALL_BYTES) collect()
  }, lookMs).unref()
  return { stop: () => clearInterval(looks) }
}
