/**
 * The composition root: the only place that knows every part. It builds them from the settings in the order of their dependencies (each group in a
 * file of `daemon/`), and stops them in reverse.
 */
import type { Letters } from '../accounts/letters.js'
import type { Audit } from '../audit/types.js'
import type { DkimKeys } from '../authentication/keys.js'
import type { Certificates } from '../certificates/types.js'
import { baseUrl, changedSettings, primaryDomain } from '../config/derived.js'
import type { Config } from '../config/schema.js'
import { installedVersion } from '../config/version.js'
import { chooseDriver } from '../http/listener/choose.js'
import type { DriverName } from '../http/listener/types.js'
import { startOperatorMail, type OperatorNotice } from '../jobs/operator-mail.js'
import { startApprovals } from '../jobs/approvals.js'
import { startSuspensions } from '../jobs/suspension.js'
import { MINUTE, utcDay } from '../lib/clock.js'
import { trimYoungSpace } from '../lib/memory/young-space.js'
import { watchDisk } from '../observe/disk.js'
import type { Logger } from '../observe/log.js'
import { buildAccountServices } from './layers/account-services.js'
import { buildBackups } from './parts/backups.js'
import { buildCertificates } from './parts/certificates.js'
import { refuseObstacles } from './checks/preflight.js'
import { startDeletion } from './parts/deletion.js'
import { startExports } from './parts/exports.js'
import { startFaces } from './faces/faces.js'
import { buildGround } from './layers/ground.js'
import { buildGuard } from './layers/guard.js'
import { startInbound } from './parts/inbound.js'
import { createLoggers, type Loggers } from './layers/loggers.js'
import { buildMailServices } from './layers/mail-services.js'
import { buildOutbound } from './layers/outbound.js'
import { startReview } from './parts/review.js'
import { buildScanners } from './layers/scanners.js'
import { stopperOf, type Stops } from './layers/stops.js'
import { startTimetable } from './parts/timetable.js'
import { startWebhooks } from './parts/webhooks.js'
import type { Migration } from './upgrade/migration.js'

/** In this module so that the start of a daemon, which shares its parts, loads no file more for it. */
export { migrateStore } from './migrate-store.js'

export interface DaemonDeps {
  config: Config
  /** Folder of the settings, for backups; undefined when none was named. */
  configDir?: string | undefined
  /** Reads the settings again. @throws ConfigError */
  reloadConfig: () => Config
  log: Logger
  /** Reports the progress of the start: an upgrade of the data folder may take long. */
  starting?: ((status: string) => void) | undefined
  /** Aborted when the start is not wanted any more. */
  signal: AbortSignal
  /** Called when another daemon has taken over the store: the process should end. */
  onLost: () => void
  /** Those of this version if not given; tests add one to come. */
  migrations?: readonly Migration[]
}

export interface Daemon {
  httpDriver: DriverName
  /**
   * Applies the settings that can change at run time, the DKIM keys and the certificates; logs which settings need a restart.
   *
   * @throws Error that says what is wrong; it is logged too, and nothing changes
   */
  reload(): Promise<void>
  /** Accepts no more connections, finishes accepted work within `server.shutdown_seconds`, and closes the store. */
  stop(): Promise<void>
}

/** @throws Error that says what is wrong; parts that had started are stopped */
export async function startDaemon(deps: DaemonDeps): Promise<Daemon> {
  const stops: Stops = { active: [], rest: [] }
  const stop = stopperOf(stops, deps.log)
  try {
    return { ...(await build(deps, stops)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function build(deps: DaemonDeps, stops: Stops): Promise<Omit<Daemon, 'stop'>> {
  const { config, log, configDir } = deps
  const { server, domains, smtp } = config
  const version = installedVersion()
  await refuseObstacles(config)
  const driver = chooseDriver(server.http_driver)
  const loggers = createLoggers(log)
  const { ground, copyStore, probe, takeWork } = await buildGround({ ...deps, part: loggers.part }, stops)
  const { clock, store, part } = ground
  const scanners = buildScanners(ground, stops)
  const guard = await buildGuard(ground, stops)
  const people = await buildAccountServices(ground, guard.guard)
  const mail = buildMailServices(ground, people, guard.guard, stops)
  const outbound = await buildOutbound(ground, people, mail, scanners.scanner, stops)
  const operatorMail = await startOperatorMail({
    clock,
    store,
    queue: ground.queue,
    letters: people.letters,
    to: operatorAddress(config, people.letters),
    baseUrl: baseUrl(config),
    log: part('operator-mail'),
  })
  stops.active.push(() => operatorMail.stop())
  const tell = (notice: OperatorNotice): void =>
    void operatorMail
      .tell(notice)
      .catch((err: unknown) => log.error({ err, notice: notice.text }, 'the operator could not be notified'))
  const tls = await buildCertificates(ground, tell, stops)
  const { reviewing, reminder } = startReview(ground, people, guard, outbound, mail.mailboxes, stops)
  const { backups, backupJobs } = buildBackups(ground, { version, configDir, copyStore }, tell, stops)
  const { webhooks, checkAll } = startWebhooks(ground, people, version, stops)
  startTimetable(
    ground,
    people,
    mail,
    outbound,
    { reviewing, checkAllWebhooks: checkAll, sweeps: [reminder, ...backupJobs, ...tls.certificateJobs] },
    stops,
  )
  const suspensions = startSuspensions({
    clock,
    store,
    queue: ground.queue,
    audit: ground.audit,
    accounts: people.accounts,
    letters: people.letters,
    outgoing: outbound.operatorQueue,
    tellOperator: (notice) => operatorMail.tell(notice),
    baseUrl: baseUrl(config),
    log: part('jobs'),
  })
  stops.active.push(() => suspensions.stop())
  const approvals = startApprovals({
    clock,
    store,
    queue: ground.queue,
    accounts: people.accounts,
    mailboxes: mail.mailboxes,
    letters: people.letters,
    baseUrl: baseUrl(config),
    log: part('jobs'),
  })
  stops.active.push(() => approvals.stop())
  const disk = watchDisk({
    dir: server.data_dir,
    minFreeBytes: server.min_free_bytes,
    clock,
    log: part('disk'),
    metrics: ground.metrics,
    onLow: (free) =>
      tell({
        id: `disk-low:${utcDay(clock.now())}`,
        text: `The disk of ${server.data_dir} is nearly full (${Math.floor(free / 1024 / 1024)} MiB left, server.min_free_bytes): mail is refused until there is room.`,
      }),
    storeFault: probe,
  })
  const exports = startExports(ground, people, disk, stops)
  const { deletion, removal } = await startDeletion(ground, people, mail, outbound, exports, stops)
  const { certificates } = tls
  if (server.roles.includes('mx'))
    await startInbound(ground, { guard, mail, outbound, scanners, disk, certificates, loggers }, stops)
  const reload = reloader(deps, {
    certificates: tls.certificates,
    dkimKeys: outbound.dkim.keys,
    loggers,
    audit: ground.audit,
  })
  const faces = await startFaces(
    { ground, people, mail, outbound },
    { version, driver, disk, guard, exports, deletion, removal, reviewing, webhooks, backups, tls, reload },
    stops,
  )
  faces.open()
  const trim = trimYoungSpace()
  stops.active.push(async () => trim.stop())
  // An authority may ask for challenges at once, and they are answered only now.
  const stopOrdering = ground.shards.follow('jobs', {
    gain(shard) {
      if (shard === 0) tls.keeper?.begin()
    },
    async lose(shard) {
      if (shard === 0) await tls.keeper?.idle(MINUTE)
    },
  })
  stops.active.push(async () => stopOrdering())
  takeWork()
  log.info(
    {
      version,
      http: server.http,
      http_driver: driver.name,
      https: server.https,
      admin: server.admin,
      smtp: smtp.listen,
      domains: domains.names,
      data_dir: server.data_dir,
      relays_out: outbound.isOpen,
    },
    'ready',
  )
  return { reload, httpDriver: driver.name }
}

function reloader(
  deps: DaemonDeps,
  parts: { certificates: Certificates; dkimKeys: DkimKeys; loggers: Loggers; audit: Audit },
): () => Promise<void> {
  const { config: started, reloadConfig, log } = deps
  return async () => {
    try {
      // Everything is read before anything is applied.
      const fresh = reloadConfig()
      const takeOver = await parts.certificates.read(fresh)
      await parts.dkimKeys.reload()
      takeOver()
      parts.loggers.setLevel(fresh.server.log_level)
      const changes = changedSettings(started, fresh)
      const named = (reload: boolean): string[] =>
        changes.filter((change) => change.reload === reload).map(({ name }) => name)
      log.info({ changed: named(true), needs_restart: named(false) }, 'reloaded')
      await parts.audit.record({
        action: 'settings.reloaded',
        actor: { type: 'operator', id: null, name: null },
        subject: {},
        reason: changes.length === 0 ? 'nothing changed' : changes.map(({ name }) => name).join(', '),
      })
    } catch (err) {
      log.error({ err }, 'reload refused; everything stays as it was')
      throw err
    }
  }
}

/** Address of the operator; postmaster@ when no other can be reached. */
function operatorAddress(config: Config, letters: Letters): string {
  const { operator } = config.identity
  return operator !== '' && letters.canReach(operator) ? operator : `postmaster@${primaryDomain(config)}`
}
