/** Exports of accounts, and the worker that builds them. */
import { join } from 'node:path'
import { baseUrl } from '../../config/derived.js'
import { Exports } from '../../lifecycle/export/exports.js'
import { startExporting } from '../../jobs/exporting.js'
import type { Disk } from '../../observe/disk.js'
import type { Ground } from '../layers/ground.js'
import type { AccountServices } from '../layers/account-services.js'
import type { Stops } from '../layers/stops.js'

export function startExports(ground: Ground, service: AccountServices, disk: Disk, { active }: Stops): Exports {
  const { config, secrets, part } = ground
  const { server, blobs } = config
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
    // Archives in a bucket take no room on the disk.
    disk: blobs.url === '' ? disk : { isLow: disk.isLow, hasRoomFor: async () => true },
    links: { webKey: secrets.webKey, baseUrl: baseUrl(config) },
  })
  const log = part('exports')
  const stopped = new AbortController()
  const adopting = exports.adopt(join(server.data_dir, 'exports'), stopped.signal).catch((err: unknown) => {
    if (!stopped.signal.aborted)
      log.error({ err }, 'archives of an earlier version could not be moved to the blobs; the next start tries again')
  })
  const worker = startExporting({ queue: ground.queue, exports, log })
  active.push(() => worker.stop())
  active.push(async () => {
    stopped.abort()
    await adopting
  })
  return exports
}
