/** Removes expired backups once a newer one is complete. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/thrown.js'
import { HOUR } from '../../lib/clock.js'
import { parseBackupName } from './format.js'

/** Age at which a partial backup is abandoned. */
const CUT_OFF_MS = HOUR

/**
 * Removes expired and partial backups. The newest one stays whatever its age; files with other names are ignored.
 *
 * @returns number of files removed
 */
export async function removeOldBackups(folder: string, keepMs: number, now: number): Promise<number> {
  const found = (await readdir(folder)).flatMap((name) => {
    const parsed = parseBackupName(name)
    return parsed ? [{ ...parsed, path: join(folder, name) }] : []
  })
  const newest = Math.max(...found.filter(({ isPartial }) => !isPartial).map(({ at }) => at))
  let removed = 0
  for (const { at, isPartial, path } of found) {
    const isOver = isPartial ? (await changedAt(path)) < now - CUT_OFF_MS : at < newest && at < now - keepMs
    if (!isOver) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}

async function changedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return Infinity
    throw error
  }
}
