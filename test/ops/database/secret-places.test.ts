/** Secrets move into a shared database and out of it, and nothing that was signed or sealed with them is lost. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { generateMissing, openDkimKeys } from '../../../src/authentication/keys.js'
import { createCertFiles } from '../../../src/certificates/cert-files.js'
import { hasVault } from '../../../src/cluster/vault.js'
import { openSecrets } from '../../../src/config/secrets.js'
import { DAY, ManualClock, systemClock } from '../../../src/lib/clock.js'
import { openSecretPlaces, type PlacesSettings, type SecretPlaces } from '../../../src/ops/database/secret-places.js'
import { createStore } from '../../../src/store/store.js'
import type { Store } from '../../../src/store/types.js'
import { captureLog } from '../../support/log.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { writeSecretKey } from '../../support/daemon.js'

const OTHER_KEY = 'a1'.repeat(32)

/** @param key '' for no file */
async function machine(t: Test, { key, othersMs }: { key?: string; othersMs?: number } = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'secret-places-'))
  t.teardown(() => rm(dir, { recursive: true }))
  const dataDir = join(dir, 'data')
  mkdirSync(dataDir, { recursive: true })
  const { log, lines } = captureLog()
  const settings = (url: string, file: string): PlacesSettings => ({
    server: { data_dir: dataDir, secret_key_file: file },
    domains: { dkim_dir: join(dataDir, 'dkim') },
    store: { url, password_file: '', ca_file: '', connections: 8 },
  })
  const file = key === '' ? '' : await writeSecretKey(dir, key)
  /** As a start of the daemon. */
  async function start(store: Store, url: string, entries: number) {
    const places = await openSecretPlaces({
      config: settings(url, file),
      store,
      entries,
      log,
      ...(othersMs !== undefined && { othersMs }),
    })
    t.teardown(() => places.stop())
    const { adminToken, ...secrets } = await openSecrets(dataDir, places.secrets)
    return { places, secrets, adminToken, keys: await openDkimKeys({ files: places.dkim, clock: systemClock }) }
  }
  return {
    dataDir,
    lines,
    startShared: (store: Store, entries = 0) => start(store, 'postgres://restante@db.test/restante', entries),
    startEmbedded: (store: Store) => start(store, '', 1),
  }
}

const newStore = (): Store => createStore(memoryEngine({ lateness: 0 }))
const textsOf = async ({ secrets, dkim, certificates }: SecretPlaces) =>
  Promise.all([secrets, dkim, certificates].map((files) => files.readAll((name) => name !== 'admin_token')))

t.test('daemons that start at the same time on a new database have the same secrets and DKIM keys', async (t) => {
  const store = newStore()
  const [one, two] = [await machine(t), await machine(t)]
  const starting = [one, two].map(async ({ startShared }) => {
    const { secrets, keys } = await startShared(store)
    await generateMissing(keys, ['agents.test'])
    await keys.reload()
    return { secrets, keys: keys.list().map(({ name, state }) => `${name} ${state}`) }
  })
  const [first, second] = await Promise.all(starting)
  t.same(first, second)
  t.equal(first?.keys.length, 2, 'one key of each algorithm')
  for (const { dataDir } of [one, two]) {
    t.same(readdirSync(join(dataDir, 'secrets')), ['admin_token'], 'nothing else of it is on the disk')
    t.notOk(existsSync(join(dataDir, 'dkim')))
  }
})

t.test('what a data folder has is put into a copied database, for all daemons on it, and comes back', async (t) => {
  const first = await machine(t)
  const embedded = await first.startEmbedded(newStore())
  await embedded.keys.generate('agents.test')
  await createCertFiles(embedded.places.certificates, captureLog().log).setState('mx.agents.test', {
    directory: 'https://acme.test',
    issued_by: null,
    tried_at: 1,
    failures: 1,
    error: 'no',
    next_try_at: 2,
  })
  const before = await textsOf(embedded.places)
  t.ok(before.every(({ size }) => size > 0))

  const store = newStore()
  const shared = await first.startShared(store, 100)
  t.same(await textsOf(shared.places), before)
  t.same(shared.secrets, embedded.secrets)
  const second = await machine(t)
  const other = await second.startShared(store, 100)
  t.same(await textsOf(other.places), before)
  t.not(other.adminToken, shared.adminToken, 'each machine has a token of its own')

  // A year of changes, by either of them.
  const clock = new ManualClock(Date.now() + 365 * DAY)
  const keys = await openDkimKeys({ files: other.places.dkim, clock })
  for (const key of await keys.prepare('agents.test')) await keys.activate(key)
  await keys.retireSuperseded()
  await keys.generate('own.test')
  const after = await textsOf(shared.places)
  const again = await first.startShared(store, 100)
  t.same(await textsOf(again.places), after, 'the old files of the folder are not put in again')
  t.same(
    first.lines.filter(({ level }) => level === 'warn'),
    [],
  )

  const back = await first.startEmbedded(store)
  t.same(await textsOf(back.places), after)
  t.same(back.secrets, embedded.secrets)
  t.equal(await hasVault(store), false)
  t.same(await textsOf((await first.startEmbedded(store)).places), after)
})

t.test('another machine has other secrets: those of the database count, and it is logged once', async (t) => {
  const store = newStore()
  const { secrets } = await (await machine(t)).startShared(store)
  const other = await machine(t)
  const own = await other.startEmbedded(newStore())
  t.notSame(own.secrets, secrets)
  t.same((await other.startShared(store, 100)).secrets, secrets)
  t.same((await other.startShared(store, 100)).secrets, secrets)
  const warnings = other.lines.filter(({ level }) => level === 'warn')
  t.match(warnings, [{ msg: /other secrets than the database/, names: Array }])
  t.equal(warnings.length, 1)
  const log = JSON.stringify(other.lines)
  for (const secret of Object.values({ ...secrets, ...own.secrets })) t.notOk(log.includes(secret.toString('hex')))
})

t.test(
  'a key file that an operator adds is used by all; one that can’t sign never gets into the database',
  async (t) => {
    const [store, other] = [newStore(), await machine(t)]
    const { keys } = await (await machine(t)).startShared(store)
    const made = await machine(t)
    await (await made.startEmbedded(newStore())).keys.generate('own.test')
    const adding = await machine(t)
    mkdirSync(join(adding.dataDir, 'dkim', 'own.test'), { recursive: true })
    const [name = ''] = readdirSync(join(made.dataDir, 'dkim', 'own.test'))
    const file = join(adding.dataDir, 'dkim', 'own.test', 'mail.pem')
    writeFileSync(file, readFileSync(join(made.dataDir, 'dkim', 'own.test', name)))
    await adding.startShared(store, 100)
    await keys.reload()
    t.match(keys.signingKeys('own.test'), [{ selector: 'mail' }])
    writeFileSync(file, 'no key')
    await t.rejects(adding.startShared(store, 100), {
      message: `${file} is not a private key in PEM form without a passphrase.`,
    })
    await t.resolves(other.startShared(store, 100))
  },
)

t.test('a start is refused', async (t) => {
  const store = newStore()
  const first = await machine(t)
  await first.startShared(store)

  await t.test('with another key', async (t) => {
    await t.rejects((await machine(t, { key: OTHER_KEY })).startShared(store, 100), {
      name: 'SettingError',
      setting: 'server.secret_key_file',
      problem: /^another key sealed the secrets of this database\. Name the file with the key that the other machines/,
    })
  })

  await t.test('on an embedded copy of it without the key, or with another', async (t) => {
    await t.rejects((await machine(t, { key: '' })).startEmbedded(store), {
      name: 'SettingError',
      setting: 'server.secret_key_file',
      problem: /^has to be set for this start/,
    })
    await t.rejects((await machine(t, { key: OTHER_KEY })).startEmbedded(store), {
      name: 'SettingError',
      problem: /^another key sealed/,
    })
    t.equal(await hasVault(store), true, 'nothing is lost')
  })

  await t.test('on a database in use whose secrets are on another machine', async (t) => {
    const copied = newStore()
    await t.rejects((await machine(t, { othersMs: 0 })).startShared(copied, 100), {
      name: 'UnfitFolderError',
      message: /has no secrets yet, and the data folder .* has none either\. Start the daemon first whose/,
    })
    const other = await machine(t)
    const { secrets } = await other.startEmbedded(newStore())
    // The right one comes a moment later.
    const [late, right] = await Promise.all([
      (await machine(t)).startShared(copied, 100),
      other.startShared(copied, 100),
    ])
    t.same(late.secrets, secrets)
    t.same(right.secrets, secrets)
  })
})
