/**
 * Whether the clock is right: signatures, certificates and the Date of mail hang on it. What systemd knows of its synchronisation is believed; without
 * systemd the clock is only held against times that are past, since nobody is asked over the network for this.
 */
import { MINUTE, timestamp } from '../lib/clock.js'
import { advice, command, failed, ok, unknown, warning } from './finding.js'
import type { Finding } from './types.js'

export interface ClockSigns {
  now: number
  /** What `timedatectl show` prints; undefined where there is none. */
  timedatectl: string | undefined
  /** Times of files that are certainly past, with what they are. */
  past: { what: string; at: number }[]
}

/** Other machines' clocks stamp files too, on a shared disk. */
const TOLERANCE_MS = 5 * MINUTE

export function checkClock({ now, timedatectl, past }: ClockSigns): Finding {
  const ahead = past.find(({ at }) => at > now + TOLERANCE_MS)
  if (ahead)
    return failed(
      `it is ${timestamp(now)} here, and ${ahead.what} is of ${timestamp(ahead.at)}: the clock is behind`,
      command('timedatectl set-ntp true'),
      advice('Without systemd: install chrony, which sets the clock at its start.'),
    )
  const values = new Map((timedatectl ?? '').split('\n').map((line): [string, string] => split(line)))
  const isSynchronised = values.get('NTPSynchronized')
  if (isSynchronised === 'yes') return ok(`it is ${timestamp(now)}, set by time servers`)
  if (isSynchronised === 'no')
    return warning(
      `it is ${timestamp(now)} here, and no time server has set the clock${values.get('NTP') === 'yes' ? ' yet' : ''}`,
      command('timedatectl set-ntp true'),
    )
  return unknown(
    `it is ${timestamp(now)} here; nothing on this machine tells whether that is so`,
    advice('Compare it with a clock that you trust: date -u'),
  )
}

function split(line: string): [string, string] {
  const at = line.indexOf('=')
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)]
}
