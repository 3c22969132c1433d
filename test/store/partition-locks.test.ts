/** Writers of one partition that come while a commit is on its way share the next one, and stay apart in everything else. */
import t from 'tap'
import { createLines, type Writer } from '../../src/store/partition-locks.js'
import type { Engine } from '../../src/store/engine.js'
import { decode, encode, key } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { STORE_ENGINES } from './engines.js'

/** A store whose commits are counted, and can be made to fail. */
function counted(engine: Engine): { store: Store; commits: () => number; fail(error: Error | undefined): void } {
  let commits = 0
  let failure: Error | undefined
  const store = createStore({
    ...engine,
    async commit(checks, ops, mark) {
      if (failure) throw failure
      commits++
      return engine.commit(checks, ops, mark)
    },
  })
  return { store, commits: () => commits, fail: (error) => (failure = error) }
}

const put = (store: Store, name: string, size = 1) =>
  store.write('p', async (tx) => {
    const bytes = await tx.get(key('count'))
    const count = (bytes ? decode<number>(bytes) : 0) + 1
    tx.put(key('count'), encode(count))
    tx.put(key('name', name), Buffer.alloc(size))
    return count
  })

for (const { name, open } of STORE_ENGINES) {
  t.test(name, async (t) => {
    t.test('fifty writers at once cost two commits, and each sees the ones before it', async (t) => {
      const { store, commits } = counted(open(t))
      const counts = await Promise.all(Array.from({ length: 50 }, (_, i) => put(store, `n${i}`)))
      t.same(
        counts,
        Array.from({ length: 50 }, (_, i) => i + 1),
      )
      t.ok(commits() <= 2, `${commits()} commits`)
    })

    t.test('a commit takes a bounded number of writers, and of bytes', async (t) => {
      const { store, commits } = counted(open(t))
      await Promise.all(Array.from({ length: 10 }, (_, i) => put(store, `big${i}`, 600_000)))
      t.ok(commits() >= 5, `${commits()} commits for 6 MB`)
      const before = commits()
      await Promise.all(Array.from({ length: 200 }, (_, i) => put(store, `n${i}`)))
      t.ok(commits() - before >= 4, `${commits() - before} commits for 200 writers`)
    })

    t.test('one that throws has none of its writes kept, and the others all of theirs', async (t) => {
      const { store } = counted(open(t))
      await put(store, 'first')
      const [a, refused, b] = await Promise.allSettled([
        put(store, 'a'),
        store.write('p', async (tx) => {
          tx.put(key('count'), encode(1000))
          tx.delete(key('name', 'first'))
          tx.put(key('name', 'refused'), Buffer.alloc(1))
          throw new Error('refused')
        }),
        put(store, 'b'),
      ])
      t.match([a, refused, b], [{ value: 2 }, { reason: { message: 'refused' } }, { value: 3 }])
      const left = await store.read('p', (view) =>
        view.getMany([key('name', 'first'), key('name', 'refused'), key('name', 'b')]),
      )
      t.same(
        left.map((bytes) => bytes !== undefined),
        [true, false, true],
      )
    })

    t.test(
      'when the commit fails all who share it are told, a refusal is not told as one, and the next ones work',
      async (t) => {
        const { store, fail } = counted(open(t))
        fail(new Error('disk full'))
        const results = await Promise.allSettled([
          put(store, 'a'),
          put(store, 'b'),
          store.write('p', async (tx) => {
            if (await tx.get(key('name', 'b'))) throw new Error('b is there already')
          }),
        ])
        for (const result of results) t.match(result, { status: 'rejected', reason: { message: 'disk full' } })
        fail(undefined)
        t.equal(await put(store, 'c'), 1)
      },
    )

    t.test('a write that was not awaited is an error, and does not reach the next writer', async (t) => {
      const { store } = counted(open(t))
      let late: (() => void) | undefined
      await store.write('p', (tx) => {
        late = () => tx.put(key('name', 'late'), Buffer.alloc(1))
        tx.put(key('name', 'a'), Buffer.alloc(1))
      })
      t.throws(() => late?.(), /not awaited/)
    })
  })
}

interface Named extends Writer {
  name: string
}

/** Serves by hand. */
function byHand(most = 64): {
  add(name: string, ...partitions: string[]): void
  /** Ends what began first of what is being served. @param count so many of it are served */
  end(count?: number): Promise<void>
  begun: string[]
  size(): number
} {
  const begun: string[] = []
  const ends: ((count?: number) => void)[] = []
  const lines = createLines<Named>(
    (writers) =>
      new Promise((resolve) => {
        begun.push(writers.map(({ name }) => name).join(' '))
        ends.push((count = writers.length) => resolve(count))
      }),
    most,
  )
  return {
    add: (name, ...partitions) => lines.add({ name, partitions }),
    async end(count) {
      ends.shift()?.(count)
      await new Promise((resolve) => setImmediate(resolve))
    },
    begun,
    size: () => lines.size,
  }
}

t.test('who has other partitions waits for nobody; who has one of them waits, and shares the next turn', async (t) => {
  const { add, end, begun, size } = byHand()
  add('1', 'p')
  add('2', 'q')
  add('3', 'p', 'q')
  add('4', 'p')
  add('5', 'r')
  t.same(begun, ['1', '2', '5'])
  await end()
  t.same(begun, ['1', '2', '5'], 'the third waits for q, and the fourth stands behind it')
  await end()
  t.same(begun, ['1', '2', '5', '3 4'])
  await end()
  await end()
  t.equal(size(), 0)
})

t.test('nobody overtakes, however long one waits for all of its partitions', async (t) => {
  const { add, end, begun, size } = byHand()
  add('1', 'a')
  add('2', 'b')
  add('3', 'a', 'b', 'c')
  add('4', 'c', 'd')
  add('5', 'd')
  t.same(begun, ['1', '2'], 'the fourth would pass the third at c, and the fifth the fourth at d')
  await end()
  await end()
  t.same(begun, ['1', '2', '3 4 5'])
  await end()
  t.equal(size(), 0)
})

t.test('a turn has a bounded number of writers, and those that it did not come to are first in the next', async (t) => {
  const { add, end, begun, size } = byHand(3)
  for (const name of ['1', '2', '3', '4', '5']) add(name, 'p')
  t.same(begun, ['1'])
  await end()
  t.same(begun, ['1', '2 3 4'])
  await end(1)
  t.same(begun, ['1', '2 3 4', '3 4 5'])
  await end()
  t.equal(size(), 0)
})
