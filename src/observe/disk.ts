/** Free disk space and readability of the store: checked on request, at most every few seconds. */
import { statfs } from 'node:fs/promises'
import { type Clock, SECOND } from '../lib/clock.js'
import type { Log } from './log.js'
import type { Metrics } from './metrics.js'

export type Disk = ReturnType<typeof watchDisk>

export interface StoreFault {
  /** `away`: the database can't be reached; nothing has to be done to the store. */
  kind: 'damaged' | 'away'
  problem: string
}

const FAULTS: Readonly<Record<StoreFault['kind'], string>> = {
  damaged:
    'the store cannot be read; mail is refused. Stop the daemon, check it with "restante verify", and restore a backup',
  away: 'the database cannot be reached; mail is refused, and work goes on when it is back',
}

export interface DiskDeps {
  dir: string
  /** 0 disables the check. */
  minFreeBytes: number
  clock: Clock
  log: Pick<Log, 'error' | 'warn' | 'info'>
  metrics?: Metrics | undefined
  /** Called each time space is too low. Must not throw. */
  onLow?: ((freeBytes: number) => void) | undefined
  /** Undefined when the store can be read. */
  storeFault?: (() => Promise<StoreFault | undefined>) | undefined
  /** Bytes available to an ordinary user. */
  freeBytes?: (dir: string) => Promise<number>
}

const FRESH_MS = 2 * SECOND

export function watchDisk(deps: DiskDeps) {
  const { dir, minFreeBytes, clock, log, freeBytes = freeBytesOf } = deps
  let wasLow = false
  let known: StoreFault['kind'] | undefined

  /** A failed check counts as enough space: writes will report the problem. */
  const readFree = kept(clock, () =>
    freeBytes(dir).catch((err: unknown) => {
      log.warn({ err }, 'the free disk space could not be read')
      return Number.POSITIVE_INFINITY
    }),
  )
  const readFault = kept(clock, async () => deps.storeFault?.())

  deps.metrics?.gauge('disk_free_bytes', 'Free disk space where mail is stored.', readFree)
  deps.metrics?.gauge('disk_low', '1 while mail is refused because the disk is nearly full.', async () =>
    (await isLow()) ? 1 : 0,
  )

  deps.metrics?.gauge('store_unreadable', '1 while the store cannot be read; mail is refused then.', async () =>
    (await isReadable()) ? 0 : 1,
  )

  /** True if stored rows can be read. */
  async function isReadable(): Promise<boolean> {
    const fault = await readFault()
    if (fault?.kind !== known) {
      known = fault?.kind
      if (fault) log.error({ problem: fault.problem }, FAULTS[fault.kind])
      else log.info({}, 'the store can be read again; mail is accepted')
    }
    return fault === undefined
  }

  /** True if less is free than required. */
  async function isLow(): Promise<boolean> {
    if (minFreeBytes === 0) return false
    const bytes = await readFree()
    const low = bytes < minFreeBytes
    if (low !== wasLow) {
      wasLow = low
      if (low) deps.onLow?.(bytes)
      if (low) log.warn({ free_bytes: bytes, min_free_bytes: minFreeBytes }, 'the disk is nearly full; mail is refused')
      else log.info({ free_bytes: bytes }, 'the disk has enough free space again; mail is accepted')
    }
    return low
  }

  return {
    isLow,
    isReadable,
    /** True if so many more bytes can be written with the required space left. */
    hasRoomFor: async (bytes: number) => (await readFree()) - bytes >= minFreeBytes,
  }
}

/** The result of a check, which is repeated when it is older than FRESH_MS. */
function kept<T>(clock: Clock, check: () => Promise<T>): () => Promise<T> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let result: Promise<T>
  return () => {
    const now = clock.now()
    if (now - checkedAt >= FRESH_MS) {
      checkedAt = now
      result = check()
    }
    return result
  }
}

async function freeBytesOf(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}
