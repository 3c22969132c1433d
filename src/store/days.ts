/** Partitions by UTC day, `<name>/<YYYY-MM-DD>`: expired rows are dropped by whole days, without reading them. */
import { setImmediate as tick } from 'node:timers/promises'
import { DAY } from '../lib/clock.js'
import type { Store } from './types.js'

/** Names of partitions per read. */
const PAGE = 100
/** Rows deleted per commit of a sweep. */
const STEP = 500

const EVERYTHING = { gte: new Uint8Array(0), lt: Uint8Array.of(0xff) }

export const partitionOfDay = (name: string, day: string): string => `${name}/${day}`

/** Start of a day, in milliseconds since the epoch. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`)
}

export function endOfDay(day: string): number {
  return startOfDay(day) + DAY
}

/** Days with rows, the oldest first. */
export async function daysOf(store: Pick<Store, 'partitions'>, name: string): Promise<string[]> {
  const prefix = `${name}/`
  const days: string[] = []
  for (let after = prefix; ;) {
    const page = await store.partitions(after, PAGE)
    const own = page.filter((partition) => partition.startsWith(prefix))
    days.push(...own.map((partition) => partition.slice(prefix.length)))
    after = page.at(-1) ?? ''
    if (page.length < PAGE || own.length < page.length) return days
  }
}

/** Drops the days that ended at `before` or earlier, in bounded steps. @returns the number of deleted rows */
export async function sweepDays(store: Store, name: string, before: number, signal: AbortSignal): Promise<number> {
  let removed = 0
  for (const day of await daysOf(store, name)) {
    if (endOfDay(day) > before) break
    let gone = STEP
    while (gone === STEP) {
      if (signal.aborted) return removed
      gone = await store.write(partitionOfDay(name, day), async (tx) => {
        const rows = await tx.range({ ...EVERYTHING, limit: STEP })
        for (const [key] of rows) tx.delete(key)
        return rows.length
      })
      removed += gone
      await tick()
    }
  }
  return removed
}
