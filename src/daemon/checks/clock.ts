/**
 * Refuses a start when the clock went back by more than a day, before anything is written: mail would get past dates, due work would wait, and expired things
 * would be valid again. The last write to the store is certainly in the past.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/thrown.js'
import { DAY, timestamp, type Clock } from '../../lib/clock.js'

/** Exit code differs from that of a wrong setting: a restart with a correct clock works. */
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
    // A new folder.
    if (!hasCode(error, 'ENOENT')) throw error
  }
}
