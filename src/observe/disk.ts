/** How much room the disk has left, and whether the store on it can be read: looked at when somebody asks and not more often than every few seconds. */
import { statfs } from 'node:fs/promises'
import type { Clock } from '../lib/clock.js'
import { SECOND } from '../lib/clock.js'
import type { Log } from './log.js'
import type { Metrics } from './metrics.js'

export interface Disk {
  /** Whether less is free than there has to be. */
  isLow(): Promise<boolean>
  /** Whether mail can be stored: there is room, and what was stored can be read. */
  mayTakeMail(): Promise<boolean>
  /** Whether what was stored can be read. */
  isReadable(): Promise<boolean>
  /** Whether so much more can be written without that. */
  hasRoomFor(bytes: number): Promise<boolean>
}

export interface DiskDeps {
  dir: string
  /** 0 is off. */
  minFreeBytes: number
  clock: Clock
  log: Pick<Log, 'error' | 'warn' | 'info'>
  metrics?: Metrics | undefined
  /** Told each time there is too little room. Must not throw. */
  onLow?: ((freeBytes: number) => void) | undefined
  /** What is wrong with the store, in words; undefined when it can be read. */
  storeFault?: (() => Promise<string | undefined>) | undefined
  /** Bytes that an ordinary user can still write. */
  freeBytes?: (dir: string) => Promise<number>
}

const FRESH_MS = 2 * SECOND

export function watchDisk(deps: DiskDeps): Disk {
  const { dir, minFreeBytes, clock, log, freeBytes = freeBytesOf } = deps
  let lookedAt = Number.NEGATIVE_INFINITY
  let free = Promise.resolve(0)
  let wasLow = false

  /** A look that fails tells nothing, and whoever writes will be told what is wrong. */
  async function look(): Promise<number> {
    try {
      return await freeBytes(dir)
    } catch (err) {
      log.warn({ err }, 'the room left on the disk could not be read')
      return Number.POSITIVE_INFINITY
    }
  }

  function readFree(): Promise<number> {
    const now = clock.now()
    if (now - lookedAt >= FRESH_MS) {
      lookedAt = now
      free = look()
    }
    return free
  }

  deps.metrics?.gauge('disk_free_bytes', 'Room left where mail is stored.', readFree)
  deps.metrics?.gauge('disk_low', 'Whether mail is refused because the disk is nearly full.', async () =>
    (await isLow()) ? 1 : 0,
  )

  deps.metrics?.gauge('store_unreadable', 'Whether the store can not be read; mail is refused then.', async () =>
    (await isReadable()) ? 0 : 1,
  )

  let readAt = Number.NEGATIVE_INFINITY
  let fault = Promise.resolve<string | undefined>(undefined)
  let hadFault = false

  async function isReadable(): Promise<boolean> {
    const now = clock.now()
    if (deps.storeFault && now - readAt >= FRESH_MS) {
      readAt = now
      fault = deps.storeFault()
    }
    const problem = await fault
    if ((problem !== undefined) !== hadFault) {
      hadFault = problem !== undefined
      if (problem === undefined) log.info({}, 'the store can be read again; mail is taken')
      else
        log.error(
          { problem },
          'the store can not be read; mail is refused. Stop the daemon, look with "restante verify", and restore a backup',
        )
    }
    return problem === undefined
  }

  async function isLow(): Promise<boolean> {
    if (minFreeBytes === 0) return false
    const bytes = await readFree()
    const low = bytes < minFreeBytes
    if (low !== wasLow) {
      wasLow = low
      if (low) deps.onLow?.(bytes)
      if (low) log.warn({ free_bytes: bytes, min_free_bytes: minFreeBytes }, 'disk is nearly full; mail is refused')
      else log.info({ free_bytes: bytes }, 'disk has room again; mail is taken')
    }
    return low
  }

  return {
    isLow,
    isReadable,
    mayTakeMail: async () => (await isReadable()) && !(await isLow()),
    hasRoomFor: async (bytes) => (await readFree()) - bytes >= minFreeBytes,
  }
}

async function freeBytesOf(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}
