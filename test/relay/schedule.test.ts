import t from 'tap'
import { HOUR } from '../../src/lib/clock.js'
import { gaveUpAfter, nextWait, RETRY_SPAN_MS, RETRY_WAITS_MS } from '../../src/relay/schedule.js'

t.test('a message is tried again for about 40 hours, ever more seldom', async (t) => {
  const waits: number[] = []
  for (let attempt = 1; ; attempt++) {
    const wait = nextWait(attempt, 0)
    if (wait === undefined) break
    waits.push(wait / 60_000)
  }
  t.same(waits, [1, 2, 5, 10, 20, 40, 60, 120, 240, 480, 480, 480, 480])
  const all = RETRY_WAITS_MS.reduce((sum, wait) => sum + wait, 0)
  t.ok(all >= 40 * HOUR && all < 50 * HOUR)
  t.equal(gaveUpAfter(14, RETRY_SPAN_MS), 'given up after 14 attempts in about 40 hours')
})

t.test('waits are spread by a tenth to both sides', async (t) => {
  t.equal(nextWait(1, -1), 54_000)
  t.equal(nextWait(1, 0.999), 65_994)
})
