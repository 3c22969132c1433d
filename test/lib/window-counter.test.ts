import t from 'tap'
import { createWindowCounter } from '../../src/lib/window-counter.js'

t.test('a window starts with its first count and ends after its time', (t) => {
  let now = 1000
  const counts = createWindowCounter(60_000, () => now)
  t.same(counts.add('a', 1), { count: 1, msLeft: 60_000 })
  now += 59_999
  t.same(counts.add('a', 3), { count: 4, msLeft: 1 }, 'counts go on to its end')
  now += 1
  t.same(counts.add('a', 1), { count: 1, msLeft: 60_000 })
  t.end()
})

t.test('names do not count together', (t) => {
  const counts = createWindowCounter(60_000, () => 0)
  counts.add('a', 5)
  t.same(counts.add('b', 1), { count: 1, msLeft: 60_000 })
  t.end()
})

t.test('ended windows are forgotten when another starts, and open ones stay', (t) => {
  let now = 0
  const counts = createWindowCounter(60_000, () => now)
  for (let i = 0; i < 1000; i++) counts.add(`early ${i}`, 1)
  now = 30_000
  counts.add('late', 1)
  now = 60_000
  counts.add('early 7', 1)
  t.equal(counts.size, 2)
  t.equal(counts.add('late', 1).count, 2)
  t.end()
})
