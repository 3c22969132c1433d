/** The cache of rows: it never answers with what is not current, and asks as little as it can. */
import t from 'tap'
import { cachedEngine } from '../../../src/store/cache/cached-engine.js'
import type { Engine, Op } from '../../../src/store/engine.js'
import { FateUnknownError } from '../../../src/store/errors.js'
import { key, prefixRange } from '../../../src/store/keys.js'
import { KnownRows } from '../../../src/store/cache/known-rows.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { below, randomFrom } from '../../support/random.js'

const bytes = (text: string): Buffer => Buffer.from(text)
const put = (name: string, value: string, partition = 'p'): Op => ({ partition, key: key(name), value: bytes(value) })
const ALL = { ...prefixRange(), limit: 100 }

/** An engine whose round trips are counted. */
function counted() {
  const engine = memoryEngine({ conflicts: 0, lateness: 0 })
  let trips = 0
  const counting: Engine = {
    ...engine,
    read: (fn) => (trips++, engine.read(fn)),
    versions: (names) => (trips++, engine.versions(names)),
    commit: (...args) => (trips++, engine.commit(...args)),
  }
  return {
    engine,
    counting,
    async tripsOf(work: () => Promise<unknown>): Promise<number> {
      const before = trips
      await work()
      return trips - before
    },
  }
}

t.test('a read of known rows takes one round trip, and a transaction only its commit', async (t) => {
  const { counting, tripsOf } = counted()
  const store = createStore(cachedEngine(counting, { maxBytes: 100_000 }))
  await store.write('p', (tx) => tx.put(key('n'), bytes('1')))
  const look = () =>
    store.read('p', async (view) => {
      await view.get(key('n'))
      await view.get(key('none'))
      return view.range(ALL)
    })
  t.equal(await tripsOf(look), 3, 'each for the first time')
  t.equal(await tripsOf(look), 1)
  const add = () =>
    store.write('p', async (tx) => {
      const rows = await tx.range(ALL)
      tx.put(key('row', rows.length), bytes('x'))
    })
  t.equal(await tripsOf(add), 1)
  t.equal(await tripsOf(add), 1, 'its own commit does not make it forget')
  t.equal((await look()).length, 3)
  t.equal(await tripsOf(look), 1)
})

t.test('what another process commits is seen by the next read, and by the next transaction', async (t) => {
  const { engine, counting, tripsOf } = counted()
  const store = createStore(cachedEngine(counting, { maxBytes: 100_000 }))
  const n = async () => String(await store.read('p', (view) => view.get(key('n'))))
  await store.write('p', (tx) => tx.put(key('n'), bytes('1')))
  t.equal(await n(), '1')
  await engine.commit([], [put('n', '2')], 'other')
  t.equal(await n(), '2')
  await engine.commit([], [put('n', '3')], 'other 2')
  const seen: string[] = []
  await store.write('p', async (tx) => {
    seen.push(String(await tx.get(key('n'))))
    tx.put(key('m'), bytes('x'))
  })
  t.same(seen, ['2', '3'], 'it runs again with what is there')
  await engine.commit([], [{ partition: 'p', key: key('n'), value: null }], 'other 3')
  t.equal(await n(), 'undefined')
  // A refusal that rests on old rows is no refusal.
  await store.read('p', (view) => view.get(key('gate')))
  await engine.commit([], [put('gate', 'open')], 'other 4')
  t.equal(
    await store.write('p', async (tx) => {
      if (!(await tx.get(key('gate')))) throw new Error('the gate is shut')
      return 'in'
    }),
    'in',
  )
  await engine.commit([], [put('gate', 'shut')], 'other 5')
  await t.rejects(
    store.read('p', async (view) => {
      throw new Error(`it is ${String(await view.get(key('gate')))}`)
    }),
    { message: 'it is shut' },
    'nor is an error of a read',
  )
  t.ok(await tripsOf(n))
})

t.test('two partitions are read as of one moment', async (t) => {
  const { engine, counting } = counted()
  const store = createStore(cachedEngine(counting, { maxBytes: 100_000 }))
  const both = (n: string) => engine.commit([], [put('n', n), put('n', n, 'q')], `both ${n}`)
  await both('1')
  const look = (between: () => Promise<unknown>) =>
    store.read('p', async (view) => {
      const one = String(await view.get(key('n')))
      await between()
      return [one, String(await view.in('q').get(key('n')))]
    })
  await look(async () => undefined)
  let first = true
  const between = async () => {
    if (first) await both('2')
    first = false
  }
  t.same(await look(between), ['2', '2'])
})

t.test('what is asked for in one turn is one round trip, and proves all that was seen before', async (t) => {
  const { engine, counting, tripsOf } = counted()
  const store = createStore(cachedEngine(counting, { maxBytes: 100_000 }))
  for (const name of ['p', 'q', 'r']) await engine.commit([], [put('n', '1', name), put('m', '1', name)], name)
  const get = (name: string, row = 'n') => store.read(name, (view) => view.get(key(row)))
  const together = () =>
    store.read('p', (view) => Promise.all(['p', 'q', 'r'].map((name) => view.in(name).get(key('n')))))
  t.equal(await tripsOf(together), 1, 'unknown rows of three partitions')
  t.equal(await tripsOf(together), 1, 'known ones')
  const last = () =>
    store.read('p', async (view) => [
      await view.get(key('n')),
      await view.in('q').get(key('n')),
      await view.in('r').get(key('m')),
    ])
  t.equal(await tripsOf(last), 1, 'one unknown row after two known ones')
  const first = () => store.read('p', async (view) => [await view.get(key('m')), await view.in('q').get(key('n'))])
  t.equal(await tripsOf(first), 2, 'a known row after the unknown one')
  t.equal(await tripsOf(() => get('p', 'm')), 1)
})

t.test('a change of what was seen is found with the next rows that are asked for', async (t) => {
  for (const change of ['seen before', 'asked for']) {
    const { engine, counting } = counted()
    const store = createStore(cachedEngine(counting, { maxBytes: 100_000 }))
    await engine.commit([], [put('n', '1'), put('n', '1', 'q')], 'both')
    await store.read('p', (view) => view.get(key('n')))
    let runs = 0
    const look = await store.read('p', async (view) => {
      const one = String(await view.get(key('n')))
      if (++runs === 1) {
        const ops = [put('n', '2'), put('n', '2', 'q')]
        await engine.commit([], change === 'seen before' ? ops : ops.slice(1), 'other')
      }
      return [one, String(await view.in('q').get(key('n')))]
    })
    t.same(look, change === 'seen before' ? ['2', '2'] : ['1', '2'], change)
    t.equal(runs, change === 'seen before' ? 2 : 1)
  }
})

t.test(
  'without a snapshot of the whole store the versions of several partitions are asked for at the end',
  async (t) => {
    const { engine, counting, tripsOf } = counted()
    await engine.commit([], [put('n', '1'), put('n', '1', 'q')], 'both')
    const store = createStore(cachedEngine({ ...counting, wholeStore: false }, { maxBytes: 100_000 }))
    const look = () => store.read('p', async (view) => [await view.get(key('n')), await view.in('q').get(key('n'))])
    t.equal(await tripsOf(look), 3)
    t.equal(await tripsOf(look), 1)
    t.equal(await tripsOf(() => store.read('p', (view) => view.get(key('none')))), 1)
  },
)

t.test('the version of what is kept is known at once', async (t) => {
  const { engine, counting } = counted()
  const store = createStore(cachedEngine(counting, { maxBytes: 100_000 }))
  t.equal(store.known('p'), undefined)
  await store.write('p', (tx) => tx.put(key('n'), bytes('1')))
  await store.read('p', (view) => view.get(key('n')))
  t.equal(store.known('p'), await store.version('p'))
  const before = store.known('p')
  await engine.commit([], [put('n', '2')], 'other')
  t.equal(store.known('p'), before, 'nothing is asked')
  await store.read('p', (view) => view.get(key('n')))
  t.equal(store.known('p'), await store.version('p'))
})

t.test('the only process asks for nothing that it knows, and is told of what it does not', async (t) => {
  const { engine, counting, tripsOf } = counted()
  let sole = true
  const store = createStore(cachedEngine(counting, { maxBytes: 100_000, soleSince: () => (sole ? 1 : undefined) }))
  await store.write(['p', 'q'], (tx) => ['p', 'q'].forEach((name) => tx.in(name).put(key('n'), bytes('1'))))
  const look = () => store.read('p', async (view) => [await view.range(ALL), await view.in('q').range(ALL)])
  await look()
  t.equal(await tripsOf(look), 0)
  t.equal(await tripsOf(async () => store.version('p')), 0)
  t.equal(await tripsOf(() => store.write('p', (tx) => tx.get(key('n')))), 0, 'a transaction that writes nothing')
  t.equal(await tripsOf(() => store.write('p', (tx) => tx.put(key('m'), bytes('1')))), 1)
  t.equal(await tripsOf(look), 1, 'the version that it wrote blindly to is not known')
  sole = false
  await engine.commit([], [put('n', '2')], 'other')
  t.equal(String(await store.read('p', (view) => view.get(key('n')))), '2')
})

t.test('who is the only one again reads what others wrote last', async (t) => {
  const { engine, counting } = counted()
  let since: number | undefined
  let hold: Promise<void> | undefined
  const late: Engine = {
    ...counting,
    async read(fn) {
      const waiting = hold
      const answer = await counting.read(fn)
      await waiting
      return answer
    },
  }
  const cached = cachedEngine(late, { maxBytes: 100_000, soleSince: () => since })
  const n = (partition: string) =>
    cached.read(async (reader) => String((await reader.getMany(partition, [key('n')]))[0]))
  t.same([await n('p'), await n('q')], ['undefined', 'undefined'])
  await engine.commit([], [put('n', '1'), put('n', '1', 'q')], 'the last of another')
  since = 1
  t.equal(await n('p'), '1')
  since = undefined
  let release: () => void = () => undefined
  hold = new Promise((resolve) => (release = resolve))
  const old = n('new')
  await new Promise(setImmediate)
  hold = undefined
  await engine.commit([], [put('n', '2'), put('n', '2', 'new')], 'of one that came, and is gone again')
  since = 2
  t.equal(await n('p'), '2')
  release()
  await old
  t.same([await n('q'), await n('new')], ['1', '2'], 'also what was asked for before')
})

t.test('what a commit of unknown fate wrote is not kept until that is known', async (t) => {
  const { engine, counting } = counted()
  let landing: (() => Promise<unknown>) | undefined
  const losing: Engine = {
    ...counting,
    async commit(checks, ops, mark) {
      landing = () => engine.commit(checks, ops, mark)
      throw new FateUnknownError()
    },
    fate: async () => true,
  }
  const cached = cachedEngine(losing, { maxBytes: 100_000, soleSince: () => 1 })
  const n = () => cached.read(async (reader) => String((await reader.getMany('p', [key('n')]))[0]))
  t.equal(await n(), 'undefined')
  await t.rejects(cached.commit([], [put('n', '1')], 'm'), FateUnknownError)
  t.equal(await n(), 'undefined', 'not yet')
  await landing?.()
  t.equal(await n(), '1', 'nobody has asked for its fate')
  t.equal(await cached.fate('p', 'm'), true)
  t.equal(await n(), '1')
})

t.test('an answer from before a commit of its own does not come late', async (t) => {
  const { counting } = counted()
  let hold: Promise<void> | undefined
  const late: Engine = {
    ...counting,
    async read(fn) {
      const waiting = hold
      const answer = await counting.read(fn)
      await waiting
      return answer
    },
  }
  const cached = cachedEngine(late, { maxBytes: 100_000, soleSince: () => 1 })
  const n = () => cached.read(async (reader) => String((await reader.getMany('p', [key('n')]))[0]))
  let release: () => void = () => undefined
  hold = new Promise((resolve) => (release = resolve))
  const old = n()
  await new Promise(setImmediate)
  hold = undefined
  await cached.commit([{ partition: 'p', expect: 0n }], [put('n', '1')], 'm')
  release()
  await old
  t.equal(await n(), '1')
})

t.test('its size is bounded, and what is dropped is read again', async (t) => {
  const { counting } = counted()
  const store = createStore(cachedEngine(counting, { maxBytes: 20_000 }))
  const value = 'x'.repeat(1_000)
  for (let p = 0; p < 100; p++) await store.write(`p${p}`, (tx) => tx.put(key('v'), bytes(value + String(p))))
  for (let round = 0; round < 2; round++)
    for (let p = 0; p < 100; p++)
      t.equal(String(await store.read(`p${p}`, (view) => view.get(key('v')))), value + String(p))
  await store.write('large', (tx) => tx.put(key('v'), Buffer.alloc(100_000)))
  t.equal((await store.read('large', (view) => view.get(key('v'))))?.length, 100_000)
})

t.test('a value that a caller changes stays as it was', async (t) => {
  const { counting } = counted()
  const store = createStore(cachedEngine(counting, { maxBytes: 20_000 }))
  const given = bytes('abc')
  await store.write('p', (tx) => tx.put(key('v'), given))
  const read = () => store.read('p', (view) => view.get(key('v')))
  ;(await read())?.fill(0)
  ;(await read())?.fill(0)
  given.fill(0)
  t.equal(String(await read()), 'abc')
})

t.test('what is known of rows agrees with the rows, whatever was read and written', async (t) => {
  for (let seed = 1; seed <= 60; seed++) {
    const chance = randomFrom(seed)
    const names = Array.from({ length: 12 }, (_, i) => String.fromCharCode(97 + i))
    const truth = new Map<string, Uint8Array>()
    const known = new KnownRows(seed % 2 === 0 ? 0n : 1n)
    if (seed % 2 === 1) for (const name of names) if (chance() < 0.5) truth.set(name, bytes(name))
    const rangeOf = (gte: string, lt: string, limit: number, reverse: boolean) => {
      const rows = [...truth].filter(([name]) => name >= gte && name < lt).sort(([a], [b]) => (a < b ? -1 : 1))
      if (reverse) rows.reverse()
      return rows.slice(0, limit)
    }
    let hits = 0
    for (let step = 0; step < 200; step++) {
      const name = names[below(chance, names.length)] ?? ''
      const what = chance()
      if (what < 0.3) {
        const found = known.get(name)
        if (found === undefined) known.learn(name, truth.get(name) ?? null)
        else {
          t.same(found, truth.get(name) ?? null, `seed ${seed}`)
          hits++
        }
      } else if (what < 0.7) {
        const [gte = '', lt = ''] = [name, names[below(chance, names.length)] ?? ''].sort()
        if (gte === lt) continue
        const [limit, reverse] = [1 + below(chance, 5), chance() < 0.5]
        const found = known.range(gte, lt, limit, reverse)
        if (!found) known.learnRange(gte, lt, limit, reverse, rangeOf(gte, lt, limit, reverse))
        else {
          t.same(found, rangeOf(gte, lt, limit, reverse), `seed ${seed}`)
          hits++
        }
      } else {
        // Some values are too large to be kept.
        const value = chance() < 0.3 ? null : Buffer.alloc(chance() < 0.2 ? 20_000 : 3, step)
        if (value) truth.set(name, value)
        else truth.delete(name)
        known.moveOn(known.version + 1n, [[name, value]])
      }
      t.ok(known.bytes >= 0)
    }
    t.ok(hits > 10, 'much was known')
  }
})

t.test('sealed secrets are never kept: commands write them beside the only daemon', async (t) => {
  const { engine, counting, tripsOf } = counted()
  const cached = cachedEngine(counting, { maxBytes: 100_000, soleSince: () => 1 })
  const PARTITION = 'cluster/vault'
  const look = (): Promise<Uint8Array | undefined> =>
    cached.read(async (reader) => (await reader.getMany(PARTITION, [key('n')]))[0])
  await cached.commit([], [put('n', '1', PARTITION)], 'first')
  t.same(await look(), bytes('1'))
  await engine.commit([], [put('n', '2', PARTITION)], 'of a command')
  t.same(await look(), bytes('2'))
  t.equal(await tripsOf(look), 1)
  const before = await cached.versions([PARTITION])
  await engine.commit([], [put('n', '3', PARTITION)], 'of another')
  t.notSame(await cached.versions([PARTITION]), before)
})
