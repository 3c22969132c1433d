/** A few rounds of the crash run; `npm run crash` makes 200 of them, and docs/reliability.md has what they came to. */
import t from 'tap'
import { crashRun } from '../../crash/run.js'
import { SAMPLE } from '../../support/sample.js'

t.test(
  'mail that got 202 or 250 arrives however often the daemon is killed, events come to webhooks, and what was shown is true',
  async (t) => {
    const { counts, faults } = await crashRun({ rounds: SAMPLE ? 1 : 4, agents: 2, seed: 20261121, untilEmpty: false })
    t.same(faults, [])
    t.ok((counts['answered 202'] ?? 0) > 0, 'mail was accepted')
    t.ok((counts['transactions the server said 250 to'] ?? 0) > 0, 'mail was delivered')
    t.ok((counts['of them answered 250'] ?? 0) > 0, 'mail came in')
    t.ok((counts['of them delivered'] ?? 0) > 0, 'webhooks were told')
    t.comment(counts)
  },
)
