/** Checks for obstacles before a start changes anything. */
import { once } from 'node:events'
import { statfsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { SettingError } from '../../config/errors.js'
import { listeners } from '../../config/derived.js'
import { isDataDirLocked, LockedError } from '../../config/lock.js'
import type { Config } from '../../config/schema.js'
import { hasCode } from '../../lib/thrown.js'
import { requireHostPort } from '../../lib/host-port.js'

/** The store writes to mapped memory, where a full disk kills the process without a message. */
const LEAST_ROOM_BYTES = 1024 * 1024

/**
 * Checks that each configured address is free and no other process owns the data folder.
 *
 * @throws LockedError
 * @throws SettingError that names the setting and the cure
 */
export async function refuseObstacles(config: Config): Promise<void> {
  const dir = config.server.data_dir
  if (statSync(dir, { throwIfNoEntry: false })) {
    if (await isDataDirLocked(dir)) throw new LockedError(dir)
    const { bavail, bsize } = statfsSync(dir)
    if (bavail * bsize < LEAST_ROOM_BYTES)
      throw new SettingError(
        'server.data_dir',
        `the disk of ${dir} is full. Make room: "du -xhd1 ${dir}" shows what uses it`,
      )
  }
  for (const { setting, address } of listeners(config)) {
    const problem = await problemOf(address)
    if (problem !== undefined) throw new SettingError(setting, `${address} cannot be listened on: ${problem}`)
  }
}

async function problemOf(address: string): Promise<string | undefined> {
  const { host, port } = requireHostPort(address)
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE'))
      return `the port is in use. Stop the process that has it ("ss -ltnp sport = :${port}" names it), or choose another port`
    if (hasCode(error, 'EADDRNOTAVAIL'))
      return `this machine has no address ${host}. "ip address" lists those it has; 0.0.0.0 means all of them`
    if (hasCode(error, 'EACCES'))
      return `this user may not use a port below 1024. Start it by its unit (systemctl start restante), which may, or as root`
    throw error
  }
  server.close()
  await once(server, 'close')
  return undefined
}
