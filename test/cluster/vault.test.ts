/** Secrets in a shared database: sealed, bound to their names, and agreed on by daemons that start at the same time. */
import { EventEmitter, once } from 'node:events'
import t, { type Test } from 'tap'
import { openVault, type Vault } from '../../src/cluster/vault.js'
import { createSealer, SEAL_BYTES } from '../../src/lib/sealing.js'
import { key, keyParts, prefixRange } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { captureLog } from '../support/log.js'
import { memoryEngine } from '../support/store/memory-engine.js'

const PARTITION = 'cluster/vault'
const SECRET = 'a private key, and nobody else may see it'
const KEY = Buffer.alloc(32, 7)

async function open(t: Test, store: Store, secretKey: Uint8Array = KEY): Promise<Vault> {
  const vault = await openVault({ store, secretKey, log: captureLog().log })
  t.teardown(() => vault.stop())
  return vault
}

const rows = (store: Store): Promise<[Uint8Array, Uint8Array][]> =>
  store.read(PARTITION, (view) => view.range(prefixRange()))

t.test('a sealed value', async (t) => {
  const { seal, open } = createSealer(KEY, 'a purpose')
  const sealed = seal('name', Buffer.from(SECRET))
  t.equal(sealed.length, SECRET.length + SEAL_BYTES)
  t.equal(open('name', sealed)?.toString(), SECRET)
  t.notSame(seal('name', Buffer.from(SECRET)), sealed, 'each has an IV of its own')
  t.equal(open('name', seal('name', new Uint8Array(0)))?.length, 0)

  await t.test('is opened by nothing else', async (t) => {
    t.equal(open('another', sealed), undefined, 'another name')
    t.equal(createSealer(KEY, 'another').open('name', sealed), undefined, 'another purpose')
    t.equal(createSealer(Buffer.alloc(32, 8), 'a purpose').open('name', sealed), undefined, 'another key')
  })

  await t.test('is not opened once a bit of it is another, or a part is missing', async (t) => {
    for (let at = 0; at < sealed.length; at++) {
      const tampered = Buffer.from(sealed)
      tampered[at] = (tampered[at] ?? 0) ^ 1
      if (open('name', tampered) !== undefined) t.fail(`octet ${at} may be another`)
    }
    for (let end = 0; end < sealed.length; end++)
      if (open('name', sealed.subarray(0, end)) !== undefined) t.fail(`${end} octets are enough`)
  })
})

t.test('secrets are read by every daemon with the key, and are nowhere in plain text', async (t) => {
  const store = createStore(memoryEngine())
  const [first, second] = [await open(t, store), await open(t, store)]
  const [here, there] = [first.files('dkim'), second.files('dkim')]
  t.equal(await here.create('agents.test/r1.pem', SECRET), true)
  t.equal(await there.create('agents.test/r1.pem', 'another'), false, 'the first one wins')
  t.equal(await there.read('agents.test/r1.pem'), SECRET)
  await first.files('secrets').replace('web_key', SECRET)
  await here.create('agents.test/e1.pem', SECRET)
  t.same(await there.names(), ['agents.test/e1.pem', 'agents.test/r1.pem'], 'areas are apart')
  t.same([...(await there.readAll((name) => name.endsWith('r1.pem')))], [['agents.test/r1.pem', SECRET]])
  for (const [row, value] of await rows(store)) {
    t.notOk(Buffer.from(row).includes(SECRET.slice(0, 8)))
    t.notOk(Buffer.from(value).includes(SECRET.slice(0, 8)))
  }

  await there.rename('agents.test/r1.pem', 'agents.test/r1.pem.retired')
  await there.rename('agents.test/r1.pem', 'agents.test/r1.pem.retired')
  t.equal(await here.read('agents.test/r1.pem.retired'), SECRET, 'it is sealed under its new name')
  await here.remove('agents.test/e1.pem')
  await here.remove('agents.test/e1.pem')
  t.same(await there.names(), ['agents.test/r1.pem.retired'])
  await here.create('other.test/r1.pem', SECRET)
  await there.removeFolder('agents.test')
  t.same(await here.names(), ['other.test/r1.pem'])
  t.same([...(await second.all()).keys()].sort(), ['dkim/other.test/r1.pem', 'secrets/web_key'])
})

t.test('rows that somebody changed in the database are refused', async (t) => {
  const store = createStore(memoryEngine())
  const secrets = (await open(t, store)).files('secrets')
  await secrets.create('web_key', SECRET)
  await secrets.create('webhook_key', 'another')
  const before = await rows(store)
  const sealedOf = (name: string): Uint8Array =>
    before.find(([row]) => String(keyParts(row)[1]) === `secrets/${name}`)?.[1] ?? new Uint8Array(0)
  const row = key('secret', 'secrets/web_key')
  const refused = { message: /^the secret secrets\/web_key in the database is damaged, or was moved/ }

  await store.write(PARTITION, (tx) => tx.put(row, sealedOf('webhook_key')))
  await t.rejects(secrets.read('web_key'), refused, 'two rows were swapped')
  await t.rejects(
    secrets.readAll(() => true),
    refused,
  )
  const tampered = Buffer.from(sealedOf('web_key'))
  tampered[20] = (tampered[20] ?? 0) ^ 0x80
  await store.write(PARTITION, (tx) => tx.put(row, tampered))
  await t.rejects(secrets.read('web_key'), refused, 'a bit was changed')
  await t.rejects(secrets.rename('web_key', 'web_key.old'), refused)
  await store.write(PARTITION, (tx) => tx.put(row, sealedOf('web_key')))
  t.equal(await secrets.read('web_key'), SECRET)
})

t.test('another key opens nothing and changes nothing', async (t) => {
  const store = createStore(memoryEngine())
  await (await open(t, store)).files('secrets').create('web_key', SECRET)
  const before = await rows(store)
  await t.rejects(open(t, store, Buffer.alloc(32, 8)), {
    name: 'WrongKeyError',
    message: 'another key sealed the secrets of this database',
  })
  t.same(await rows(store), before)
})

t.test('of two keys that come at the same time to a new database one is refused', async (t) => {
  const store = createStore(memoryEngine())
  const starts = await Promise.allSettled([open(t, store), open(t, store, Buffer.alloc(32, 8))])
  t.same(starts.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

t.test('files are put in once: what was removed since does not come back', async (t) => {
  const store = createStore(memoryEngine())
  const [first, second] = [await open(t, store), await open(t, store)]
  const texts = new Map([
    ['secrets/web_key', SECRET],
    ['dkim/agents.test/r1.pem', 'one'],
  ])
  t.same(await first.takeIn(texts), [])
  t.equal(await second.files('secrets').read('web_key'), SECRET)
  await second.files('dkim').rename('agents.test/r1.pem', 'agents.test/r1.pem.retired')
  t.same(await first.takeIn(texts), [])
  t.same(await first.files('dkim').names(), ['agents.test/r1.pem.retired'])
  await second.files('dkim').removeFolder('agents.test')
  t.same(await first.takeIn(texts), [])
  t.same(await first.files('dkim').names(), [])

  const others = new Map([['secrets/web_key', 'of another machine']])
  t.same(await second.takeIn(others), ['secrets/web_key'], 'it is told')
  t.equal(await first.files('secrets').read('web_key'), SECRET, 'and that of the database stays')
  t.same(await second.takeIn(others), [], 'once')
})

for (const [name, hints] of [
  ['by the hint of its commit', true],
  ['by a look, when no hint comes', false],
] as const)
  t.test(`what another daemon changes is seen ${name}; a failure is logged once, and tried again`, async (t) => {
    const engine = memoryEngine()
    const store = createStore(hints ? engine : { ...engine, onCommit: () => () => undefined })
    const { log, lines } = captureLog()
    const vault = await openVault({ store, secretKey: KEY, log, lookMs: hints ? 3_600_000 : 5 })
    t.teardown(() => vault.stop())
    const files = vault.files('dkim')
    let failures = hints ? 0 : 2
    const seen = new EventEmitter()
    files.onChange(async () => {
      if (failures-- > 0) throw new Error('not now')
      seen.emit('change', await files.read('agents.test/r1.pem'))
    })
    const change = once(seen, 'change')
    // The looks alone keep no process running.
    const running = setInterval(() => undefined, 1000)
    t.teardown(() => clearInterval(running))
    await (await open(t, store)).files('dkim').create('agents.test/r1.pem', 'one')
    t.same(await change, ['one'])
    t.equal(lines.length, hints ? 0 : 1)
    t.notMatch(JSON.stringify(lines), /one/)
  })
