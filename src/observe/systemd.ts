/**
 * Notifies systemd of the state of this process (sd_notify(3)): starting, ready, reloading, stopping, alive. Node has no datagram sockets of the Unix
 * family but can write to one: `systemd/launch`, which the unit uses to start it, leaves it open. Older units lack that and have `NotifyAccess=all`;
 * then `systemd-notify` is called. Outside of systemd nothing is sent.
 */
import { execFile } from 'node:child_process'
import { write } from 'node:fs'
import { promisify } from 'node:util'
import { messageOf } from '../lib/thrown.js'
import { MINUTE } from '../lib/clock.js'
import type { Log } from './log.js'

/** Sends variables to systemd. @throws Error */
type Notify = (variables: readonly string[]) => Promise<void>

interface ServiceManagerDeps {
  /** Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID` and `RESTANTE_NOTIFY_FD`. */
  env: Readonly<Record<string, string | undefined>>
  pid: number
  log: Pick<Log, 'warn'>
  notify?: Notify
}

/** Max time between two notices during the start. */
const START_MS = 5 * MINUTE
/** Time limit of one call of `systemd-notify`, which waits for systemd. */
const TIMEOUT_MS = 10_000

export function createServiceManager({ env, pid, log, notify = notifyBy(env) }: ServiceManagerDeps) {
  const isWatched = env['NOTIFY_SOCKET'] !== undefined
  const watchdogMs = watchdogOf(env, pid)
  let feeding: NodeJS.Timeout | undefined
  let isTelling = false

  async function tell(...variables: string[]): Promise<void> {
    if (!isWatched) return
    try {
      await notify(variables)
    } catch (err) {
      log.warn({ err, said: variables[0] }, `systemd could not be notified: ${messageOf(err)}`)
    }
  }

  /** By a timer of the event loop: if the loop hangs, the watchdog is not notified. */
  function feed(): void {
    if (isTelling) return
    isTelling = true
    void tell('WATCHDOG=1').finally(() => (isTelling = false))
  }

  return {
    /** Extends the start-up by START_MS from now whatever the unit's limit (EXTEND_TIMEOUT_USEC of sd_notify(3)). Never rejects. */
    starting: (status: string): Promise<void> => tell(`EXTEND_TIMEOUT_USEC=${START_MS * 1000}`, `STATUS=${status}`),
    /** Start-up or a reload is complete; from now on the watchdog is notified. */
    async ready(status: string): Promise<void> {
      await tell('READY=1', `STATUS=${status}`)
      if (isWatched && watchdogMs !== undefined) feeding ??= setInterval(feed, watchdogMs / 2).unref()
    },
    reloading: (): Promise<void> =>
      tell('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`, 'STATUS=reading the settings again'),
    /** The stop has begun; the watchdog is not notified any more. */
    stopping(): Promise<void> {
      clearInterval(feeding)
      return tell('STOPPING=1', 'STATUS=finishing accepted work')
    },
  }
}

/** Interval that systemd's watchdog requires; undefined without one. */
function watchdogOf(
  { WATCHDOG_USEC: usec, WATCHDOG_PID: whose }: ServiceManagerDeps['env'],
  pid: number,
): number | undefined {
  const ms = Number(usec ?? NaN) / 1000
  return ms > 0 && (whose === undefined || whose === String(pid)) ? ms : undefined
}

/** Through the open socket, if there is one. */
function notifyBy({ RESTANTE_NOTIFY_FD: fd }: ServiceManagerDeps['env']): Notify {
  return async (variables) => {
    // One write is one datagram, sent by this process.
    if (fd !== undefined && /^\d+$/.test(fd)) await promisify(write)(Number(fd), Buffer.from(variables.join('\n')))
    else await promisify(execFile)('systemd-notify', [...variables], { timeout: TIMEOUT_MS })
  }
}
