/** The database that `restante store copy` copies to. An embedded one has another name until it is complete, so that no daemon takes it for its own. */
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/schema.js'
import { ifExists, syncFolder } from '../../lib/files.js'
import { mailboxIds } from '../../mailbox/all-mailboxes.js'
import { isIncompleteCopy, removeRecords } from '../../store/copy/copy-records.js'
import { ForeignTargetError } from '../../store/copy/catch-up.js'
import type { Engine } from '../../store/engine.js'
import { openLmdb } from '../../store/engines/lmdb/lmdb.js'
import { readLmdbFile } from '../../store/engines/lmdb/lmdb-pages.js'
import { storeFile } from '../../store/folder/data-folder.js'
import { createStore } from '../../store/store.js'
import { isShared, openAny } from './engine.js'
import { takeOutOfVault } from './secret-places.js'

export interface CopyTarget {
  engine: Engine
  /** Makes the caught up copy a database that a daemon starts on, and closes it. After a crash in between, copy again. */
  complete(): Promise<void>
  close(): Promise<void>
}

/**
 * @param url as `store.url`; '' for the database in the data folder
 * @throws SettingError for a database that cannot be used
 * @throws ForeignTargetError if the data folder has a database
 */
export async function openCopyTarget(config: Config, url: string): Promise<CopyTarget> {
  return url === '' ? openEmbedded(config) : openShared(config, url)
}

async function openShared(config: Config, url: string): Promise<CopyTarget> {
  const engine = await openAny({ ...config, store: { ...config.store, url } })
  return {
    engine,
    async complete() {
      await removeRecords(engine)
      await engine.close()
    },
    close: () => engine.close(),
  }
}

async function openEmbedded(config: Config): Promise<CopyTarget> {
  const dataDir = config.server.data_dir
  const [own, path] = [join(dataDir, 'store'), join(dataDir, 'store.copying')]
  const rows = readLmdbFile(storeFile(dataDir))?.rows.entries ?? 0
  if (rows > 0) throw new ForeignTargetError(`${own} has rows already`)
  let engine = openLmdb({ path })
  // One that was complete, and not yet renamed: its source may have moved on.
  if (!(await isIncompleteCopy(engine))) {
    await engine.close()
    await rm(path, { recursive: true })
    engine = openLmdb({ path })
  }
  return {
    engine,
    async complete() {
      await takeOutOfVault(config, createStore(engine), { info: () => undefined, warn: () => undefined })
      await removeRecords(engine)
      await engine.close()
      await rm(own, { recursive: true, force: true })
      await rename(path, own)
      await syncFolder(dataDir)
    },
    close: () => engine.close(),
  }
}

/** Identifies the database of the settings, with the history of its versions: a restored one counts its own. */
export async function sourceName(config: Config, engine: Engine): Promise<string> {
  let first = ''
  for await (const id of mailboxIds(createStore(engine))) {
    first = id
    break
  }
  // Versions of PostgreSQL have a random part.
  if (isShared(config)) return first
  const file = await ifExists(stat(storeFile(config.server.data_dir)))
  return `${first} ${file?.ino ?? ''}`
}
