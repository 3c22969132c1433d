/** Writers of one partition that come while a commit is on its way share the next one, and stay apart in everything else. */
import t from 'tap'
import { createGroups } from '../../src/store/groups.js'
import type { Engine } from '../../src/store/engine.js'
import { decode, encode, key } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { ENGINES } from './engines.js'

/** A store whose commits are counted, and can be made to fail. */
function counted(engine: Engine): { store: Store; commits: () => number; fail(error: Error | undefined): void } {
  let commits = 0
  let failure: Error | undefined
  const store = createStore({
    ...engine,
    async commit(partition, expect, ops) {
      if (failure) throw failure
      commits++
      return engine.commit(partition, expect, ops)
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

for (const { name, open } of ENGINES) {
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

t.test('a line is gone when all in it were served', async (t) => {
  const served: string[][] = []
  const groups = createGroups<string>(async (name, line) => {
    await new Promise((resolve) => setImmediate(resolve))
    served.push([name, ...line.splice(0, 2)])
  })
  for (const writer of ['1', '2', '3']) groups.add('p', writer)
  groups.add('q', '4')
  t.equal(groups.size, 2)
  while (groups.size > 0) await new Promise((resolve) => setImmediate(resolve))
  t.same(served.toSorted(), [
    ['p', '1', '2'],
    ['p', '3'],
    ['q', '4'],
  ])
})
