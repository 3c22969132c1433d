/** A copy of a store is brought up to date: what changed, and nothing else; after a crash at any commit; and never onto something else. */
import t from 'tap'
import { catchUp, ForeignTargetError, type CaughtUp } from '../../../src/store/copy/catch-up.js'
import { COPY_PARTITION, isIncompleteCopy, removeRecords } from '../../../src/store/copy/copy-records.js'
import type { Engine, Op } from '../../../src/store/engine.js'
import { openLmdb } from '../../../src/store/engines/lmdb/lmdb.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { dyingAtEachCommit } from '../../support/store/mortal-engine.js'
import { ENGINES } from '../engines.js'

const SOURCE = 'a store'
const EVERYTHING = { gte: Buffer.alloc(0), lt: Buffer.of(255), limit: 10_000 }

const op = (partition: string, key: string, value: string | Buffer | null): Op => ({
  partition,
  key: Buffer.from(key),
  value: value === null ? null : Buffer.from(value),
})

let marks = 0
async function commit(engine: Engine, ...ops: Op[]): Promise<void> {
  await engine.commit([], ops, `test ${marks++}`)
}

/** Rows by partition, as text. */
async function contentsOf(engine: Engine): Promise<Record<string, string[]>> {
  return engine.read(async (reader) => {
    const contents: Record<string, string[]> = {}
    for (const name of await reader.partitions('', 10_000)) {
      const rows = await reader.range(name, EVERYTHING)
      contents[name] = rows.map(([key, value]) => `${String(key)}=${Buffer.from(value).toString('latin1')}`)
    }
    return contents
  })
}

const withoutRecords = async (engine: Engine): Promise<Record<string, string[]>> => {
  const { [COPY_PARTITION]: _, ...rest } = await contentsOf(engine)
  return rest
}

const quietMemory = (): Engine => memoryEngine({ conflicts: 0 })

/** Several commits long: one partition is larger than a commit, and there are more than fit into one. */
async function fill(engine: Engine): Promise<void> {
  for (let i = 0; i < 25; i++) await commit(engine, op('large', `row ${i + 10}`, Buffer.alloc(60_000, i)))
  await commit(engine, ...Array.from({ length: 600 }, (_, i) => op(`mailbox/${i}`, 'name', `of ${i}`)))
  await commit(engine, op('meta', 'a', '1'), op('meta', 'b', '2'), op('meta', 'c', '3'), op('short-lived', 'x', 'y'))
}

/** @returns the number of partitions that changed, and that are gone */
async function change(engine: Engine): Promise<Pick<CaughtUp, 'copied' | 'removed'>> {
  await commit(engine, op('meta', 'b', 'two'), op('meta', 'c', null), op('meta', 'd', '4'))
  await commit(engine, op('large', 'row 12', 'small now'), op('large', 'row 34', null), op('mailbox/17', 'key', 'new'))
  await commit(engine, op('short-lived', 'x', null), op('mailbox/5', 'name', null), op('a new one', 'x', 'y'))
  return { copied: 4, removed: 2 }
}

for (const { name, open } of ENGINES)
  t.test(`to ${name}: the second time only what changed is copied`, async (t) => {
    const [from, to] = [openLmdb({ path: t.testdir() }), open(t)]
    t.teardown(() => from.close())
    await fill(from)
    const first = await catchUp(from, to, { source: SOURCE })
    t.match(first, { partitions: 603, rows: 629, copied: 603, removed: 0 })
    t.same(await withoutRecords(to), await contentsOf(from))
    t.match(await catchUp(from, to, { source: SOURCE }), { ...first, copied: 0 })

    const changed = await change(from)
    const second = await catchUp(from, to, { source: SOURCE })
    t.match(second, { partitions: 602, rows: 628, ...changed })
    t.same(await withoutRecords(to), await contentsOf(from))

    t.equal(await isIncompleteCopy(to), true)
    await removeRecords(to)
    t.equal(await isIncompleteCopy(to), false)
    t.same(await contentsOf(to), await contentsOf(from))
  })

t.test('from memory, in which each partition has a moment of its own', async (t) => {
  const [from, to] = [memoryEngine({ conflicts: 0, wholeStore: false }), quietMemory()]
  await fill(from)
  await catchUp(from, to, { source: SOURCE })
  const changed = await change(from)
  t.match(await catchUp(from, to, { source: SOURCE }), changed)
  t.same(await withoutRecords(to), await contentsOf(from))
})

t.test('a copy is of one moment, whatever is committed meanwhile', async (t) => {
  const [from, to] = [openLmdb({ path: t.testdir() }), quietMemory()]
  t.teardown(() => from.close())
  await fill(from)
  const before = await contentsOf(from)
  let changing: ReturnType<typeof change> | undefined
  await catchUp(from, to, { source: SOURCE, onProgress: () => void (changing ??= change(from)) })
  const changed = await changing
  t.same(await withoutRecords(to), before)
  t.match(await catchUp(from, to, { source: SOURCE }), changed)
  t.same(await withoutRecords(to), await contentsOf(from))
})

t.test('a copy that is interrupted at any commit is brought up to date by the next', async (t) => {
  let from = quietMemory()
  let deaths = 0
  for (const isSecond of [false, true])
    await dyingAtEachCommit(quietMemory, {
      async prepare(to) {
        from = quietMemory()
        await fill(from)
        if (!isSecond) return
        await catchUp(from, to, { source: SOURCE })
        await change(from)
        // More than a commit of changed rows in one partition.
        for (let i = 0; i < 25; i++) await commit(from, op('large', `row ${i + 10}`, Buffer.alloc(60_000, 99 - i)))
      },
      async run(to) {
        await catchUp(from, to, { source: SOURCE })
        await removeRecords(to)
      },
      async check(to) {
        deaths++
        const left = Object.keys(await contentsOf(to))
        if (!(await isIncompleteCopy(to)) && left.length > 0) {
          t.same(await contentsOf(to), await contentsOf(from), 'it died after its last commit')
          return
        }
        await catchUp(from, to, { source: SOURCE })
        await removeRecords(to)
        t.same(await contentsOf(to), await contentsOf(from))
      },
    })
  t.ok(deaths > 12, `${deaths} deaths`)
})

t.test('what somebody else did to the copy is undone', async (t) => {
  const [from, to] = [quietMemory(), quietMemory()]
  await fill(from)
  await catchUp(from, to, { source: SOURCE })
  await commit(to, op('meta', 'a', 'changed'), op('mailbox/3', 'name', null), op('not of the source', 'x', 'y'))
  t.match(await catchUp(from, to, { source: SOURCE }), { copied: 2, removed: 1 })
  t.same(await withoutRecords(to), await contentsOf(from))
})

t.test('what belongs to the nodes is not copied', async (t) => {
  const [from, to] = [quietMemory(), quietMemory()]
  const names = ['cluster/members', 'cluster/shards', 'cluster/fence/x', 'cluster/beat/x', 'cluster/rates/x']
  await commit(from, ...[...names, 'cluster/vault'].map((name) => op(name, 'x', 'y')))
  t.match(await catchUp(from, to, { source: SOURCE }), { partitions: 1, copied: 1 })
  t.same(Object.keys(await withoutRecords(to)), ['cluster/vault'])
})

t.test('nothing is copied onto other rows', async (t) => {
  const [from, to] = [quietMemory(), quietMemory()]
  await fill(from)
  await commit(to, op('meta', 'a', 'another'))
  await t.rejects(catchUp(from, to, { source: SOURCE }), ForeignTargetError)
  t.same(await contentsOf(to), { meta: ['a=another'] })

  const begun = quietMemory()
  await catchUp(from, begun, { source: SOURCE })
  await t.rejects(catchUp(from, begun, { source: 'another store' }), ForeignTargetError)
  await removeRecords(begun)
  await t.rejects(catchUp(from, begun, { source: SOURCE }), ForeignTargetError, 'it is complete')
  t.same(await contentsOf(begun), await contentsOf(from))
})

t.test('a copy that differs from its source is found, and copied again the next time', async (t) => {
  const [from, to] = [quietMemory(), quietMemory()]
  await commit(from, op('meta', 'a', '1'), op('meta', 'b', '2'))
  const garbling: Engine = {
    ...to,
    commit: (checks, ops, mark) =>
      to.commit(
        checks,
        ops.map((each) => (each.partition === 'meta' && String(each.key) === 'b' ? op('meta', 'b', '3') : each)),
        mark,
      ),
  }
  await t.rejects(catchUp(from, garbling, { source: SOURCE }), /partition meta differs from its source/)
  t.match(await catchUp(from, to, { source: SOURCE }), { copied: 1 })
  t.same(await withoutRecords(to), await contentsOf(from))
})

t.test('of two that copy to one database, one ends', async (t) => {
  const [from, to] = [quietMemory(), quietMemory()]
  await fill(from)
  const both = await Promise.allSettled([catchUp(from, to, { source: SOURCE }), catchUp(from, to, { source: SOURCE })])
  const failed = both.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  t.equal(failed.length, 1)
  t.match(failed, [{ message: /Another process writes/ }])
  await catchUp(from, to, { source: SOURCE })
  t.same(await withoutRecords(to), await contentsOf(from))
})
