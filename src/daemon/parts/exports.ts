/** Exports of accounts, and the worker that builds them. */
import { join } from 'node:path'
import { baseUrl } from '../../config/derived.js'
import { Exports } from '../../lifecycle/export/exports.js'
import { startExporting } from '../../jobs/exporting.js'
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
    links: { webKey: secrets.webKey, baseUrl: baseUrl(config) },
  })
  const worker = await startExporting({ queue: ground.queue, exports, log: part('exports') })
  active.push(() => worker.stop())
  return exports
}
