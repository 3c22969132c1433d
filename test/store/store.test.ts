/** What stands above the engines: reading, writing and waiting, on every engine. */
import { setImmediate as tick } from 'node:timers/promises'
import t from 'tap'
import type { Engine } from '../../src/store/engine.js'
import { decode, encode, key, prefixRange } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Store, Transaction, View } from '../../src/store/types.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { STORE_ENGINES } from './engines.js'

const COUNT = key('count')
const never = new AbortController().signal

async function countOf(view: View): Promise<number> {
  const bytes = await view.get(COUNT)
  return bytes ? decode<number>(bytes) : 0
}

async function increment(tx: Transaction): Promise<number> {
  const count = (await countOf(tx)) + 1
  tx.put(COUNT, encode(count))
  return count
}

/** Names in a range, as a list is read. */
async function names(view: View, options: { limit?: number; reverse?: boolean } = {}): Promise<string[]> {
  const rows = await view.range({ ...prefixRange('name'), ...options })
  return rows.map(([, value]) => decode<string>(value))
}

const putName = (tx: Transaction, name: string): void => tx.put(key('name', name), encode(name))

for (const { name, open, openStore } of STORE_ENGINES) {
  t.test(name, async (t) => {
    t.test('what was written is read, and what fn returns comes back', async (t) => {
      const store = openStore(t)
      t.equal(await store.write('p', increment), 1)
      t.equal(await store.write('p', increment), 2)
      t.equal(await store.read('p', countOf), 2)
      t.equal(await store.read('other', countOf), 0)
    })

    t.test('no increment is lost among many writers of many partitions', async (t) => {
      const store = openStore(t)
      const partitions = ['a', 'b', 'c']
      await Promise.all(Array.from({ length: 150 }, (_, i) => store.write(partitions[i % 3] ?? '', increment)))
      for (const partition of partitions) t.equal(await store.read(partition, countOf), 50)
    })

    t.test('writers of one partition come in the order in which they asked', async (t) => {
      const store = openStore(t)
      const order: number[] = []
      await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          await store.write('p', increment)
          order.push(i)
        }),
      )
      t.same(
        order,
        [...order].sort((a, b) => a - b),
      )
    })

    t.test('a transaction sees its own writes, in gets and in ranges', async (t) => {
      const store = openStore(t)
      await store.write('p', (tx) => ['b', 'd', 'f', 'h'].forEach((name) => putName(tx, name)))
      await store.write('p', async (tx) => {
        tx.delete(key('name', 'b'))
        tx.delete(key('name', 'h'))
        tx.delete(key('name', 'never there'))
        putName(tx, 'a')
        putName(tx, 'e')
        putName(tx, 'x')
        tx.put(key('name', 'd'), encode('d again'))
        t.same(await names(tx), ['a', 'd again', 'e', 'f', 'x'])
        t.same(await names(tx, { reverse: true }), ['x', 'f', 'e', 'd again', 'a'])
        t.same(await names(tx, { limit: 2 }), ['a', 'd again'])
        t.same(await names(tx, { limit: 3, reverse: true }), ['x', 'f', 'e'])
        t.equal(await tx.get(key('name', 'b')), undefined)
        const [a, b, f] = await tx.getMany([key('name', 'a'), key('name', 'b'), key('name', 'f')])
        t.same([a && decode(a), b, f && decode(f)], ['a', undefined, 'f'])
        tx.delete(key('name', 'a'))
        putName(tx, 'b')
        t.same(await names(tx, { limit: 2 }), ['b', 'd again'])
      })
      t.same(await store.read('p', (view) => names(view)), ['b', 'd again', 'e', 'f', 'x'])
    })

    t.test('a throw inside leaves everything as it was, and the next writer gets in', async (t) => {
      const store = openStore(t)
      const failed = store.write('p', (tx) => {
        putName(tx, 'half')
        throw new Error('changed my mind')
      })
      const next = store.write('p', increment)
      await t.rejects(failed, /changed my mind/)
      t.equal(await next, 1)
      t.same(await store.read('p', (view) => names(view)), [])
    })

    t.test('a write without writes commits nothing', async (t) => {
      const store = createStore(open(t))
      await store.write('p', increment)
      const version = await store.version('p')
      t.equal(await store.write('p', countOf), 1)
      t.equal(await store.version('p'), version)
    })

    t.test('a write that nobody awaited does not slip in afterwards', async (t) => {
      const store = openStore(t)
      let late: Transaction | undefined
      await store.write('p', (tx) => {
        late = tx
      })
      t.throws(() => late?.put(COUNT, encode(1)), /has ended/)
    })

    t.test('a read sees one version, however many commits come in between', async (t) => {
      const store = openStore(t)
      const both = (tx: Transaction, n: number): void =>
        [key('left'), key('right')].forEach((k) => tx.put(k, encode(n)))
      await store.write('p', (tx) => both(tx, 0))
      const writing = (async () => {
        for (let n = 1; n <= 30; n++) await store.write('p', (tx) => both(tx, n))
      })()
      for (let i = 0; i < 20; i++) {
        const [left, right] = await store.read('p', async (view) => {
          const one = await view.get(key('left'))
          if (i % 3 === 0) await tick()
          return [one, await view.get(key('right'))]
        })
        t.same(left, right)
      }
      await writing
    })

    t.test('a range names its limit, or has the default one', async (t) => {
      const store = openStore(t)
      await store.write('p', (tx) => {
        for (let i = 0; i < 1_200; i++) tx.put(key('name', i), encode(String(i)))
      })
      t.equal((await store.read('p', (view) => names(view))).length, 1_000)
      t.equal((await store.read('p', (view) => names(view, { limit: 10_000 }))).length, 1_200)
      for (const limit of [-1, 10_001, NaN, 1.5]) {
        await t.rejects(
          store.read('p', (view) => names(view, { limit })),
          /limit from 0 to 10000/,
        )
      }
    })

    t.test('a waiter wakes at the commit it waits for, not before', async (t) => {
      const store = openStore(t)
      const other = store.write('other', increment)
      const start = await store.version('p')
      const woken: bigint[] = []
      const waiting = store.wait('p', start, never).then((version) => woken.push(version))
      await other
      await tick()
      t.same(woken, [])
      await store.write('p', increment)
      await waiting
      t.ok((woken[0] ?? 0n) > start)
    })

    t.test('a waiter who comes late is answered at once', async (t) => {
      const store = openStore(t)
      await store.write('p', increment)
      t.equal(await store.wait('p', 0n, never), await store.version('p'))
    })

    t.test('no commit is missed between looking and waiting', async (t) => {
      const store = openStore(t)
      const writing = (async () => {
        for (let i = 0; i < 50; i++) await store.write('p', increment)
      })()
      let seen = { count: 0, version: 0n }
      while (seen.count < 50) {
        await store.wait('p', seen.version, never)
        seen = await store.read('p', async (view) => ({ count: await countOf(view), version: await view.version() }))
      }
      await writing
      t.equal(seen.count, 50)
    })

    t.test('who gives up waiting is let go with the version as it is', async (t) => {
      const store = openStore(t)
      await store.write('p', increment)
      const version = await store.version('p')
      const gone = new AbortController()
      const waiting = store.wait('p', version, gone.signal)
      gone.abort()
      t.equal(await waiting, version)
      t.equal(await store.wait('p', version, AbortSignal.abort()), version)
    })

    t.test('thousands wait on one partition and on many, and each wakes for its own', async (t) => {
      const store = openStore(t)
      const gone = new AbortController()
      const crowd = Array.from({ length: 2_000 }, () => store.wait('crowd', 0n, gone.signal))
      const each = Array.from({ length: 2_000 }, (_, i) => store.wait(`each/${i}`, 0n, gone.signal))
      await store.write('crowd', increment)
      t.ok((await Promise.all(crowd)).every((version) => version > 0n))
      await store.write('each/1234', increment)
      t.ok(((await each[1234]) ?? 0n) > 0n)
      gone.abort()
      const versions = await Promise.all(each)
      t.same(
        versions.flatMap((version, i) => (version > 0n ? [i] : [])),
        [1234],
      )
    })

    t.test('closing lets writers finish, wakes who waits, and refuses who comes later', async (t) => {
      const store = openStore(t)
      const writers = [store.write('p', increment), store.write('p', increment)]
      const waiting = t.rejects(store.wait('q', 0n, never), { code: 'unavailable' })
      await store.close()
      t.same(await Promise.all(writers), [1, 2])
      await waiting
      await t.rejects(store.write('p', increment), { code: 'unavailable' })
      await t.rejects(store.read('p', countOf), { code: 'unavailable' })
      await t.rejects(store.wait('p', 0n, never), { code: 'unavailable' })
    })
  })
}

/** An engine in which somebody else is always first. */
function alwaysLate(engine: Engine): Engine {
  return { ...engine, commit: async () => 'conflict' }
}

t.test('a writer who loses every time is told so, and the error does not name the partition', async (t) => {
  const store: Store = createStore(alwaysLate(memoryEngine({ lateness: 0, conflicts: 0 })))
  let runs = 0
  const error = await store
    .write('address/somebody@example.org', (tx) => {
      runs++
      tx.put(COUNT, encode(1))
    })
    .catch((error: unknown) => error)
  t.match(error, { code: 'unavailable', retryAfterSeconds: 1, message: /keep changing/ })
  t.equal(runs, 100)
})
