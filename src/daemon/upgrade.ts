/** What is stored is brought into the form of this version at the start, step by step; each step is one that can be done again. */
import type { Clock } from '../lib/clock.js'
import type { Log } from '../observe/log.js'
import { DamagedFolderError } from '../store/data-folder.js'
import { decode, encode, key } from '../store/keys.js'
import {
  putSchema,
  readSchema,
  SCHEMA_PARTITION,
  SCHEMA_VERSION,
  schemaOf,
  UnfitFolderError,
} from '../store/schema-version.js'
import type { Store } from '../store/types.js'
import { MIGRATIONS } from './migrations.js'
import type { Migration } from './migrations.js'

export interface UpgradeDeps {
  store: Store
  dataDir: string
  /** That the database counts, before it was opened; 0 of a new one. */
  entries: number
  /** Of Restante, for whoever finds the folder with an older one. */
  version: string
  clock: Clock
  log: Pick<Log, 'info'>
  /** Those there are when not given. */
  migrations?: readonly Migration[]
}

/** How far the migration that is under way has come. */
interface Underway {
  to: number
  cursor: string
}

const underwayKey = key('migration')

/**
 * Cut off at any line, the next start goes on behind the last step that was finished.
 *
 * @throws UnfitFolderError when the folder is of a newer version, or can't be read; nothing in it was changed
 */
export async function upgrade(deps: UpgradeDeps): Promise<void> {
  const { store, dataDir, entries, version, log, migrations = MIGRATIONS } = deps
  const newest = migrations.at(-1)?.to ?? SCHEMA_VERSION
  const found = await readSchema(store)
  if (found && found.version > newest)
    throw new UnfitFolderError(
      `the data folder ${dataDir} is in a form that this version does not know (${found.version}, here ${newest}): Restante ${found.by} has worked on it. Start Restante ${found.by} or later, or restore a backup that this version made; nothing was changed`,
    )
  // Whatever is stored, something is in this partition: the list of mailboxes, which has the operator's from the first start.
  const isNew = !found && (await store.version(SCHEMA_PARTITION)) === 0n
  if (isNew && entries > 0)
    throw new DamagedFolderError(
      dataDir,
      `has a damaged database: it counts ${entries} entries, and those that all others begin with can't be read`,
    )
  const from = isNew ? newest : (found?.version ?? 0)
  for (const migration of migrations) if (migration.to > from) await migrate(deps, migration)
  if (isNew) await store.write(SCHEMA_PARTITION, (tx) => putSchema(tx, { version: newest, by: version }))
  else if (from < newest) log.info({ from, to: newest }, 'what is stored has the form of this version now')
}

async function migrate({ store, version, clock, log }: UpgradeDeps, { to, about, step }: Migration): Promise<void> {
  const began = clock.now()
  let underway = await store.read(SCHEMA_PARTITION, async (view) => {
    const bytes = await view.get(underwayKey)
    return bytes && decode<Underway>(bytes)
  })
  let cursor = underway?.to === to ? underway.cursor : ''
  log.info({ to, about, ...(cursor === '' ? {} : { goes_on: true }) }, 'upgrading what is stored')
  for (;;) {
    const next = await step(store, cursor)
    if (next === undefined) break
    cursor = next
    underway = { to, cursor }
    const bytes = encode(underway)
    await store.write(SCHEMA_PARTITION, (tx) => tx.put(underwayKey, bytes))
  }
  await store.write(SCHEMA_PARTITION, async (tx) => {
    if (((await schemaOf(tx))?.version ?? 0) < to) putSchema(tx, { version: to, by: version })
    tx.delete(underwayKey)
  })
  log.info({ to, ms: clock.now() - began }, 'upgraded')
}
