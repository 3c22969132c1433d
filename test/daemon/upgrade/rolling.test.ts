/** Nodes of two versions work side by side, and what is stored gets the newer form once all that are left know it, while they work. */
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { joinCluster } from '../../../src/cluster/cluster.js'
import { join, leave } from '../../../src/cluster/members.js'
import { MEMBERS, memberKey, readMembers, type Member } from '../../../src/cluster/rows.js'
import { readStatus } from '../../../src/cluster/status.js'
import type { Migration } from '../../../src/daemon/upgrade/migration.js'
import { MIGRATIONS } from '../../../src/daemon/upgrade/migrations.js'
import { startRollingUpgrade } from '../../../src/daemon/upgrade/rolling.js'
import { finish, upgrade, type UpgradeDeps } from '../../../src/daemon/upgrade/upgrade.js'
import { systemClock } from '../../../src/lib/clock.js'
import type { Engine } from '../../../src/store/engine.js'
import { openPostgres } from '../../../src/store/engines/postgres/postgres.js'
import { decode, encode, key, keyParts, prefixRange } from '../../../src/store/keys.js'
import { createStoredForm, readSchema, SCHEMA_VERSION, type StoredForm } from '../../../src/store/schema-version.js'
import { createStore } from '../../../src/store/store.js'
import type { Store } from '../../../src/store/types.js'
import { captureLog } from '../../support/log.js'
import { postgresPeer } from '../../support/peers/postgres.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { dyingAtEachCommit } from '../../support/store/mortal-engine.js'
import { createTestDatabase } from '../../support/store/test-database.js'

const OLD = SCHEMA_VERSION
const NEW = SCHEMA_VERSION + 1
const BOXES = ['a', 'b', 'c', 'd', 'e']
const boxOf = (n: number): string => `box/${BOXES[n % BOXES.length]}`

/** A number was a row `old`, and is a row `new`. A box at each step. */
const moving = (onStep: (box: string) => void = () => undefined): Migration => ({
  to: NEW,
  about: 'numbers are in other rows',
  isRolling: true,
  async step(store, cursor) {
    const box = BOXES.find((each) => each > cursor)
    if (box === undefined) return undefined
    onStep(box)
    await store.write(`box/${box}`, async (tx) => {
      for (const [row, value] of await tx.range(prefixRange('old'))) {
        tx.put(key('new', keyParts(row)[1] ?? ''), value)
        tx.delete(row)
      }
    })
    return box
  },
})

/** As the program writes that knows both. */
const put = (store: Store, form: StoredForm, n: number): Promise<void> =>
  store.write([boxOf(n), ...form.partitions()], async (tx) =>
    tx.put(key((await form.of(tx)) >= NEW ? 'new' : 'old', n), encode(n)),
  )

/** As the program writes that knows only the older. */
const putOld = (store: Store, n: number): Promise<void> =>
  store.write(boxOf(n), (tx) => tx.put(key('old', n), encode(n)))

async function numbersIn(store: Store, family: 'old' | 'new'): Promise<number[]> {
  const rows = await Promise.all(
    BOXES.map((box) => store.read(`box/${box}`, (view) => view.range({ ...prefixRange(family), limit: 10_000 }))),
  )
  return rows
    .flat()
    .map(([, value]) => decode<number>(value))
    .sort((a, b) => a - b)
}

/** What each node has of one store. */
type Open = () => Promise<Engine>

async function inMemory(): Promise<Open> {
  const engine = memoryEngine({ conflicts: 0 })
  return async () => ({ ...engine, close: async () => undefined })
}

async function inPostgres(t: Test): Promise<Open> {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  return () => openPostgres({ url: database.url, clock: systemClock, connections: 4 })
}

// Looked for before the first test: tap ends the file when nothing runs between two.
const peer = await postgresPeer()

/** Tests on both engines. */
async function onEach(name: string, fn: (t: Test, open: Open) => Promise<void>): Promise<void> {
  await t.test(`${name} (memory)`, async (t) => fn(t, await inMemory()))
  await t.test(`${name} (postgres)`, peer, async (t) => fn(t, await inPostgres(t)))
}

const memberOf = (name: string, knows: number): Member => ({
  id: name,
  instance: `${name}-1`,
  name,
  host: 'here',
  pid: 1,
  version: String(knows),
  knows,
  roles: ['jobs'],
  blobs: '',
  since: 0,
})

const depsOf = (
  store: Store,
  me: Member,
  migration = moving(),
): UpgradeDeps & { log: ReturnType<typeof captureLog>['log'] } => ({
  store,
  dataDir: '/data',
  entries: 0,
  version: me.version,
  clock: systemClock,
  log: captureLog().log,
  me: me.instance,
  migrations: me.knows === OLD ? MIGRATIONS : [...MIGRATIONS, migration],
})

/** A node as the daemon starts it. */
async function startNode(t: Test, engine: Engine, me: Member, migration = moving()) {
  const cluster = await joinCluster({
    engine,
    me,
    signal: new AbortController().signal,
    onTwin: () => undefined,
    onMembers: () => undefined,
    onDead: () => undefined,
    onError: () => undefined,
    onLost: () => undefined,
  })
  const store = createStore(cluster.engine)
  const { log, lines } = captureLog()
  const deps = { ...depsOf(store, me, migration), log }
  const waits = await upgrade(deps)
  const end = waits ? startRollingUpgrade({ ...deps, shards: cluster.shards }) : async () => undefined
  cluster.begin()
  return {
    store,
    waits,
    lines,
    async stop() {
      await end()
      await store.close()
    },
  }
}

/** Writes numbers until it is stopped. */
function keepWriting(first: number, write: (n: number) => Promise<void>) {
  const written: number[] = []
  let isOn = true
  const work = (async () => {
    for (let n = first; isOn; n++) {
      await write(n)
      written.push(n)
      await pause(1)
    }
  })()
  return {
    written,
    async stop(): Promise<number[]> {
      isOn = false
      await work
      return written
    },
  }
}

const until = async (isDone: () => Promise<boolean>): Promise<void> => {
  while (!(await isDone())) await pause(50)
}
const hasForm = async (store: Store, form: number): Promise<boolean> => {
  const schema = await readSchema(store)
  return schema?.version === form && schema.from === undefined
}

await onEach('two versions side by side, and the newer form once the older version is gone', async (t, open) => {
  const first = await startNode(t, await open(), memberOf('first', OLD))
  t.notOk(first.waits)
  const second = await startNode(t, await open(), memberOf('second', NEW))
  t.ok(second.waits)
  t.match(second.lines, [{ from: OLD, to: NEW, waits_for: ['first'], msg: /waits until all nodes know its form/ }])
  const form = createStoredForm(NEW)
  const olds = keepWriting(0, (n) => putOld(first.store, n))
  const news = keepWriting(100_000, (n) => put(second.store, form, n))
  await until(async () => olds.written.length > 20 && news.written.length > 20)
  t.match(await readStatus(first.store), {
    form: OLD,
    upgrade: { to: NEW, isBegun: false, waitsFor: [{ name: 'first' }] },
  })
  const third = await startNode(t, await open(), memberOf('third', NEW))
  const seen = await numbersIn(first.store, 'old')
  t.ok(
    [...olds.written.slice(0, 20), ...news.written.slice(0, 20)].every((n) => seen.includes(n)),
    'each reads both',
  )
  t.same(await numbersIn(first.store, 'new'), [], 'rows that the older one does not know')
  const all = await olds.stop()
  await first.stop()
  await until(() => hasForm(second.store, NEW))
  const count = news.written.length
  await until(async () => news.written.length > count + 5)
  all.push(...(await news.stop()))
  t.same(await numbersIn(third.store, 'old'), [])
  t.same(
    await numbersIn(third.store, 'new'),
    all.sort((a, b) => a - b),
    'none is lost',
  )
  t.same(form.partitions(), [], 'the form is not asked for any more')
  const lines = [...second.lines, ...third.lines]
  t.same(
    lines.flatMap((line) => ('waits_for' in line ? [line['waits_for']] : [])),
    [['first'], ['first']],
  )
  t.equal(lines.filter(({ msg }) => /has the form of this version now/.test(String(msg))).length, 1)
  t.match(await readStatus(second.store), { form: NEW, upgrade: undefined })
  await t.rejects(startNode(t, await open(), memberOf('first', OLD)), {
    name: 'UnfitFolderError',
    message: `the database of store.url is in a form that this version does not know (${NEW}, here ${OLD}): Restante ${NEW} has worked on it.`,
  })
  t.same(
    (await second.store.read(MEMBERS, readMembers)).map(({ name }) => name),
    ['second', 'third'],
  )
  const fourth = await startNode(t, await open(), memberOf('fourth', NEW))
  t.notOk(fourth.waits)
  for (const node of [second, third, fourth]) await node.stop()
})

await onEach('a node that dies between two steps is followed by another', async (t, open) => {
  // Without a role, so that the one that comes next owns the shard.
  const old = await startNode(t, await open(), { ...memberOf('old', OLD), roles: [] })
  for (let n = 0; n < 20; n++) await putOld(old.store, n)
  let isDead = false
  const engine = await open()
  const dying: Engine = {
    ...engine,
    async commit(...args) {
      if (isDead) throw new Error('The process died')
      return engine.commit(...args)
    },
  }
  const first = await startNode(
    t,
    dying,
    memberOf('first', NEW),
    moving((box) => (isDead = box === 'c')),
  )
  const second = await startNode(t, await open(), memberOf('second', NEW))
  await old.stop()
  await until(async () => isDead)
  await until(() => hasForm(second.store, NEW))
  t.same(await numbersIn(second.store, 'old'), [])
  t.equal((await numbersIn(second.store, 'new')).length, 20)
  await second.stop()
  await first.stop().catch(() => t.pass('it is dead'))
})

/** A store of the older form with numbers and nodes. */
async function filled(engine: Engine, members: readonly Member[]): Promise<Store> {
  const store = createStore(engine)
  await upgrade(depsOf(store, memberOf('before', OLD)))
  for (let n = 0; n < 20; n++) await putOld(store, n)
  await store.write(MEMBERS, (tx) => {
    for (const member of members) tx.put(memberKey(member.id), encode(member))
  })
  return store
}

const ME = memberOf('me', NEW)
const OTHER = memberOf('other', NEW)

t.test(
  'a kill before or after any commit: another node goes on, and nothing is written in the older form',
  async (t) => {
    let deaths = 0
    await dyingAtEachCommit(() => memoryEngine({ lateness: 0, conflicts: 0 }), {
      prepare: (engine) => filled(engine, [ME, OTHER]),
      run: async (engine) => void (await finish(depsOf(createStore(engine), ME), NEW)),
      async check(_engine, store) {
        deaths++
        await put(store, createStoredForm(NEW), 100)
        t.ok(await finish(depsOf(store, OTHER), NEW))
        t.same(await readSchema(store), { version: NEW, by: String(NEW) })
        t.same(await numbersIn(store, 'old'), [])
        t.same(await numbersIn(store, 'new'), [...Array.from({ length: 20 }, (_, n) => n), 100])
      },
    })
    t.ok(deaths >= 2 * (BOXES.length + 2))
  },
)

t.test('two nodes that upgrade at once end with one form', async (t) => {
  for (let seed = 1; seed <= 20; seed++) {
    const store = await filled(memoryEngine({ conflicts: 0.2, seed }), [ME, OTHER])
    await Promise.all([ME, OTHER].map((me) => finish(depsOf(store, me), NEW)))
    t.same(await readSchema(store), { version: NEW, by: String(NEW) })
    t.equal((await numbersIn(store, 'new')).length, 20)
    t.same(await store.read('meta', (view) => view.range(prefixRange('migration'))), [])
  }
})

/** An engine whose first commit waits: `reached` resolves when it is asked for, and `release` lets it go on. */
function held(engine: Engine) {
  let reach = (): void => undefined
  let release = (): void => undefined
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const holding: Engine = {
    ...engine,
    async commit(...args) {
      reach()
      await released
      return engine.commit(...args)
    },
  }
  return { engine: holding, reached, release: () => release() }
}

const joining = (store: Store, me: Member): Promise<bigint> =>
  join({ store, me, signal: new AbortController().signal, onTwin: () => undefined })

await onEach(
  'a node of the older version that is about to join when the upgrade begins is refused',
  async (t, open) => {
    const store = await filled(await open(), [ME])
    const { engine, reached, release } = held(await open())
    const late = createStore(engine)
    const joined = t.rejects(joining(late, memberOf('late', OLD)), { name: 'UnfitFolderError' })
    await reached
    t.ok(await finish(depsOf(store, ME), NEW))
    release()
    await joined
    t.same(
      (await store.read(MEMBERS, readMembers)).map(({ name }) => name),
      ['me'],
    )
    await Promise.all([store.close(), late.close()])
  },
)

await onEach(
  'an upgrade that is about to begin when a node of the older version joins does not begin',
  async (t, open) => {
    const store = await filled(await open(), [ME])
    const { engine, reached, release } = held(await open())
    const mine = createStore(engine)
    const finished = finish(depsOf(mine, ME), NEW)
    await reached
    await joining(store, memberOf('late', OLD))
    release()
    t.notOk(await finished)
    t.same(await readSchema(store), { version: OLD, by: String(OLD) })
    t.equal((await numbersIn(store, 'old')).length, 20, 'nothing was changed')
    await leave(store, 'late')
    t.ok(await finish(depsOf(mine, ME), NEW))
    await Promise.all([store.close(), mine.close()])
  },
)

await onEach(
  'a row about to be written in the older form when the upgrade begins gets the newer one',
  async (t, open) => {
    const store = await filled(await open(), [ME, OTHER])
    const { engine, reached, release } = held(await open())
    const other = createStore(engine)
    const written = put(other, createStoredForm(NEW), 100)
    await reached
    t.ok(await finish(depsOf(store, ME), NEW))
    release()
    await written
    t.same(await numbersIn(store, 'old'), [])
    t.ok((await numbersIn(store, 'new')).includes(100))
    await Promise.all([store.close(), other.close()])
  },
)

await onEach('of two first nodes of two versions the store has the older form', async (t, open) => {
  const store = createStore(await open())
  await joining(store, memberOf('older', OLD))
  await joining(store, ME)
  t.ok(await upgrade(depsOf(store, ME)))
  t.match(await readSchema(store), { version: OLD })
  t.notOk(await upgrade(depsOf(store, memberOf('older', OLD))))
  await store.close()
})
