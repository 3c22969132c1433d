/** What of node_modules goes into the package. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isLoaded, nativesIn, productionModules } from '../../systemd/debian/modules.js'

t.test('what is loaded goes along, with its licence; sources, types and notes stay', async (t) => {
  for (const file of ['zod/index.js', 'zod/LICENSE', 'x/LICENSE.md', 'x/NOTICE.txt', 'x/package.json', 'x/data.json'])
    t.ok(isLoaded(`node_modules/${file}`), file)
  for (const file of ['zod/index.d.ts', 'x/a.js.map', 'x/README.md', 'x/binding.gyp', 'x/src/a.cc', 'x/.eslintrc'])
    t.notOk(isLoaded(`node_modules/${file}`), file)
})

t.test('of native binaries, those for this platform and this Node', async (t) => {
  const { platform, arch, versions } = process
  const here = `${platform}-${arch}`
  const abi = versions.modules
  for (const file of [
    `uWebSockets.js/binaries/uws_${platform}_${arch}_${abi}.node`,
    `@lmdb/lmdb-${here}/node.abi${abi}.glibc.node`,
    `bufferutil/prebuilds/${here}/bufferutil.node`,
  ])
    t.ok(isLoaded(`node_modules/${file}`), file)
  for (const file of [
    `uWebSockets.js/binaries/uws_${platform}_${arch}_93.node`,
    `uWebSockets.js/binaries/uws_aix_${arch}_${abi}.node`,
    `uWebSockets.js/dist/uws_${platform}_${arch}_${abi}.node`,
    `@lmdb/lmdb-${here}/node.abi93.glibc.node`,
    `@lmdb/lmdb-${here}/node.napi.musl.node`,
    'bufferutil/prebuilds/aix-ppc/bufferutil.node',
  ])
    t.notOk(isLoaded(`node_modules/${file}`), file)
})

t.test('by the lock file, packages for development stay, and each other one is there', async (t) => {
  const paths = productionModules(process.cwd()).map(({ path }) => path)
  t.ok(paths.includes('node_modules/lmdb') && paths.includes('node_modules/zod'))
  for (const name of ['tap', 'typescript', 'eslint', 'node-addon-api'])
    t.notOk(paths.includes(`node_modules/${name}`), name)
  for (const path of paths) t.ok(existsSync(join(path, 'package.json')), path)
  t.ok(nativesIn('node_modules/@lmdb').some((path) => isLoaded(path)))
})
