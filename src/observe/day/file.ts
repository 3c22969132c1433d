/**
 * Stores the day's records across restarts: a line per minute at the end of a file. A file with a day's records becomes the earlier one of two, so a
 * minute costs one short write, and at most two days are stored. A crash loses the current minute.
 */
import { appendFile, mkdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists } from '../../lib/files.js'
import { type Minute, minuteSchema } from './minute.js'

export const MINUTES_A_DAY = 24 * 60
export const DAY_FOLDER = 'day'
const CURRENT = 'minutes.jsonl'
const EARLIER = 'minutes.earlier.jsonl'

export type DayFile = ReturnType<typeof openDayFile>

export function openDayFile(dataDir: string, linesEach = MINUTES_A_DAY) {
  const dir = join(dataDir, DAY_FOLDER)
  let lines = 0
  /** True if the last line of the file may be truncated. */
  let isTorn = true

  async function minutesIn(name: string): Promise<{ minutes: Minute[]; lines: number }> {
    const texts = ((await ifExists(readFile(join(dir, name), 'utf8'))) ?? '').split('\n').filter((line) => line !== '')
    return { minutes: texts.flatMap((text) => minuteOf(text) ?? []), lines: texts.length }
  }

  return {
    /** The stored minutes, in the order of writing; unreadable lines, such as a truncated one, are left out. */
    async read(): Promise<Minute[]> {
      const earlier = await minutesIn(EARLIER)
      const current = await minutesIn(CURRENT)
      lines = current.lines
      return [...earlier.minutes, ...current.minutes]
    },
    async append(minute: Minute): Promise<void> {
      await mkdir(dir, { recursive: true, mode: 0o700 })
      if (lines >= linesEach) {
        await rename(join(dir, CURRENT), join(dir, EARLIER))
        lines = 0
      }
      const start = isTorn ? '\n' : ''
      isTorn = true
      await appendFile(join(dir, CURRENT), `${start}${JSON.stringify(minute)}\n`, { mode: 0o600 })
      isTorn = false
      lines++
    },
  }
}

function minuteOf(line: string): Minute | undefined {
  try {
    return minuteSchema.safeParse(JSON.parse(line)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
