import t from 'tap'
import { createSessions, SESSION_KIND, type Sessions } from '../../src/accounts/sessions.js'
import { createSignInStates } from '../../src/accounts/sign-in/sign-in-states.js'
import { accountPartition } from '../../src/accounts/record.js'
import { DAY, HOUR, ManualClock, MINUTE } from '../../src/lib/clock.js'
import { sweepExpired } from '../../src/store/expiring.js'
import { prefixRange } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { memoryEngine } from '../support/store/memory-engine.js'

const ADA = { provider: 'test', subject: 'ada', username: 'ada', email: 'ada@example.org', emailVerified: true }
const BROWSER = { userAgent: 'Firefox', network: '192.0.2.0/24', device: undefined }

function world(): { store: Store; clock: ManualClock; sessions: Sessions; sweep: () => Promise<void> } {
  const store = createStore(memoryEngine())
  const clock = new ManualClock()
  const sessions = createSessions({ store, clock })
  return {
    store,
    clock,
    sessions,
    async sweep() {
      const onEnd = async (kind: string, record: unknown): Promise<void> => {
        if (kind === SESSION_KIND) await sessions.forget(record)
      }
      while ((await sweepExpired(store, clock.now(), onEnd)) > 0);
    },
  }
}

/** All that is stored of an account, as text. */
async function stored(store: Store, accountId: string): Promise<string> {
  const rows = await store.read(accountPartition(accountId), (view) => view.range(prefixRange()))
  return rows.map((row) => Buffer.concat(row).toString('latin1')).join('\n')
}

t.test('a session is found by its token and by nothing else', async (t) => {
  const { sessions, store } = world()
  const { token, device, session } = await sessions.open('acc_1', ADA, BROWSER)
  t.match(await sessions.find(token), { id: session.id, accountId: 'acc_1', identity: ADA, userAgent: 'Firefox' })
  for (const wrong of ['', 'x', token.slice(1), `${token}x`, 'A'.repeat(43), device, session.id])
    t.equal(await sessions.find(wrong), undefined, wrong)
  const text = await stored(store, 'acc_1')
  t.notMatch(text, token, 'the token is not stored')
  t.notMatch(text, device, 'nor is that of the device')
})

t.test('a session ends 14 days after its last use, and 90 days after its start in any case', async (t) => {
  const { sessions, clock } = world()
  const { token } = await sessions.open('acc_1', ADA, BROWSER)
  for (let days = 0; days < 84; days += 12) {
    clock.advance(12 * DAY)
    t.ok(await sessions.find(token), `used after ${days + 12} days`)
  }
  clock.advance(6 * DAY - 1)
  t.ok(await sessions.find(token), 'in its last moment')
  clock.advance(1)
  t.equal(await sessions.find(token), undefined, 'after 90 days')

  const idle = await sessions.open('acc_1', ADA, BROWSER)
  clock.advance(14 * DAY)
  t.equal(await sessions.find(idle.token), undefined, 'not used for 14 days')
})

t.test('looking at pages writes once an hour at most', async (t) => {
  const engine = memoryEngine()
  let commits = 0
  const counted = {
    ...engine,
    commit: (...given: Parameters<typeof engine.commit>) => (commits++, engine.commit(...given)),
  }
  const clock = new ManualClock()
  const sessions = createSessions({ store: createStore(counted), clock })
  const { token } = await sessions.open('acc_1', ADA, BROWSER)
  commits = 0
  for (let i = 0; i < 59; i++) {
    clock.advance(MINUTE)
    await sessions.find(token)
  }
  t.equal(commits, 0)
  clock.advance(MINUTE)
  t.equal((await sessions.find(token))?.seenAt, clock.now())
  t.ok(commits > 0)
})

t.test('a session that was ended is over at once, and the others are not', async (t) => {
  const { sessions } = world()
  const [a, b, other] = [
    await sessions.open('acc_1', ADA, BROWSER),
    await sessions.open('acc_1', ADA, BROWSER),
    await sessions.open('acc_2', ADA, BROWSER),
  ]
  await sessions.end('acc_2', a.session.id)
  t.ok(await sessions.find(a.token), 'not by somebody else')
  await sessions.end('acc_1', a.session.id)
  await sessions.end('acc_1', a.session.id)
  t.equal(await sessions.find(a.token), undefined)
  t.same(
    (await sessions.list('acc_1')).map(({ id }) => id),
    [b.session.id],
  )
  await sessions.endAll('acc_1', b.session.id)
  t.ok(await sessions.find(b.token))
  t.equal((await sessions.devices('acc_1')).length, 2)
  await sessions.endAll('acc_1')
  t.equal(await sessions.find(b.token), undefined)
  t.same(await sessions.devices('acc_1'), [])
  t.ok(await sessions.find(other.token))
})

t.test('a browser that comes back is the same device; another, or a made-up cookie, is a new one', async (t) => {
  const { sessions, clock } = world()
  const first = await sessions.open('acc_1', ADA, BROWSER)
  t.equal(first.isNewDevice, true)
  clock.advance(HOUR)
  const again = await sessions.open('acc_1', ADA, { ...BROWSER, device: first.device })
  t.match(again, { isNewDevice: false, device: first.device })
  const forged = await sessions.open('acc_1', ADA, { ...BROWSER, device: '../../x' })
  t.equal(forged.isNewDevice, true)
  t.match(forged.device, /^[0-9A-Za-z]{43}$/, 'what has another form is not kept')
  const elsewhere = await sessions.open('acc_2', ADA, { ...BROWSER, device: first.device })
  t.equal(elsewhere.isNewDevice, true, 'of another account')
  t.equal((await sessions.devices('acc_1')).length, 2)
})

t.test('however often somebody signs in, so many sessions and devices are kept: the newest', async (t) => {
  const { sessions, clock } = world()
  const tokens: string[] = []
  for (let i = 0; i < 60; i++) {
    clock.advance(1)
    tokens.push((await sessions.open('acc_1', ADA, { ...BROWSER, userAgent: 'x'.repeat(10_000) })).token)
  }
  t.equal((await sessions.list('acc_1')).length, 50)
  t.ok((await sessions.devices('acc_1')).length <= 51)
  t.equal(await sessions.find(tokens[0] ?? ''), undefined)
  t.equal((await sessions.find(tokens.at(-1) ?? ''))?.userAgent.length, 200)
})

t.test('of sessions that have ended the sweep leaves nothing', async (t) => {
  const { sessions, store, clock, sweep } = world()
  const old = await sessions.open('acc_1', ADA, BROWSER)
  clock.advance(13 * DAY)
  const kept = await sessions.open('acc_1', ADA, { ...BROWSER, device: old.device })
  clock.advance(2 * DAY)
  await sweep()
  const text = await stored(store, 'acc_1')
  t.notMatch(text, old.session.id)
  t.match(text, kept.session.id)
  t.ok(await sessions.find(kept.token), 'one that was used since stays')
})

t.test('a state of a sign-in works once, within its time, also for two at once', async (t) => {
  const store = createStore(memoryEngine())
  const clock = new ManualClock()
  const states = createSignInStates({ store, clock })
  const endsAt = clock.now() + 10 * MINUTE
  t.same((await Promise.all([states.spend('s', endsAt), states.spend('s', endsAt)])).sort(), [false, true])
  clock.advance(10 * MINUTE - 1)
  t.equal(await states.spend('s', endsAt), false)
  t.equal(await states.spend('other', endsAt), true)
  clock.advance(1)
  t.equal(await states.spend('third', endsAt), false, 'too late')
  await sweepExpired(store, clock.now())
  t.equal(await states.spend('s', endsAt), false, 'what was swept cannot come back')
})
