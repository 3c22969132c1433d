/** The database of the store: embedded in the data folder, or a PostgreSQL cluster. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingError } from '../../config/errors.js'
import { readStoreFiles } from '../../config/files.js'
import type { Config } from '../../config/schema.js'
import { ifExists, syncFolder, writeSynced } from '../../lib/files.js'
import { randomBase62 } from '../../lib/ids.js'
import type { Clock } from '../../lib/clock.js'
import { messageOf } from '../../lib/thrown.js'
import type { Logger } from '../../observe/log.js'
import { copyStore } from '../../store/copy.js'
import type { Engine } from '../../store/engine.js'
import { openLmdb } from '../../store/engines/lmdb/lmdb.js'
import { openPostgres } from '../../store/engines/postgres/postgres.js'
import { examineDataFolder, examineFolderBeside } from '../../store/folder/data-folder.js'
import { createStoreProbe } from '../../store/folder/probe.js'
import { takeLease } from '../../store/lease.js'
import { readSchema } from '../../store/schema-version.js'
import type { Store } from '../../store/types.js'

export interface Database {
  engine: Engine
  /** Entries before this start; 0 for a new one. */
  entries: number
  /** Writes a snapshot of all partitions as an LMDB database into an existing empty folder. */
  copy(folder: string): Promise<void>
  /** Called once it has its first row. Makes the names of its files durable. */
  settle(): Promise<void>
  /** Created once it has its first row. @returns a function that returns what is wrong with it, or undefined */
  probe(store: Store): () => Promise<string | undefined>
}

export interface DatabaseDeps {
  config: Config
  clock: Clock
  log: Logger
  starting?: ((status: string) => void) | undefined
  /** Aborted when the start is not wanted any more. */
  signal: AbortSignal
  /** Called when another daemon has taken over the store. */
  onLost: () => void
}

/** @throws UnfitFolderError for a data folder that does not belong to the database, and for one that is damaged */
export function openDatabase(deps: DatabaseDeps): Promise<Database> {
  return deps.config.store.url === '' ? openEmbedded(deps.config) : openShared(deps)
}

async function openEmbedded({ server, domains }: Config): Promise<Database> {
  const dataDir = server.data_dir
  const found = await examineDataFolder({ dataDir, dkimDir: domains.dkim_dir })
  const engine = openLmdb({ path: join(dataDir, 'store') })
  return {
    engine,
    entries: found === 'new' ? 0 : found.entries,
    copy: (folder) => engine.copy(folder),
    async settle() {
      for (const folder of found === 'new' ? [join(dataDir, 'store'), dataDir] : []) await syncFolder(folder)
    },
    probe: (store) => createStoreProbe({ dataDir, store }),
  }
}

async function openShared({ config, clock, log, starting, signal, onLost }: DatabaseDeps): Promise<Database> {
  const { store: settings, server, domains } = config
  const options = { url: settings.url, connections: settings.connections, clock, ...(await readStoreFiles(config)) }
  let engine: Engine
  try {
    engine = await openPostgres(options)
  } catch (error) {
    throw new SettingError('store.url', messageOf(error))
  }
  try {
    const entries = await engine.read(async (reader) => (await reader.partitions('', 100)).length)
    await examineFolderBeside({ dataDir: server.data_dir, dkimDir: domains.dkim_dir }, { isNew: entries === 0 })
    const leased = await takeLease({
      engine,
      id: await folderId(server.data_dir),
      signal,
      onWaiting(host) {
        log.info({ host }, 'another daemon works on this database; this one waits, and takes over when that one ends')
        starting?.(`waits to take over from the daemon on ${host}`)
      },
      onLost,
    })
    return {
      engine: leased,
      entries,
      async copy(folder) {
        const copy = openLmdb({ path: folder })
        try {
          await copyStore(engine, copy)
        } finally {
          await copy.close()
        }
      },
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
