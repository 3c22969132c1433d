/**
 * Folders and messages of a Maildir: a folder has `cur` and `new`. Its folders are beside them, as Maildir++ names them (`.Work.2026`) or as folders within folders (`Work/2026`).
 * Flags are at the end of a file's name, and the time of the file is when it was received.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeModifiedUtf7 } from '../../imap/wire/modified-utf7.js'
import { hasCode } from '../../lib/thrown.js'
import { folderNamed } from './folder-names.js'
import { MAX_READ_BYTES, tooLarge, type OldFolder, type OldMessage, type UnreadMessage } from './old-message.js'

const MAX_LEVELS = 20

/** @param name of the folder that the Maildir itself is */
export async function foldersOfMaildir(dir: string, name: string): Promise<OldFolder[]> {
  const folders: OldFolder[] = []
  await collect(dir, [], folders, name)
  return folders
}

async function collect(dir: string, levels: readonly string[], folders: OldFolder[], root: string): Promise<void> {
  if (levels.length > MAX_LEVELS) return
  const below = (await readdir(dir, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const names = below.map((entry) => entry.name).sort()
  if (names.includes('cur')) {
    const name = levels.length === 0 ? root : folderNamed(levels.join('/'))
    folders.push({ name, messages: () => messagesOf(dir) })
  }
  for (const one of names) {
    if (['cur', 'new', 'tmp'].includes(one)) continue
    const added = one.startsWith('.') ? one.slice(1).split('.') : [one]
    const next = added.map((level) => decodeModifiedUtf7(level) ?? level).filter((level) => level !== '')
    if (next.length > 0) await collect(join(dir, one), [...levels, ...next], folders, root)
  }
}

async function* messagesOf(dir: string): AsyncGenerator<OldMessage | UnreadMessage> {
  const files: { path: string; name: string }[] = []
  for (const part of ['cur', 'new'])
    for (const name of await namesIn(join(dir, part))) files.push({ path: join(dir, part, name), name })
  // Names begin with the time of their delivery.
  files.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  for (const { path, name } of files) yield readOne(path, name)
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    const entries = await readdir(dir, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

async function readOne(path: string, name: string): Promise<OldMessage | UnreadMessage> {
  try {
    const { size, mtimeMs } = await stat(path)
    if (size > MAX_READ_BYTES) return tooLarge(path)
    const marks = /[:;!]2,([A-Za-z]*)$/.exec(name)?.[1] ?? ''
    return {
      where: path,
      raw: await readFile(path),
      flags: [
        ...(marks.includes('S') ? (['seen'] as const) : []),
        ...(marks.includes('F') ? (['flagged'] as const) : []),
        ...(marks.includes('R') ? (['answered'] as const) : []),
        ...(marks.includes('T') ? (['deleted'] as const) : []),
      ],
      keywords: marks.includes('P') ? ['$Forwarded'] : [],
      receivedAt: Math.floor(mtimeMs),
    }
  } catch (error) {
    // A program that uses the Maildir renames a file when its flags change.
    if (hasCode(error, 'ENOENT')) return { where: path, problem: 'It was moved or removed while it was read.' }
    throw error
  }
}
