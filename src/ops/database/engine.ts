/** The engine that the settings name: embedded in the data folder, or a PostgreSQL cluster. */
import { join } from 'node:path'
import { ownAll } from '../../cluster/alone.js'
import { SHARD_COUNT } from '../../cluster/shard-of.js'
import type { Shards } from '../../cluster/types.js'
import { SettingError } from '../../config/errors.js'
import { readStoreFiles } from '../../config/files.js'
import type { Config } from '../../config/schema.js'
import { systemClock } from '../../lib/clock.js'
import { messageOf } from '../../lib/thrown.js'
import { copyStore } from '../../store/copy/copy.js'
import { isIncompleteCopy } from '../../store/copy/copy-records.js'
import type { Engine } from '../../store/engine.js'
import { openLmdb, type LmdbEngine } from '../../store/engines/lmdb/lmdb.js'
import { openPostgres } from '../../store/engines/postgres/postgres.js'
import { UnfitFolderError } from '../../store/schema-version.js'

export type EngineSettings = Pick<Config, 'store'> & { server: Pick<Config['server'], 'data_dir'> }

export interface NamedEngine extends Engine {
  /** Writes a snapshot as an LMDB database into an existing empty folder. */
  copy(folder: string): Promise<void>
  /** For a database whose rows can be counted in two ways. */
  countEntries?: LmdbEngine['countEntries']
}

export function isShared({ store }: Pick<Config, 'store'>): boolean {
  return store.url !== ''
}

/** The shards of its queue, for what reads and repairs all of them. */
export function shardsIn(settings: Pick<Config, 'store'>): Shards {
  return ownAll(isShared(settings) ? SHARD_COUNT : 1)
}

/**
 * Opens it beside the nodes: for reading, or while no daemon works on it.
 *
 * @throws SettingError for a database that cannot be used
 * @throws UnfitFolderError for an incomplete copy
 */
export async function openEngine(
  settings: EngineSettings,
  { readOnly = false, onRoundTrip }: { readOnly?: boolean; onRoundTrip?: () => void } = {},
): Promise<NamedEngine> {
  const engine = await openAny(settings, { readOnly, onRoundTrip })
  try {
    if (await isIncompleteCopy(engine))
      throw new UnfitFolderError(
        `the database ${isShared(settings) ? 'of store.url' : `of ${settings.server.data_dir}`} is an incomplete copy. End it by "restante store copy", with the settings that it was begun with`,
      )
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** The same, which may be empty or an incomplete copy. @throws SettingError for a database that cannot be used */
export async function openAny(
  settings: EngineSettings,
  { readOnly = false, onRoundTrip }: { readOnly?: boolean; onRoundTrip?: (() => void) | undefined } = {},
): Promise<NamedEngine> {
  const { store, server } = settings
  if (!isShared(settings)) return openLmdb({ path: join(server.data_dir, 'store'), readOnly })
  try {
    const engine = await openPostgres({
      url: store.url,
      connections: store.connections,
      clock: systemClock,
      onRoundTrip,
      ...(await readStoreFiles({ store })),
    })
    return { ...engine, copy: (folder) => copyTo(engine, folder) }
  } catch (error) {
    throw new SettingError('store.url', messageOf(error))
  }
}

async function copyTo(engine: Engine, folder: string): Promise<void> {
  const copy = openLmdb({ path: folder })
  try {
    await copyStore(engine, copy)
  } finally {
    await copy.close()
  }
}
