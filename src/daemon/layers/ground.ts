/** The base of every part: data folder with lock, secrets and store; resolver, metrics, loggers. */
import { hostname } from 'node:os'
import { mailThreads } from '../../config/derived.js'
import { lockDataDir } from '../../config/lock.js'
import { compareSettings } from '../../ops/database/agreed-settings.js'
import { openSecretPlaces } from '../../ops/database/secret-places.js'
import { openConfiguredBlobs } from '../../ops/blobs/open-blobs.js'
import { putSharedMark, takeSharedMark } from '../../ops/blobs/shared-mark.js'
import { isShared } from '../../ops/database/engine.js'
import { createAudit } from '../../audit/audit.js'
import { openSecrets } from '../../config/secrets.js'
import { createResolver } from '../../dns/resolver.js'
import { completeHeld } from '../../lifecycle/domains/record.js'
import { followHeldDomains, HELD_PARTITION, readHeld, verifiedOwner } from '../../lifecycle/domains/verified.js'
import { DAY, systemClock } from '../../lib/clock.js'
import { makeFolder } from '../../lib/files.js'
import { after, type Maybe } from '../../lib/maybe.js'
import { createMailWork } from '../../mailbox/mail-work/mail-work.js'
import { continueNumbering } from '../../mailbox/retention/continue-numbering.js'
import type { Logger } from '../../observe/log.js'
import { createMetrics } from '../../observe/metrics.js'
import { startSharedCounts } from '../../store/nodes/shared-counts.js'
import { createStoredForm } from '../../store/schema-version.js'
import type { View } from '../../store/types.js'
import type { OwnDomain } from '../../mailbox/sending/verified-sender.js'
import { createWorkQueue } from '../../queue/queue.js'
import type { Stops } from './stops.js'
import { startRollingUpgrade } from '../upgrade/rolling.js'
import { newestOf } from '../upgrade/upgrade.js'
import { openUpgradedStore, type StoreDeps } from './upgraded-store.js'

export type Ground = Awaited<ReturnType<typeof buildGround>>['ground']

interface GroundDeps extends Omit<StoreDeps, 'metrics' | 'roles'> {
  log: Logger
  part: (name: string) => Logger
}

/** @returns `copyStore` writes the database as it is now into another folder; `probe` returns what is wrong with it */
export async function buildGround(deps: GroundDeps, stops: Stops) {
  const { config, log, part } = deps
  const { server, domains } = config
  const clock = systemClock
  const dataDir = server.data_dir
  await makeFolder(dataDir)
  stops.rest.push(await lockDataDir(dataDir))
  const metrics = createMetrics()
  const { database, store, upgrading, waits } = await openUpgradedStore(
    { ...deps, metrics, roles: server.roles },
    stops,
  )
  if (waits) stops.active.push(startRollingUpgrade({ ...upgrading, shards: database.shards }))
  // Before anything is created that needs the database.
  await database.settle()
  const restored = await continueNumbering(store)
  if (restored !== undefined)
    log.info(
      { mailboxes: restored },
      'restored from a backup: event numbers continue after those that may have been used',
    )
  const places = await openSecretPlaces({ config, store, entries: database.entries, log })
  stops.rest.push(() => places.stop())
  await compareSettings({ config, store, host: hostname(), clock, log })
  const secrets = await openSecrets(dataDir, places.secrets)
  const damagedReads = metrics.counter(
    'blobs_damaged_reads_total',
    'Reads refused because a file is not what was written.',
  )
  let sweepStopped = false
  metrics.gauge(
    'blobs_sweep_stopped',
    'Whether the sweep of files took nothing because the store looks older than they are, or another one.',
    () => (sweepStopped ? 1 : 0),
  )
  const retries = metrics.counter(
    'blobs_request_retries_total',
    'Requests to the S3 bucket of blobs.url that failed and were tried again.',
  )
  if (isShared(config)) await takeSharedMark(store, dataDir)
  const { blobs, close: closeBlobs } = await openConfiguredBlobs(config, {
    clock,
    onRetry(err) {
      retries.inc()
      log.warn({ err }, 'a request to the bucket failed and is tried again')
    },
    onSweep: (stopped) => (sweepStopped = stopped),
    onDamaged(err) {
      damagedReads.inc()
      log.error({ err, mailbox_id: err.owner, blob: err.id }, 'a file is damaged, and is not served')
    },
  })
  stops.rest.push(async () => closeBlobs())
  if (isShared(config)) await putSharedMark(store, dataDir)
  const resolver = createResolver({ servers: server.dns, validates: server.dns_validates, clock })
  stops.rest.push(async () => resolver.close())
  const work = createMailWork({ threads: mailThreads() })
  stops.rest.push(() => work.close())
  await completeHeld(store)
  const { nodes } = database
  const shared = startSharedCounts({
    store,
    nodes,
    clock,
    onError: (err) => log.warn({ err }, 'counts of clients cannot be exchanged with other daemons now'),
  })
  stops.rest.push(() => shared.stop())
  const held = await followHeldDomains({
    store,
    names: domains.names,
    onError: (err) => log.warn({ err }, 'domains of accounts cannot be read now; they are read again in seconds'),
  })
  stops.rest.push(async () => held.stop())
  const ground = {
    config,
    clock,
    secrets,
    /** Of DKIM keys and certificates. */
    places,
    metrics,
    part,
    store,
    /** The daemons at work on it. */
    nodes,
    /** Their counts of what one client does. */
    shared,
    blobs,
    /** The form in which rows are written, for those that a rolling migration changes. */
    form: createStoredForm(newestOf(upgrading.migrations)),
    shards: database.shards,
    queue: createWorkQueue({ store, clock, shards: database.shards }),
    audit: createAudit({
      store,
      clock,
      retentionMs: config.retention.audit_days * DAY,
      log: part('audit'),
      metrics,
      shared,
    }),
    resolver,
    /** Threads that compose and parse costly mail. */
    work,
    domains: {
      /** True for domains of the server, and for verified domains of accounts. */
      isLocal: (domain: string) => domains.names.includes(domain) || verifiedOwner(held.latest, domain) !== undefined,
      /** Domains of accounts. */
      held,
      /** The state of a custom domain now; afterwards `isLocal` knows it too. */
      own(domain: string, view?: View): Maybe<OwnDomain | undefined> {
        if (domains.names.includes(domain)) return undefined
        return view ? readHeld(view.in(HELD_PARTITION), domain) : after(held.get(), (known) => known.get(domain))
      },
    },
  }
  return {
    ground,
    copyStore: (folder: string) => database.engine.copy(folder),
    probe: database.probe(store),
    /** Takes its part of the work from now on. */
    takeWork: () => database.begin(),
  }
}
