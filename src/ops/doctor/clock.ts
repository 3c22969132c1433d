/**
 * Checks the clock, on which signatures, certificates and the Date of mail depend: against times that are certainly past, the Date (RFC 9110 §6.6.1) of a
 * server that the daemon uses anyway, and the synchronisation status of systemd.
 */
import { DAY, HOUR, MINUTE, timestamp } from '../../lib/clock.js'
import type { Config } from '../../config/schema.js'
import { advice, command, failed, ok, shown, unknown, warning } from './finding.js'
import { configurationOf } from './services.js'
import type { Finding } from './types.js'

export interface ClockSigns {
  now: number
  /** Output of `timedatectl show`; undefined if missing. */
  timedatectl: string | undefined
  /** File times that are certainly past, with their description. */
  past: { what: string; at: number }[]
  /** Time of another server; undefined if there is none. */
  elsewhere?: { host: string; at: number } | undefined
}

const SET_CLOCK = [
  command('timedatectl set-ntp true'),
  advice('Without systemd: install chrony, which sets the clock when it starts.'),
]

/** Other machines' clocks stamp files too, on a shared disk. */
const TOLERANCE_MS = 5 * MINUTE

/** A server that the settings name, for its clock; undefined if there is none. */
export function clockElsewhere({ tls, identity }: Pick<Config, 'tls' | 'identity'>): URL | undefined {
  const [provider] = identity.providers
  const issuer =
    provider && (provider.kind === 'github' ? `${provider.api_url}/meta` : configurationOf(provider.issuer))
  const url = tls.acme === '' ? issuer : tls.acme
  return url === undefined || url === '' ? undefined : new URL(url)
}

export function checkClock({ now, timedatectl, past, elsewhere }: ClockSigns): Finding {
  const ahead = past.find(({ at }) => at > now + TOLERANCE_MS)
  if (ahead)
    return failed(
      `it is ${timestamp(now)} here, and ${ahead.what} was written at ${timestamp(ahead.at)}: the clock is behind`,
      ...SET_CLOCK,
    )
  if (elsewhere && Math.abs(elsewhere.at - now) > TOLERANCE_MS)
    return failed(
      `it is ${timestamp(now)} here, and ${shown(elsewhere.host)} says ${timestamp(elsewhere.at)}: the clock is ${now > elsewhere.at ? 'ahead' : 'behind'} by ${lengthOf(Math.abs(elsewhere.at - now))}`,
      ...SET_CLOCK,
    )
  const values = new Map((timedatectl ?? '').split('\n').map((line): [string, string] => split(line)))
  const isSynchronised = values.get('NTPSynchronized')
  if (isSynchronised === 'yes') return ok(`it is ${timestamp(now)}, set by time servers`)
  if (isSynchronised === 'no')
    return warning(
      `it is ${timestamp(now)} here, and no time server has set the clock${values.get('NTP') === 'yes' ? ' yet' : ''}`,
      command('timedatectl set-ntp true'),
    )
  if (elsewhere) return ok(`it is ${timestamp(now)}, as ${shown(elsewhere.host)} says too`)
  return unknown(
    `it is ${timestamp(now)} here; there was no time server to compare it with`,
    advice('Compare it with a clock that you trust: date -u'),
  )
}

function lengthOf(ms: number): string {
  return ms >= DAY
    ? `${Math.round(ms / DAY)} d`
    : ms >= HOUR
      ? `${Math.round(ms / HOUR)} h`
      : `${Math.round(ms / MINUTE)} min`
}

function split(line: string): [string, string] {
  const at = line.indexOf('=')
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)]
}
