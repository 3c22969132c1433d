/** The upgrade without a daemon, on a shared store: beside nodes that may work on, not beside others, and after it was cut off. */
import t, { type Test } from 'tap'
import { joinCluster } from '../../src/cluster/cluster.js'
import { takeOut } from '../../src/cluster/members.js'
import { beatOf, MEMBERS, readMembers, type Member } from '../../src/cluster/rows.js'
import { loadConfig } from '../../src/config/load.js'
import { migrateStore, type Migrated } from '../../src/daemon/migrate-store.js'
import type { Migration } from '../../src/daemon/upgrade/migration.js'
import { MIGRATIONS } from '../../src/daemon/upgrade/migrations.js'
import { systemClock } from '../../src/lib/clock.js'
import { openPostgres } from '../../src/store/engines/postgres/postgres.js'
import { decode, encode, key } from '../../src/store/keys.js'
import { createStoredForm, putSchema, readSchema, SCHEMA_VERSION } from '../../src/store/schema-version.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { writeSecretKey } from '../support/daemon.js'
import { captureLog } from '../support/log.js'
import { postgresPeer } from '../support/peers/postgres.js'
import { createTestDatabase } from '../support/store/test-database.js'

const OLD = SCHEMA_VERSION
const NEW = SCHEMA_VERSION + 1
const BOXES = ['a', 'b', 'c', 'd']
const ROW = key('number')

/** A number gets a unit. A box at each step. */
const withUnits = (
  change: Partial<Migration> = {},
  onStep?: (store: Store, box: string) => Promise<void>,
): Migration => ({
  to: NEW,
  about: 'numbers have units',
  async step(store, cursor) {
    const box = BOXES.find((each) => each > cursor)
    if (box === undefined) return undefined
    await onStep?.(store, box)
    await store.write(`box/${box}`, async (tx) => {
      const row = await tx.get(ROW)
      const value = row && decode<number | string>(row)
      if (typeof value === 'number') tx.put(ROW, encode(`${value} m`))
    })
    return box
  },
  ...change,
})
const ROLLING = { isRolling: true } as const

const memberOf = (name: string, knows: number): Member => ({
  id: name,
  instance: `${name}-1`,
  name,
  host: 'elsewhere',
  pid: 1,
  version: String(knows),
  knows,
  roles: ['jobs'],
  blobs: 's3://restante/mail',
  since: 0,
})

/** A store of the older form. */
async function setting(t: Test) {
  const database = await createTestDatabase()
  const open = () => openPostgres({ url: database.url, clock: systemClock, connections: 4 })
  const store = createStore(await open())
  await store.write(['meta', ...BOXES.map((box) => `box/${box}`)], (tx) => {
    putSchema(tx, { version: OLD, by: 'old' })
    for (const [n, box] of BOXES.entries()) tx.in(`box/${box}`).put(ROW, encode(n))
  })
  t.teardown(async () => {
    await store.close()
    await database.drop()
  })
  const dataDir = t.testdir()
  const config = loadConfig({
    set: [
      `server.data_dir=${dataDir}`,
      'server.node=command',
      `store.url=${database.url}`,
      `server.secret_key_file=${await writeSecretKey(dataDir)}`,
      'blobs.url=s3://restante/mail',
    ],
  })
  let isLost = false
  return {
    store,
    isLost: () => isLost,
    migrate: (migration: Migration): Promise<Migrated> =>
      migrateStore({
        config,
        log: captureLog().log,
        signal: new AbortController().signal,
        onLost: () => (isLost = true),
        migrations: [...MIGRATIONS, migration],
      }),
    async join(me: Member) {
      const cluster = await joinCluster({
        engine: await open(),
        me,
        signal: new AbortController().signal,
        onTwin: () => undefined,
        onMembers: () => undefined,
        onDead: () => undefined,
        onError: () => undefined,
        onLost: () => undefined,
      })
      const ended = (): Promise<void> => cluster.engine.close()
      t.teardown(ended)
      return { store: createStore(cluster.engine), leave: ended }
    },
  }
}

const numbersIn = (store: Store): Promise<unknown[]> =>
  Promise.all(
    BOXES.map((box) => store.read(`box/${box}`, async (view) => decode((await view.get(ROW)) ?? encode(undefined)))),
  )
const namesIn = async (store: Store): Promise<string[]> =>
  (await store.read(MEMBERS, readMembers)).map(({ name }) => name)
const OLD_NUMBERS = [0, 1, 2, 3]
const NEW_NUMBERS = ['0 m', '1 m', '2 m', '3 m']

const peer = await postgresPeer()

t.test('with nobody at work any migration is done, and a second run has nothing to do', peer, async (t) => {
  const { store, migrate } = await setting(t)
  let steps = 0
  const migration = withUnits({}, async () => void steps++)
  t.same(await migrate(migration), { kind: 'done', to: NEW })
  t.same(await numbersIn(store), NEW_NUMBERS)
  t.match(await readSchema(store), { version: NEW, from: undefined })
  t.same(await migrate(migration), { kind: 'done', to: NEW })
  t.equal(steps, BOXES.length)
  t.same(await namesIn(store), [], 'it has left')
})

t.test('nodes that know the form of a rolling migration work on meanwhile', peer, async (t) => {
  const { store, migrate, join } = await setting(t)
  const node = await join(memberOf('node', NEW))
  const form = createStoredForm(NEW)
  const seen: string[][] = []
  const done = await migrate(
    withUnits(ROLLING, async (_store, box) => {
      seen.push(await namesIn(store))
      // Behind the steps: in the newer form, whatever this node knew before.
      await node.store.write(['box/a', ...form.partitions()], async (tx) =>
        tx.put(ROW, encode((await form.of(tx)) >= NEW ? `${box} m` : box)),
      )
    }),
  )
  t.same(done, { kind: 'done', to: NEW })
  t.same(seen[0], ['command', 'node'], 'it takes part meanwhile')
  t.same(await numbersIn(store), ['d m', ...NEW_NUMBERS.slice(1)])
  t.same(await namesIn(store), ['node'])
})

t.test('a node that does not know the form is named, and nothing is changed', peer, async (t) => {
  const { store, migrate, join } = await setting(t)
  await join(memberOf('new', NEW))
  const old = await join(memberOf('old', OLD))
  t.match(await migrate(withUnits(ROLLING)), { kind: 'waits', to: NEW, nodes: [{ name: 'old', knows: OLD }] })
  t.same(await numbersIn(store), OLD_NUMBERS)
  t.same(await readSchema(store), { version: OLD, by: 'old' })
  t.same((await namesIn(store)).sort(), ['new', 'old'], 'it has left')
  await old.leave()
  t.same(await migrate(withUnits(ROLLING)), { kind: 'done', to: NEW })
})

t.test('beside any node a migration that is not a rolling one is refused', peer, async (t) => {
  const { store, migrate, join } = await setting(t)
  const node = await join(memberOf('node', NEW))
  await t.rejects(migrate(withUnits()), {
    name: 'UnfitFolderError',
    message: /Stop all of them, run "restante store migrate".*nothing was changed$/,
  })
  t.same(await numbersIn(store), OLD_NUMBERS)
  t.same(await readSchema(store), { version: OLD, by: 'old' })
  t.same(await namesIn(store), ['node'], 'it has left')
  await node.leave()
  t.same(await migrate(withUnits()), { kind: 'done', to: NEW })
})

t.test('one that others took for dead commits nothing more, and the next run goes on', peer, async (t) => {
  const { store, migrate, isLost } = await setting(t)
  const cutOff = withUnits({}, async (_store, box) => {
    if (box !== 'c') return
    const [me] = await store.read(MEMBERS, readMembers)
    // Until no heartbeat came between.
    for (let out; !out && me;) out = await takeOut(store, { id: me.id, beat: await store.version(beatOf(me.id)) })
  })
  await t.rejects(migrate(cutOff), { name: 'UnreachableStoreError' })
  t.ok(isLost())
  t.same(await numbersIn(store), ['0 m', '1 m', 2, 3])
  t.match(await readSchema(store), { version: NEW, from: OLD })
  const boxes: string[] = []
  t.same(await migrate(withUnits({}, async (_store, box) => void boxes.push(box))), { kind: 'done', to: NEW })
  t.same(boxes, ['c', 'd'])
  t.same(await numbersIn(store), NEW_NUMBERS)
})
