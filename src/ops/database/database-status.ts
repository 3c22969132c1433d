/** The state of the database that the settings name, for `restante store status`. */
import { stat } from 'node:fs/promises'
import { SettingError } from '../../config/errors.js'
import { readStoreFiles } from '../../config/files.js'
import { messageOf } from '../../lib/thrown.js'
import { isIncompleteCopy } from '../../store/copy/copy-records.js'
import { readLmdbFile } from '../../store/engines/lmdb/lmdb-pages.js'
import { readPostgresStatus, type PostgresStatus } from '../../store/engines/postgres/postgres-status.js'
import { TABLES } from '../../store/engines/postgres/postgres-tables.js'
import { storeFile } from '../../store/folder/data-folder.js'
import { readSchema, storedForm, type SchemaRecord } from '../../store/schema-version.js'
import { createStore } from '../../store/store.js'
import { isShared, openAny, type EngineSettings } from './engine.js'

/** What is stored, where it can be read: undefined without tables or a file, and where they are of another version. */
interface Contents {
  /** Undefined before the first start. */
  schema: SchemaRecord | undefined
  /** The form of what is stored; 0 for one of 0.1.0, which wrote no schema. Undefined before the first start. */
  form: number | undefined
  isIncompleteCopy: boolean
}

export type DatabaseStatus =
  | { kind: 'embedded'; file: string; entries: number; bytes: number; contents: Contents | undefined }
  | ({ kind: 'postgres'; url: string; contents: Contents | undefined } & PostgresStatus)

/**
 * Creates nothing.
 *
 * @throws SettingError for a database that cannot be reached
 * @throws DamagedStoreError for an embedded one that cannot be read
 */
export async function readDatabaseStatus(settings: EngineSettings): Promise<DatabaseStatus> {
  if (isShared(settings)) {
    const { url } = settings.store
    const status = await serverStatus(settings)
    const contents = status.tables === TABLES ? await contentsOf(settings) : undefined
    return { kind: 'postgres', url, ...status, contents }
  }
  const file = storeFile(settings.server.data_dir)
  const found = readLmdbFile(file)
  return {
    kind: 'embedded',
    file,
    entries: found?.rows.entries ?? 0,
    bytes: found ? (await stat(file)).size : 0,
    contents: found ? await contentsOf(settings) : undefined,
  }
}

async function serverStatus({ store }: EngineSettings): Promise<PostgresStatus> {
  try {
    return await readPostgresStatus({ url: store.url, ...(await readStoreFiles({ store })) })
  } catch (error) {
    throw new SettingError('store.url', messageOf(error))
  }
}

async function contentsOf(settings: EngineSettings): Promise<Contents> {
  const engine = await openAny(settings, { readOnly: true })
  try {
    const store = createStore(engine)
    const [schema, form] = [await readSchema(store), await storedForm(store)]
    return { schema, form, isIncompleteCopy: await isIncompleteCopy(engine) }
  } finally {
    await engine.close()
  }
}
