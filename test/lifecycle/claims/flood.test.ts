/** What 10,000 claims cost, and that nothing of them stays. */
import t from 'tap'
import { sweepChallenges } from '../../../src/lifecycle/claims/challenge.js'
import type { ClaimTask } from '../../../src/lifecycle/claims/types.js'
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.js'
import { prefixRange } from '../../../src/store/keys.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { claim, mortal, world, type World } from './world.js'

/** `FLOOD=10000` for the whole of it, which takes minutes. */
const CLAIMS = Number(process.env['FLOOD'] ?? 1_000)
/** One bit, and one more for each doubling beyond 240 in an hour; six at most. */
const RISE = Math.min(6, Math.floor(Math.log2(CLAIMS / 240)) + 1)
const ALL = prefixRange()

async function runAllClaimTasks({ store, clock, claims }: World): Promise<void> {
  const queue = createWorkQueue({ store, clock })
  const due: string[] = []
  for await (const task of queue.all<ClaimTask>('claim')) if (task.due <= clock.now()) due.push(task.payload.claim_id)
  for (const id of due) {
    const outcome = await claims.expire(id)
    if (outcome.done) await queue.remove('claim', id)
    else await queue.reschedule('claim', id, outcome.retryAt)
  }
}

void t.test('a flood of claims makes them harder for all, and a day later nothing of it is stored', async (t) => {
  const engine = mortal(memoryEngine({ lateness: 0, conflicts: 0 }))
  const w = await world(t, { engine, difficulty: 1 })
  const keys = async (): Promise<number> => {
    let count = 0
    for (const partition of await engine.holding())
      count += (await engine.read((reader) => reader.range(partition, { ...ALL, limit: 100_000 }))).length
    return count
  }
  const atFirst = (await w.claims.challenge('198.51.100.1')).difficulty
  for (let i = 0; i < CLAIMS; i++) await claim(w, `agent-${i}`, `10.${i >> 8}.${i & 255}.1`)
  t.equal((await w.claims.challenge('198.51.100.1')).difficulty, atFirst + RISE, 'for those who had no part in it too')
  const waiting = await w.claims.list()
  t.equal(waiting.length, CLAIMS)
  t.equal(waiting[0]?.address, 'agent-0@agents.example', 'the oldest first')
  const stored = await keys()
  t.ok(stored < 20 * CLAIMS, `${stored} keys for ${CLAIMS} claims`)

  w.clock.advance(MINUTE)
  await runAllClaimTasks(w)
  w.clock.advance(DAY - MINUTE)
  t.strictSame(await w.claims.list(), [])
  await runAllClaimTasks(w)
  w.clock.advance(HOUR)
  await runAllClaimTasks(w)
  while ((await sweepChallenges(w.store, w.clock.now())).more);
  const left = await engine.holding()
  t.strictSame(
    left.filter((partition) => !partition.startsWith('queue/')),
    [],
  )
  t.ok((await keys()) <= 16 * 4, 'what is left are the counts of the queue')
  t.equal((await w.claims.challenge('198.51.100.1')).difficulty, atFirst)
  t.match(await claim(w, 'agent-0'), { address: 'agent-0@agents.example' })
})
