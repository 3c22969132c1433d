/** Plan of an upgrade: its steps, amount, duration, and required space. */
import { readBackupStatus } from '../../ops/backup/status.js'
import { SECOND } from '../../lib/clock.js'
import { UnfitFolderError } from '../../store/schema-version.js'
import type { Store } from '../../store/types.js'
import type { Migration } from './migration.js'

export interface PlannedStep {
  migration: Migration
  /** Undefined if small for any folder. */
  moves: { count: number; unit: string } | undefined
}

export interface Plan {
  from: number
  to: number
  steps: PlannedStep[]
  /** By measured rates (migrations.ts). */
  ms: number
  /** Max growth of the database: the largest step writes all its rows before freed space is reused. */
  bytes: number
}

export async function planOf(store: Store, migrations: readonly Migration[], from: number): Promise<Plan> {
  const plan: Plan = { from, to: from, steps: [], ms: 0, bytes: 0 }
  const due = migrations.filter(({ to }) => to > from)
  for (const migration of [...due.filter(({ isFirst }) => isFirst), ...due.filter(({ isFirst }) => !isFirst)]) {
    const { moves } = migration
    const count = moves && (await moves.count(store))
    plan.to = Math.max(plan.to, migration.to)
    plan.steps.push({ migration, moves: moves && count !== undefined ? { count, unit: moves.unit } : undefined })
    if (!moves || count === undefined) continue
    plan.ms += (count / moves.perSecond) * SECOND
    plan.bytes = Math.max(plan.bytes, count * moves.bytesEach)
  }
  return plan
}

export interface Room {
  dataDir: string
  freeBytes: number
  /** Space reserved for mail. */
  minFreeBytes: number
  /** True if an earlier start did part of it. */
  isBegun: boolean
}

/** @throws UnfitFolderError if the disk is too full; this start changed nothing */
export function requireRoom({ from, to, bytes }: Plan, { dataDir, freeBytes, minFreeBytes, isBegun }: Room): void {
  if (bytes === 0 || freeBytes - bytes >= minFreeBytes) return
  const rest = isBegun
    ? 'what an earlier start has done of it stays done'
    : 'nothing was changed, and the version that was here before still opens it'
  throw new UnfitFolderError(
    `there is no room to bring the data folder ${dataDir} from version ${from} to ${to}: up to ${megabytes(bytes)} are needed, ${megabytes(minFreeBytes)} have to stay free (server.min_free_bytes), and there are ${megabytes(freeBytes)}. Make room and start again; ${rest}`,
  )
}

/** Log lines before an upgrade: its steps, and the way back. */
export async function announcement(
  { from, to, steps, ms, bytes }: Plan,
  { dataDir, by }: { dataDir: string; by: string | undefined },
): Promise<{ fields: Record<string, unknown>; message: string }> {
  const moved = steps.flatMap(({ moves }) => (moves && moves.count > 0 ? [moves] : []))
  // An unreadable status must not block the start.
  const { last } = await readBackupStatus(dataDir).catch(() => ({ last: null }))
  const amount = moved.map(({ count, unit }) => `${count.toLocaleString('en-GB')} ${unit}`).join(', ')
  const older = by === undefined ? 'the version that was here before' : `Restante ${by}`
  const backup = last
    ? `the newest that this folder knows of is of ${last.at} (${last.file})`
    : 'this folder knows of none'
  return {
    fields: { from, to, about_seconds: Math.ceil(ms / SECOND), most_bytes: bytes, last_backup: last?.at ?? null },
    message: [
      `what is stored is brought from version ${from} to ${to}: ${amount === '' ? 'little to move' : amount}; ${words(ms)}, up to ${megabytes(bytes)} of disk.`,
      `It can be stopped at any time, and goes on at the next start. ${older} must not work on the folder from now on:`,
      `the way back is a backup made with it (restante backup), restored into another folder; ${backup}`,
    ].join(' '),
  }
}

/** Such as `about 3 minutes`. */
export function words(ms: number): string {
  const seconds = ms / SECOND
  if (seconds < 60) return 'less than a minute'
  const [count, unit] = seconds < 5400 ? [Math.round(seconds / 60), 'minute'] : [Math.round(seconds / 3600), 'hour']
  return `about ${count} ${unit}${count === 1 ? '' : 's'}`
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en-GB')} MB`
}
