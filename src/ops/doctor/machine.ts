/** Facts from the operating system. */
import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { networkInterfaces, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ifExists } from '../../lib/files.js'
import { messageOf } from '../../lib/thrown.js'
import { isLoopback } from '../../lib/ip.js'
import { loadUwsBinary } from '../../lib/native.js'
import type { Natives, UnitFiles } from './software.js'

export interface Machine {
  /** Addresses of the interfaces, without loopback and link-local ones. */
  addresses(): string[]
  totalMemory(): number
  /** Output of `timedatectl show`; undefined if missing. */
  timedatectl(signal: AbortSignal): Promise<string | undefined>
  /** Modification time of a file; undefined if missing. */
  writtenAt(path: string): Promise<number | undefined>
  units(): Promise<UnitFiles>
  natives(): Promise<Natives>
  installation: string
}

const INSTALLATION = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '')
/** In the order of precedence (systemd.unit(5)). */
const UNIT_FOLDERS = [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
]

export const thisMachine: Machine = {
  installation: INSTALLATION,
  addresses: () =>
    Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .map(({ address }) => address)
      .filter((address) => !isLoopback(address) && !/^fe[89ab]/i.test(address)),
  totalMemory: totalmem,
  async timedatectl(signal) {
    try {
      return (await promisify(execFile)('timedatectl', ['show'], { signal, timeout: 5000 })).stdout
    } catch {
      // Missing, or without the bus that it needs.
      return undefined
    }
  },
  writtenAt: async (path) => (await ifExists(stat(path), 'EACCES'))?.mtimeMs,
  async units() {
    const shipped = `${INSTALLATION}/systemd/restante.service`
    const hasSystemd = (await this.writtenAt('/run/systemd/system')) !== undefined
    const found: { path: string; text: string }[] = []
    for (const folder of UNIT_FOLDERS) {
      const path = `${folder}/restante.service`
      const text = await ifExists(readFile(path, 'utf8'))
      // One folder can be a link to another.
      if (text !== undefined && found.every((other) => other.text !== text)) found.push({ path, text })
    }
    return {
      installed: found[0],
      behind: found[1]?.path,
      shipped: { path: shipped, text: await readFile(shipped, 'utf8') },
      hasSystemd,
    }
  },
  async natives() {
    const uws = loadUwsBinary()
    return { lmdbProblem: await problemOfLmdb(), uwsProblem: 'problem' in uws ? uws.problem : undefined }
  },
}

async function problemOfLmdb(): Promise<string | undefined> {
  try {
    await import('lmdb')
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}
