/** The binary of uWebSockets.js. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { hasCode, messageOf } from './thrown.js'

const PACKAGE = 'uWebSockets.js'

type Runtime = Pick<NodeJS.Process, 'platform' | 'arch' | 'versions'>

/**
 * Loads the binary itself: if it can't be loaded, the package would silently load an imitation in JavaScript. It is an optional dependency.
 *
 * @returns the reason if it can't be loaded
 */
export function loadUwsBinary({ platform, arch, versions }: Runtime = process):
  { binary: unknown } | { problem: string } {
  const require = createRequire(import.meta.url)
  let folder: string
  try {
    folder = dirname(require.resolve(`${PACKAGE}/package.json`))
  } catch (error) {
    if (hasCode(error, 'MODULE_NOT_FOUND')) return { problem: `${PACKAGE} is not installed` }
    throw error
  }
  // Each is for one version of Node's binary interface; another one may crash the process.
  const name = `uws_${platform}_${arch}_${versions.modules}.node`
  const file = [join(folder, 'binaries', name), join(folder, name)].find((path) => existsSync(path))
  if (file === undefined)
    return {
      problem: `${PACKAGE} has no binary for Node ${versions.node} (ABI ${versions.modules}) on ${platform} ${arch}`,
    }
  try {
    const binary: unknown = require(file)
    return { binary }
  } catch (error) {
    // For example `version GLIBC_2.38' not found: it was built for a newer system.
    return { problem: `the binary of ${PACKAGE} cannot be loaded: ${messageOf(error)}` }
  }
}
