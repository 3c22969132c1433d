/** What was asked of a partition lately is asked for together when its rows have changed: counted, bounded, and never older than what it comes with. */
import t from 'tap'
import { cachedEngine } from '../../../src/store/cache/cached-engine.js'
import type { Op } from '../../../src/store/engine.js'
import { key, prefixRange } from '../../../src/store/keys.js'
import { createStore } from '../../../src/store/store.js'
import type { View } from '../../../src/store/types.js'
import { observed, put } from '../../support/store/observed-engine.js'

const ROWS = { ...prefixRange('row'), limit: 10 }

/** One thing after the other, of three partitions. */
async function chain(view: View): Promise<string[]> {
  const found: string[] = []
  for (const name of ['p', 'q', 'r']) {
    for (const row of ['a', 'b', 'none']) found.push(String(await view.in(name).get(key(row))))
    found.push(String((await view.in(name).range(ROWS)).length))
  }
  return found
}

const everywhere = (value: string): Op[] =>
  ['p', 'q', 'r'].flatMap((name) => [put('a', value, name), put('b', value, name), put('row', value, name)])
const all = (value: string): string[] => ['p', 'q', 'r'].flatMap(() => [value, value, 'undefined', '1'])

t.test('a function reads what has changed in one round trip after that which finds the change', async (t) => {
  const { seen, other, countsOf } = observed()
  const store = createStore(cachedEngine(seen, { maxBytes: 100_000 }))
  await other(...everywhere('1'))
  const look = async (value: string) => t.same(await store.read('p', chain), all(value))
  t.equal((await countsOf(() => look('1'))).trips, 12, 'each for the first time')
  t.equal((await countsOf(() => look('1'))).trips, 1)
  await other(...everywhere('2'))
  t.equal((await countsOf(() => look('2'))).trips, 2)
  await other(put('a', '3'), put('b', '3'))
  const some = await countsOf(async () => {
    t.same((await store.read('p', chain)).slice(0, 6), ['3', '3', 'undefined', '1', '2', '2'])
  })
  t.same([some.trips, some.keys, some.ranges], [2, 3, 1], 'only the partition that has changed')
})

t.test('another function does not begin anew', async (t) => {
  const { seen, other, countsOf } = observed()
  const store = createStore(cachedEngine(seen, { maxBytes: 100_000 }))
  await other(...everywhere('1'))
  await store.read('p', chain)
  await other(...everywhere('2'))
  const first = await countsOf(() => store.read('p', (view) => view.get(key('a'))))
  t.same([first.trips, first.keys], [2, 3])
  const second = await countsOf(async () => t.same((await store.read('p', chain)).slice(0, 4), all('2').slice(0, 4)))
  t.equal(second.trips, 2, 'the other two partitions')
})

t.test('a transaction that others were faster than runs again after one round trip', async (t) => {
  const { seen, other, countsOf } = observed()
  const store = createStore(cachedEngine(seen, { maxBytes: 100_000 }))
  await other(...everywhere('1'))
  const add = () =>
    store.write(['p', 'q', 'r'], async (tx) => {
      const found = await chain(tx)
      tx.put(key('sum'), Buffer.from(found.join()))
      return found
    })
  await add()
  await other(...everywhere('2'))
  const counts = await countsOf(async () => t.same(await add(), all('2')))
  t.equal(counts.trips, 3, 'the conflict, what has changed, the commit')
})

t.test('what others are heard to have changed is not validated first', async (t) => {
  const { seen, other, hear, countsOf } = observed()
  const store = createStore(cachedEngine(seen, { maxBytes: 100_000 }))
  await other(...everywhere('1'))
  await store.read('p', chain)
  const before = store.known('p') ?? 0n
  for (const version of [0n, before - 1n, before]) hear('p', version)
  t.equal((await countsOf(() => store.read('p', chain))).keys, 0, 'what it knows already is no news')
  await other(...everywhere('2'))
  for (const name of ['p', 'q', 'r']) hear(name, before + 1n)
  const counts = await countsOf(async () => t.same(await store.read('p', chain), all('2')))
  t.equal(counts.trips, 1)
  t.equal((await countsOf(() => store.read('p', chain))).trips, 1, 'and then as ever')
  hear('p', before + 100n)
  t.same(await store.read('p', chain), all('2'), 'one that never happened')
  t.equal((await countsOf(() => store.read('p', chain))).keys, 0, 'is believed once')
})

t.test('without a snapshot of the whole store it is one round trip as well, and one that validates', async (t) => {
  const { seen, other, countsOf } = observed({ wholeStore: false })
  const store = createStore(cachedEngine(seen, { maxBytes: 100_000 }))
  await other(...everywhere('1'))
  await store.read('p', chain)
  await other(...everywhere('2'))
  t.equal((await countsOf(async () => t.same(await store.read('p', chain), all('2')))).trips, 3)
})

t.test('what came with other rows counts only at the version that it came with', async (t) => {
  const { seen, other } = observed()
  const store = createStore(cachedEngine(seen, { maxBytes: 100_000 }))
  await other(...everywhere('1'))
  await store.read('p', chain)
  await other(...everywhere('2'))
  let runs = 0
  const found = await store.read('p', async (view) => {
    const first = String(await view.get(key('a')))
    // In the second run the rows of both came together, and now others have changed both, of which another read has seen one.
    if (++runs === 2) {
      await other(...everywhere('3'))
      await store.read('q', (own) => own.get(key('a')))
    }
    return [first, String(await view.in('q').get(key('a')))]
  })
  t.same(found, ['3', '3'])
  t.ok(runs > 2)
})

t.test('rows that came ahead are not kept if a commit of its own was faster', async (t) => {
  const { seen, keepBack, goOn, letGo, other } = observed()
  let since = 1
  const cached = cachedEngine(seen, { maxBytes: 100_000, soleSince: () => since })
  const get = (row: string): Promise<string> =>
    cached.read(async (reader) => String((await reader.getMany('p', [key(row)]))[0]))
  await other(put('a', '1'), put('b', '1'))
  t.same([await get('a'), await get('b')], ['1', '1'])
  // All rows are forgotten.
  since = 2
  await cached.versions(['p'])
  const begun = keepBack()
  const old = get('a')
  await begun
  goOn()
  await cached.commit([], [put('b', '2')], 'its own')
  letGo()
  await old
  t.equal(await get('b'), '2')
})

t.test('no more is asked for ahead than some keys, some ranges and some bytes', async (t) => {
  const { seen, other, countsOf } = observed()
  const store = createStore(cachedEngine(seen, { maxBytes: 10_000_000 }))
  const value = Buffer.alloc(4_000)
  await other(...Array.from({ length: 100 }, (_, i) => put(`v${i}`, value)), put('huge', Buffer.alloc(12_000)))
  const first = () => store.read('p', (view) => view.get(key('small')))
  const change = () => other(put('n', String(Math.random())))
  await first()
  for (let i = 0; i < 100; i++) await store.read('p', (view) => view.get(key('nothing', i)))
  await change()
  t.same(await countsOf(first), { trips: 2, keys: 32, ranges: 0, bytes: 0 })
  for (let i = 0; i < 40; i++) {
    const limit = i + 1
    await store.read('p', (view) => view.range({ ...prefixRange('nothing'), limit }))
  }
  await change()
  t.equal((await countsOf(first)).ranges, 8)
  for (let i = 0; i < 100; i++) await store.read('p', (view) => view.get(key(`v${i}`)))
  await store.read('p', (view) => view.get(key('huge')))
  await change()
  const { bytes } = await countsOf(first)
  t.ok(bytes > 4_000 && bytes <= 32 * 1024, `${bytes} bytes: those that were asked for last, without the largest`)
  const withLong = () => store.read('q', (view) => view.getMany([key('small'), Buffer.alloc(1_000, 1)]))
  await withLong()
  await other(put('n', '1', 'q'))
  t.equal((await countsOf(() => store.read('q', (view) => view.get(key('small'))))).keys, 1, 'without a long key')
})

t.test('what came ahead twice and was not used does not come again', async (t) => {
  const { seen, other, countsOf } = observed()
  const store = createStore(cachedEngine(seen, { maxBytes: 100_000 }))
  const used = () => store.read('p', (view) => view.get(key('used')))
  await used()
  await store.read('p', (view) => view.getMany([key('once'), key('once', 2)]))
  await store.read('p', (view) => view.range(ROWS))
  const counts = []
  for (let i = 0; i < 4; i++) {
    await other(put('other', String(i)))
    const { keys, ranges } = await countsOf(used)
    counts.push({ keys, ranges })
  }
  t.same(counts, [
    { keys: 3, ranges: 1 },
    { keys: 3, ranges: 1 },
    { keys: 1, ranges: 0 },
    { keys: 1, ranges: 0 },
  ])
  await store.read('p', (view) => view.get(key('once')))
  await other(put('other', 'again'))
  t.equal((await countsOf(used)).keys, 2, 'one that is asked again comes again')
})

t.test('the record counts as the rows do: with little memory it is forgotten', async (t) => {
  const { seen, other, countsOf } = observed()
  const store = createStore(cachedEngine(seen, { maxBytes: 20_000 }))
  const rows = ['a', 'b', 'c', 'd', 'e', 'f']
  const look = (partition: string) =>
    store.read(partition, async (view) => {
      for (const row of rows) await view.get(key(row))
    })
  for (let p = 0; p < 100; p++) await look(`p${p}`)
  await other(put('a', '1', 'p0'), put('a', '1', 'p99'))
  t.equal((await countsOf(() => look('p99'))).trips, 2)
  t.equal((await countsOf(() => look('p0'))).trips, rows.length)
})

t.test('sealed secrets are not asked for ahead', async (t) => {
  const { seen, countsOf } = observed()
  const cached = cachedEngine(seen, { maxBytes: 100_000 })
  const get = (row: string) => cached.read(async (reader) => reader.getMany('cluster/vault', [key(row)]))
  await cached.commit([], [put('a', '1', 'cluster/vault'), put('b', '1', 'cluster/vault')], 'first')
  await get('a')
  t.equal((await countsOf(() => get('b'))).keys, 1)
})
