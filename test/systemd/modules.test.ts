/** What of node_modules goes into the package. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isLoaded, nativesIn, productionModules } from '../../systemd/debian/modules.js'
import { NODE_ABI, ownTarget, TARGETS } from '../../systemd/debian/target.js'

t.test('what is loaded goes along, with its licence; sources, types and notes stay', async (t) => {
  for (const file of ['zod/index.js', 'zod/LICENSE', 'x/LICENSE.md', 'x/NOTICE.txt', 'x/package.json', 'x/data.json'])
    t.ok(isLoaded(`node_modules/${file}`, ownTarget()), file)
  for (const file of ['zod/index.d.ts', 'x/a.js.map', 'x/README.md', 'x/binding.gyp', 'x/src/a.cc', 'x/.eslintrc'])
    t.notOk(isLoaded(`node_modules/${file}`, ownTarget()), file)
})

t.test('of native binaries, those for the machine and for the Node of the package', async (t) => {
  for (const target of TARGETS) {
    const { cpu } = target
    const [other] = TARGETS.filter((each) => each !== target)
    for (const file of [
      `uWebSockets.js/binaries/uws_linux_${cpu}_${NODE_ABI}.node`,
      `@lmdb/lmdb-linux-${cpu}/node.abi${NODE_ABI}.glibc.node`,
      `@lmdb/lmdb-linux-${cpu}/node.napi.glibc.node`,
      `bufferutil/prebuilds/linux-${cpu}/bufferutil.node`,
    ])
      t.ok(isLoaded(`node_modules/${file}`, target), `${cpu} ${file}`)
    for (const file of [
      `uWebSockets.js/binaries/uws_linux_${cpu}_115.node`,
      `uWebSockets.js/binaries/uws_linux_${other?.cpu}_${NODE_ABI}.node`,
      `uWebSockets.js/binaries/uws_darwin_${cpu}_${NODE_ABI}.node`,
      `uWebSockets.js/dist/uws_linux_${cpu}_${NODE_ABI}.node`,
      `@lmdb/lmdb-linux-${cpu}/node.abi115.glibc.node`,
      `@lmdb/lmdb-linux-${cpu}/node.napi.musl.node`,
      `@lmdb/lmdb-linux-${other?.cpu}/node.napi.glibc.node`,
      'bufferutil/prebuilds/aix-ppc/bufferutil.node',
    ])
      t.notOk(isLoaded(`node_modules/${file}`, target), `${cpu} ${file}`)
  }
})

t.test('by the lock file, what the dependencies lead to, and nothing that can only be loaded elsewhere', async (t) => {
  for (const target of TARGETS) {
    const paths = productionModules(process.cwd(), target).map(({ path }) => path)
    for (const name of ['lmdb', 'zod', 'msgpackr', `@lmdb/lmdb-linux-${target.cpu}`])
      t.ok(paths.includes(`node_modules/${name}`), name)
    // The HTTP server of C++ has no binary for this Node, and what it alone needs goes with it.
    for (const name of ['tap', 'typescript', 'node-addon-api', 'uWebSockets.js', 'bufferutil', 'utf-8-validate', 'ws'])
      t.notOk(paths.includes(`node_modules/${name}`), name)
    const [other] = TARGETS.filter((each) => each !== target)
    t.notOk(paths.some((path) => path.endsWith(`linux-${other?.cpu}`) || path.includes('darwin')))
    if (target === ownTarget()) for (const path of paths) t.ok(existsSync(join(path, 'package.json')), path)
  }
  t.ok(nativesIn('node_modules/@lmdb').some((path) => isLoaded(path, ownTarget())))
})
