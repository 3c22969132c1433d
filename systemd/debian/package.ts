/** A package from beginning to end: the tree as it will be installed, what dpkg has to know of it, and the archive. */
import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, lutimesSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { writeControl } from './control.js'
import { stageTree } from './tree.js'

/** Of Debian, for what Node calls them. */
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }

export interface Build {
  /** The clone, built, with node_modules. */
  clone: string
  /** An empty folder. It keeps the tree, so a second build with the same one only makes anew what the version is in. */
  staging: string
  out: string
  version: string
  /** Not compressed: in seconds, and four times as large. */
  isFast: boolean
}

/** @returns path of the package */
export function buildPackage({ clone, staging, out, version, isFast }: Build): string {
  const architecture = ARCHITECTURES[process.arch]
  if (process.platform !== 'linux' || architecture === undefined)
    throw new Error(`there is no Debian package for ${process.platform} on ${process.arch}`)
  const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? lastChange(clone))
  const tree = join(staging, 'tree')
  const binaries = stageTree({ clone, tree, version, epoch })
  writeControl({ clone, staging, tree, version, architecture, binaries })
  settle(tree, epoch)
  mkdirSync(out, { recursive: true })
  const file = join(out, `restante_${version}_${architecture}.deb`)
  // Under another name until it is whole.
  const draft = `${file}.part`
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${isFast ? 'none' : 'xz'}`, '--build', tree, draft], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  renameSync(draft, file)
  return file
}

function lastChange(clone: string): string {
  return execFileSync('git', ['-C', clone, 'log', '-1', '--format=%ct'], { encoding: 'utf8' }).trim()
}

/** Gives every file the rights and the time that do not depend on who builds it, and when. */
function settle(folder: string, epoch: number): void {
  for (const { name } of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, name)
    const found = lstatSync(path)
    if (found.isDirectory()) settle(path, epoch)
    if (!found.isSymbolicLink()) chmodSync(path, found.isDirectory() || isProgram(path, found.mode) ? 0o755 : 0o644)
    lutimesSync(path, epoch, epoch)
  }
  lutimesSync(folder, epoch, epoch)
}

/** Whatever rights npm has given to files of packages: nobody starts one of them. */
function isProgram(path: string, mode: number): boolean {
  return (mode & 0o100) !== 0 && !path.includes('/node_modules/')
}
