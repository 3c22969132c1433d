/** Packages of npm that are not among those of the clone: Node.js itself, and native modules for another machine. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

export interface Wanted {
  name: string
  version: string
  /** As in a lock file: `sha512-…`. */
  integrity: string
}

const packed = z.array(z.object({ filename: z.string() })).length(1)

/**
 * Has npm fetch it, from its registry or from npm's own cache.
 *
 * @param into where packages are unpacked; one that is there is taken as it is
 * @returns the folder with its files
 * @throws Error when it can't be had, or is not the one that is wanted
 */
export function fetchModule({ name, version, integrity }: Wanted, into: string): string {
  const folder = join(into, `${name.replace('/', '+')}-${version}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.part`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  const answer = execFileSync('npm', ['pack', `${name}@${version}`, '--json', '--pack-destination', draft], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const archive = join(draft, packed.parse(JSON.parse(answer))[0]?.filename.replace(/^@/, '').replace('/', '-') ?? '')
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found !== integrity) throw new Error(`${name} ${version} is ${found}, expected ${integrity}`)
  execFileSync('tar', ['-xzf', archive, '-C', draft, '--strip-components=1'])
  rmSync(archive)
  renameSync(draft, folder)
  return folder
}
