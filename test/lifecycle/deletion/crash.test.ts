/** The process dies at every commit of the end of an account, right before or right after it; the next one completes it, whatever was done by then. */
import t from 'tap'
import { DAY, HOUR } from '../../../src/lib/clock.js'
import { prefixRange } from '../../../src/store/keys.js'
import { mortal } from '../claims/world.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { approved, fill, FRIEND, makeWorld, OWNER } from './world.js'
import { tasksIn } from '../../support/store/tasks.js'

// Each commit is a world of its own.
t.setTimeout(300_000)

for (const when of ['before', 'after'] as const) {
  void t.test(`whoever dies ${when} any commit of a deletion leaves it to be completed`, async (t) => {
    let died = 0
    for (let at = 1; ; at++) {
      const engine = mortal(memoryEngine({ lateness: 0, conflicts: 0 }))
      const first = await makeWorld(t, engine, { dir: t.testdir() })
      const box = await approved(first, 'zanzibar')
      await fill(first, box)
      const { endsAt } = await first.deletion.start(box.accountId, { kind: 'operator' })
      first.clock.advance(10_000)
      await first.runDeletions()
      first.clock.advance(30 * DAY)
      await first.runClaims()

      engine.dieAt(at, when)
      const failed = await first.runDeletions().then(
        () => false,
        () => true,
      )
      engine.revive()
      if (failed) died++
      const next = await makeWorld(t, engine, first)
      for (let tries = 0; tries < 3; tries++) {
        await next.runDeletions()
        next.clock.advance(HOUR)
      }
      const left = await engine.holding()
      const rows = await Promise.all(
        left.map(async (partition) => {
          const pairs = await engine.read((reader) => reader.range(partition, { ...prefixRange(), limit: 10_000 }))
          return [partition, pairs] as const
        }),
      )
      const text = rows
        .map(([partition, pairs]) => partition + pairs.map((pair) => Buffer.concat(pair).toString('latin1')).join(' '))
        .join(' ')
      for (const needle of ['zanzibar', OWNER, FRIEND, box.mailboxId])
        if (text.includes(needle)) t.fail(`commit ${at}: ${needle} is left in the store`)
      const named = left.filter((partition) => text.includes(box.accountId) && partition.includes('zanzibar'))
      t.same(named, [], `commit ${at}`)
      t.same(await tasksIn(next.queue, 'deletion', 10), [], `commit ${at}: no task is left`)
      t.match(await tasksIn(next.queue, 'deletion-webhook', 10), [{ payload: { account_id: box.accountId } }])
      t.equal(next.letters.get(`deleted:${box.accountId}:${endsAt - 30 * DAY}`)?.to, OWNER)
      if (!failed) break
    }
    t.ok(died > 20, `it died ${died} times`)
  })
}
