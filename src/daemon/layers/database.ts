/** The database of the daemon: one that belongs to its data folder, or a shared one on which one daemon works at a time. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/schema.js'
import { ifExists, syncFolder, writeSynced } from '../../lib/files.js'
import { randomBase62 } from '../../lib/ids.js'
import { messageOf } from '../../lib/thrown.js'
import type { Logger } from '../../observe/log.js'
import type { Metrics } from '../../observe/metrics.js'
import { isShared, openEngine, type NamedEngine } from '../../ops/database/engine.js'
import { cachedEngine } from '../../store/cached-engine.js'
import { examineDataFolder, examineFolderBeside } from '../../store/folder/data-folder.js'
import { createStoreProbe } from '../../store/folder/probe.js'
import { takeLease } from '../../store/lease.js'
import { readSchema } from '../../store/schema-version.js'
import type { Store } from '../../store/types.js'

/** Memory for rows of a shared database. */
const CACHE_BYTES = 64 * 1024 * 1024

export interface Database {
  engine: NamedEngine
  /** Entries before this start; 0 for a new one. */
  entries: number
  /** Called once it has its first row. Makes the names of its files durable. */
  settle(): Promise<void>
  /** Created once it has its first row. @returns a function that returns what is wrong with it, or undefined */
  probe(store: Store): () => Promise<string | undefined>
}

export interface DatabaseDeps {
  config: Config
  log: Logger
  metrics: Pick<Metrics, 'counter'>
  starting?: ((status: string) => void) | undefined
  /** Aborted when the start is not wanted any more. */
  signal: AbortSignal
  /** Called when another daemon has taken over the database. */
  onLost: () => void
}

/** @throws UnfitFolderError for a data folder that does not belong to the database, and for one that is damaged */
export function openDatabase(deps: DatabaseDeps): Promise<Database> {
  return isShared(deps.config) ? openShared(deps) : openOwn(deps.config)
}

async function openOwn(config: Config): Promise<Database> {
  const dataDir = config.server.data_dir
  const found = await examineDataFolder({ dataDir, dkimDir: config.domains.dkim_dir })
  return {
    engine: await openEngine(config),
    entries: found === 'new' ? 0 : found.entries,
    async settle() {
      for (const folder of found === 'new' ? [join(dataDir, 'store'), dataDir] : []) await syncFolder(folder)
    },
    probe: (store) => createStoreProbe({ dataDir, store }),
  }
}

async function openShared({ config, log, metrics, starting, signal, onLost }: DatabaseDeps): Promise<Database> {
  const dataDir = config.server.data_dir
  const roundTrips = metrics.counter(
    'store_round_trips_total',
    'Times that somebody waited for a response of the database.',
  )
  const engine = await openEngine(config, { onRoundTrip: () => roundTrips.inc() })
  try {
    const entries = await engine.read(async (reader) => (await reader.partitions('', 100)).length)
    await examineFolderBeside({ dataDir, dkimDir: config.domains.dkim_dir }, { isNew: entries === 0 })
    const leased = await takeLease({
      engine,
      id: await folderId(dataDir),
      signal,
      onWaiting(host) {
        log.info({ host }, 'another daemon works on this database; this one waits, and takes over when that one ends')
        starting?.(`waits to take over from the daemon on ${host}`)
      },
      onLost,
    })
    return {
      engine: {
        ...cachedEngine(leased, { maxBytes: CACHE_BYTES, isSole: leased.isSole }),
        copy: (folder) => engine.copy(folder),
      },
      entries,
      settle: async () => undefined,
      probe: (store) => async () => {
        try {
          return (await readSchema(store)) ? undefined : 'the database has lost its first row'
        } catch (error) {
          return messageOf(error)
        }
      },
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Identifies the data folder to other daemons. */
async function folderId(dataDir: string): Promise<string> {
  const file = join(dataDir, 'folder_id')
  const known = (await ifExists(readFile(file, 'utf8')))?.trim()
  if (known !== undefined && known !== '') return known
  const id = randomBase62(22)
  await writeSynced(file, `${id}\n`)
  await syncFolder(dataDir)
  return id
}
