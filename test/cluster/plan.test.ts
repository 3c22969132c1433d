import fc from 'fast-check'
import t from 'tap'
import { planFor } from '../../src/cluster/plan.js'

t.test('a node takes and gives until all have about as many, and shard 0 stays', (t) => {
  t.same(planFor('a', ['a'], [undefined, undefined, undefined]), { take: [0, 1, 2], give: [] })
  t.same(planFor('a', ['a', 'b'], ['a', 'a', 'a', 'a']), { take: [], give: [2, 3] })
  t.same(planFor('b', ['a', 'b'], ['a', 'a', undefined, undefined]), { take: [2, 3], give: [] })
  t.same(planFor('a', ['b'], ['a', 'b', undefined]), { take: [], give: [0] }, 'one without the role gives all')
  t.end()
})

t.test('whatever nodes come and go, all shards have one owner in the end, and nobody more than their share', (t) => {
  const changes = fc.array(fc.subarray(['a', 'b', 'c', 'd'], { minLength: 1 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(changes, (steps) => {
      let owners: (string | undefined)[] = Array.from({ length: 16 }, () => undefined)
      for (const nodes of steps) {
        // Those that are gone own nothing.
        owners = owners.map((owner) => (owner !== undefined && nodes.includes(owner) ? owner : undefined))
        for (let round = 0; round < 3; round++) {
          for (const me of nodes) {
            const { take, give } = planFor(me, nodes, owners)
            for (const shard of give) owners[shard] = undefined
            for (const shard of take) {
              if (owners[shard] !== undefined) return false
              owners[shard] = me
            }
          }
        }
        const most = Math.ceil(16 / nodes.length)
        if (owners.includes(undefined)) return false
        if (nodes.some((me) => owners.filter((owner) => owner === me).length > most)) return false
      }
      return true
    }),
  )
  t.end()
})
