/**
 * The process that reads a data folder for `restante verify`: the database library maps its file, and damage may kill the process by a signal. Findings are
 * sent before that can happen.
 */
import { z } from 'zod'
import { SettingError } from '../../config/errors.js'
import { messageOf } from '../../lib/thrown.js'
import { systemClock } from '../../lib/clock.js'
import { storeFile } from '../../store/folder/data-folder.js'
import { isDatabaseError } from '../../store/engines/lmdb/lmdb.js'
import { UnreachableStoreError } from '../../store/errors.js'
import { isWorkedOn } from '../../cluster/members.js'
import { isShared, openEngine, shardsIn, type EngineSettings, type NamedEngine } from '../../ops/database/engine.js'
import { checkPages } from '../../store/engines/lmdb/lmdb-pages.js'
import { S3Error } from '../../store/blobs/s3/errors.js'
import {
  readSchema,
  SCHEMA_PARTITION,
  SCHEMA_VERSION,
  UnfitFolderError,
  type SchemaRecord,
} from '../../store/schema-version.js'
import { createStore } from '../../store/store.js'
import type { Store } from '../../store/types.js'
import { createWorkQueue } from '../../queue/queue.js'
import { readConfiguredBlobs } from '../../ops/blobs/open-blobs.js'
import { verify } from '../../ops/verify/verify.js'
import { verifyJobSchema, type VerifyJob, type VerifyMessage } from './verify-messages.js'

async function work({
  dataDir,
  store: settings,
  live: isLocked,
  quick,
  blobs: blobSettings,
}: VerifyJob): Promise<void> {
  const named = { server: { data_dir: dataDir }, store: settings }
  // Beside a daemon pages move while being read: only the count of entries is checked.
  if (!isLocked && !isShared(named)) {
    const { faults, more } = checkPages(storeFile(dataDir), (done, total) =>
      tell({ about: 'pages', done: Math.min(done, total), total }),
    )
    if (faults.length > 0) tell({ about: 'faults', faults, more })
  }
  const opened = await openBlobs(dataDir, blobSettings)
  const engine = opened && (await openDatabase(named))
  if (!engine) return opened?.close()
  const store = createStore(engine)
  try {
    // Of a shared database the daemon may be on another machine.
    const live = isLocked || (isShared(named) && (await isWorkedOn(store)))
    const other = await otherVersion(store)
    if (other) return tell({ about: 'version', ...other })
    const verified = await verify({
      store,
      queue: createWorkQueue({ store, clock: systemClock, shards: shardsIn(named) }),
      clock: systemClock,
      blobs: opened.blobs,
      countEntries: engine.countEntries,
      live,
      quick,
      partitionsAtOnce: isShared(named) ? settings.connections : 1,
      onProgress: (progress) => tell({ about: 'progress', ...progress }),
    })
    tell({ about: 'done', verified })
  } catch (error) {
    if (error instanceof S3Error) tellUnreachable('blobs', error)
    else if (error instanceof UnreachableStoreError) tellUnreachable('database', error)
    else if (isDatabaseError(error)) tell({ about: 'unreadable', message: messageOf(error) })
    else throw error
  } finally {
    opened.close()
    await store.close()
  }
}

async function openBlobs(
  dataDir: string,
  blobs: VerifyJob['blobs'],
): Promise<Awaited<ReturnType<typeof readConfiguredBlobs>> | undefined> {
  try {
    return await readConfiguredBlobs({ server: { data_dir: dataDir }, blobs }, systemClock)
  } catch (error) {
    if (!(error instanceof UnfitFolderError)) throw error
    return tellUnreachable('blobs', error)
  }
}

async function openDatabase(settings: EngineSettings): Promise<NamedEngine | undefined> {
  try {
    return await openEngine(settings, { readOnly: true })
  } catch (error) {
    if (isDatabaseError(error)) {
      tell({ about: 'unreadable', message: messageOf(error) })
      return undefined
    }
    if (!(error instanceof SettingError || error instanceof UnfitFolderError)) throw error
    return tellUnreachable('database', error)
  }
}

function tellUnreachable(what: 'blobs' | 'database', error: unknown): undefined {
  tell({ about: 'unreachable', message: `Nothing is known of the ${what}: ${messageOf(error)}` })
  return undefined
}

/** The folder's version if it is not ours: its rows would look garbled, and a repair would delete them. */
async function otherVersion(store: Store): Promise<SchemaRecord | { version: number } | undefined> {
  const schema = await readSchema(store)
  if (schema?.from !== undefined) return { version: schema.from }
  if (schema) return schema.version === SCHEMA_VERSION ? undefined : schema
  // 0.1.0 wrote none; a database without even the list of mailboxes is damaged, or another program's.
  return (await store.version(SCHEMA_PARTITION)) > 0n ? { version: 0 } : undefined
}

function tell(message: VerifyMessage): void {
  process.send?.(message)
}

// The caller is gone.
process.on('disconnect', () => process.exit(1))
await work(verifyJobSchema.parse(z.json().parse(JSON.parse(process.argv[2] ?? ''))))
process.disconnect()
