/** Which certificate is shown for which name, and that no broken one ever is. */
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openCertificates } from '../../src/certificates/certificates.js'
import { createCertFiles } from '../../src/certificates/cert-files.js'
import { openVault } from '../../src/cluster/vault.js'
import { loadConfig } from '../../src/config/load.js'
import type { Config } from '../../src/config/schema.js'
import { createStore } from '../../src/store/store.js'
import { captureLog } from '../support/log.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { createAuthority, opensslPeer } from '../support/peers/certificates.js'

const empty = { read: async () => undefined }

function settings(key: string, cert: string): Config {
  return loadConfig({ set: ['domains.hostname=mx.agents.test', `smtp.tls_key=${key}`, `smtp.tls_cert=${cert}`] })
}

t.test('without settings there is none', async (t) => {
  const held = await openCertificates(loadConfig({}), empty)
  t.same(held.all(), [])
  t.equal(held.of('mx.agents.test'), undefined)
  t.equal(held.shownBy('smtp.tls_cert', 'mx.agents.test'), undefined)
})

t.test(
  "the operator's own is found by each of its names, and shown by its listener under any",
  opensslPeer(),
  async (t) => {
    const pair = createAuthority(t.testdir()).issue(['MX.agents.test', '*.other.test'])
    const held = await openCertificates(settings(pair.keyFile, pair.certFile), empty)
    t.match(held.all(), [
      {
        names: ['mx.agents.test', '*.other.test'],
        cert: pair.cert,
        key: pair.key,
        issuer: 'Test CA',
        source: 'smtp.tls_cert',
      },
    ])
    for (const name of ['mx.agents.test', 'Mx.Agents.Test', 'a.other.test'])
      t.equal(held.of(name)?.cert, pair.cert, name)
    for (const name of ['agents.test', 'other.test', 'a.b.other.test', 'x.agents.test', ''])
      t.equal(held.of(name), undefined, name)
    t.equal(held.shownBy('smtp.tls_cert', 'elsewhere.test')?.cert, pair.cert)
    t.equal(held.shownBy('server.tls_cert', 'elsewhere.test'), undefined)
    t.equal(held.shownBy('server.tls_cert', 'mx.agents.test')?.cert, pair.cert, 'one for that name will do')
  },
)

t.test('what was read is shown from the moment it is taken over, and a broken pair never', opensslPeer(), async (t) => {
  const dir = t.testdir()
  const authority = createAuthority(dir)
  const [first, second] = [authority.issue(['mx.agents.test']), authority.issue(['mx.agents.test'])]
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')]
  const show = (from: { keyFile: string; certFile: string }): void => {
    copyFileSync(from.keyFile, key)
    copyFileSync(from.certFile, cert)
  }
  show(first)
  const config = settings(key, cert)
  const held = await openCertificates(config, empty)
  let changes = 0
  const forget = held.onChange(() => (changes += 1))
  show(second)
  const takeOver = await held.read(config)
  t.equal(held.of('mx.agents.test')?.cert, first.cert)
  takeOver()
  t.equal(held.of('mx.agents.test')?.cert, second.cert)
  t.equal(changes, 1)

  copyFileSync(first.keyFile, key)
  await t.rejects(held.read(config), { message: `${key} is not the key of the certificate in ${cert}` })
  writeFileSync(cert, 'nonsense')
  await t.rejects(held.read(config), { message: /cert\.pem is not a certificate in PEM form/ })
  writeFileSync(key, 'nonsense')
  copyFileSync(second.certFile, cert)
  await t.rejects(held.read(config), { message: /key\.pem is not a private key in PEM form/ })
  t.equal(held.of('mx.agents.test')?.key, second.key)
  forget()
  show(first)
  ;(await held.read(config))()
  t.equal(changes, 1)
})

t.test('what another daemon has obtained is used after it was read again', opensslPeer(), async (t) => {
  const authority = createAuthority(t.testdir())
  const store = createStore(memoryEngine())
  const log = captureLog().log
  const vault = await openVault({ store, secretKey: Buffer.alloc(32), log })
  t.teardown(() => vault.stop())
  const files = createCertFiles(vault.files('certificates'), log)
  const config = loadConfig({
    set: ['domains.hostname=mx.agents.test', 'tls.acme=https://acme.test/dir', 'tls.acme_terms_agreed=true'],
  })
  const [one, two] = [await openCertificates(config, files), await openCertificates(config, files)]
  let changes = 0
  two.onChange(() => (changes += 1))
  for (const count of [1, 2]) {
    const pair = authority.issue(['mx.agents.test'])
    one.put('mx.agents.test', await files.write('mx.agents.test', pair.key, pair.cert))
    await two.readAgain()
    t.equal(two.of('mx.agents.test')?.key, one.of('mx.agents.test')?.key)
    t.equal(changes, count)
  }
  await two.readAgain()
  t.equal(changes, 2, 'nothing is told when nothing has changed')
  t.match(two.of('mx.agents.test')?.certFile, 'the row certificates/mx.agents.test/pair.pem of cluster/vault')
})
