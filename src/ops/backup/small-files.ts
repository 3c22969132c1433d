/** The small files of a backup: secrets, DKIM keys, certificates and settings, each read whole. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/thrown.js'

export interface SmallFile {
  /** In the backup. */
  name: string
  content: Buffer
}

const MAX_BYTES = 4 * 1024 * 1024
/** A key that changes its state has another name from one moment to the next. */
const MAX_TRIES = 20

export interface SmallFileSources {
  dataDir: string
  dkimDir: string
  /** Undefined when the daemon has no folder of settings. */
  configDir: string | undefined
}

export async function readSmallFiles({ dataDir, dkimDir, configDir }: SmallFileSources): Promise<SmallFile[]> {
  // Drafts of secrets begin with a dot.
  const secrets = await readFolder(join(dataDir, 'secrets'), 'secrets', (name) => !name.startsWith('.'))
  const dkim: SmallFile[] = []
  for (const domain of await namesIn(dkimDir))
    dkim.push(...(await readFolder(join(dkimDir, domain), `dkim/${domain}`, (name) => name.includes('.pem'))))
  const certificates: SmallFile[] = []
  for (const name of await namesIn(join(dataDir, 'certificates')))
    certificates.push(
      ...(await readFolder(
        join(dataDir, 'certificates', name),
        `certificates/${name}`,
        (file) => !file.endsWith('.draft'),
      )),
    )
  const config = configDir === undefined ? [] : await readFolder(configDir, 'config', (name) => name.endsWith('.toml'))
  return [...secrets, ...dkim, ...certificates, ...config]
}

/** All of it from one moment: read again when a file has gone in between. */
async function readFolder(dir: string, as: string, isWanted: (name: string) => boolean): Promise<SmallFile[]> {
  for (let tries = 1; ; tries++) {
    try {
      const files: SmallFile[] = []
      for (const name of (await namesIn(dir)).filter(isWanted)) {
        const path = join(dir, name)
        const found = await stat(path)
        if (found.isFile() && found.size <= MAX_BYTES)
          files.push({ name: `${as}/${name}`, content: await readFile(path) })
      }
      return files
    } catch (error) {
      if (!hasCode(error, 'ENOENT') || tries === MAX_TRIES) throw error
    }
  }
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).sort()
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return []
    throw error
  }
}
