/** Ages, waits and sizes for people, in two digits. */
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock.js'

/** Age, such as `42s`, `5m`, `3h` or `2d`. */
export function ago(at: string, now: number): string {
  return span(now - Date.parse(at))
}

/** Wait, such as `in 4m`; `now` if due. */
export function inTime(at: string, now: number): string {
  const ms = Date.parse(at) - now
  return ms <= 0 ? 'now' : `in ${span(ms)}`
}

/** Bytes, such as `512`, `4.2K` or `13M`. */
export function size(bytes: number): string {
  let value = bytes
  for (const unit of ['', 'K', 'M', 'G']) {
    if (value < 1024 || unit === 'G')
      return `${value < 10 && unit !== '' ? value.toFixed(1) : Math.round(value)}${unit}`
    value /= 1024
  }
  return String(bytes)
}

/** `1 file`, `2 files`, `2 mailboxes`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`
}

function span(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.round(ms / SECOND))}s`
  if (ms < HOUR) return `${Math.round(ms / MINUTE)}m`
  if (ms < 2 * DAY) return `${Math.round(ms / HOUR)}h`
  return `${Math.round(ms / DAY)}d`
}
