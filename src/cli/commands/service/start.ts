/**
 * `restante start`: the daemon's process. Logs to standard output, as JSON lines (`restante start | jq`) or short text on a terminal; messages for humans go to
 * standard error.
 */
import type { Daemon, DaemonDeps } from '../../../daemon/daemon.js'
import { DriverError } from '../../../http/listener/choose.js'
import { UnfitFolderError } from '../../../store/schema-version.js'
import { SettingError } from '../../../config/errors.js'
import { mayRelayOut } from '../../../config/derived.js'
import { placeOf } from '../../../config/load.js'
import type { Config } from '../../../config/schema.js'
import { causesOf, hasCode, messageOf } from '../../../lib/thrown.js'
import { SECOND } from '../../../lib/clock.js'
import { createLogger, type Logger } from '../../../observe/log.js'
import { createServiceManager } from '../../../observe/systemd.js'
import { CommandError, defineCommand, EXIT, type ExitCode } from '../../terminal/command.js'

/** Status shown by `systemctl status`. */
const RUNNING = 'taking mail and requests'
/** Beyond `server.shutdown_seconds`, for closing the store and writing the log. */
const CLOSING_MS = 5000
/** Time for the last log lines when the process is killed. */
const FLUSHING_MS = 500
/** Max lifetime after the end, with leaked handles. */
const LINGER_MS = 1000

const start = defineCommand({
  usage: 'start',
  options: [],
  summary: 'run the daemon',
  about:
    'Runs in the foreground. The log is JSON on standard output, on a terminal short text (server.log_format). SIGTERM or SIGINT: finishes what was accepted, and ends; a second one ends at once.\nSIGHUP: reads settings, keys and certificates again. Without --config it runs on safe local defaults, with its data in ./var.',
  examples: [
    'restante start',
    'restante start --config /etc/restante',
    'restante start --set smtp.listen=127.0.0.1:2526 --set domains.names=agents.example.com | jq',
  ],
  async run({ config: load, configDir, overrides, settings, note }) {
    const config = load()
    const log = createLogger({ level: config.server.log_level, format: formatOf(config) })
    failFast(log)
    const asked = firstSignal(log)
    // From the signal on, even if the start hangs.
    void asked.then(() => endWithin(config.server.shutdown_seconds, log))
    // A signal during the start would end the process; the reload follows the start.
    let isReloadAsked = false
    let reload = (): void => void (isReloadAsked = true)
    process.on('SIGHUP', () => reload())
    const systemd = createServiceManager({ env: process.env, pid: process.pid, log })
    const place = (name: string): string => placeOf({ dir: configDir, set: overrides }, name)
    const stopping = new AbortController()
    void asked.then(() => stopping.abort())
    const daemon = await startOrExplain(
      {
        config,
        configDir,
        reloadConfig: load,
        log,
        starting: (status) => void systemd.starting(status),
        signal: stopping.signal,
        onLost() {
          log.fatal('this node showed no sign of life, and others have taken over its work; it ends')
          endNow(log)
        },
      },
      place,
    )
    reload = () => {
      const done = (status: string) => systemd.ready(status)
      // A refused reload is in the log.
      void systemd.reloading().then(() =>
        daemon.reload().then(
          () => done(RUNNING),
          () => done(`${RUNNING}; the last reload was refused, see the log`),
        ),
      )
    }
    await systemd.ready(RUNNING)
    if (isReloadAsked) reload()
    // Under systemd standard error is the journal, which has the log line.
    if (process.env.JOURNAL_STREAM === undefined) note(banner(config, settings, daemon.httpDriver))
    log.info({ signal: await asked }, 'stopping')
    const told = systemd.stopping()
    await daemon.stop()
    await told
    log.info('stopped')
    leave(EXIT.ok, log)
  },
})

export const commands = [start]

/** Text for the terminal once the daemon is ready: addresses and next steps. @param settings options for other commands, as typed */
function banner(config: Config, settings: string, httpDriver: string): string {
  const { server, smtp, domains } = config
  return `
  Restante is running.

    API and MCP   http://${server.http} (/v1, /mcp), served by ${httpDriver}
    SMTP          ${smtp.listen.join(', ')} for ${domains.names.map((name) => `@${name}`).join(', ')}
    Admin         ${server.admin}
    Data          ${server.data_dir}
    Mail out      ${mayRelayOut(config) ? 'on' : 'off: mail to other servers bounces (relay.outbound)'}

  Try next, in another terminal:

    curl http://${server.http}/v1/claim/challenge
    bin/restante claim list${settings === '' ? '' : ` ${settings}`}
    npm run demo

  Ctrl-C stops it.
`
}

function formatOf({ server: { log_format: wanted } }: Config): 'json' | 'text' {
  if (wanted !== 'auto') return wanted
  return process.stdout.isTTY ? 'text' : 'json'
}

async function startOrExplain(deps: DaemonDeps, place: (setting: string) => string): Promise<Daemon> {
  const { log, config } = deps
  try {
    // Loaded here: other commands need neither store nor servers.
    const { startDaemon } = await import('../../../daemon/daemon.js')
    return await startDaemon(deps)
  } catch (error) {
    if (deps.signal.aborted) {
      log.info('stopped before it was ready')
      leave(EXIT.ok, log)
      throw new CommandError(EXIT.ok, 'stopped before it was ready')
    }
    log.fatal({ err: error }, 'could not start')
    const code = error instanceof UnfitFolderError || error instanceof DriverError ? EXIT.config : EXIT.failed
    leave(code, log)
    throw new CommandError(code, `could not start: ${explained(error, config, place)}`)
  }
}

/** The problem, the file of its setting, and the remedy. */
function explained(error: unknown, { server }: Config, place: (setting: string) => string): string {
  const at = (setting: string, problem: string): string => `${place(setting)}: ${setting}: ${problem}`
  if (error instanceof SettingError) return at(error.setting, error.problem)
  const dir = server.data_dir
  // The store has its own message.
  if (causesOf(error).some((each) => hasCode(each, 'ENOSPC') || /no space left/i.test(messageOf(each))))
    return at('server.data_dir', `the disk of ${dir} is full. Make room: "du -xhd1 ${dir}" shows what uses it`)
  if ((hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) && messageOf(error).includes(dir))
    return at(
      'server.data_dir',
      `this user may not write there (${messageOf(error)}). Start it as the user whose folder that is, or give it to this one with chown -R`,
    )
  const made = hasCode(error, 'ENOENT') ? /mkdir '([^']+)'/.exec(messageOf(error))?.[1] : undefined
  if (made !== undefined && dir.startsWith(made))
    return at(
      'server.data_dir',
      `no folder can be made there (${messageOf(error)}). Name one on a disk, such as /var/lib/restante`,
    )
  return messageOf(error)
}

/**
 * Ends the process at once. `process.exit` would join the store's threads, one of which may wait for a commit's callback that never comes. Everything
 * acknowledged is on disk.
 */
function endNow(log: Logger): void {
  const kill = (): void => void process.kill(process.pid, 'SIGKILL')
  setTimeout(kill, FLUSHING_MS)
  log.flush(kill)
}

/** Leaves unknown states by a restart, which every part survives at any line. */
function failFast(log: Logger): void {
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'ended by an error nobody handled')
    endNow(log)
  })
}

/** The first stop signal; another one ends the process at once. */
function firstSignal(log: Logger): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (asked) endNow(log)
      asked = true
      resolve(signal)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
}

/** Guarantees that the process ends soon after its time limit. */
function endWithin(seconds: number, log: Logger): void {
  const end = (): void => {
    log.error({ shutdown_seconds: seconds }, 'ended while work was in progress; it continues at the next start')
    endNow(log)
  }
  setTimeout(end, seconds * SECOND + CLOSING_MS).unref()
}

/** Normally exits by itself. If nobody reads the log, a write may block forever, and `process.exit` with it. */
function leave(code: ExitCode, log: Logger): void {
  setTimeout(() => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), FLUSHING_MS)
    log.flush(() => process.exit(code))
  }, LINGER_MS).unref()
}
