/** Small secret texts by name: private keys, certificates, keys of HMACs. */
import { link, readdir, readFile, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ifExists, makeFolder, replaceSynced, syncFolder, writeSynced } from './files.js'
import { randomBase62 } from './ids.js'
import { hasCode } from './thrown.js'

/**
 * Files of a folder, or sealed rows of a shared database (cluster/vault.ts). A name is that of a file, or of a folder and a file: `web_key`,
 * `agents.example.com/r20261121.pem`. What is written is durable when the promise resolves; a crash leaves each text whole or missing.
 */
export interface SecretFiles {
  /** In byte order. */
  names(): Promise<string[]>
  read(name: string): Promise<string | undefined>
  /** Those of the names that are wanted, in byte order. */
  readAll(isWanted: (name: string) => boolean): Promise<Map<string, string>>
  /** Writes it unless it exists: of several writers the first one wins. @returns true if it was written */
  create(name: string, text: string): Promise<boolean>
  /** Writes it, whether it exists or not. For one writer at a time. */
  replace(name: string, text: string): Promise<void>
  /** Does nothing if `from` is missing: another process did the same before. */
  rename(from: string, to: string): Promise<void>
  /** Idempotent. */
  remove(name: string): Promise<void>
  /** Removes everything in a folder. Idempotent. */
  removeFolder(folder: string): Promise<void>
  /** Where a text is, for the operator: the path of a file, or of a row. */
  placeOf(name: string): string
  /** Calls back after others changed them. Files of a folder have no such calls: SIGHUP does it. @returns a function that unsubscribes */
  onChange(listener: () => Promise<void>): () => void
}

/** @param dir made when something is written. Drafts and marks of a folder begin with a dot or end with `.draft`, and are no texts */
export function secretFolder(dir: string): SecretFiles {
  const pathOf = (name: string): string => join(dir, name)

  async function names(): Promise<string[]> {
    const found: string[] = []
    for (const entry of await entriesOf(dir)) {
      if (!entry.isDirectory()) found.push(entry.name)
      else
        for (const inner of await entriesOf(pathOf(entry.name)))
          if (!inner.isDirectory()) found.push(`${entry.name}/${inner.name}`)
    }
    return found.sort()
  }

  const read = (name: string): Promise<string | undefined> => ifExists(readFile(pathOf(name), 'utf8'))

  return {
    names,
    read,

    async readAll(isWanted) {
      const texts = new Map<string, string>()
      for (const name of (await names()).filter(isWanted)) {
        const text = await read(name)
        // Another process renamed it meanwhile.
        if (text !== undefined) texts.set(name, text)
      }
      return texts
    },

    async create(name, text) {
      const path = pathOf(name)
      const folder = dirname(path)
      await makeFolder(folder)
      const draft = join(folder, `.${randomBase62(16)}`)
      await writeSynced(draft, text)
      try {
        // Unlike a rename, a link never replaces what another process has just made.
        await link(draft, path)
        return true
      } catch (error) {
        if (hasCode(error, 'EEXIST')) return false
        throw error
      } finally {
        await unlink(draft)
        await syncFolder(folder)
      }
    },

    async replace(name, text) {
      const path = pathOf(name)
      await makeFolder(dirname(path))
      await replaceSynced(path, text)
    },

    async rename(from, to) {
      await ifExists(rename(pathOf(from), pathOf(to)))
      await ifExists(syncFolder(dirname(pathOf(from))))
    },

    async remove(name) {
      await ifExists(unlink(pathOf(name)))
      await ifExists(syncFolder(dirname(pathOf(name))))
    },

    async removeFolder(folder) {
      await rm(pathOf(folder), { recursive: true, force: true })
      await ifExists(syncFolder(dir))
    },

    placeOf: pathOf,

    onChange: () => () => undefined,
  }
}

async function entriesOf(dir: string) {
  const entries = (await ifExists(readdir(dir, { withFileTypes: true }))) ?? []
  return entries.filter(({ name }) => !name.startsWith('.') && !name.endsWith('.draft'))
}
