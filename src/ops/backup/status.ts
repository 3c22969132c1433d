/** Results of backups: a small file in the data folder, readable without a daemon. */
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode } from '../../lib/thrown.js'
import { syncFolder, writeSynced } from '../../lib/files.js'

const FILE = 'backup-status.json'

const statusSchema = z.object({
  /** Null until the first complete one. */
  last: z.object({ at: z.iso.datetime(), file: z.string(), bytes: z.int(), encrypted: z.boolean() }).nullable(),
  /** Null if the latest one succeeded. */
  failed: z.object({ at: z.iso.datetime(), message: z.string() }).nullable(),
})
export type BackupStatus = z.infer<typeof statusSchema>

const NONE: BackupStatus = { last: null, failed: null }

/** Results of backups of a data folder, for `restante doctor`, metrics and `restante backup`. */
export async function readBackupStatus(dataDir: string): Promise<BackupStatus> {
  let text: string
  try {
    text = await readFile(join(dataDir, FILE), 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return NONE
    throw error
  }
  return statusSchema.parse(JSON.parse(text))
}

export async function writeBackupStatus(dataDir: string, status: BackupStatus): Promise<void> {
  const draft = join(dataDir, `${FILE}.new`)
  await rm(draft, { force: true })
  await writeSynced(draft, `${JSON.stringify(status, null, 2)}\n`)
  await rename(draft, join(dataDir, FILE))
  await syncFolder(dataDir)
}
