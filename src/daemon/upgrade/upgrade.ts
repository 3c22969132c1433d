/** Upgrades the data folder to this version at the start, in repeatable steps. */
import { SECOND, type Clock } from '../../lib/clock.js'
import type { Log } from '../../observe/log.js'
import { DamagedFolderError } from '../../store/folder/data-folder.js'
import { setAside } from '../../store/quarantine.js'
import { asBuffer, decode, encode, key, prefixRange } from '../../store/keys.js'
import {
  putSchema,
  readSchema,
  SCHEMA_PARTITION,
  SCHEMA_VERSION,
  UnfitFolderError,
} from '../../store/schema-version.js'
import type { Store } from '../../store/types.js'
import { MIGRATIONS } from './migrations.js'
import type { Migration, Work } from './migration.js'
import { announcement, planOf, requireRoom, words, type PlannedStep } from './plan.js'

export interface UpgradeDeps {
  store: Store
  dataDir: string
  /** Number of database entries before it was opened; 0 for a new one. */
  entries: number
  /** Version of Restante, shown to older versions that find the folder. */
  version: string
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  /** Free space; not checked without it. */
  room?: { freeBytes(): Promise<number>; minFreeBytes: number } | undefined
  alive?: ((status: string) => void) | undefined
  /** Number of other daemons at work on the store; they know only the form from before. None by default. */
  others?: number
  migrations?: readonly Migration[]
}

/** Progress of a migration, under `migration` · its version. */
interface Underway {
  cursor: string
  /** True if it ran before its version's turn. */
  isDone?: true
}

const underwayKey = (to: number): Uint8Array => key('migration', to)
const UNDERWAY = prefixRange('migration')

/**
 * After a crash at any line, the next start continues after the last finished step.
 *
 * @throws UnfitFolderError if the folder has a newer version or is unreadable, or others work on it; nothing was changed
 */
export async function upgrade(deps: UpgradeDeps): Promise<void> {
  const { store, dataDir, entries, version, log, others = 0, migrations = MIGRATIONS } = deps
  const newest = migrations.at(-1)?.to ?? SCHEMA_VERSION
  const found = await readSchema(store)
  if (found && found.version > newest)
    throw new UnfitFolderError(
      `the data folder ${dataDir} is in a form that this version does not know (${found.version}, here ${newest}): Restante ${found.by} has worked on it. Start Restante ${found.by} or later, or restore a backup that this version made; nothing was changed`,
    )
  // This partition is never empty: the first start lists the operator's mailbox in it.
  const isNew = !found && (await store.version(SCHEMA_PARTITION)) === 0n
  if (isNew && entries > 0)
    throw new DamagedFolderError(
      dataDir,
      `has a damaged database: it counts ${entries} entries, and those that all others begin with can't be read`,
    )
  const from = isNew ? newest : (found?.from ?? found?.version ?? 0)
  if (from < newest && others > 0)
    throw new UnfitFolderError(
      `Restante ${version} changes the form of what is stored (version ${from} to ${newest}), and ${others} other ${others === 1 ? 'daemon works' : 'daemons work'} on the database ("restante cluster status"). Stop all of them, start this one, and then the others with this version; nothing was changed`,
    )
  if (from < newest)
    await moveAll(deps, { migrations, from, newest, by: found?.from === undefined ? found?.by : undefined })
  if (isNew || from < newest || found?.from !== undefined)
    await store.write(SCHEMA_PARTITION, async (tx) => {
      putSchema(tx, { version: newest, by: version })
      for (const [row] of await tx.range(UNDERWAY)) tx.delete(row)
    })
  if (!isNew && from < newest) log.info({ from, to: newest }, 'what is stored has the form of this version now')
}

interface Way {
  migrations: readonly Migration[]
  from: number
  newest: number
  /** Version that wrote the folder, if known. */
  by: string | undefined
}

async function moveAll(deps: UpgradeDeps, { migrations, from, newest, by }: Way): Promise<void> {
  const { store, dataDir, log, room, version } = deps
  const plan = await planOf(store, migrations, from)
  const isBegun = (await readSchema(store))?.from !== undefined
  if (room) requireRoom(plan, { dataDir, isBegun, minFreeBytes: room.minFreeBytes, freeBytes: await room.freeBytes() })
  const { fields, message } = await announcement(plan, { dataDir, by })
  log.info(fields, message)
  await store.write(SCHEMA_PARTITION, (tx) => putSchema(tx, { version: newest, by: version, from }))
  for (const step of plan.steps) await migrate(deps, step, newest)
}

async function migrate(deps: UpgradeDeps, planned: PlannedStep, newest: number): Promise<void> {
  const { store, version, clock, log } = deps
  const { to, about, isFirst, step } = planned.migration
  const began = clock.now()
  const bytes = await store.read(SCHEMA_PARTITION, (view) => view.get(underwayKey(to)))
  const underway: Underway = bytes ? decode<Underway>(bytes) : { cursor: '' }
  if (underway.isDone) return
  let { cursor } = underway
  log.info({ to, about, ...(cursor === '' ? {} : { goes_on: true }) }, 'upgrading what is stored')
  const progress = createProgress(deps, planned)
  const work: Work = {
    moved: progress.moved,
    setAside(tx, partition, [row, value]) {
      setAside(tx, partition, row, value)
      tx.in(partition).delete(row)
      tx.afterCommit(() =>
        log.warn({ to, partition, row: asBuffer(row).toString('hex') }, 'a row cannot be read; it is kept aside'),
      )
    },
  }
  for (;;) {
    const next = await step(store, cursor, work).catch((error: unknown) => {
      throw error instanceof SyntaxError ? unreadableRow(planned.migration, cursor, error) : error
    })
    if (next === undefined) break
    cursor = next
    const bytes = encode({ cursor } satisfies Underway)
    await store.write(SCHEMA_PARTITION, (tx) => tx.put(underwayKey(to), bytes))
    progress.stepped()
  }
  await store.write(SCHEMA_PARTITION, (tx) => {
    if (isFirst) return tx.put(underwayKey(to), encode({ cursor, isDone: true } satisfies Underway))
    putSchema(tx, { version: newest, by: version, from: to })
    tx.delete(underwayKey(to))
  })
  log.info({ to, ms: clock.now() - began }, 'upgraded')
}

/** An unreadable row of the service itself, which no step can skip. */
function unreadableRow({ to, about }: Migration, cursor: string, cause: SyntaxError): UnfitFolderError {
  const where = cursor === '' ? 'at its beginning' : `behind "${cursor}"`
  return new UnfitFolderError(
    `the upgrade to version ${to} (${about}) came to a row that can't be read, ${where}: ${cause.message}. What was done stays done. "restante verify" of the version that was here before names the row; or restore a backup into another folder`,
    { cause },
  )
}

const REPORT_EVERY_MS = 5 * SECOND

/** Reports progress to the log and the service manager, every few seconds at most. */
function createProgress(
  { clock, log, alive }: Pick<UpgradeDeps, 'clock' | 'log' | 'alive'>,
  { migration, moves }: PlannedStep,
) {
  const began = clock.now()
  let reportedAt = began
  let done = 0
  let steps = 0
  alive?.(`upgrading what is stored: ${migration.about}`)
  return {
    moved: (count: number) => void (done += count),
    stepped(): void {
      steps++
      const now = clock.now()
      if (now - reportedAt < REPORT_EVERY_MS) return
      reportedAt = now
      const { to } = migration
      if (!moves || done === 0) {
        log.info({ to, steps }, 'upgrading goes on')
        alive?.(`upgrading what is stored: ${migration.about}`)
        return
      }
      const total = Math.max(moves.count, done)
      // The observed rate replaces the measured one.
      const leftMs = ((now - began) / done) * (total - done)
      const percent = Math.floor((done / total) * 100)
      log.info(
        { to, done, of: total, unit: moves.unit, percent, seconds_left: Math.ceil(leftMs / SECOND) },
        'upgrading goes on',
      )
      alive?.(
        `upgrading what is stored: ${percent} % of ${total.toLocaleString('en-GB')} ${moves.unit}, ${words(leftMs)} left`,
      )
    },
  }
}
