import t from 'tap'
import { ManualClock } from '../../src/lib/clock.js'
import { createCache } from '../../src/dns/cache.js'

t.test('an entry lives as long as its time and no longer', async (t) => {
  const clock = new ManualClock()
  const cache = createCache<string>({ clock, maxEntries: 10, maxBytes: 100_000 })
  cache.set('a', 'one', 10, 1000)
  cache.set('never', 'x', 10, 0)
  t.equal(cache.get('never'), undefined)
  clock.advance(999)
  t.equal(cache.get('a'), 'one')
  clock.advance(1)
  t.equal(cache.get('a'), undefined)
})

t.test('the number and the size of entries are bounded, and the oldest go first', async (t) => {
  const clock = new ManualClock()
  const few = createCache<number>({ clock, maxEntries: 3, maxBytes: 100_000 })
  for (let i = 0; i < 5; i++) few.set(`k${i}`, i, 1, 1000)
  t.same(
    ['k0', 'k1', 'k2', 'k3', 'k4'].map((key) => few.get(key)),
    [undefined, undefined, 2, 3, 4],
  )

  const small = createCache<number>({ clock, maxEntries: 1000, maxBytes: 5000 })
  for (let i = 0; i < 5; i++) small.set(`k${i}`, i, 2000, 1000)
  t.same(
    ['k2', 'k3', 'k4'].map((key) => small.get(key)),
    [undefined, 3, 4],
  )
  small.set('huge', 9, 6000, 1000)
  t.equal(small.get('huge'), undefined, 'what is larger than the whole cache is not kept')
  t.equal(small.get('k4'), 4, 'and pushes nothing out')
})
