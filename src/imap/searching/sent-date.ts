/** The Date field of a message (RFC 5322 §3.3 and §4.3) as SENTON and SORT read it. */

const DAY_MS = 24 * 60 * 60 * 1000
const MAX_CHARS = 128
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DATE =
  /^(?:[a-z]{3,9}\.?,?\s+)?(\d{1,2})[\s-]+([a-z]{3})[a-z]{0,6}\.?,?[\s-]+(\d{2,4})(?:,?\s+(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(?:\.\d{1,9})?(?:\s*([+-]\d{4}|[a-z]{1,5}))?)?/i
/** RFC 5322 §4.3: obsolete zones. All others are UTC, as in SORT (RFC 5256 §2.2). */
const ZONES: Record<string, number> = { EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 }

export interface SentDate {
  /** Milliseconds since the epoch. */
  ms: number
  /** Beginning of the day as it is written there, whatever the zone, as if in UTC. */
  dayMs: number
}

/** @param value decoded @returns undefined if it has no date. A missing or impossible time is midnight (RFC 5256 §2.2). */
export function sentDateOf(value: string): SentDate | undefined {
  if (value.length > MAX_CHARS) return undefined
  const [found, day, month = '', year = '', hours, minutes, seconds, zone] =
    DATE.exec(value.replace(/\([^()]*\)/g, ' ').trim()) ?? []
  if (found === undefined) return undefined
  const date = new Date(0)
  date.setUTCFullYear(fullYear(year), MONTHS.indexOf(month.toLowerCase()), Number(day))
  if (!MONTHS.includes(month.toLowerCase()) || date.getUTCDate() !== Number(day)) return undefined
  const dayMs = date.getTime()
  const [h, m, s] = [Number(hours ?? 0), Number(minutes ?? 0), Number(seconds ?? 0)]
  if (h > 23 || m > 59 || s > 60) return { ms: dayMs, dayMs }
  return { ms: dayMs + ((h * 60 + m) * 60 + s) * 1000 - zoneMs(zone ?? ''), dayMs }
}

/** Beginning of the day of a time, in UTC. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS

/** RFC 5322 §4.3: two digits are a year from 1950 to 2049, three are since 1900. */
function fullYear(year: string): number {
  const number = Number(year)
  if (year.length === 2) return number < 50 ? 2000 + number : 1900 + number
  return year.length === 3 ? 1900 + number : number
}

function zoneMs(zone: string): number {
  const [, sign, hours = '', minutes = ''] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? []
  if (sign === undefined) return (ZONES[zone.toUpperCase()] ?? 0) * 60 * 60 * 1000
  if (Number(minutes) > 59) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
