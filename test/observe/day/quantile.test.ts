import t from 'tap'
import { quantile } from '../../../src/observe/day/quantile.js'

t.test('a quantile is where it falls within its bucket', async (t) => {
  t.equal(quantile(0.5, [1, 2, 4], [0, 10, 0, 0]), 1.5)
  t.equal(quantile(1, [1, 2, 4], [0, 10, 0, 0]), 2)
  t.equal(quantile(0.95, [1, 2, 4], [90, 0, 10, 0]), 3)
})

t.test('what is above all buckets is told as the highest bound, and of nothing there is none', async (t) => {
  t.equal(quantile(0.5, [1, 2], [0, 0, 3]), 2)
  t.equal(quantile(0.5, [1, 2], [0, 0, 0]), null)
  t.equal(quantile(0.5, [1, 2], []), null)
})
