/** What the daemon needs of node_modules: by the lock file what its dependencies lead to, and of each package what is loaded on the machine it is for. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { z } from 'zod'
import { hasCode } from '../../src/lib/thrown.js'
import { copy } from './files.js'
import { fetchModule } from './fetch.js'
import { NODE_ABI, ownTarget, type Target } from './target.js'

const dependencies = z.record(z.string(), z.string()).default({})
const entrySchema = z.object({
  name: z.string().optional(),
  version: z.string(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  optional: z.boolean().default(false),
  os: z.array(z.string()).default(['linux']),
  cpu: z.array(z.string()).optional(),
  dependencies,
  optionalDependencies: dependencies,
})
const lockSchema = z.object({ packages: z.record(z.string(), entrySchema) })
type Entry = z.output<typeof entrySchema>

export interface Module {
  /** `node_modules/zod` */
  path: string
  name: string
  version: string
  /** As npm checks it. */
  integrity: string | undefined
  licence: string
}

/** What is needed on a machine, by npm's lock file. An optional package that has native code, and none for the machine, is left out with all that it alone needs. */
export function productionModules(clone: string, target: Target): Module[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8')))
  const wanted = new Map<string, Entry>()
  const waiting = ['']
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    const entry = packages[from]
    for (const name of Object.keys({ ...entry?.dependencies, ...entry?.optionalDependencies })) {
      const path = placeOf(name, from, packages)
      const found = path === undefined ? undefined : packages[path]
      if (path === undefined || !found || wanted.has(path) || !isFor(target, clone, path, found)) continue
      wanted.set(path, found)
      waiting.push(path)
    }
  }
  return [...wanted]
    .map(([path, { name, version, integrity, license }]) => ({
      path,
      name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      integrity,
      licence: license ?? 'see its own file',
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** As Node looks for a package that another one asks for. */
function placeOf(name: string, from: string, packages: Record<string, Entry>): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (path in packages) return path
    if (folder === '') return undefined
  }
}

function isFor(target: Target, clone: string, path: string, { os, cpu, optional }: Entry): boolean {
  if (COMPILED_BEFORE.test(basename(path)) || !os.includes('linux') || !(cpu ?? [target.cpu]).includes(target.cpu))
    return false
  if (!optional || cpu !== undefined) return true
  const natives = existsSync(join(clone, path)) ? nativesIn(join(clone, path)) : []
  return natives.length === 0 || natives.some((file) => isLoaded(file, target))
}

/** Folders at the top of a package that nothing is loaded from. */
const ASIDE = /^(?:test|tests|__tests__|docs?|examples?|bench|benchmarks?|coverage|man|website|\.github|\.vscode)$/
/** Sources of what is compiled, descriptions of types, maps, fonts, and notes; licences stay. */
const NOT_LOADED =
  /\.(?:map|ts|mts|cts|flow|tsbuildinfo|c|cc|cpp|h|hpp|gyp|gypi|md|markdown|pdf|yml|patch|sh|py|html|ttf|pfb|musl\.node)$|^(?:\.[^/]+|Makefile|yarn\.lock|package-lock\.json)$/i
/** Folders of sources of native code, and the package of such sources. */
const COMPILED_BEFORE = /^(?:dependencies|deps|node-addon-api)$/

export function isLoaded(file: string, target: Target): boolean {
  const name = basename(file)
  if (/^(?:licen[cs]e|notice|copying)/i.test(name)) return true
  return !NOT_LOADED.test(name) && (!name.endsWith('.node') || isBuiltFor(target, file))
}

/** Binaries say in their path whom they are for: `uws_linux_x64_137.node`, `lmdb-linux-x64/node.napi.glibc.node`, `prebuilds/linux-x64/…`. */
function isBuiltFor({ cpu }: Target, file: string): boolean {
  // A second copy, beside an imitation that does not load it.
  if (/\/uWebSockets\.js\/dist\//.test(file)) return false
  if (!new RegExp(`linux[-_]${cpu}(?![a-z])`).test(file)) return false
  const abi = /(?:abi|_)(\d+)(?:\.|$)/.exec(basename(file))?.[1]
  return abi === undefined || abi === NODE_ABI
}

/** Copies one package without those inside of it, which are modules of their own. */
function copyModule(from: string, to: string, target: Target): void {
  copy(from, to, (path) => {
    const [top = '', ...below] = relative(from, path).split('/')
    if (top === '') return true
    if (top === 'node_modules' || COMPILED_BEFORE.test(top)) return false
    const isFolder = statSync(path).isDirectory()
    return below.length === 0 && isFolder
      ? !ASIDE.test(top)
      : isFolder || isLoaded(join(to, relative(from, path)), target)
  })
}

/** @param cache where packages that the clone does not have are unpacked. @returns the native binaries */
export function stageModules(clone: string, installation: string, target: Target, cache: string): string[] {
  for (const { path, integrity, ...module } of productionModules(clone, target)) {
    const own = join(clone, path)
    if (!existsSync(own) && integrity === undefined) throw new Error(`${path} is not there: run npm ci`)
    const from = existsSync(own) ? own : fetchModule({ ...module, integrity: integrity ?? '' }, cache)
    copyModule(from, join(installation, path), target)
  }
  const binaries = nativesIn(join(installation, 'node_modules'))
  strip(binaries, target)
  return binaries
}

/** Takes away what only a debugger reads. */
export function strip(binaries: readonly string[], target: Target): void {
  const { triplet } = target
  const tool = target === ownTarget() ? 'strip' : `${triplet}-strip`
  if (binaries.length === 0) return
  try {
    execFileSync(tool, ['--strip-unneeded', ...binaries])
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    throw new Error(
      `${tool} is missing: apt install binutils${tool === 'strip' ? '' : `-${triplet.replace('_', '-')}`}`,
      { cause: error },
    )
  }
}

export function nativesIn(modules: string): string[] {
  return readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.node'))
    .map((name) => join(modules, name))
}
