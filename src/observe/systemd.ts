/**
 * What systemd is told of this process (sd_notify(3)): that it is ready, reloads, stops, and is alive. Node has no datagram sockets of the Unix family
 * and can write to one: `systemd/launch`, by which the unit starts it, leaves it open. A unit of before that has none and `NotifyAccess=all`, and there
 * systemd's own `systemd-notify` says it. Outside of systemd nothing is told.
 */
import { execFile } from 'node:child_process'
import { write } from 'node:fs'
import { promisify } from 'node:util'
import { messageOf } from '../lib/thrown.js'
import { MINUTE } from '../lib/clock.js'
import type { Log } from './log.js'

export interface ServiceManager {
  /** Start-up goes on, and is given START_MS from now whatever the unit says (EXTEND_TIMEOUT_USEC of sd_notify(3)). Never rejects. */
  starting(status: string): Promise<void>
  /** Start-up is complete, or a reload is; from now on the watchdog is fed. */
  ready(status: string): Promise<void>
  reloading(): Promise<void>
  /** The stop has begun; the watchdog is fed no more. */
  stopping(): Promise<void>
}

/** Says the variables to systemd. @throws Error */
export type Notify = (variables: readonly string[]) => Promise<void>

export interface ServiceManagerDeps {
  /** `NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID` and `RESTANTE_NOTIFY_FD` count. */
  env: Readonly<Record<string, string | undefined>>
  pid: number
  log: Pick<Log, 'warn'>
  notify?: Notify
}

/** What a part of the start that tells of itself may take until it does so again. */
const START_MS = 5 * MINUTE
/** For one call of `systemd-notify`, which waits until systemd has taken it. */
const TIMEOUT_MS = 10_000

export function createServiceManager({ env, pid, log, notify = wayOf(env) }: ServiceManagerDeps): ServiceManager {
  const isWatched = env['NOTIFY_SOCKET'] !== undefined
  const watchdogMs = watchdogOf(env, pid)
  let feeding: NodeJS.Timeout | undefined
  let isTelling = false

  async function tell(...variables: string[]): Promise<void> {
    if (!isWatched) return
    try {
      await notify(variables)
    } catch (err) {
      log.warn({ err, said: variables[0] }, `systemd could not be told: ${messageOf(err)}`)
    }
  }

  /** By a timer of the event loop: one that hangs feeds nobody. */
  function feed(): void {
    if (isTelling) return
    isTelling = true
    void tell('WATCHDOG=1').finally(() => (isTelling = false))
  }

  return {
    starting: (status) => tell(`EXTEND_TIMEOUT_USEC=${START_MS * 1000}`, `STATUS=${status}`),
    async ready(status) {
      await tell('READY=1', `STATUS=${status}`)
      if (isWatched && watchdogMs !== undefined) feeding ??= setInterval(feed, watchdogMs / 2).unref()
    },
    reloading: () =>
      tell('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`, 'STATUS=reading the settings again'),
    stopping() {
      clearInterval(feeding)
      return tell('STOPPING=1', 'STATUS=finishing what was accepted')
    },
  }
}

/** Within what time systemd wants to hear of this process; undefined when it does not. */
function watchdogOf(
  { WATCHDOG_USEC: usec, WATCHDOG_PID: whose }: ServiceManagerDeps['env'],
  pid: number,
): number | undefined {
  const ms = Number(usec ?? NaN) / 1000
  return ms > 0 && (whose === undefined || whose === String(pid)) ? ms : undefined
}

/** @returns the open socket, where there is one */
function wayOf({ RESTANTE_NOTIFY_FD: fd }: ServiceManagerDeps['env']): Notify {
  return fd !== undefined && /^\d+$/.test(fd) ? (variables) => writeTo(Number(fd), variables) : systemdNotify
}

/** One write is one datagram, and its sender is this process. */
async function writeTo(fd: number, variables: readonly string[]): Promise<void> {
  await promisify(write)(fd, Buffer.from(variables.join('\n')))
}

async function systemdNotify(variables: readonly string[]): Promise<void> {
  await promisify(execFile)('systemd-notify', [...variables], { timeout: TIMEOUT_MS })
}
