/** A small part of the proof; `npm run proof:nodes` makes all of it, and docs/reliability.md has what it came to. */
import t from 'tap'
import { proveNodes } from '../../crash/nodes/run.js'
import { postgresPeer } from '../../support/peers/postgres.js'

t.test(
  'what three nodes acknowledged is there, once and in order, whichever of them or of their databases is lost',
  { ...(await postgresPeer()), timeout: 300_000 },
  async (t) => {
    const { counts, faults } = await proveNodes({
      plan: { kills: 2, promotions: 1, cuts: 1, cutMs: 5_000, stops: 1, stopMs: 12_000, rolls: 0, lonely: 0 },
      seed: 20261127,
      refusals: false,
      lines: 3,
    })
    t.same(faults, [])
    t.ok((counts['sends answered 202'] ?? 0) > 0, 'mail was accepted')
    t.ok((counts['messages from outside answered 250'] ?? 0) > 0, 'mail came in')
    t.ok((counts['events read by cursor'] ?? 0) > 0, 'events were read')
    t.ok((counts['events for webhooks'] ?? 0) > 0, 'webhooks were told')
    t.comment(counts)
  },
)
