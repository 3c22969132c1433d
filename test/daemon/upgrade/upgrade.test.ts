/** A data folder gets the form of this version, whatever cuts that off; one of a newer version is left as it is. */
import t, { type Test } from 'tap'
import { MEMBERS, memberKey } from '../../../src/cluster/rows.js'
import { MIGRATIONS } from '../../../src/daemon/upgrade/migrations.js'
import type { Migration } from '../../../src/daemon/upgrade/migration.js'
import { upgrade } from '../../../src/daemon/upgrade/upgrade.js'
import { systemClock } from '../../../src/lib/clock.js'
import type { Engine } from '../../../src/store/engine.js'
import { asBuffer, decode, encode, key, prefixRange } from '../../../src/store/keys.js'
import { readSchema, SCHEMA_VERSION } from '../../../src/store/schema-version.js'
import { createStore } from '../../../src/store/store.js'
import type { Store } from '../../../src/store/types.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { mortal } from '../../support/store/mortal-engine.js'

const BOXES = ['a', 'b', 'c', 'd', 'e']
/** Of a version to come. */
const NEXT = SCHEMA_VERSION + 1

function upgradeOf(
  store: Store,
  migrations?: readonly Migration[],
  entries = 0,
): { run: () => Promise<boolean>; lines: unknown[] } {
  const lines: unknown[] = []
  const tell = (fields: object, message?: string): void => void lines.push({ ...fields, message })
  const log = { info: tell, warn: tell }
  const deps = {
    store,
    dataDir: '/data',
    entries,
    version: '9.9.9',
    clock: systemClock,
    log,
    ...(migrations && { migrations }),
  }
  return { run: () => upgrade(deps), lines }
}

/** As a version before there were numbers left it. */
async function older(t: Test, engine: Engine = memoryEngine()): Promise<Engine> {
  const store = createStore(engine)
  await store.write('meta', (tx) => tx.put(key('mailbox', 'mbx_1'), new Uint8Array(0)))
  for (const box of BOXES) await store.write(`box/${box}`, (tx) => tx.put(key('n'), encode(1)))
  t.teardown(() => engine.close())
  return engine
}

const valueOf = (store: Store, box: string): Promise<number> =>
  store.read(`box/${box}`, async (view) => decode<number>((await view.get(key('n'))) ?? encode(-1)))

/** Doubles a number in each box; the box says that it was done, since a step may come twice. */
const doubling = (steps: string[]): Migration => ({
  to: NEXT,
  about: 'numbers are doubled',
  async step(store, cursor) {
    const next = BOXES.find((box) => box > cursor)
    if (next === undefined) return undefined
    steps.push(next)
    await store.write(`box/${next}`, async (tx) => {
      if (await tx.get(key('doubled'))) return
      tx.put(key('n'), encode(decode<number>((await tx.get(key('n'))) ?? encode(0)) * 2))
      tx.put(key('doubled'), encode(true))
    })
    return next
  },
})

t.test('the newest migration brings a folder to the version that is written', async (t) => {
  t.equal(MIGRATIONS.at(-1)?.to, SCHEMA_VERSION)
  const versions = MIGRATIONS.map(({ to }) => to)
  t.same(
    versions,
    [...new Set(versions)].sort((a, b) => a - b),
    'one after the other',
  )
})

t.test('a database that counts entries, of which the first cannot be read, is not taken for new', async (t) => {
  const store = createStore(memoryEngine())
  const { run } = upgradeOf(store, undefined, 3050)
  await t.rejects(run(), { name: 'DamagedFolderError', message: /counts 3050 entries.*restante restore/ })
  t.equal(await store.version('meta'), 0n, 'nothing was written')
  await store.close()
})

t.test('a new folder has the newest version, and nothing is done to it', async (t) => {
  const store = createStore(memoryEngine())
  const { run, lines } = upgradeOf(store)
  await run()
  t.same(await readSchema(store), { version: SCHEMA_VERSION, by: '9.9.9' })
  await run()
  t.same(lines, [])
})

t.test('a folder without a version is brought up, and the log tells of it', async (t) => {
  const store = createStore(await older(t))
  const steps: string[] = []
  const { run, lines } = upgradeOf(store, [...MIGRATIONS, doubling(steps)])
  await run()
  t.same(await readSchema(store), { version: NEXT, by: '9.9.9' })
  for (const box of BOXES) t.equal(await valueOf(store, box), 2)
  t.match(lines, [
    { from: 0, to: NEXT, message: /^what is stored is brought from version 0 to/ },
    ...[...MIGRATIONS]
      .sort((a, b) => Number(b.isFirst ?? false) - Number(a.isFirst ?? false))
      .flatMap(({ to }) => [
        { to, message: 'upgrading what is stored' },
        { to, message: 'upgraded' },
      ]),
    { to: NEXT, about: 'numbers are doubled' },
    { to: NEXT, message: 'upgraded' },
    { from: 0, to: NEXT },
  ])
  await run()
  t.same(steps, BOXES, 'each once')
})

t.test('it can be cut off before and after each commit', async (t) => {
  for (const moment of ['before', 'after'] as const) {
    let died = true
    for (let at = 1; died; at++) {
      const engine = await older(t)
      const failing = mortal(engine, at, moment)
      const steps: string[] = []
      failing.arm()
      await upgradeOf(createStore(failing.engine), [...MIGRATIONS, doubling(steps)])
        .run()
        .catch(() => undefined)
      died = failing.died()
      const store = createStore(engine)
      if (steps.length > 0)
        t.equal((await readSchema(store))?.version, NEXT, 'an older version refuses it from the first step on')
      const again: string[] = []
      await upgradeOf(store, [...MIGRATIONS, doubling(again)]).run()
      for (const box of BOXES) t.equal(await valueOf(store, box), 2, `${moment} ${at}: ${box}`)
      t.same(await readSchema(store), { version: NEXT, by: '9.9.9' })
      t.ok(again.length <= BOXES.length - steps.length + 1, 'what was done is not begun anew')
      const { gte, lt } = prefixRange('migration')
      t.same(await store.read('meta', (view) => view.range({ gte, lt })), [])
    }
  }
})

t.test('a folder of a newer version is refused by the name of the one that wrote it, and stays as it is', async (t) => {
  const engine = await older(t)
  const store = createStore(engine)
  await upgradeOf(store, [...MIGRATIONS, doubling([])]).run()
  const rows = async () =>
    (await store.read('meta', (view) => view.range(prefixRange()))).map((row) =>
      row.map((part) => asBuffer(part).toString('hex')),
    )
  const before = [await rows(), await store.version('meta')]
  await t.rejects(upgradeOf(store).run(), {
    name: 'UnfitFolderError',
    message: new RegExp(
      `^the data folder /data is in a form that this version does not know \\(${NEXT}, here ${SCHEMA_VERSION}\\): Restante 9\\.9\\.9 has worked on it\\. Start Restante 9\\.9\\.9 or later`,
    ),
  })
  t.same([await rows(), await store.version('meta')], before)
})

t.test('nothing is upgraded under other daemons, which know only the form from before', async (t) => {
  const store = createStore(await older(t))
  await store.write(MEMBERS, (tx) => tx.put(memberKey('other'), encode({ instance: 'other', knows: SCHEMA_VERSION })))
  await t.rejects(upgradeOf(store, [doubling([])]).run(), {
    name: 'UnfitFolderError',
    message: /1 other daemon works on the database.*nothing was changed/,
  })
  t.equal(await readSchema(store), undefined)
  t.equal(await valueOf(store, 'a'), 1)
  await store.write(MEMBERS, (tx) => tx.delete(memberKey('other')))
  await upgradeOf(store, [doubling([])]).run()
  t.equal(await valueOf(store, 'a'), 2)
  await store.write(MEMBERS, (tx) => tx.put(memberKey('other'), encode({ instance: 'other', knows: NEXT })))
  t.equal(await upgradeOf(store, [doubling([])]).run(), false, 'beside others once it has the form')
})
