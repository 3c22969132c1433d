import fc from 'fast-check'
import t from 'tap'
import { reachTimes, saveTimes } from '../../src/mailbox/times.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/memory-engine.js'

const PARTITION = 'search/mbx_test'

t.test('no mail of a time is passed over, whatever the clock did, and all other stretches are', async (t) => {
  const message = fc.record({ skip: fc.oneof(fc.nat(3), fc.nat(10_000)), at: fc.nat(1000) })
  const asked = fc.record({ after: fc.nat(1000), length: fc.nat(100), atMost: fc.nat(300_000) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(message, { maxLength: 8 }), { maxLength: 8 }),
      fc.array(asked, { minLength: 5, maxLength: 5 }),
      async (batches, questions) => {
        const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
        const all: { seq: number; at: number }[] = []
        let seq = 0
        for (const batch of batches) {
          const messages = batch.map(({ skip, at }) => ({ seq: (seq += 1 + skip), at }))
          await store.write(PARTITION, (tx) => saveTimes(tx, messages))
          all.push(...messages)
        }
        for (const { after, length, atMost } of questions) {
          const before = after + length
          const isIn = ({ at }: { at: number }): boolean => at >= after && at < before
          const reached = await store.read(PARTITION, (view) =>
            reachTimes(
              atMost,
              { after, before },
              async (key) => view.get(key),
              async (place) => all.filter((each) => each.seq <= place).at(-1)?.seq,
            ),
          )
          const wanted = all.filter((each) => each.seq <= atMost && isIn(each)).at(-1)?.seq
          if (reached === undefined) {
            if (wanted !== undefined) throw new Error(`${wanted} was passed over`)
            continue
          }
          if (reached > atMost || (wanted ?? -1) > reached) throw new Error(`${wanted} was passed over at ${reached}`)
          const around = all
            .filter((each) => Math.floor(each.seq / 64) === Math.floor(reached / 64))
            .map(({ at }) => at)
          if (!(Math.max(...around) >= after && Math.min(...around) < before))
            throw new Error(`nothing is at ${reached}`)
        }
        await store.close()
      },
    ),
    { numRuns: 100 },
  )
  t.pass()
})

t.test('the gap that a restore leaves costs a few rows, however wide it is', async (t) => {
  const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
  const seqs = [5, 1_800_000_000_005]
  await store.write(PARTITION, (tx) =>
    saveTimes(
      tx,
      seqs.map((seq, at) => ({ seq, at })),
    ),
  )
  let read = 0
  const reached = await store.read(PARTITION, (view) =>
    reachTimes(
      1_800_000_000_100,
      { after: 0, before: 1 },
      async (key) => {
        read++
        return view.get(key)
      },
      async (place) => seqs.filter((seq) => seq <= place).at(-1),
    ),
  )
  t.ok(reached !== undefined && Math.floor(reached / 64) === 0)
  t.ok(read < 300, `${read} rows were read`)
  await store.close()
})
