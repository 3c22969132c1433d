/** The package for the other machine, which this one can build and look into, and not run. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { buildPackage } from '../../systemd/debian/package.js'
import { NODE_VERSION, ownTarget, TARGETS } from '../../systemd/debian/target.js'
import { peer } from '../support/peers/peers.js'

const others = TARGETS.filter((target) => target !== ownTarget())
const tools = ['/usr/bin/dpkg-shlibdeps', ...others.map(({ triplet }) => `/usr/bin/${triplet}-strip`)]
const skip = tools.map((path) => peer(path, path)).find((each) => each.skip)?.skip ?? false
const MACHINES = { x64: 'Advanced Micro Devices X86-64', arm64: 'AArch64' }

t.test('a package for another machine has nothing of this one', { skip }, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'restante-package-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  for (const target of others) {
    const build = { clone: process.cwd(), staging: join(dir, 'staging'), out: dir, version: '0.1.0', isFast: true }
    const file = buildPackage({ ...build, target })
    t.equal(file, join(dir, `restante_0.1.0_${target.architecture}.deb`))
    const control = execFileSync('dpkg-deb', ['--field', file], { encoding: 'utf8' })
    t.match(control, `Architecture: ${target.architecture}\n`)
    t.match(control, /^Depends: adduser, .*libc6 \(>= 2\.\d+\)/m)
    const tree = join(dir, 'tree')
    execFileSync('dpkg-deb', ['--extract', file, tree])
    const installation = join(tree, 'usr/lib/restante')
    const binaries = readdirSync(tree, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.node') || name.endsWith('/bin/node'))
      .map((name) => join(tree, name))
    t.ok(binaries.length >= 3, `${binaries.length} binaries: Node, the database and what it decodes with`)
    for (const binary of binaries) {
      const head = execFileSync('readelf', ['--file-header', binary], { encoding: 'utf8' })
      t.match(head, new RegExp(`Machine: +${MACHINES[target.cpu]}`), binary)
    }
    t.ok(readFileSync(join(installation, 'node/bin/node')).includes(`v${NODE_VERSION}`))
    t.ok(existsSync(join(installation, 'node/LICENSE')))
    t.ok(existsSync(join(installation, `node_modules/@lmdb/lmdb-linux-${target.cpu}/node.napi.glibc.node`)))
    t.notOk(existsSync(join(installation, 'node_modules/uWebSockets.js')))
  }
})
