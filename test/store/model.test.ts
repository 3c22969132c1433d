/** Random transactions against a plain Map: what the store answers is what the Map answers, inside a transaction and after it. */
import fc from 'fast-check'
import t from 'tap'
import { encode, key, keyParts, prefixRange } from '../../src/store/keys.js'
import type { View } from '../../src/store/types.js'
import { STORE_ENGINES } from './engines.js'

const PARTITIONS = ['a', 'b']
const id = fc.integer({ min: 0, max: 12 })

const step = fc.oneof(
  fc.record({ do: fc.constant('put' as const), id, value: fc.integer() }),
  fc.record({ do: fc.constant('delete' as const), id }),
  fc.record({ do: fc.constant('get' as const), ids: fc.array(id, { maxLength: 4 }) }),
  fc.record({
    do: fc.constant('range' as const),
    from: id,
    to: id,
    limit: fc.integer({ min: 0, max: 5 }),
    reverse: fc.boolean(),
  }),
)
const transaction = fc.record({
  partition: fc.constantFrom(...PARTITIONS),
  steps: fc.array(step, { maxLength: 12 }),
  throws: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
})

type Model = Map<number, number>
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function expected(model: Model, step: Step): unknown {
  if (step.do === 'get') return step.ids.map((id) => model.get(id))
  if (step.do !== 'range') return undefined
  const rows = [...model].filter(([id]) => id >= step.from && id < step.to).sort(([a], [b]) => a - b)
  return (step.reverse ? rows.reverse() : rows).slice(0, step.limit)
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

async function answered(view: View, step: Step): Promise<unknown> {
  if (step.do === 'get') {
    const values = await view.getMany(step.ids.map((id) => key('row', id)))
    return values.map((value) => value && Number(text(value)))
  }
  if (step.do !== 'range') return undefined
  const { limit, reverse } = step
  const rows = await view.range({ gte: key('row', step.from), lt: key('row', step.to), limit, reverse })
  return rows.map(([bytes, value]) => [Number(keyParts(bytes)[1]), Number(text(value))])
}

for (const { name, openStore } of STORE_ENGINES) {
  t.test(`${name}: behaves like a map`, async (t) => {
    const store = openStore(t)
    let runs = 0
    await fc.assert(
      fc.asyncProperty(fc.array(transaction, { minLength: 1, maxLength: 8 }), async (transactions) => {
        const run = runs++
        const models = new Map<string, Model>()
        for (const letter of PARTITIONS) {
          const model: Model = new Map(Array.from({ length: 10 }, (_, id) => [id, -id]))
          models.set(`${letter}/${run}`, model)
          await store.write(`${letter}/${run}`, (tx) =>
            model.forEach((value, id) => tx.put(key('row', id), encode(value))),
          )
        }
        for (const { partition: letter, steps, throws } of transactions) {
          const partition = `${letter}/${run}`
          let after: Model = new Map()
          const wrong: string[] = []
          const stop = new Error('stop')
          await store
            .write(partition, async (tx) => {
              // A conflict runs this again, from the start.
              after = new Map(models.get(partition))
              wrong.length = 0
              for (const step of steps) {
                if (step.do === 'put') {
                  after.set(step.id, step.value)
                  tx.put(key('row', step.id), encode(step.value))
                } else if (step.do === 'delete') {
                  after.delete(step.id)
                  tx.delete(key('row', step.id))
                }
                const [is, should] = [JSON.stringify(await answered(tx, step)), JSON.stringify(expected(after, step))]
                if (is !== should) wrong.push(`${JSON.stringify(step)}: ${is}, not ${should}`)
              }
              if (throws) throw stop
            })
            .catch((error: unknown) => {
              if (error !== stop) throw error
            })
          if (!throws) models.set(partition, after)
          if (wrong.length > 0) throw new Error(wrong.join('\n'))
        }
        for (const [partition, model] of models) {
          const rows = await store.read(partition, (view) => view.range({ ...prefixRange('row') }))
          const is = rows.map(([bytes, value]) => [Number(keyParts(bytes)[1]), Number(text(value))])
          const should = [...model].sort(([a], [b]) => a - b)
          if (JSON.stringify(is) !== JSON.stringify(should)) throw new Error(`${partition}: ${JSON.stringify(is)}`)
        }
      }),
      { numRuns: 150 },
    )
    t.equal(runs >= 150, true, 'ran all')
  })
}
