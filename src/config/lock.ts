/**
 * One daemon per data folder. The lock is a listening Unix socket named `lock` in the folder: the kernel knows if its owner lives, so a crash leaves
 * nothing to clean up, and neither a reused process id nor a container's process numbers can mislead.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, linkSync, openSync, renameSync, unlinkSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { hasCode } from '../lib/thrown.js'

export class LockedError extends Error {
  constructor(dataDir: string) {
    super(
      `another daemon is running on the data folder ${dataDir}. Stop it, or give this one its own folder with --set server.data_dir=DIR`,
    )
    this.name = 'LockedError'
  }
}

/** Takes the lock of an existing folder. @returns the function that releases it @throws LockedError when a living process holds it */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  const folder = openSync(dataDir, 'r')
  const base = shortPath(folder, dataDir)
  const own = join(base, `lock.${randomBytes(6).toString('hex')}`)
  const lock = join(base, 'lock')
  const server = await listen(own)
  try {
    await claim(own, lock, dataDir)
  } catch (error) {
    await close(server)
    closeSync(folder)
    throw error
  }
  return async () => {
    unlinkSync(lock)
    await close(server)
    closeSync(folder)
  }
}

/** Reports whether a living process holds the lock of an existing folder. Changes nothing. */
export async function isDataDirLocked(dataDir: string): Promise<boolean> {
  const folder = openSync(dataDir, 'r')
  try {
    return await isAlive(join(shortPath(folder, dataDir), 'lock'))
  } finally {
    closeSync(folder)
  }
}

/** The path of a socket is limited to about 100 bytes; through an open folder any path is short. */
function shortPath(folder: number, dataDir: string): string {
  return existsSync('/proc/self/fd') ? `/proc/self/fd/${folder}` : dataDir
}

/** Gives the listening socket `own` the name `lock`, which only one can have. */
async function claim(own: string, lock: string, dataDir: string): Promise<void> {
  for (;;) {
    if (attempt(() => linkSync(own, lock), 'EEXIST')) return unlinkSync(own)
    if (await isAlive(lock)) throw new LockedError(dataDir)
    const aside = `${own}.stale`
    if (!attempt(() => renameSync(lock, aside), 'ENOENT')) continue
    // Between the check and the rename another process may have placed its living lock there: that one is restored.
    if (await isAlive(aside)) {
      renameSync(aside, lock)
      throw new LockedError(dataDir)
    }
    unlinkSync(aside)
  }
}

async function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy())
  server.listen(path)
  await once(server, 'listening')
  server.unref()
  return server
}

async function close(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}

async function isAlive(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    if (hasCode(error, 'ECONNREFUSED') || hasCode(error, 'ENOENT')) return false
    throw error
  } finally {
    socket.destroy()
  }
}

/** False when `action` failed for the one expected reason. */
function attempt(action: () => void, expected: string): boolean {
  try {
    action()
    return true
  } catch (error) {
    if (hasCode(error, expected)) return false
    throw error
  }
}
