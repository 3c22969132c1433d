/**
 * The composition root: the one place that knows every part. It builds them from the settings in the order in which they need each other
 * (each group in a file of `daemon/`), and stops them in the other one.
 */
import type { Audit, NewEntry } from '../audit/types.js'
import type { Certificates } from '../certificates/types.js'
import { changedSettings } from '../config/derived.js'
import type { Config } from '../config/schema.js'
import { installedVersion } from '../config/version.js'
import { buildBackups } from './backups.js'
import { buildCertificates } from './certificates.js'
import { startDeletion } from './deletion.js'
import { startExports } from './exports.js'
import { startFaces } from './faces.js'
import { buildGround, type Ground } from './ground.js'
import { startInbound } from './inbound.js'
import { requireWayClear } from './checks/preflight.js'
import { buildOutbound } from './outbound.js'
import { learnerOf } from './guard/learners.js'
import { startReview } from './review.js'
import { buildScanners } from './scanners.js'
import { buildService, type Service } from './service.js'
import { startWebhooks } from './webhooks.js'
import { stopperOf, type Stops } from './stops.js'
import type { DkimKeys } from '../authentication/keys.js'
import type { DriverName } from '../http/listener/types.js'
import { chooseDriver } from '../http/listener/choose.js'
import { startJobs } from '../jobs/jobs.js'
import { sweepsOf } from '../jobs/retention.js'
import { TIMETABLE } from '../jobs/retention-table.js'
import { startOperatorMail, type OperatorNotice } from '../jobs/operator-mail.js'
import { startStanding } from '../jobs/suspension.js'
import { DAY, utcDay } from '../lib/clock.js'
import { watchDisk } from '../observe/disk.js'
import type { Logger } from '../observe/log.js'
import { createStoreProbe } from '../store/folder/probe.js'

export interface DaemonDeps {
  config: Config
  /** Where the settings came from; undefined where no folder was named. For backups. */
  configDir?: string | undefined
  /** Reads the settings again, for a reload. @throws ConfigError */
  reloadConfig: () => Config
  log: Logger
  /** Tells whoever waits for the start that it goes on, and with what: an upgrade of what is stored may take long. */
  starting?: ((status: string) => void) | undefined
}

export interface Daemon {
  /** The driver of plain HTTP. */
  httpDriver: DriverName
  /**
   * Takes over the settings that can change while it runs, the DKIM keys and the certificate; the log says what needs a restart.
   *
   * @throws Error that says what is wrong; it is in the log too, and everything stays as it was
   */
  reload(): Promise<void>
  /** Takes no more connections, finishes what was accepted within `server.shutdown_seconds`, and closes the store. */
  stop(): Promise<void>
}

/** @throws Error that says what is in the way; what had started by then is stopped */
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
  const { config, log } = deps
  const { server, domains, smtp, retention } = config
  const version = installedVersion()
  await requireWayClear(config)
  const driver = chooseDriver(server.http_driver)
  const ground = await buildGround(deps, stops)
  const scanners = buildScanners(ground, stops)
  const service = await buildService(ground, stops)
  const outbound = await buildOutbound(ground, service, scanners.scanner, stops)
  const { rotation, tlsReports, mtaSts } = outbound
  const operatorMail = await startOperatorMail({
    clock: ground.clock,
    store: ground.store,
    queue: ground.queue,
    letters: service.letters,
    to: operatorAddress(ground, service),
    baseUrl: server.base_url.replace(/\/+$/, ''),
    log: ground.part('operator-mail'),
  })
  stops.active.push(() => operatorMail.stop())
  const tell = (notice: OperatorNotice): void =>
    void operatorMail
      .tell(notice)
      .catch((err: unknown) => log.error({ err, notice: notice.text }, 'the operator could not be written to'))
  const { certificates, challenges, desk, keeper, certificateJobs } = await buildCertificates(ground, tell, stops)
  const { reviewing, reminder } = startReview(ground, service, outbound, stops, learnerOf(service))
  const { backups, backupJobs } = buildBackups(ground, version, tell, stops)
  const { webhooks, lookAtAll } = startWebhooks(ground, service, version, stops)
  const jobs = startJobs({
    clock: ground.clock,
    store: ground.store,
    queue: ground.queue,
    claims: service.claims,
    mailboxes: service.mailboxes,
    indexer: service.indexer,
    log: ground.part('jobs'),
    sweeps: [
      ...sweepsOf({
        store: ground.store,
        blobs: ground.blobs,
        clock: ground.clock,
        audit: ground.audit,
        sessions: service.sessions,
        oauth: service.oauth,
        receipts: service.receipts,
        reports: service.reports,
        reviewing,
        retention: {
          eventsMs: retention.events_days * DAY,
          webhookDeliveriesMs: retention.webhook_deliveries_days * DAY,
        },
      }),
      reminder,
      ...backupJobs,
      ...certificateJobs,
      // Commits of which nobody was told.
      { name: 'webhooks', schedule: '41 * * * *', run: async () => (await lookAtAll(), {}) },
      { name: 'dkim', schedule: '17 * * * *', run: async () => ({ ...(await rotation.look()) }) },
      // Domains of accounts: whether their proof still stands.
      {
        name: 'own-domains',
        schedule: '37 4 * * *',
        run: async (signal) => ({ ...(await outbound.ownDomains.lookAgain(signal)) }),
      },
      // Reports on TLS of the days that have ended; each leaves at a time of its own.
      {
        name: 'tls-reports',
        schedule: TIMETABLE['tls-reports'],
        run: async (signal) => ({ ...(await tlsReports?.queueEnded(signal)) }),
      },
      // The same of DMARC.
      {
        name: 'dmarc-reports',
        schedule: TIMETABLE['dmarc-reports'],
        run: async (signal) => ({ ...(await outbound.dmarcReports?.queueEnded(signal)) }),
      },
      // At a minute of its own, so that the hosts of policies are not asked by everybody at once.
      {
        name: 'mta-sts',
        schedule: `${Math.floor(Math.random() * 60)} * * * *`,
        run: async (signal) => ({ ...(await mtaSts?.refresh(signal)) }),
      },
    ],
  })
  stops.active.push(() => jobs.stop())
  const standing = startStanding({
    clock: ground.clock,
    store: ground.store,
    queue: ground.queue,
    audit: ground.audit,
    accounts: service.accounts,
    letters: service.letters,
    outgoing: outbound.operatorQueue,
    tellOperator: (notice) => operatorMail.tell(notice),
    baseUrl: server.base_url.replace(/\/+$/, ''),
    log: ground.part('jobs'),
  })
  stops.active.push(() => standing.stop())
  const disk = watchDisk({
    dir: server.data_dir,
    minFreeBytes: server.min_free_bytes,
    clock: ground.clock,
    log: ground.part('disk'),
    metrics: ground.metrics,
    onLow: (free) =>
      tell({
        id: `disk-low:${utcDay(ground.clock.now())}`,
        text: `The disk of ${server.data_dir} is nearly full (${Math.floor(free / 1024 / 1024)} MiB left, server.min_free_bytes): mail is refused until there is room.`,
      }),
    storeFault: createStoreProbe({ dataDir: server.data_dir, store: ground.store }),
  })
  const exports = await startExports(ground, service, disk, stops)
  const { deletion, removal } = await startDeletion(ground, service, outbound, exports, stops)
  await startInbound(ground, service, outbound, scanners, disk, certificates, stops)
  const reload = reloader(deps, {
    certificates,
    dkimKeys: outbound.dkimKeys,
    loggers: ground.loggers,
    audit: ground.audit,
  })
  const faces = await startFaces(
    ground,
    service,
    outbound,
    {
      version,
      disk,
      exports,
      deletion,
      removal,
      reviewing,
      webhooks,
      backups,
      certificates,
      challenges,
      desk,
      reload,
      driver,
    },
    stops,
  )
  faces.open()
  // Not before what an authority asks is answered.
  keeper?.begin()
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
  parts: { certificates: Certificates; dkimKeys: DkimKeys; loggers: Logger[]; audit: Audit },
): () => Promise<void> {
  const { config: started, reloadConfig, log } = deps
  return async () => {
    try {
      // All is read before anything is taken over.
      const fresh = reloadConfig()
      const takeOver = await parts.certificates.read(fresh)
      await parts.dkimKeys.reload()
      takeOver()
      for (const logger of parts.loggers) logger.level = fresh.server.log_level
      const changes = changedSettings(started, fresh)
      const named = (reload: boolean): string[] =>
        changes.filter((change) => change.reload === reload).map(({ name }) => name)
      log.info({ changed: named(true), needs_restart: named(false) }, 'reloaded')
      await parts.audit.record(reloaded(changes.map(({ name }) => name)))
    } catch (err) {
      log.error({ err }, 'reload refused; everything stays as it was')
      throw err
    }
  }
}

/** By a command or a signal; both take a user of this machine who may. */
function reloaded(changed: string[]): NewEntry {
  const reason = changed.length === 0 ? 'nothing changed' : changed.join(', ')
  return { action: 'settings.reloaded', actor: { type: 'operator', id: null, name: null }, subject: {}, reason }
}

/** Where the operator reads mail; the mailbox of postmaster@ where no other address can be reached. */
function operatorAddress({ config: { identity }, primaryDomain }: Ground, { letters }: Service): string {
  const { operator } = identity
  return operator !== '' && letters.canReach(operator) ? operator : `postmaster@${primaryDomain}`
}
