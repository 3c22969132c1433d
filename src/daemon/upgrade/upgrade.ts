/** Upgrades the data folder to this version at the start, in repeatable steps. */
import { readMembers, MEMBERS, type Member } from '../../cluster/rows.js'
import { SECOND, type Clock } from '../../lib/clock.js'
import type { Log } from '../../observe/log.js'
import { DamagedFolderError } from '../../store/folder/data-folder.js'
import { setAside } from '../../store/quarantine.js'
import { asBuffer, decode, encode, key, prefixRange } from '../../store/keys.js'
import {
  formOf,
  putSchema,
  readSchema,
  refuseNewer,
  schemaOf,
  SCHEMA_PARTITION,
  SCHEMA_VERSION,
  UnfitFolderError,
  type SchemaRecord,
} from '../../store/schema-version.js'
import type { Store, View } from '../../store/types.js'
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
  /** `Member.instance` of this node on a shared store. */
  me?: string
  /** Ends it between two steps. */
  signal?: AbortSignal
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
 * @returns true if the store keeps the form from before for now, since other nodes work on it: `finish` is called later
 * @throws UnfitFolderError if the folder has a newer version or is unreadable, or others work on it that can't work beside a migration; nothing was
 *   changed
 */
export async function upgrade(deps: UpgradeDeps): Promise<boolean> {
  const { store, dataDir, entries, version, log, me, migrations = MIGRATIONS } = deps
  const newest = newestOf(migrations)
  const found = await readSchema(store)
  refuseNewer(found, newest, `the data folder ${dataDir}`)
  // This partition is never empty: the first start lists the operator's mailbox in it.
  const isNew = !found && (await store.version(SCHEMA_PARTITION)) === 0n
  if (isNew && entries > 0)
    throw new DamagedFolderError(
      dataDir,
      `has a damaged database: it counts ${entries} entries, and those that all others begin with can't be read`,
    )
  if (isNew)
    await store.write([SCHEMA_PARTITION, MEMBERS], async (tx) => {
      if (await schemaOf(tx)) return
      const others = await othersIn(tx.in(MEMBERS), me)
      putSchema(tx, { version: Math.min(newest, ...others.map(({ knows }) => knows)), by: version })
    })
  for (;;) {
    const { form, others } = await readState(store, me)
    const due = migrations.filter(({ to }) => to > form)
    if (others.length === 0 || due.length === 0) {
      if (await finish(deps, newest)) return false
      continue
    }
    if (!due.every(({ isRolling }) => isRolling))
      throw new UnfitFolderError(
        `Restante ${version} changes the form of what is stored (version ${form} to ${newest}), and ${others.length} other ${others.length === 1 ? 'daemon works' : 'daemons work'} on the database ("restante cluster status"). Stop all of them, run "restante store migrate" of this version or start one daemon of it, and then start the others with this version; nothing was changed`,
      )
    const late = others.filter(({ knows }) => knows < newest)
    log.info(
      { from: form, to: newest, waits_for: late.map(({ name }) => name) },
      late.length === 0
        ? 'an upgrade of what is stored is done by one of the nodes'
        : 'an upgrade of what is stored waits until all nodes know its form',
    )
    return true
  }
}

export const newestOf = (migrations: readonly Migration[]): number => migrations.at(-1)?.to ?? SCHEMA_VERSION

interface State {
  schema: SchemaRecord | undefined
  form: number
  /** The other nodes. */
  others: Member[]
}

/** @param view of `SCHEMA_PARTITION` */
async function stateIn(view: View, me: string | undefined): Promise<State> {
  const [schema, others] = await Promise.all([schemaOf(view), othersIn(view.in(MEMBERS), me)])
  return { schema, form: formOf(schema), others }
}

export const readState = (store: Store, me: string | undefined): Promise<State> =>
  store.read(SCHEMA_PARTITION, (view) => stateIn(view, me))

/** @param view of `MEMBERS` */
async function othersIn(view: View, me: string | undefined): Promise<Member[]> {
  return (await readMembers(view)).filter(({ instance }) => instance !== me)
}

/**
 * Brings the store to a form. Several nodes may do so at once.
 *
 * @returns false if nodes work on it that can't work beside it; nothing was changed
 */
export async function finish(deps: UpgradeDeps, target: number): Promise<boolean> {
  const { store, version, log, me, migrations = MIGRATIONS } = deps
  const { schema, form } = await readState(store, me)
  if (schema && form >= target && schema.from === undefined) return true
  const due = migrations.filter(({ to }) => to > form && to <= target)
  if (due.length > 0 && !(await moveAll(deps, { due, form, target, schema }))) return false
  await store.write(SCHEMA_PARTITION, async (tx) => {
    const now = await schemaOf(tx)
    // Another node may have gone further meanwhile.
    if (now && (now.version > target || now.from === undefined)) return
    putSchema(tx, { version: target, by: version })
    for (const [row] of await tx.range(UNDERWAY)) tx.delete(row)
    tx.afterCommit(() => log.info({ from: form, to: target }, 'what is stored has the form of this version now'))
  })
  return true
}

interface Way {
  due: readonly Migration[]
  form: number
  target: number
  schema: SchemaRecord | undefined
}

/** @returns false if others work on the store that can't work beside it */
async function moveAll(deps: UpgradeDeps, { due, form, target, schema }: Way): Promise<boolean> {
  const { store, dataDir, log, room, version, me } = deps
  const plan = await planOf(store, due, form)
  const isBegun = schema?.from !== undefined
  if (room) requireRoom(plan, { dataDir, isBegun, minFreeBytes: room.minFreeBytes, freeBytes: await room.freeBytes() })
  const { fields, message } = await announcement(plan, { dataDir, by: isBegun ? undefined : schema?.by })
  const isRolling = due.every((migration) => migration.isRolling)
  // A node that does not know the form can't join from this commit on: see cluster/members.ts.
  const mayBegin = await store.write([SCHEMA_PARTITION, MEMBERS], async (tx) => {
    const now = await stateIn(tx, me)
    if (!now.others.every(({ knows }) => isRolling && knows >= target)) return false
    if (now.form === form && (now.schema?.version ?? 0) <= target)
      putSchema(tx, { version: target, by: version, from: form })
    tx.afterCommit(() => log.info(fields, message))
    return true
  })
  if (mayBegin) for (const step of plan.steps) await migrate(deps, step, target)
  return mayBegin
}

async function migrate(deps: UpgradeDeps, planned: PlannedStep, target: number): Promise<void> {
  const { store, version, clock, log, signal } = deps
  const { to, about, isFirst, step } = planned.migration
  const began = clock.now()
  const underway = await store.read(SCHEMA_PARTITION, async (view): Promise<Underway> => {
    if (await hasForm(view, to)) return { cursor: '', isDone: true }
    const bytes = await view.get(underwayKey(to))
    return bytes ? decode<Underway>(bytes) : { cursor: '' }
  })
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
    signal?.throwIfAborted()
    const next = await step(store, cursor, work).catch((error: unknown) => {
      throw error instanceof SyntaxError ? unreadableRow(planned.migration, cursor, error) : error
    })
    if (next === undefined) break
    cursor = next
    const bytes = encode({ cursor } satisfies Underway)
    await store.write(SCHEMA_PARTITION, async (tx) => {
      if (!(await hasForm(tx, to))) tx.put(underwayKey(to), bytes)
    })
    progress.stepped()
  }
  await store.write(SCHEMA_PARTITION, async (tx) => {
    if (await hasForm(tx, to)) return
    if (isFirst) return tx.put(underwayKey(to), encode({ cursor, isDone: true } satisfies Underway))
    putSchema(tx, { version: target, by: version, from: to })
    tx.delete(underwayKey(to))
  })
  log.info({ to, ms: clock.now() - began }, 'upgraded')
}

/** True if another node has already done the migration. */
const hasForm = async (view: View, to: number): Promise<boolean> => formOf(await schemaOf(view)) >= to

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
