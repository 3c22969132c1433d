/** Concurrent transactions over several partitions, from two processes as it were, have an order: on every engine; and the checker finds those that have none. */
import { setImmediate as tick } from 'node:timers/promises'
import t from 'tap'
import { cachedEngine } from '../../src/store/cache/cached-engine.js'
import type { Engine } from '../../src/store/engine.js'
import { decode, encode, key, keyParts, prefixRange } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Store, Transaction, View } from '../../src/store/types.js'
import { unserialisable, type History, type Seen } from '../support/store/histories.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { randomFrom } from '../support/random.js'
import { SAMPLE } from '../support/sample.js'
import { STORE_ENGINES } from './engines.js'

/** Histories of each engine, and of processes with rows in memory. */
const HISTORIES = SAMPLE ? 2 : 6
const CACHED_HISTORIES = SAMPLE ? 6 : 12
const PARTITIONS = ['a', 'b', 'c']
const LISTS = 2
const WRITERS = 8
const EACH = 40
const LIST = (n: number): Uint8Array => key('list', n)
const ROWS = prefixRange('row')

const POSTGRES = STORE_ENGINES.filter(({ name }) => name.startsWith('postgres'))

async function listOf(view: View, n: number): Promise<number[]> {
  const bytes = await view.get(LIST(n))
  return bytes ? decode<number[]>(bytes) : []
}

async function rowsOf(view: View): Promise<number[]> {
  return (await view.range(ROWS)).map(([row]) => Number(keyParts(row)[1]))
}

interface Looks {
  lists: Seen[]
  sets: Seen[]
}

/** One transaction of chance. @returns what it saw */
async function act(store: Store, by: number, chance: () => number, wholeStore: boolean): Promise<Looks> {
  const pick = <T>(from: readonly T[]): T => {
    const one = from[Math.floor(chance() * from.length)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }
  const isRead = chance() < 0.3
  const first = pick(PARTITIONS)
  // Where a read is of each partition alone, one of several has no moment.
  const partitions = isRead && !wholeStore ? [first] : [...new Set([first, pick(PARTITIONS)])]
  const steps = Array.from({ length: 1 + Math.floor(chance() * 3) }, () => ({
    partition: pick(partitions),
    list: Math.floor(chance() * LISTS),
    appends: chance() < 0.6,
    looks: chance() < 0.3,
  }))
  const blind = chance() < 0.4 ? pick(PARTITIONS) : undefined

  const look = async (view: View, tx: Transaction | undefined): Promise<Looks> => {
    const seen: Looks = { lists: [], sets: [] }
    for (const { partition, list, appends, looks } of steps) {
      const own = view.in(partition)
      const what = `${partition}/${list}`
      const saw = await listOf(own, list)
      // What it wrote itself is no news of others.
      if (!saw.includes(by)) seen.lists.push({ by, what, saw })
      if (looks) seen.sets.push({ by, what: partition, saw: (await rowsOf(own)).filter((other) => other !== by) })
      if (tx && appends && !saw.includes(by)) tx.in(partition).put(LIST(list), encode([...saw, by]))
    }
    if (tx && blind !== undefined) tx.blind(blind).put(key('row', by), encode(1))
    return seen
  }
  if (isRead) return store.read(first, (view) => look(view, undefined))
  return store.write(partitions, (tx) => look(tx, tx))
}

/** @param process what each of two processes puts before the engine that they share */
async function record(engine: Engine, seed: number, process = (own: Engine): Engine => own): Promise<History> {
  // Each has lines of its own, as another process has.
  const stores = [createStore(process(engine)), createStore(process(engine))]
  const chance = randomFrom(seed)
  const history: Looks = { lists: [], sets: [] }
  let number = 0
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let i = 0; i < EACH; i++) {
        const store = stores[writer % stores.length]
        const seen = store && (await act(store, ++number, chance, engine.wholeStore))
        if (seen) history.lists.push(...seen.lists)
        if (seen) history.sets.push(...seen.sets)
        if (chance() < 0.2) await tick()
      }
    }),
  )
  const lastLists = new Map<string, number[]>()
  const lastSets = new Map<string, number[]>()
  // Nobody writes any more.
  await stores[0]?.read('a', async (view) => {
    for (const partition of PARTITIONS) {
      lastSets.set(partition, await rowsOf(view.in(partition)))
      for (let n = 0; n < LISTS; n++) lastLists.set(`${partition}/${n}`, await listOf(view.in(partition), n))
    }
  })
  return { ...history, lastLists, lastSets }
}

for (const { name, open } of STORE_ENGINES) {
  t.test(`${name}: there is an order`, async (t) => {
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const history = await record(open(t), seed)
      t.equal(unserialisable(history), undefined, `seed ${seed}`)
      t.ok(history.lists.length > WRITERS * EACH, 'much was seen')
    }
  })
}

/** Every commit is told as one of another process, with the versions of other commits among them. */
function hearing(engine: Engine, seed: number): Engine {
  const chance = randomFrom(seed)
  return {
    ...engine,
    onCommit: (fn) =>
      engine.onCommit((partition, version) => {
        if (chance() < 0.7) fn(partition, chance() < 0.2 ? version + 5n : version, true)
      }),
  }
}

t.test('processes that each keep rows in memory: there is an order', async (t) => {
  for (const wholeStore of [true, false]) {
    for (let seed = 1; seed <= CACHED_HISTORIES; seed++) {
      const engine = memoryEngine({ conflicts: 0.1, lost: 0.05, wholeStore, seed })
      // The smaller one keeps one partition or two.
      const maxBytes = seed % 2 === 0 ? 200_000 : 3_000
      const caching = (own: Engine): Engine => cachedEngine(seed % 3 === 0 ? own : hearing(own, seed), { maxBytes })
      const history = await record(engine, seed, caching)
      t.equal(
        unserialisable(history),
        undefined,
        `seed ${seed}, ${wholeStore ? 'one moment' : 'moments of partitions'}`,
      )
      t.ok(history.lists.length > WRITERS * EACH, 'much was seen')
    }
  }
})

/** An engine that does not look whether what was read is as it was. */
function unchecked(engine: Engine): Engine {
  return { ...engine, commit: (_checks, ops, mark) => engine.commit([], ops, mark) }
}

/** One that looks at what is written alone: what is only read may change. */
function halfChecked(engine: Engine): Engine {
  return {
    ...engine,
    commit: (checks, ops, mark) =>
      engine.commit(
        checks.filter(({ partition }) => ops.some((op) => op.partition === partition)),
        ops,
        mark,
      ),
  }
}

t.test('the checker finds what has none', async (t) => {
  for (let seed = 1; seed <= 5; seed++) {
    const history = await record(unchecked(memoryEngine({ conflicts: 0, seed })), seed)
    t.type(unserialisable(history), 'string', `seed ${seed}`)
  }
  for (const { name, open } of POSTGRES) {
    const history = await record(unchecked(open(t)), 1)
    t.type(unserialisable(history), 'string', name)
  }
})

/**
 * Two at once, of which each takes one of two places away if it sees both: write skew. Neither commits its first try before the other has read too.
 *
 * @returns how many are left
 */
async function skew(engine: Engine): Promise<number> {
  const stores = [createStore(engine), createStore(engine)]
  const places = ['a', 'b']
  await stores[0]?.write(places, (tx) => places.forEach((name) => tx.in(name).put(key('on'), encode(1))))
  const onBoth = (view: View): Promise<(Uint8Array | undefined)[]> =>
    Promise.all(places.map((name) => view.in(name).get(key('on'))))
  let open = (): void => undefined
  const haveRead = new Promise<void>((resolve) => (open = resolve))
  const readers = new Set<number>()
  await Promise.all(
    stores.map((store, i) =>
      store.write(places, async (tx) => {
        const both = await onBoth(tx)
        if (readers.add(i).size === stores.length) open()
        await haveRead
        if (both.every((on) => on !== undefined)) tx.in(places[i] ?? '').delete(key('on'))
      }),
    ),
  )
  const left = await stores[0]?.read('a', onBoth)
  return left?.filter((on) => on !== undefined).length ?? 0
}

t.test('what is only read counts as well', async (t) => {
  for (const { name, open } of STORE_ENGINES) t.equal(await skew(open(t)), 1, name)
  const engines = [memoryEngine({ lateness: 0, conflicts: 0 }), ...POSTGRES.map(({ open }) => open(t))]
  for (const engine of engines) t.equal(await skew(halfChecked(engine)), 0, 'it is the check that sees to it')
})
