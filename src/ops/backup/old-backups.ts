/** The folder of backups: what has had its time there goes when a newer one is whole. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/thrown.js'
import { HOUR } from '../../lib/clock.js'
import { parseBackupName } from './format.js'

/** One that is written to is younger. */
const CUT_OFF_MS = HOUR

/**
 * Removes backups that are older than they are kept for, and what was cut off. The newest one stays whatever its age; only names that backups
 * have are looked at.
 *
 * @returns how many files went
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
