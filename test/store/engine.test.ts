/** The engine contract of src/store/engine.ts, on every engine. */
import t from 'tap'
import type { Check, Engine, Op, Range } from '../../src/store/engine.js'
import { key, prefixRange } from '../../src/store/keys.js'
import { STORE_ENGINES } from './engines.js'

const bytes = (text: string): Buffer => Buffer.from(text)
const put = (name: string, value: string, partition = 'p'): Op => ({ partition, key: key(name), value: bytes(value) })
const remove = (name: string, partition = 'p'): Op => ({ partition, key: key(name), value: null })
const at = (expect: bigint, partition = 'p'): Check => ({ partition, expect })
const ALL = prefixRange()
let marks = 0

const commit = (engine: Engine, checks: Check[], ops: Op[]): Promise<ReadonlyMap<string, bigint> | 'conflict'> =>
  engine.commit(checks, ops, `mark ${(marks += 1)}`)

/** Commits what nobody stands against. @returns the version of the partition after it */
async function must(engine: Engine, checks: Check[], ops: Op[], partition = 'p'): Promise<bigint> {
  const moved = await commit(engine, checks, ops)
  if (moved === 'conflict') throw new Error('a conflict')
  return moved.get(partition) ?? 0n
}

const versionOf = (engine: Engine, partition = 'p'): Promise<bigint> =>
  engine.read((reader) => reader.version(partition))

const rangeOf = (engine: Engine, partition: string, range: Range): Promise<[Uint8Array, Uint8Array][]> =>
  engine.read((reader) => reader.range(partition, range))

async function texts(engine: Engine, partition: string, names: string[]): Promise<(string | undefined)[]> {
  const values = await engine.read((reader) =>
    reader.getMany(
      partition,
      names.map((name) => key(name)),
    ),
  )
  return values.map((value) => value && Buffer.from(value).toString())
}

for (const { name, open } of STORE_ENGINES) {
  t.test(name, async (t) => {
    t.test('a partition that was never written has version 0 and nothing in it', async (t) => {
      const engine = open(t)
      t.equal(await versionOf(engine, 'mailbox/none'), 0n)
      t.same(await texts(engine, 'mailbox/none', ['a', 'b']), [undefined, undefined])
      t.same(await rangeOf(engine, 'mailbox/none', { ...ALL, limit: 10 }), [])
    })

    t.test('a commit applies all its ops, of all its partitions, and moves their versions on', async (t) => {
      const engine = open(t)
      const moved = await commit(engine, [at(0n), at(0n, 'q')], [put('a', '1'), put('b', '2'), put('a', 'q1', 'q')])
      if (moved === 'conflict') return t.fail('nobody stood against it')
      t.same([...moved.keys()].sort(), ['p', 'q'])
      const [p = 0n, q = 0n] = ['p', 'q'].map((name) => moved.get(name))
      t.ok(p > 0n && q > 0n)
      t.equal(await versionOf(engine), p)
      t.equal(await versionOf(engine, 'q'), q)
      t.same(await texts(engine, 'p', ['b', 'x', 'a']), ['2', undefined, '1'])
      t.same(await texts(engine, 'q', ['a']), ['q1'])
      const later = await must(engine, [at(p)], [remove('a'), put('b', '3')])
      t.ok(later > p)
      t.equal(await versionOf(engine), later)
      t.equal(await versionOf(engine, 'q'), q, 'what was not written stays')
      t.same(await texts(engine, 'p', ['a', 'b']), [undefined, '3'])
    })

    t.test('a commit that expects another version of any partition does nothing', async (t) => {
      const engine = open(t)
      const p = await must(engine, [], [put('a', '1')])
      const q = await must(engine, [], [put('a', '1', 'q')], 'q')
      for (const wrong of [0n, p + 1n, 2n ** 63n])
        t.equal(await commit(engine, [at(q, 'q'), at(wrong)], [put('a', 'lost'), put('a', 'lost', 'q')]), 'conflict')
      t.equal(await commit(engine, [at(p - 1n)], [put('a', 'lost', 'q')]), 'conflict', 'one that is only read counts')
      t.equal(
        await commit(engine, [at(1n, 'none')], [put('a', 'lost', 'q')]),
        'conflict',
        'one that is not there counts',
      )
      t.same([await versionOf(engine), await versionOf(engine, 'q')], [p, q])
      t.same(await texts(engine, 'p', ['a']), ['1'])
      t.same(await texts(engine, 'q', ['a']), ['1'])
    })

    t.test('checks alone say whether they hold, and move nothing', async (t) => {
      const engine = open(t)
      const p = await must(engine, [], [put('a', '1')])
      t.same(await commit(engine, [at(p), at(0n, 'none')], []), new Map())
      t.equal(await commit(engine, [at(p), at(7n, 'none')], []), 'conflict')
      t.equal(await versionOf(engine), p)
    })

    t.test('a blind write waits for nobody, and whoever read before it is told', async (t) => {
      const engine = open(t)
      const p = await must(engine, [], [put('a', '1')])
      const blind = await Promise.all(
        Array.from({ length: 20 }, (_, i) => must(engine, [], [put(`task ${i}`, String(i)), put('b', '1', 'q')])),
      )
      t.equal((await rangeOf(engine, 'p', { ...ALL, limit: 100 })).length, 21)
      t.equal(
        await versionOf(engine),
        blind.reduce((a, b) => (a > b ? a : b)),
      )
      t.equal(await commit(engine, [at(p)], [put('a', 'lost')]), 'conflict')
    })

    t.test('a partition whose last row goes leaves nothing, and no version comes twice', async (t) => {
      const engine = open(t)
      const told: bigint[] = []
      engine.onCommit((partition, version) => void (partition === 'p' && told.push(version)))
      const first = await must(engine, [at(0n)], [put('a', '1'), put('b', '1')])
      const second = await must(engine, [at(first)], [remove('a')])
      t.equal(await versionOf(engine), second, 'one row is left')
      const third = await must(engine, [at(second)], [remove('b')])
      t.equal(await versionOf(engine), 0n)
      t.same(await engine.read((reader) => reader.partitions('', 10)), [])
      t.equal(await commit(engine, [at(third)], [put('a', 'lost')]), 'conflict')
      const fourth = await must(engine, [at(0n)], [put('a', 'again')])
      t.equal(await versionOf(engine), fourth)
      t.same(await texts(engine, 'p', ['a', 'b']), ['again', undefined])
      const versions = [first, second, third, fourth]
      t.same([...new Set(versions)].sort(), versions, 'each is past the one before')
      await must(engine, [at(0n, 'q')], [remove('none', 'q')])
      t.equal(await versionOf(engine, 'q'), 0n)
      while (told.length < 4) await new Promise(setImmediate)
      t.same(told.sort(), versions)
    })

    t.test('of commits that expect one version at the same time one wins', async (t) => {
      const engine = open(t)
      const won = await Promise.all(
        Array.from({ length: 20 }, (_, i) => commit(engine, [at(0n)], [put('a', String(i))])),
      )
      t.equal(won.filter((moved) => moved !== 'conflict').length, 1)
      t.same(await texts(engine, 'p', ['a']), [String(won.findIndex((moved) => moved !== 'conflict'))])
    })

    t.test('a blind deletion behind another commit deletes what that one put', async (t) => {
      const engine = open(t)
      await must(engine, [], [put('stays', '1')])
      for (let round = 0; round < 10; round++) {
        // Sent in this order, and so taken: no answer is waited for in between.
        const [before, behind] = [commit(engine, [], [put('a', String(round))]), commit(engine, [], [remove('a')])]
        const [first, second] = await Promise.all([before, behind])
        if (first === 'conflict' || second === 'conflict') return t.fail('blind commits stand against nobody')
        const isLast = (second.get('p') ?? 0n) > (first.get('p') ?? 0n)
        t.same(await texts(engine, 'p', ['a', 'stays']), [isLast ? undefined : String(round), '1'])
      }
    })

    t.test('of two that each expect the partition of the other to be absent one wins at most', async (t) => {
      const engine = open(t)
      for (let round = 0; round < 10; round++) {
        const [a, b] = [`a${round}`, `b${round}`]
        const done = await Promise.all([
          commit(engine, [at(0n, b)], [put('k', '1', a)]),
          commit(engine, [at(0n, a)], [put('k', '1', b)]),
        ])
        const won = done.filter((moved) => moved !== 'conflict').length
        t.ok(won <= 1, 'not both')
        const versions = await Promise.all([versionOf(engine, a), versionOf(engine, b)])
        t.equal(versions.filter((version) => version > 0n).length, won)
      }
    })

    t.test('writers that name two partitions in opposite order all get through', async (t) => {
      const engine = open(t)
      const orders = [
        ['p', 'q'],
        ['q', 'p'],
      ]
      const moved = await Promise.all(
        Array.from({ length: 40 }, async (_, i) => {
          const ops = (orders[i % 2] ?? []).map((name) => put(`row ${i}`, '1', name))
          // A conflict is tried again, as the store does.
          for (;;) {
            const done = await commit(engine, [], ops)
            if (done !== 'conflict') return done
          }
        }),
      )
      t.ok(moved.every((each) => each.size === 2))
      for (const name of ['p', 'q']) t.equal((await rangeOf(engine, name, { ...ALL, limit: 100 })).length, 40)
    })

    t.test('a reader sees one moment of a partition, and of the whole store where the engine says so', async (t) => {
      const engine = open(t)
      const both = (n: number): Op[] => [put('n', String(n)), put('n', String(n), 'q')]
      await must(engine, [], both(0))
      let runs = 0
      const seen = await engine.read(async (reader) => {
        const [one] = await reader.getMany('p', [key('n')])
        const version = await reader.version('p')
        if (runs++ === 0) await must(engine, [], both(1))
        const [again] = await reader.getMany('p', [key('n')])
        const rows = await reader.range('p', { ...ALL, limit: 10 })
        const [other] = await reader.getMany('q', [key('n')])
        return {
          own: [one, again, rows[0]?.[1]].map(String),
          other: String(other),
          is: await reader.version('p'),
          was: version,
        }
      })
      // An engine may run it again instead of going on with an old moment.
      const n = runs === 1 ? '0' : '1'
      t.same(seen.own, [n, n, n])
      t.equal(seen.is, seen.was)
      t.equal(seen.other, engine.wholeStore ? n : '1')
      t.same(await texts(engine, 'q', ['n']), ['1'])
    })

    t.test('a commit is seen by whoever reads after it', async (t) => {
      const engine = open(t)
      for (let n = 0; n < 30; n++) {
        const version = await must(engine, [], [put('n', String(n))])
        t.same(await texts(engine, 'p', ['n']), [String(n)])
        t.same(await engine.versions(['p', 'none']), [version, 0n])
        t.same(await engine.read((reader) => reader.versions(['none', 'p'])), [0n, version])
        if (engine.newest() !== undefined) t.equal(engine.newest(), version)
      }
    })

    t.test('partitions that have rows are named in order, in pages', async (t) => {
      const engine = open(t)
      const names = ['a', 'a/b', 'a/ü', 'a0', 'b']
      for (const name of names.toReversed()) await must(engine, [], [put('x', '1', name), put('y', '2', name)])
      await must(engine, [], [put('x', '1', 'gone')])
      await must(engine, [], [remove('x', 'gone')])
      t.same(await engine.read((reader) => reader.partitions('', 100)), names)
      t.same(await engine.read((reader) => reader.partitions('', 2)), ['a', 'a/b'])
      t.same(await engine.read((reader) => reader.partitions('a/b', 2)), ['a/ü', 'a0'])
      t.same(await engine.read((reader) => reader.partitions('b', 2)), [])
    })

    t.test('partitions do not see each other, whatever their names', async (t) => {
      const engine = open(t)
      const names = ['p', 'p/', 'p/1', 'p\u0001', 'pp', 'ü', 'p!']
      await must(
        engine,
        [],
        names.map((partition) => put('who', partition, partition)),
      )
      for (const partition of names) {
        const rows = await rangeOf(engine, partition, { ...ALL, limit: 10 })
        t.same(
          rows.map(([, value]) => Buffer.from(value).toString()),
          [partition],
        )
      }
    })

    t.test('ranges are in byte order, from gte up to lt, both ways, at most limit', async (t) => {
      const engine = open(t)
      await must(engine, [], [put('before', 'x', 'o'), put('behind', 'x', 'q')])
      await must(
        engine,
        [],
        [5, 1, 255, 0, 128].map((n) => ({ partition: 'p', key: Buffer.of(n), value: Buffer.of(n) })),
      )
      const range = async (gte: number[], lt: number[], limit: number, reverse: boolean) =>
        (await rangeOf(engine, 'p', { gte: Buffer.from(gte), lt: Buffer.from(lt), limit, reverse })).map(([k, v]) => {
          t.same(Buffer.from(k), Buffer.from(v))
          return k[0]
        })
      t.same(await range([], [255, 0], 10, false), [0, 1, 5, 128, 255])
      t.same(await range([], [255, 0], 10, true), [255, 128, 5, 1, 0])
      t.same(await range([1], [128], 10, false), [1, 5])
      t.same(await range([1], [128], 10, true), [5, 1])
      t.same(await range([0, 0], [200], 2, false), [1, 5])
      t.same(await range([0, 0], [200], 2, true), [128, 5])
      t.same(await range([1], [1], 10, false), [])
      t.same(await range([5], [1], 10, true), [])
      t.same(await range([0], [255], 0, false), [])
    })

    t.test('empty keys, empty values and large values are kept', async (t) => {
      const engine = open(t)
      const sizes = [0, 1, 4_000, 33_000, 70_000, 3_000_000]
      const values = sizes.map((size) => Buffer.alloc(size, size % 251))
      await must(
        engine,
        [],
        [
          { partition: 'p', key: Buffer.alloc(0), value: bytes('empty key') },
          ...values.map((value, i) => ({ partition: 'p', key: key(i), value })),
        ],
      )
      const { got, rows } = await engine.read(async (reader) => ({
        got: await reader.getMany('p', [Buffer.alloc(0), ...sizes.map((_, i) => key(i))]),
        rows: await reader.range('p', { ...ALL, limit: 100 }),
      }))
      for (const [i, value] of [bytes('empty key'), ...values].entries()) {
        t.ok(got[i] && Buffer.compare(got[i], value) === 0, `get of ${value.length} bytes`)
        t.ok(rows[i] && Buffer.compare(rows[i][1], value) === 0, `range over ${value.length} bytes`)
      }
    })

    t.test('what was read stays what it was', async (t) => {
      const engine = open(t)
      await must(engine, [], [put('a', 'old'), put('b', 'x'.repeat(50_000))])
      const names = [key('a'), key('b')]
      const before = await engine.read((reader) => reader.getMany('p', names))
      await must(engine, [], [put('a', 'new'), put('b', 'y'.repeat(50_000))])
      await engine.read((reader) => reader.getMany('p', names))
      t.same(
        before.map((value) => value && Buffer.from(value).toString()),
        ['old', 'x'.repeat(50_000)],
      )
    })

    t.test('commits are told of, with each partition and its version, until the listener leaves', async (t) => {
      const engine = open(t)
      const told: string[] = []
      const leave = engine.onCommit((partition, version) => void told.push(`${partition} ${version}`))
      const first = await must(engine, [], [put('a', '1')])
      while (told.length < 1) await new Promise(setImmediate)
      const moved = await commit(engine, [], [put('a', '2'), put('a', '2', 'q')])
      while (told.length < 3) await new Promise(setImmediate)
      await commit(engine, [at(0n)], [put('a', 'refused')])
      leave()
      await must(engine, [], [put('a', '3')])
      t.same(told.toSorted(), [`p ${first}`, ...[...moved].map(([name, version]) => `${name} ${version}`)].toSorted())
    })

    t.test('keys and names that are too long are refused with the limit, and harm nobody else', async (t) => {
      const engine = open(t)
      const long: Op = { partition: 'p', key: Buffer.alloc(1_501, 1), value: bytes('x') }
      const [bad, good] = await Promise.allSettled([
        commit(engine, [], [put('a', 'lost'), long]),
        commit(engine, [], [put('a', 'kept', 'q')]),
      ])
      t.match(bad, { status: 'rejected', reason: { message: /at most 1500 bytes/ } })
      t.match(good, { status: 'fulfilled' })
      t.equal(await versionOf(engine), 0n)
      await t.rejects(
        engine.read((reader) => reader.getMany('p', [long.key])),
        /at most 1500 bytes/,
      )
      await t.rejects(versionOf(engine, 'p'.repeat(401)), /1 to 400 bytes/)
      const name = 'p'.repeat(400)
      t.ok(await must(engine, [], [{ partition: name, key: Buffer.alloc(1_500, 1), value: bytes('x') }], name))
    })

    t.test('a closed engine answers nobody', async (t) => {
      const engine = open(t)
      await must(engine, [], [put('a', '1')])
      await engine.close()
      await engine.close()
      await t.rejects(versionOf(engine), /closed/)
      await t.rejects(commit(engine, [], [put('a', '2')]), /closed/)
    })
  })
}
