/** What functions ask for at the same time is one snapshot, which is never older than what asks for it. Counted. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { cachedEngine } from '../../../src/store/cache/cached-engine.js'
import { key } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import { observed, put } from '../../support/store/observed-engine.js'

const NAMES = ['p', 'q', 'r']
const rows = (value: string) => NAMES.flatMap((name) => [put('a', value, name), put('b', value, name)])

function opened() {
  const engine = observed()
  const store = createStore(cachedEngine(engine.seen, { maxBytes: 100_000 }))
  const get = (partition: string, row: string): Promise<string> =>
    store.read(partition, async (view) => String(await view.get(key(row))))
  const all = (): Promise<string[]> =>
    Promise.all(NAMES.flatMap((name) => ['a', 'b', 'a', 'b'].map((row) => get(name, row))))
  return { ...engine, store, get, all }
}

t.test('reads at once take one round trip, for their rows and for their versions', async (t) => {
  const { other, all, countsOf } = opened()
  await other(...rows('1'))
  const first = await countsOf(async () => t.same(new Set(await all()), new Set(['1'])))
  t.same([first.trips, first.keys], [1, 6], 'each row once')
  const again = await countsOf(async () => t.same(new Set(await all()), new Set(['1'])))
  t.same([again.trips, again.keys], [1, 0])
  await other(...rows('2'))
  const changed = await countsOf(async () => t.same(new Set(await all()), new Set(['2'])))
  t.same([changed.trips, changed.keys], [2, 6])
})

t.test(
  'what is asked for while a snapshot is read waits for the next, and sees what was committed meanwhile',
  async (t) => {
    const { other, get, all, keepBack, goOn, letGo, countsOf } = opened()
    await other(...rows('1'))
    const counts = await countsOf(async () => {
      keepBack()
      const before = get('p', 'a')
      await nextTurn()
      goOn()
      await other(...rows('2'))
      const after = all()
      letGo()
      t.equal(await before, '1')
      t.same(new Set(await after), new Set(['2']))
    })
    t.equal(counts.trips, 2)
  },
)

t.test('a snapshot that does not end keeps nobody waiting', async (t) => {
  const { other, get, keepBack, goOn, letGo } = opened()
  await other(...rows('1'))
  keepBack()
  const stuck = get('p', 'a')
  await nextTurn()
  goOn()
  t.equal(await get('q', 'a'), '1')
  letGo()
  t.equal(await stuck, '1')
})

t.test('whoever asked gets the error of the snapshot, and the next one is read', async (t) => {
  const { seen, other, countsOf } = observed()
  let fails = true
  const store = createStore(
    cachedEngine(
      { ...seen, read: (fn) => (fails ? Promise.reject(new Error('no connection')) : seen.read(fn)) },
      { maxBytes: 100_000 },
    ),
  )
  await other(...rows('1'))
  const get = (name: string) => store.read(name, async (view) => String(await view.get(key('a'))))
  const failed = await Promise.allSettled(NAMES.map(get))
  t.same(
    failed.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  fails = false
  t.equal((await countsOf(async () => t.same(await Promise.all(NAMES.map(get)), ['1', '1', '1']))).trips, 1)
  await t.rejects(async () => store.versions(['p', '']), 'a wrong name is refused alone')
})

t.test('a transaction that changes nothing is validated by one query', async (t) => {
  const { other, store, countsOf } = opened()
  await other(...rows('1'))
  const refused = () =>
    t.rejects(
      store.write('p', async (tx) => {
        throw new Error(`refused since ${String(await tx.get(key('a')))}`)
      }),
      /since 1/,
    )
  await refused()
  t.equal((await countsOf(refused)).trips, 1)
})
