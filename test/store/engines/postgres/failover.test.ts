/** A primary that is lost under writers, and a standby that becomes one: what was acknowledged is there, and nothing happened twice. */
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { systemClock } from '../../../../src/lib/clock.js'
import { openPostgres } from '../../../../src/store/engines/postgres/postgres.js'
import { decode, encode, key, prefixRange } from '../../../../src/store/keys.js'
import { createStore } from '../../../../src/store/store.js'
import { postgresPeer, startPostgres, startStandby } from '../../../support/peers/postgres.js'

const WRITERS = 8

t.test('a standby is promoted under load', await postgresPeer(), async (t) => {
  const primary = await startPostgres(['synchronous_standby_names=second', 'synchronous_commit=on'])
  t.teardown(() => primary.stop())
  // Its commits wait for the standby from the first on.
  const standby = await startStandby(primary, 'second')
  t.teardown(() => standby.stop())
  const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`
  const store = createStore(await openPostgres({ url, clock: systemClock, connections: WRITERS }))
  t.teardown(() => store.close())
  const other = await openPostgres({ url, clock: systemClock, connections: 1 })
  const watcher = createStore(other)
  t.teardown(() => watcher.close())
  const heard: string[] = []
  other.onCommit((partition) => heard.push(partition))
  const isHearing = async (): Promise<void> => {
    while (other.hears?.().state !== 'heard') await pause(20)
  }
  await isHearing()
  const acknowledged: string[] = []
  let isOn = true
  let failures = 0

  async function writer(id: number): Promise<void> {
    for (let n = 0; isOn; n++) {
      const name = `${id}-${n}`
      try {
        // Counts in a partition of its own, and in one that all share.
        await store.write([`own/${id}`, 'all'], async (tx) => {
          const bytes = await tx.in('all').get(key('count'))
          tx.in('all').put(key('count'), encode((bytes ? decode<number>(bytes) : 0) + 1))
          tx.put(key('row', name), encode(1))
        })
        acknowledged.push(name)
      } catch {
        failures++
      }
    }
  }
  const writers = Promise.all(Array.from({ length: WRITERS }, (_, id) => writer(id)))
  await pause(500)
  const before = acknowledged.length
  await primary.kill()
  await standby.promote()
  for (let tries = 0; acknowledged.length < before + 100 && tries < 300; tries++) await pause(100)
  isOn = false
  await writers
  t.ok(before > 20, 'much was written before')
  t.ok(acknowledged.length >= before + 100, 'and after')
  const rows = await store.read('all', async (view) => {
    const found: string[] = []
    for (let id = 0; id < WRITERS; id++)
      for (const [row] of await view.in(`own/${id}`).range({ ...prefixRange('row'), limit: 10_000 }))
        found.push(
          Buffer.from(row)
            .subarray(prefixRange('row').gte.length + 1, -1)
            .toString(),
        )
    return found
  })
  t.same(
    acknowledged.filter((name) => !rows.includes(name)),
    [],
    'nothing acknowledged is lost',
  )
  const bytes = await store.read('all', (view) => view.get(key('count')))
  t.equal(bytes && decode<number>(bytes), rows.length, 'each happened once, in both partitions')

  await isHearing()
  heard.length = 0
  const known = await watcher.version('all')
  const waiting = watcher.wait('all', known, new AbortController().signal)
  await store.write('all', (tx) => tx.put(key('count'), encode(rows.length)))
  t.ok((await waiting) > known, 'the other process is woken by the new primary')
  while (!heard.includes('all')) await pause(20)
  t.comment(`${acknowledged.length} acknowledged, ${rows.length} in the store, ${failures} refused`)
})
