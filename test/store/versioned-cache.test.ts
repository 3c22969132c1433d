import t, { type Test } from 'tap'
import { createMemory } from '../../src/store/versioned-cache.js'
import { encode, key } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { memoryEngine } from '../support/store/memory-engine.js'

const ROW = key('row')

function setting(
  t: Test,
  maxBytes = 100_000,
): { store: Store; memory: ReturnType<typeof createMemory<string>>; put: (p: string) => Promise<void> } {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  const memory = createMemory<string>({ store, maxBytes, maxBytesEach: 10_000, bytesOf: (value) => value.length })
  let writes = 0
  const put = (partition: string): Promise<void> => store.write(partition, (tx) => tx.put(ROW, encode((writes += 1))))
  return { store, memory, put }
}

/** Says how often it was made. */
function counting(): () => Promise<string> {
  let made = 0
  return async () => `made ${++made}`
}

t.test('what was made is given again until its partition changes, and no longer', async (t) => {
  const { memory, put } = setting(t)
  await put('mailbox/a')
  await put('mailbox/b')
  const make = counting()
  t.equal(await memory.remember('mailbox/a', 'list', make), 'made 1')
  t.equal(await memory.remember('mailbox/a', 'list', make), 'made 1')
  await put('mailbox/b')
  t.equal(await memory.remember('mailbox/a', 'list', make), 'made 1', 'another partition is not its business')
  await put('mailbox/a')
  t.equal(await memory.remember('mailbox/a', 'list', make), 'made 2')
})

t.test('the same name in another partition is another thing', async (t) => {
  const { memory, put } = setting(t)
  await put('mailbox/a')
  await put('mailbox/b')
  t.equal(await memory.remember('mailbox/a', 'list', async () => 'of a'), 'of a')
  t.equal(await memory.remember('mailbox/b', 'list', async () => 'of b'), 'of b')
  t.equal(await memory.remember('mailbox/a', 'list', async () => 'anew'), 'of a')
  t.equal(await memory.remember('mailbox/a', 'other', async () => 'another'), 'another')
})

t.test('a commit that this process was not told of is seen all the same', async (t) => {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  const memory = createMemory<string>({
    store: {
      version: (partition) => store.version(partition),
      known: () => undefined,
      newest: () => store.newest(),
      onCommit: () => () => undefined,
    },
    maxBytes: 100_000,
    maxBytesEach: 10_000,
    bytesOf: (value) => value.length,
  })
  const make = counting()
  await store.write('mailbox/a', (tx) => tx.put(ROW, encode(1)))
  t.equal(await memory.remember('mailbox/a', 'list', make), 'made 1')
  await store.write('mailbox/a', (tx) => tx.put(ROW, encode(2)))
  t.equal(await memory.remember('mailbox/a', 'list', make), 'made 2')
  t.equal(await memory.remember('mailbox/a', 'list', make), 'made 2')
})

t.test('a value that is older than the rows that are kept is made anew, without a question', async (t) => {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  let rows: bigint | undefined
  let asked = 0
  const memory = createMemory<string>({
    store: {
      version: (partition) => (asked++, store.version(partition)),
      known: () => rows,
      newest: () => undefined,
      onCommit: () => () => undefined,
    },
    maxBytes: 100_000,
    maxBytesEach: 10_000,
    bytesOf: (value) => value.length,
  })
  const make = counting()
  const get = () => memory.remember('mailbox/a', 'list', make)
  await store.write('mailbox/a', (tx) => tx.put(ROW, encode(1)))
  rows = await store.version('mailbox/a')
  t.equal(await get(), 'made 1')
  t.equal(asked, 0)
  t.equal(await get(), 'made 1')
  t.equal(asked, 1)
  await store.write('mailbox/a', (tx) => tx.put(ROW, encode(2)))
  t.equal(await get(), 'made 2', 'its rows may be old')
  rows = await store.version('mailbox/a')
  await store.write('mailbox/a', (tx) => tx.put(ROW, encode(3)))
  rows = await store.version('mailbox/a')
  asked = 0
  t.equal(await get(), 'made 3')
  t.equal(asked, 0)
  t.equal(await get(), 'made 3')
})

t.test('what was made while the partition changed is given, and not kept', async (t) => {
  const { memory, put } = setting(t)
  await put('mailbox/a')
  const make = async (): Promise<string> => {
    await put('mailbox/a')
    return 'half old'
  }
  t.equal(await memory.remember('mailbox/a', 'list', make), 'half old')
  t.equal(await memory.remember('mailbox/a', 'list', async () => 'new'), 'new')
})

t.test('while nothing is committed, one read finds that a value is current', async (t) => {
  const { store, put } = setting(t)
  let reads = 0
  const memory = createMemory<string>({
    store: {
      version(partition) {
        reads++
        return store.version(partition)
      },
      known: () => undefined,
      newest() {
        reads++
        return store.newest()
      },
      onCommit: () => () => undefined,
    },
    maxBytes: 10_000,
    maxBytesEach: 10_000,
    bytesOf: (value) => value.length,
  })
  await put('mailbox/a')
  const make = counting()
  const readsOf = async (expected: string): Promise<number> => {
    const before = reads
    t.equal(await memory.remember('mailbox/a', 'list', make), expected)
    return reads - before
  }
  await readsOf('made 1')
  await readsOf('made 1')
  t.equal(await readsOf('made 1'), 1)
  await put('mailbox/b')
  t.equal(await readsOf('made 1'), 2, 'a commit elsewhere costs a look at the version')
  t.equal(await readsOf('made 1'), 1)
  await put('mailbox/a')
  await readsOf('made 2')
})

t.test('nothing is kept of a partition that is not there, nor of what failed', async (t) => {
  const { memory, put } = setting(t)
  const make = counting()
  await memory.remember('mailbox/a', 'list', make)
  t.equal(await memory.remember('mailbox/a', 'list', make), 'made 2')
  await put('mailbox/a')
  const failing = async () => memory.remember('mailbox/a', 'list', () => Promise.reject(new Error('broken')))
  await t.rejects(failing(), { message: 'broken' })
  t.equal(await memory.remember('mailbox/a', 'list', make), 'made 3')
})

t.test('it takes the room it was given, the last asked about staying', async (t) => {
  const { memory, put } = setting(t, 20_000)
  const value = 'x'.repeat(3000)
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await put(`mailbox/${name}`)
    await memory.remember(`mailbox/${name}`, 'list', async () => value)
  }
  t.equal(await memory.remember('mailbox/a', 'list', async () => 'anew'), value, 'all five have room')
  for (const name of ['f', 'g']) {
    await put(`mailbox/${name}`)
    await memory.remember(`mailbox/${name}`, 'list', async () => value)
  }
  t.ok(memory.bytes() <= 20_000, `${memory.bytes()} bytes`)
  t.equal(await memory.remember('mailbox/a', 'list', async () => 'anew'), value, 'it was asked about since')
  t.equal(await memory.remember('mailbox/b', 'list', async () => 'anew'), 'anew', 'it was not')

  await memory.remember('mailbox/a', 'large', async () => 'y'.repeat(10_000))
  t.equal(await memory.remember('mailbox/a', 'large', async () => 'anew'), 'anew', 'too large to be kept')
  t.equal(await memory.remember('mailbox/a', 'list', async () => 'anew'), value, 'and pushes nothing out')
})

t.test('one partition takes no more than its share', async (t) => {
  const { memory, put } = setting(t, 20_000)
  await put('mailbox/a')
  await put('mailbox/b')
  await memory.remember('mailbox/b', 'list', async () => 'kept')
  for (let i = 0; i < 50; i++) await memory.remember('mailbox/a', `page ${i}`, async () => 'x'.repeat(1000))
  t.ok(memory.bytes() <= 6000, `${memory.bytes()} bytes`)
  t.equal(await memory.remember('mailbox/b', 'list', async () => 'anew'), 'kept')
})

t.test('a change gives its room back', async (t) => {
  const { memory, put } = setting(t)
  await put('mailbox/a')
  await memory.remember('mailbox/a', 'list', async () => 'x'.repeat(1000))
  t.ok(memory.bytes() > 1000)
  await put('mailbox/a')
  t.equal(memory.bytes(), 0)
})
