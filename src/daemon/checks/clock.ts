/**
 * A clock that went back by more than a day is told at the start, before anything is written: mail would be signed with times of the past, nothing that
 * is due would go out, and what has ended would work again. What is certainly past is the last write to the store.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/thrown.js'
import { DAY, timestamp, type Clock } from '../../lib/clock.js'

/** A restart heals it once the clock is right, so it does not end with the exit code of a wrong setting. */
export class ClockError extends Error {
  constructor(now: number, written: number, file: string) {
    super(
      `the clock of this machine says ${timestamp(now)}, and ${file} was written at ${timestamp(written)}: it went back by more than a day. Set it ("timedatectl set-ntp true", "date -u"). If it is right now and was ahead before, say so with: touch ${file}`,
    )
    this.name = 'ClockError'
  }
}

/** @throws ClockError; nothing was changed */
export async function refuseClockBehind(dataDir: string, clock: Clock): Promise<void> {
  const file = join(dataDir, 'store', 'data.mdb')
  try {
    const { mtimeMs } = await stat(file)
    const now = clock.now()
    if (mtimeMs > now + DAY) throw new ClockError(now, mtimeMs, file)
  } catch (error) {
    // A folder that is new.
    if (!hasCode(error, 'ENOENT')) throw error
  }
}
