/** Messages in files of their own, as mail programs save them: `NAME.eml`, in a folder and the folders in it. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MAX_READ_BYTES, tooLarge, type OldFolder, type OldMessage, type UnreadMessage } from './old-message.js'

const MAX_LEVELS = 20

/** One for each folder with such files; `.` for the first. */
export async function foldersOfEml(dir: string): Promise<OldFolder[]> {
  const folders: OldFolder[] = []
  await collect(dir, [], folders)
  return folders
}

async function collect(dir: string, levels: readonly string[], folders: OldFolder[]): Promise<void> {
  if (levels.length > MAX_LEVELS) return
  const entries = await readdir(dir, { withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && /\.eml$/i.test(entry.name))
    .map(({ name }) => join(dir, name))
  if (files.length > 0) folders.push({ name: levels.join('/') || '.', messages: () => messagesOf(files.sort()) })
  for (const { name } of entries.filter((entry) => entry.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1)))
    await collect(join(dir, name), [...levels, name], folders)
}

async function* messagesOf(files: readonly string[]): AsyncGenerator<OldMessage | UnreadMessage> {
  for (const where of files) {
    const { size, mtimeMs } = await stat(where)
    if (size > MAX_READ_BYTES) yield tooLarge(where)
    else yield { where, raw: await readFile(where), flags: [], keywords: [], receivedAt: Math.floor(mtimeMs) }
  }
}
