/** Dates and times of RFC 9051 §9: date (a day) and date-time. */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DATE = /^(\d{1,2})-([a-z]{3})-(\d{4})$/i
const DATE_TIME = /^( \d|\d\d)-([a-z]{3})-(\d{4}) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$/i

/** A day such as `1-Feb-1994`. @returns milliseconds of its beginning in UTC; undefined if there is no such day */
export function parseDate(text: string): number | undefined {
  const [, day = '', month = '', year = ''] = DATE.exec(text) ?? []
  return dayMs(day, month, year)
}

/** A time such as ` 1-Feb-1994 21:52:25 -0800`. @returns milliseconds since 1970 in UTC; undefined if there is no such time */
export function parseDateTime(text: string): number | undefined {
  const found = DATE_TIME.exec(text)
  if (!found) return undefined
  const [, day = '', month = '', year = '', hours, minutes, seconds, sign, zoneHours, zoneMinutes] = found
  const start = dayMs(day.trim(), month, year)
  const time = clockMs(hours, minutes, seconds)
  const zone = clockMs(zoneHours, zoneMinutes, '0')
  if (start === undefined || time === undefined || zone === undefined) return undefined
  return start + time - (sign === '-' ? -zone : zone)
}

/** In UTC, without quotes. */
export function formatDateTime(ms: number): string {
  const date = new Date(ms)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = String(date.getUTCDate()).padStart(2, ' ')
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':')
  return `${day}-${MONTHS[date.getUTCMonth()]}-${String(date.getUTCFullYear()).padStart(4, '0')} ${time} +0000`
}

function dayMs(day: string, month: string, year: string): number | undefined {
  const index = MONTHS.findIndex((name) => name.toLowerCase() === month.toLowerCase())
  const date = new Date(0)
  // Not Date.UTC: it takes the years 0 to 99 for those of the 20th century.
  date.setUTCFullYear(Number(year), index, Number(day))
  return index !== -1 && date.getUTCDate() === Number(day) ? date.getTime() : undefined
}

/** A leap second is the first second of the next minute. */
function clockMs(hours?: string, minutes?: string, seconds?: string): number | undefined {
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds)]
  return h <= 23 && m <= 59 && s <= 60 ? ((h * 60 + m) * 60 + s) * 1000 : undefined
}
