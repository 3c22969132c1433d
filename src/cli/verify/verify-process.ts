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
import { readSchema, SCHEMA_VERSION, storedForm, UnfitFolderError } from '../../store/schema-version.js'
import { createStore } from '../../store/store.js'
import { createWorkQueue } from '../../queue/queue.js'
import { readConfiguredBlobs } from '../../ops/blobs/open-blobs.js'
import { verify } from '../../ops/verify/verify.js'
import { verifyJobSchema, type VerifyJob, type VerifyMessage } from './verify-messages.js'

async function work({
  dataDir,
  store: settings,
  live: isLocked,
  quick,
  oldestForm,
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
    // The rows of other forms would look garbled, and a repair would delete them. Without a form the database is damaged, or another program's.
    const [form = SCHEMA_VERSION, schema] = [await storedForm(store), await readSchema(store)]
    if (form < oldestForm || (schema && schema.version > SCHEMA_VERSION))
      return tell({ about: 'form', form, to: schema?.from === undefined ? undefined : schema.version, by: schema?.by })
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
    tell({ about: 'done', verified, form: form < SCHEMA_VERSION ? form : undefined })
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

function tell(message: VerifyMessage): void {
  process.send?.(message)
}

// The caller is gone.
process.on('disconnect', () => process.exit(1))
await work(verifyJobSchema.parse(z.json().parse(JSON.parse(process.argv[2] ?? ''))))
process.disconnect()
