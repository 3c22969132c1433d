/**
 * Upgrades a shared store while its nodes work: by the owner of shard 0 of the jobs, once all nodes know the newer form. A node that takes the shard
 * over goes on after the last finished step.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Shards } from '../../cluster/types.js'
import type { Log } from '../../observe/log.js'
import { MIGRATIONS } from './migrations.js'
import { finish, newestOf, readState, type UpgradeDeps } from './upgrade.js'

/** Between two looks at who takes part. */
const LOOK_MS = 1_000
/** After an error. */
const AGAIN_MS = 30_000

export interface RollingDeps extends UpgradeDeps {
  log: Pick<Log, 'info' | 'warn' | 'error'>
  shards: Pick<Shards, 'follow'>
}

/** For a node whose `upgrade` returned true. @returns a function that ends it between two steps */
export function startRollingUpgrade({ shards, ...deps }: RollingDeps): () => Promise<void> {
  let ending = new AbortController()
  let running = Promise.resolve()

  async function lose(): Promise<void> {
    ending.abort()
    await running
  }

  const leave = shards.follow('jobs', {
    gain(shard) {
      if (shard !== 0) return
      ending = new AbortController()
      running = run(deps, ending.signal)
    },
    lose: async (shard) => (shard === 0 ? lose() : undefined),
  })
  return () => {
    leave()
    return lose()
  }
}

/** Never rejects. */
async function run(deps: Omit<RollingDeps, 'shards'>, signal: AbortSignal): Promise<void> {
  const { store, log, me, migrations = MIGRATIONS } = deps
  const newest = newestOf(migrations)
  while (!signal.aborted) {
    let waitMs = LOOK_MS
    try {
      const { others } = await readState(store, me)
      const target = Math.min(newest, ...others.map(({ knows }) => knows))
      if ((await finish({ ...deps, signal }, target)) && target === newest) return
    } catch (err) {
      if (signal.aborted) return
      log.error({ err }, 'the upgrade of what is stored was interrupted; it is tried again')
      waitMs = AGAIN_MS
    }
    await pause(waitMs, undefined, { signal }).catch(() => undefined)
  }
}
