/** Times as an operator types them. */
import { z } from 'zod'
import { DAY, HOUR, MINUTE } from '../../lib/clock.js'

const UNITS: Record<string, number> = { m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY }
const AGE = /^(\d{1,6})([mhdw])$/
const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

/**
 * A time (RFC 3339, or a date, from midnight UTC), or an age: `30m`, `2h`, `3d`, `1w`.
 *
 * @returns milliseconds since the epoch; undefined if invalid
 */
export function parseWhen(text: string, now: number): number | undefined {
  const [, count, unit] = AGE.exec(text) ?? []
  if (count !== undefined && unit !== undefined) return now - Number(count) * (UNITS[unit] ?? 0)
  return moment.safeParse(text).success ? Date.parse(text) : undefined
}
