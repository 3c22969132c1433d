/** A package from beginning to end: the tree as it will be installed, what dpkg has to know of it, and the archive. */
import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, lutimesSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeControl } from './control.js'
import { librariesOf } from './libraries.js'
import type { Target } from './target.js'
import { stageTree } from './tree.js'

export interface Build {
  /** The clone, built, with node_modules. */
  clone: string
  /** An empty folder. It keeps the tree, so a second build with the same one rebuilds only files that contain the version. */
  staging: string
  /** The machine it is for. */
  target: Target
  out: string
  version: string
  /** Compressed little: in seconds in place of minutes, and a quarter larger. */
  isFast: boolean
}

/** @returns path of the package */
export function buildPackage({ clone, staging, target, out, version, isFast }: Build): string {
  const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? lastChange(clone))
  const [tree, cache] = [join(staging, `tree-${target.architecture}`), join(staging, 'npm')]
  const binaries = stageTree({ clone, tree, cache, target, version, epoch })
  writeControl({
    clone,
    tree,
    version,
    target,
    libraries: librariesOf({ clone, staging, cache, target, binaries }),
  })
  settle(tree, epoch)
  mkdirSync(out, { recursive: true })
  const file = resolve(out, `restante_${version}_${target.architecture}.deb`)
  // Under another name until it is whole.
  const draft = `${file}.part`
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, draft], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  compress(draft, join(staging, `members-${target.architecture}`), target, isFast ? '0' : '9e')
  renameSync(draft, file)
  return file
}

/**
 * Compresses an archive's members (deb(5)) in place. dpkg-deb can't filter machine code before it compresses (BCJ), which makes a package whose
 * largest part is Node 3 % smaller; dpkg of Debian 12 and later reads it.
 *
 * @param folder for the members
 */
function compress(archive: string, folder: string, { filter }: Target, preset: '0' | '9e'): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const run = (tool: string, args: string[]): void =>
    void execFileSync(tool, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  run('ar', ['x', archive])
  // One thread: with more the bytes would depend on the machine.
  run('xz', ['--threads=1', `--${filter}`, `--lzma2=preset=${preset}`, 'control.tar', 'data.tar'])
  rmSync(archive)
  run('ar', ['qcSD', archive, 'debian-binary', 'control.tar.xz', 'data.tar.xz'])
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
