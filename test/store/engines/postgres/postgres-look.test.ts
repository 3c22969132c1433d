/** Versions and rows in one statement: they are those of a snapshot, and of one moment. */
import t from 'tap'
import { systemClock } from '../../../../src/lib/clock.js'
import { cachedEngine } from '../../../../src/store/cache/cached-engine.js'
import type { Answered, Ask, Engine, Op, Range } from '../../../../src/store/engine.js'
import { openPostgres } from '../../../../src/store/engines/postgres/postgres.js'
import { key, prefixRange } from '../../../../src/store/keys.js'
import { createStore } from '../../../../src/store/store.js'
import { postgresPeer } from '../../../support/peers/postgres.js'
import { below, pick, randomFrom, type Random } from '../../../support/random.js'
import { createTestDatabase } from '../../../support/store/test-database.js'

const options = await postgresPeer()
/** The last one stays without rows; the names have what an array and a pattern would have to escape. */
const PARTITIONS = ['a', 'b "{,}\\', 'ü/%_', 'none']
const LOOKS = 40

async function opened(t: { teardown(fn: () => Promise<void>): void }): Promise<Engine> {
  const engine = await openPostgres({ url: (await createTestDatabase()).url, clock: systemClock })
  t.teardown(() => engine.close())
  return engine
}

function lookOf({ look }: Engine): NonNullable<Engine['look']> {
  if (!look) throw new Error('PostgreSQL has one moment of the whole store')
  return look
}

/** Few and short, so that many are met again; the empty one, and octets that are no text. */
const someKey = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: below(random, 4) }, () => pick(random, [0, 1, 0x5c, 0x7f, 0x80, 0xff])))

const someRange = (random: Random): Range => ({
  gte: someKey(random),
  lt: someKey(random),
  limit: below(random, 12),
  ...(random() < 0.5 && { reverse: random() < 0.5 }),
})

const someAsk = (random: Random): Ask => ({
  partition: pick(random, PARTITIONS),
  keys: Array.from({ length: below(random, 6) }, () => someKey(random)),
  ranges: Array.from({ length: below(random, 4) }, () => someRange(random)),
})

/** The same by the statements of a transaction. */
const readOf = (engine: Engine, names: readonly string[], asks: readonly Ask[]) =>
  engine.read(async (reader) => {
    const [versions, ...answers] = await Promise.all([
      reader.versions(names),
      ...asks.map(async ({ partition, keys, ranges }): Promise<Answered> => {
        const [values, ...found] = await Promise.all([
          reader.getMany(partition, keys),
          ...ranges.map((range) => reader.range(partition, range)),
        ])
        return { values, ranges: found }
      }),
    ])
    return { versions, answers }
  })

t.test('a look finds what a snapshot finds', options, async (t) => {
  const engine = await opened(t)
  const random = randomFrom(1)
  const ops = Array.from({ length: 200 }, (): Op => ({
    partition: pick(random, PARTITIONS.slice(0, -1)),
    key: someKey(random),
    value: Buffer.from(Array.from({ length: below(random, 5) }, () => below(random, 256))),
  }))
  await engine.commit([], ops, 'rows')
  for (let looks = 0; looks < LOOKS; looks++) {
    const names = PARTITIONS.filter(() => random() < 0.5)
    const asks = Array.from({ length: below(random, 5) }, () => someAsk(random))
    t.same(await lookOf(engine)(names, asks), await readOf(engine, names, asks))
  }
})

t.test('a look sees one moment of the whole store, while others commit', options, async (t) => {
  const engine = await opened(t)
  const partitions = ['p', 'q', 'r']
  const commit = (n: number) =>
    engine.commit(
      [],
      partitions.map((partition) => ({ partition, key: key('n'), value: Buffer.from(String(n)) })),
      `all ${n}`,
    )
  await commit(0)
  let isDone = false
  const writing = (async () => {
    for (let n = 1; n <= 100; n++) await commit(n)
    isDone = true
  })()
  const asks = partitions.map((partition) => ({
    partition,
    keys: [key('n')],
    ranges: [{ ...prefixRange(), limit: 5 }],
  }))
  const seen = new Set<string>()
  while (!isDone) {
    const { versions, answers } = await lookOf(engine)(partitions, asks)
    const numbers = answers.flatMap(({ values, ranges }) => [values[0], ranges[0]?.[0]?.[1]].map(String))
    if (new Set(numbers).size !== 1) t.fail(`torn: ${numbers.join(', ')}`)
    seen.add(`${numbers[0]} ${versions.join(' ')}`)
  }
  await writing
  const moments = new Set([...seen].map((moment) => moment.split(' ')[0]))
  t.equal(seen.size, moments.size, 'the versions are those of the rows')
  t.ok(moments.size > 1)
})

t.test('a cache of rows fills itself by looks alone', options, async (t) => {
  const engine = await opened(t)
  const under: Engine = { ...engine, read: () => Promise.reject(new Error('read in a transaction')) }
  const store = createStore(cachedEngine(under, { maxBytes: 100_000 }))
  await store.write(['p', 'q'], async (tx) => {
    t.equal(await tx.get(key('a')), undefined)
    tx.put(key('a'), Buffer.from('1'))
    tx.in('q').put(key('b'), Buffer.from('2'))
  })
  const both = await store.read('p', async (view) => {
    const [one, [two]] = await Promise.all([view.get(key('a')), view.in('q').range({ ...prefixRange(), limit: 1 })])
    return [one, two?.[1]].map(String)
  })
  t.same(both, ['1', '2'])
})
