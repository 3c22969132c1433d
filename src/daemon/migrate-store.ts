/** Upgrades what is stored without a daemon, by the same steps as a start: `restante store migrate`. */
import { createMetrics } from '../observe/metrics.js'
import { storedForm } from '../store/schema-version.js'
import type { Stop } from './layers/stops.js'
import { openUpgradedStore, type StoreDeps } from './layers/upgraded-store.js'
import { MIGRATIONS } from './upgrade/migrations.js'
import { finish, newestOf, readState } from './upgrade/upgrade.js'

export type Migrated =
  | { kind: 'done'; to: number }
  /** Nothing was changed, since these nodes do not know the form. */
  | { kind: 'waits'; to: number; nodes: { name: string; knows: number }[] }

/**
 * Takes part as a node without roles while it works, so that no node of an older version can join. A node that takes part already may go on if it knows
 * the form and the migration is a rolling one. The data folder has to be locked.
 *
 * @throws UnfitFolderError if the store can't be upgraded, or nodes work on it that can't work beside the migration; nothing was changed
 * @throws UnreachableStoreError if the database is away, or other nodes took this one for dead; the next run goes on
 */
export async function migrateStore(deps: Omit<StoreDeps, 'metrics' | 'roles'>): Promise<Migrated> {
  const { migrations = MIGRATIONS } = deps
  const to = newestOf(migrations)
  const rest: Stop[] = []
  try {
    const { store, upgrading, waits } = await openUpgradedStore(
      { ...deps, roles: [], metrics: createMetrics() },
      { rest },
    )
    if (!waits || (await finish(upgrading, to))) return { kind: 'done', to: (await storedForm(store)) ?? to }
    const { others } = await readState(store, upgrading.me)
    return { kind: 'waits', to, nodes: others.filter(({ knows }) => knows < to) }
  } finally {
    for (const stop of rest) await stop()
  }
}
