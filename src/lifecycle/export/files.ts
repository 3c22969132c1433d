/** The folder of archives, `<data_dir>/exports`: `<account>.<export>.zip` is complete, `<account>.<export>.draft` is being written. */
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { hasCode } from '../../lib/thrown.js'
import { syncFolder } from '../../lib/files.js'

export interface ArchiveName {
  accountId: string
  exportId: string
}

const NAME = /^(acc_[0-9A-Z]{26})\.(exp_[0-9A-Z]{26})\.(zip|draft)$/

export type ArchiveFiles = ReturnType<typeof createArchiveFiles>

export function createArchiveFiles(dir: string) {
  const pathOf = ({ accountId, exportId }: ArchiveName, suffix: 'zip' | 'draft'): string => {
    const name = `${accountId}.${exportId}.${suffix}`
    if (!NAME.test(name)) throw new RangeError('Not the name of an archive')
    return join(dir, name)
  }

  async function names(): Promise<(ArchiveName & { file: string; isDraft: boolean })[]> {
    const files = await readdir(dir).catch((error: unknown) => {
      // None was ever made.
      if (hasCode(error, 'ENOENT')) return []
      throw error
    })
    return files.flatMap((file) => {
      const [, accountId, exportId, suffix] = NAME.exec(file) ?? []
      if (accountId === undefined || exportId === undefined) return []
      return [{ accountId, exportId, file, isDraft: suffix === 'draft' }]
    })
  }

  return {
    /** Path for a new draft. Removes that of an interrupted run. */
    async newDraft(name: ArchiveName): Promise<string> {
      await mkdir(dir, { recursive: true, mode: 0o700 })
      const path = pathOf(name, 'draft')
      await rm(path, { force: true })
      return path
    },

    /** Renames the synced draft to the archive; durable when this resolves. */
    async publish(name: ArchiveName) {
      await rename(pathOf(name, 'draft'), pathOf(name, 'zip'))
      await syncFolder(dir)
    },

    async sizeOf(name: ArchiveName): Promise<number | undefined> {
      try {
        return (await stat(pathOf(name, 'zip'))).size
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined
        throw error
      }
    },

    read: (name: ArchiveName, range?: { start: number; end: number }): Readable =>
      createReadStream(pathOf(name, 'zip'), range),

    /** Removes the archive and its draft. Idempotent. */
    async remove(name: ArchiveName) {
      await rm(pathOf(name, 'zip'), { force: true })
      await rm(pathOf(name, 'draft'), { force: true })
    },

    async removeAll(accountId: string) {
      for (const name of await names())
        if (name.accountId === accountId) await rm(join(dir, name.file), { force: true })
    },

    /** Removes archives that are not wanted, and with `drafts` every draft, as a leftover of a dead process. */
    async tidy(isWanted: (name: ArchiveName) => Promise<boolean>, { drafts }: { drafts: boolean }): Promise<number> {
      let removed = 0
      for (const name of await names()) {
        if (name.isDraft ? !drafts : await isWanted(name)) continue
        await rm(join(dir, name.file), { force: true })
        removed++
      }
      return removed
    },
  }
}
