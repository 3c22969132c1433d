/**
 * `npm run deb -- [--out DIR] [--version V] [--architecture amd64|arm64] [--fast]`: builds `restante_VERSION_ARCHITECTURE.deb` of this clone as it was
 * built, with the node_modules that the lock file names for production and a Node of its own (target.ts). That Node, and native modules for another
 * machine than this, come from npm's registry and are checked by their hash; the same clone and SOURCE_DATE_EPOCH give the same bytes.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { installedVersion } from '../../src/config/version.js'
import { buildPackage } from './package.js'
import { ownTarget, targetOf } from './target.js'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: '.' },
    version: { type: 'string', default: installedVersion() },
    architecture: { type: 'string', default: ownTarget().architecture },
    fast: { type: 'boolean', default: false },
  },
})
const staging = mkdtempSync(join(tmpdir(), 'restante-deb-'))
try {
  const file = buildPackage({
    clone: process.cwd(),
    staging,
    target: targetOf(values.architecture),
    out: resolve(values.out),
    version: values.version,
    isFast: values.fast,
  })
  console.log(`${file} (${(statSync(file).size / 2 ** 20).toFixed(1)} MiB)`)
} finally {
  rmSync(staging, { recursive: true, force: true })
}
