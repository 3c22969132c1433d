/** However many sign-ins fail, of a network there is an entry a minute at most, and together they tell of all. */
import t, { type Test } from 'tap'
import { createAudit } from '../../src/audit/audit.js'
import { MAX_ENTRIES_A_DAY } from '../../src/audit/limits.js'
import { createFailedSignIns, MAX_NETWORKS } from '../../src/audit/failed-sign-ins.js'
import { DAY, ManualClock, MINUTE, SECOND } from '../../src/lib/clock.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/store/memory-engine.js'

function setting(t: Test) {
  const store = createStore(memoryEngine())
  t.teardown(() => store.close())
  const clock = new ManualClock(Date.UTC(2026, 10, 20))
  const errors: unknown[] = []
  const log = { info: () => undefined, error: (error: unknown) => errors.push(error) }
  const audit = createAudit({ store, clock, retentionMs: 400 * DAY, log })
  let tick = (): void => undefined
  const every = (work: () => void) => {
    tick = work
    return () => undefined
  }
  const failed = createFailedSignIns({ audit, clock, log, every })
  const fail = (address: string, outcome = 'denied'): void =>
    failed.note({ provider: 'google', outcome, from: { address, user_agent: 'curl' } })
  const entries = async () =>
    (await audit.list({ limit: 500 })).data
      .reverse()
      .map(({ from, reason }) => `${from?.address ?? 'others'} ${reason ?? ''}`)
  return { store, clock, audit, failed, fail, errors, entries, tick: () => tick() }
}

t.test('the first is written at once, the others of its minute as one', async (t) => {
  const { clock, failed, fail, entries, tick } = setting(t)
  fail('192.0.2.1')
  for (let i = 0; i < 50; i++) fail('192.0.2.1', i % 2 === 0 ? 'denied' : 'forged')
  fail('2001:db8::1')
  fail('2001:db8::2')
  clock.advance(MINUTE - SECOND)
  tick()
  clock.advance(SECOND)
  tick()
  fail('192.0.2.1')
  clock.advance(MINUTE)
  tick()
  clock.advance(MINUTE)
  tick()
  fail('192.0.2.1', 'refused')
  await failed.stop()
  t.same((await entries()).sort(), [
    '192.0.2.1 50 within a minute: denied, forged',
    '192.0.2.1 denied',
    '192.0.2.1 denied',
    '192.0.2.1 refused',
    '2001:db8::1 denied',
    '2001:db8::2 denied',
  ])
})

t.test('many networks at once are counted together, and a day has its limit', async (t) => {
  const { clock, audit, failed, fail, entries, tick } = setting(t)
  for (let i = 0; i < MAX_NETWORKS + 50; i++) fail(`10.0.${i}.1`)
  clock.advance(MINUTE)
  tick()
  await failed.stop()
  const all = await entries()
  t.equal(all.length, MAX_NETWORKS + 2)
  t.same(all.filter((each) => each.startsWith('others')).sort(), ['others 49 within a minute: denied', 'others denied'])

  const entry = { action: 'sign_in.failed', actor: { type: 'anonymous', id: null, name: null }, subject: {} } as const
  for (let i = all.length; i < MAX_ENTRIES_A_DAY + 5; i++) await audit.record(entry)
  t.equal((await audit.list({ limit: 1 })).not_kept, 5)
  t.equal(await audit.count(9_999), MAX_ENTRIES_A_DAY)
})

t.test('a log that cannot be written stops nothing, and is told of', async (t) => {
  const { store, failed, fail, errors } = setting(t)
  await store.close()
  fail('192.0.2.1')
  await failed.stop()
  t.match(errors, [{ err: Error }])
})
