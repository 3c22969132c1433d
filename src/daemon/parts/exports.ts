/** Exports of accounts, and the worker that builds them. */
import { join } from 'node:path'
import { baseUrl } from '../../config/derived.js'
import { Exports } from '../../lifecycle/export/exports.js'
import { startExporting } from '../../jobs/exporting.js'
import { HOUR } from '../../lib/clock.js'
import type { Disk } from '../../observe/disk.js'
import type { Ground } from '../layers/ground.js'
import type { AccountServices } from '../layers/account-services.js'
import type { Stops } from '../layers/stops.js'

export async function startExports(
  ground: Ground,
  service: AccountServices,
  disk: Disk,
  { active }: Stops,
): Promise<Exports> {
  const { config, secrets, part } = ground
  const { server } = config
  const exports = new Exports({
    clock: ground.clock,
    store: ground.store,
    blobs: ground.blobs,
    queue: ground.queue,
    accounts: service.accounts,
    sessions: service.sessions,
    connections: service.oauth.connections,
    suppressions: service.suppressions,
    letters: service.letters,
    disk,
    dir: join(server.data_dir, 'exports'),
    nodes: ground.nodes,
    links: { webKey: secrets.webKey, baseUrl: baseUrl(config) },
  })
  const log = part('exports')
  const worker = await startExporting({ queue: ground.queue, exports, log })
  active.push(() => worker.stop())
  let removing: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    removing = exports
      .removeEnded()
      .catch((err: unknown) => log.error({ err }, 'archives that have ended could not be removed; it is tried again'))
  }, HOUR).unref()
  active.push(async () => {
    clearInterval(timer)
    await removing
  })
  return exports
}
