/** The store of the settings, opened as one of its nodes and upgraded: for a start, and for `restante store migrate`. */
import type { Config } from '../../config/schema.js'
import { installedVersion } from '../../config/version.js'
import { systemClock } from '../../lib/clock.js'
import type { Metrics } from '../../observe/metrics.js'
import { freeBytesOf } from '../../ops/backup/free-space.js'
import { refuseHalfRestored } from '../../ops/backup/restore.js'
import { isShared } from '../../ops/database/engine.js'
import { createStore } from '../../store/store.js'
import type { Store } from '../../store/types.js'
import { refuseClockBehind } from '../checks/clock.js'
import type { Migration } from '../upgrade/migration.js'
import { MIGRATIONS } from '../upgrade/migrations.js'
import { newestOf, upgrade, type UpgradeDeps } from '../upgrade/upgrade.js'
import { openDatabase, type Database, type DatabaseDeps } from './database.js'
import type { Stops } from './stops.js'
import { metered } from './store-metrics.js'

export interface StoreDeps extends Omit<DatabaseDeps, 'knows'> {
  config: Config
  metrics: Metrics
  /** Those of this version if not given; tests add one to come. */
  migrations?: readonly Migration[] | undefined
}

export interface UpgradedStore {
  database: Database
  store: Store
  /** For `finish` and `startRollingUpgrade`. */
  upgrading: UpgradeDeps & { log: DatabaseDeps['log']; migrations: readonly Migration[] }
  /** True if the store keeps the form from before for now, since other nodes work on it. */
  waits: boolean
}

/**
 * The data folder has to be locked.
 *
 * @param stops gets the closing of the store, by which the node leaves
 * @throws UnfitFolderError as `openDatabase` and `upgrade` do
 */
export async function openUpgradedStore(deps: StoreDeps, stops: Pick<Stops, 'rest'>): Promise<UpgradedStore> {
  const { config, log, metrics, starting, migrations = MIGRATIONS } = deps
  const { server } = config
  const dataDir = server.data_dir
  const clock = systemClock
  await refuseHalfRestored(dataDir)
  await refuseClockBehind(dataDir, clock)
  const database = await openDatabase({ ...deps, knows: newestOf(migrations) })
  const store = createStore(metered(database.engine, metrics))
  stops.rest.push(() => store.close())
  const upgrading = {
    store,
    dataDir,
    entries: database.entries,
    version: installedVersion(),
    me: database.nodes.id,
    clock,
    log,
    room: isShared(config) ? undefined : { freeBytes: () => freeBytesOf(dataDir), minFreeBytes: server.min_free_bytes },
    alive: starting,
    signal: deps.signal,
    migrations,
  }
  return { database, store, upgrading, waits: await upgrade(upgrading) }
}
