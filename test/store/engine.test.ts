/** The engine contract of src/store/engine.ts, on every engine. */
import t from 'tap'
import type { Engine } from '../../src/store/engine.js'
import { key, prefixRange } from '../../src/store/keys.js'
import { ENGINES } from './engines.js'

const bytes = (text: string): Buffer => Buffer.from(text)
const put = (name: string, value: string) => ({ key: key(name), value: bytes(value) })
const ALL = prefixRange()

async function texts(engine: Engine, partition: string, names: string[]): Promise<(string | undefined)[]> {
  const values = await engine.getMany(
    partition,
    names.map((name) => key(name)),
  )
  return values.map((value) => value && Buffer.from(value).toString())
}

for (const { name, open } of ENGINES) {
  t.test(name, async (t) => {
    t.test('a partition that was never written has version 0 and nothing in it', async (t) => {
      const engine = open(t)
      t.equal(await engine.version('mailbox/none'), 0n)
      t.same(await engine.getMany('mailbox/none', [key('a'), key('b')]), [undefined, undefined])
      t.same(await engine.range('mailbox/none', { ...ALL, limit: 10 }), [])
    })

    t.test('a commit applies all its ops and moves the version by one', async (t) => {
      const engine = open(t)
      t.equal(await engine.commit('p', 0n, [put('a', '1'), put('b', '2')]), true)
      t.equal(await engine.version('p'), 1n)
      t.same(await texts(engine, 'p', ['b', 'x', 'a']), ['2', undefined, '1'])
      t.equal(await engine.commit('p', 1n, [{ key: key('a'), value: null }, put('b', '3')]), true)
      t.equal(await engine.version('p'), 2n)
      t.same(await texts(engine, 'p', ['a', 'b']), [undefined, '3'])
    })

    t.test('a commit with another version than the current one does nothing', async (t) => {
      const engine = open(t)
      await engine.commit('p', 0n, [put('a', '1')])
      for (const wrong of [0n, 2n, 2n ** 63n]) t.equal(await engine.commit('p', wrong, [put('a', 'lost')]), false)
      t.equal(await engine.version('p'), 1n)
      t.same(await texts(engine, 'p', ['a']), ['1'])
    })

    t.test('a partition whose last row goes leaves nothing, and its versions never come back', async (t) => {
      const engine = open(t)
      const told: bigint[] = []
      engine.onCommit((partition, version) => void (partition === 'p' && told.push(version)))
      await engine.commit('p', 0n, [put('a', '1')])
      await engine.commit('p', 1n, [put('b', '2')])
      await engine.commit('p', 2n, [{ key: key('a'), value: null }])
      t.equal(await engine.version('p'), 3n, 'one row is left')
      t.equal(await engine.commit('p', 3n, [{ key: key('b'), value: null }]), true)
      t.equal(await engine.version('p'), 0n)
      t.equal(await engine.commit('p', 4n, [put('a', 'lost')]), false)
      t.equal(await engine.commit('p', 0n, [put('a', 'again')]), true)
      t.equal(await engine.version('p'), 5n, 'nobody who knew an older version takes it for that')
      t.same(await texts(engine, 'p', ['a', 'b']), ['again', undefined])
      t.equal(await engine.commit('q', 0n, [{ key: key('none'), value: null }]), true)
      t.equal(await engine.version('q'), 0n)
      while (told.length < 5) await new Promise(setImmediate)
      t.same(told, [1n, 2n, 3n, 4n, 5n])
    })

    t.test('of commits with one version at the same time one wins', async (t) => {
      const engine = open(t)
      const won = await Promise.all(Array.from({ length: 20 }, (_, i) => engine.commit('p', 0n, [put('a', String(i))])))
      t.equal(won.filter(Boolean).length, 1)
      t.equal(await engine.version('p'), 1n)
      t.same(await texts(engine, 'p', ['a']), [String(won.indexOf(true))])
    })

    t.test('partitions that have rows are named in order, in pages', async (t) => {
      const engine = open(t)
      const names = ['a', 'a/b', 'a/ü', 'a0', 'b']
      for (const name of names.toReversed()) await engine.commit(name, 0n, [put('x', '1'), put('y', '2')])
      await engine.commit('gone', 0n, [put('x', '1')])
      await engine.commit('gone', 1n, [{ key: key('x'), value: null }])
      t.same(await engine.partitions('', 100), names)
      t.same(await engine.partitions('', 2), ['a', 'a/b'])
      t.same(await engine.partitions('a/b', 2), ['a/ü', 'a0'])
      t.same(await engine.partitions('b', 2), [])
    })

    t.test('partitions do not see each other, whatever their names', async (t) => {
      const engine = open(t)
      const names = ['p', 'p/', 'p/1', 'p\u0001', 'pp', 'ü', 'p!']
      await Promise.all(names.map((partition) => engine.commit(partition, 0n, [put('who', partition)])))
      for (const partition of names) {
        t.equal(await engine.version(partition), 1n)
        const rows = await engine.range(partition, { ...ALL, limit: 10 })
        t.same(
          rows.map(([, value]) => Buffer.from(value).toString()),
          [partition],
        )
      }
    })

    t.test('ranges are in byte order, from gte up to lt, both ways, at most limit', async (t) => {
      const engine = open(t)
      await engine.commit('o', 0n, [put('before', 'x')])
      await engine.commit('q', 0n, [put('behind', 'x')])
      await engine.commit(
        'p',
        0n,
        [5, 1, 255, 0, 128].map((n) => ({ key: Buffer.of(n), value: Buffer.of(n) })),
      )
      const range = async (gte: number[], lt: number[], limit: number, reverse: boolean) =>
        (await engine.range('p', { gte: Buffer.from(gte), lt: Buffer.from(lt), limit, reverse })).map(([k, v]) => {
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
      await engine.commit('p', 0n, [
        { key: Buffer.alloc(0), value: bytes('empty key') },
        ...values.map((value, i) => ({ key: key(i), value })),
      ])
      const got = await engine.getMany('p', [Buffer.alloc(0), ...sizes.map((_, i) => key(i))])
      const rows = await engine.range('p', { ...ALL, limit: 100 })
      for (const [i, value] of [bytes('empty key'), ...values].entries()) {
        t.ok(got[i] && Buffer.compare(got[i], value) === 0, `get of ${value.length} bytes`)
        t.ok(rows[i] && Buffer.compare(rows[i][1], value) === 0, `range over ${value.length} bytes`)
      }
    })

    t.test('what was read stays what it was', async (t) => {
      const engine = open(t)
      await engine.commit('p', 0n, [put('a', 'old'), put('b', 'x'.repeat(50_000))])
      const before = await engine.getMany('p', [key('a'), key('b')])
      await engine.commit('p', 1n, [put('a', 'new'), put('b', 'y'.repeat(50_000))])
      await engine.getMany('p', [key('a'), key('b')])
      t.same(
        before.map((value) => value && Buffer.from(value).toString()),
        ['old', 'x'.repeat(50_000)],
      )
    })

    t.test('commits are told of, with partition and version, until the listener leaves', async (t) => {
      const engine = open(t)
      const told: string[] = []
      let heard = (): void => undefined
      const leave = engine.onCommit((partition, version) => {
        told.push(`${partition} ${version}`)
        heard()
      })
      for (const version of [0n, 1n]) {
        const hint = new Promise<void>((resolve) => {
          heard = resolve
        })
        await engine.commit('p', version, [put('a', '1')])
        await hint
      }
      await engine.commit('p', 0n, [put('a', 'refused')])
      leave()
      await engine.commit('p', 2n, [put('a', '2')])
      t.same(told, ['p 1', 'p 2'])
    })

    t.test('keys and names that are too long are refused with the limit, and harm nobody else', async (t) => {
      const engine = open(t)
      const long = { key: Buffer.alloc(1_501, 1), value: bytes('x') }
      const [bad, good] = await Promise.allSettled([
        engine.commit('p', 0n, [put('a', 'lost'), long]),
        engine.commit('q', 0n, [put('a', 'kept')]),
      ])
      t.match(bad, { status: 'rejected', reason: { message: /at most 1500 bytes/ } })
      t.match(good, { status: 'fulfilled', value: true })
      t.equal(await engine.version('p'), 0n)
      await t.rejects(async () => engine.getMany('p', [long.key]), /at most 1500 bytes/)
      await t.rejects(async () => engine.version('p'.repeat(401)), /1 to 400 bytes/)
      t.equal(await engine.commit('p'.repeat(400), 0n, [{ key: Buffer.alloc(1_500, 1), value: bytes('x') }]), true)
    })

    t.test('a closed engine answers nobody', async (t) => {
      const engine = open(t)
      const last = engine.commit('p', 0n, [put('a', '1')])
      await last
      await engine.close()
      await engine.close()
      await t.rejects(async () => engine.version('p'), /closed/)
      await t.rejects(async () => engine.getMany('p', [key('a')]), /closed/)
      await t.rejects(engine.commit('p', 1n, [put('a', '2')]), /closed/)
    })
  })
}
