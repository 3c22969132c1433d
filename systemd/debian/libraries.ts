/** The packages of Debian that the binaries of a package need. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { put } from './files.js'
import { isLoaded, nativesIn, productionModules } from './modules.js'
import { ownTarget, type Target } from './target.js'
import { nodeFor } from './tree.js'

export interface Linked {
  clone: string
  staging: string
  cache: string
  target: Target
  /** Of the package. */
  binaries: readonly string[]
}

/**
 * The libraries are those of this machine. For another one the same sources were built against the same libraries, so what the binaries for this
 * one need is what they need there: that they name the same libraries is checked.
 *
 * @throws Error
 */
export function librariesOf({ clone, staging, cache, target, binaries }: Linked): string[] {
  const own = ownTarget()
  if (target === own) return packagesOf(binaries, staging)
  const ours = [join(nodeFor(own, cache), 'bin/node'), ...ownNatives(clone, own)]
  const [there, here] = [librariesNamed(binaries), librariesNamed(ours)]
  if (there.join() !== here.join())
    throw new Error(
      `the binaries for ${target.architecture} need ${there.join(', ')}, and those for ${own.architecture} ${here.join(', ')}`,
    )
  return packagesOf(ours, staging)
}

function ownNatives(clone: string, own: Target): string[] {
  return productionModules(clone, own)
    .map(({ path }) => join(clone, path))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => nativesIn(folder).filter((file) => isLoaded(file, own)))
}

/** All of them, each once; the loader of programs has another name on each machine. */
function librariesNamed(binaries: readonly string[]): string[] {
  const told = execFileSync('readelf', ['--dynamic', '--wide', ...binaries], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const names = [...told.matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name = '']) => name)
  return [...new Set(names)].filter((name) => !name.startsWith('ld-linux')).sort()
}

/** By the symbols that they use, as dpkg knows them of the libraries on this machine. */
function packagesOf(binaries: readonly string[], staging: string): string[] {
  // The tool reads debian/control of the folder it stands in.
  const desk = join(staging, 'desk')
  mkdirSync(join(desk, 'debian'), { recursive: true })
  put(join(desk, 'debian/control'), 'Source: restante\n\nPackage: restante\nArchitecture: any\n')
  const answer = execFileSync('dpkg-shlibdeps', ['-O', '--warnings=0', ...binaries.map((path) => `-e${path}`)], {
    cwd: desk,
    encoding: 'utf8',
    // It warns that the binaries are not where packages are usually built; what fails is in the error.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const found = /^shlibs:Depends=(.*)$/m.exec(answer)?.[1]
  if (found === undefined) throw new Error(`dpkg-shlibdeps named no library: ${answer}`)
  return found.split(', ')
}
