/** What the daemon needs of node_modules: by the lock file without what is for development, and of each package what runs on this machine. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { z } from 'zod'
import { copy } from './files.js'

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), license: z.string().optional() })),
})

export interface Module {
  /** `node_modules/zod` */
  path: string
  licence: string
}

/** Of npm's lock file; those for other platforms are not installed and so not named. */
export function productionModules(clone: string): Module[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8')))
  return Object.entries(packages)
    .filter(
      ([path, { dev }]) =>
        path.startsWith('node_modules/') &&
        dev !== true &&
        !COMPILED_BEFORE.test(basename(path)) &&
        existsSync(join(clone, path)),
    )
    .map(([path, { license }]) => ({ path, licence: license ?? 'see its own file' }))
}

/** Folders at the top of a package that nothing is loaded from. */
const ASIDE = /^(?:test|tests|__tests__|docs?|examples?|bench|benchmarks?|coverage|man|website|\.github|\.vscode)$/
/** Sources of what is compiled, descriptions of types, maps, and notes; licences stay. */
const NOT_LOADED =
  /\.(?:map|ts|mts|cts|flow|tsbuildinfo|c|cc|cpp|h|hpp|gyp|gypi|md|markdown|pdf|yml|patch|sh|py|html|musl\.node)$|^(?:\.[^/]+|Makefile|yarn\.lock|package-lock\.json)$/i
/** Folders of sources of native code, and the package of such sources. */
const COMPILED_BEFORE = /^(?:dependencies|deps|node-addon-api)$/

export function isLoaded(file: string): boolean {
  const name = basename(file)
  if (/^(?:licen[cs]e|notice|copying)/i.test(name)) return true
  return !NOT_LOADED.test(name) && (!name.endsWith('.node') || isForThisMachine(file))
}

/** Binaries say in their path whom they are for: `uws_linux_x64_115.node`, `lmdb-linux-x64/node.abi115.glibc.node`, `prebuilds/linux-x64/…`. */
function isForThisMachine(file: string): boolean {
  const { platform, arch, versions } = process
  // A second copy, beside an imitation that does not load it.
  if (/\/uWebSockets\.js\/dist\//.test(file)) return false
  if (!new RegExp(`${platform}[-_]${arch}(?![a-z])`).test(file)) return false
  const abi = /(?:abi|_)(\d+)(?:\.|$)/.exec(basename(file))?.[1]
  return abi === undefined || abi === versions.modules
}

/** Copies one package without those inside of it, which are modules of their own. */
function copyModule(from: string, to: string): void {
  copy(from, to, (path) => {
    const [top = '', ...below] = relative(from, path).split('/')
    if (top === '') return true
    if (top === 'node_modules' || COMPILED_BEFORE.test(top)) return false
    const isFolder = statSync(path).isDirectory()
    return below.length === 0 && isFolder ? !ASIDE.test(top) : isFolder || isLoaded(path)
  })
}

export function stageModules(clone: string, installation: string): void {
  for (const { path } of productionModules(clone)) copyModule(join(clone, path), join(installation, path))
  const binaries = nativesIn(join(installation, 'node_modules'))
  if (binaries.length > 0) execFileSync('strip', ['--strip-unneeded', ...binaries])
}

export function nativesIn(modules: string): string[] {
  return readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.node'))
    .map((name) => join(modules, name))
}
