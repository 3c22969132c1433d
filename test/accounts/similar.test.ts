import t, { type Test } from 'tap'
import { createAccounts } from '../../src/accounts/accounts.js'
import { MAX_ENTRIES } from '../../src/accounts/similar.js'
import { HOUR, ManualClock } from '../../src/lib/clock.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { reaching } from '../support/recipients.js'

const LIMITS = {
  newRecipientsPerDay: 100_000,
  storageBytes: 1,
  requestsPerMinute: 1,
  recipientsPerMessage: 50,
  messageBytes: 1,
  attachmentsPerMessage: 1,
  longPollSeconds: 1,
}

async function setting(t: Test) {
  const store = createStore(memoryEngine({ conflicts: 0.2, lateness: 0 }))
  t.teardown(() => store.close())
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12))
  const accounts = createAccounts({ store, clock, limits: LIMITS, mailbox: async () => undefined })
  const { id } = await accounts.ensure('ada@example.com')
  const reach = reaching({ store, clock, accounts })
  let n = 0
  const send = async (high: number, low: number, ...to: string[]) =>
    (await reach(id, `msg_${++n}`, to, [], { high, low })).similar
  return { clock, accounts, id, reach, send }
}

void t.test('a message is told how many were like it in the last day, and to how many new people', async (t) => {
  const { accounts, clock, id, send } = await setting(t)
  t.same(await send(0, 0, 'a@example.org'), { messages: 0, newRecipients: 0 })
  t.same(await send(0, 0b11, 'b@example.org', 'c@example.org'), { messages: 1, newRecipients: 1 })
  t.same(await send(0xffff, 0, 'd@example.org'), { messages: 0, newRecipients: 0 }, 'another text')
  clock.advance(7 * HOUR)
  t.same(await send(0, 0, 'a@example.org'), { messages: 2, newRecipients: 3 })
  t.same((await accounts.previewRecipients(id, ['z@example.org'], [], { print: { high: 0, low: 0 } })).similar, {
    messages: 3,
    newRecipients: 3,
  })
  t.same(
    (await accounts.previewRecipients(id, ['z@example.org'], [], { print: { high: 0, low: 0 } })).similar,
    { messages: 3, newRecipients: 3 },
    'a preview is not counted',
  )
  clock.advance(17 * HOUR)
  t.same(await send(0, 0), { messages: 1, newRecipients: 0 }, 'what began a day ago is forgotten')
})

void t.test('single letters in any number do not push a campaign out', async (t) => {
  const { send } = await setting(t)
  await send(0, 0, 'a@example.org')
  await send(0, 0, 'b@example.org')
  // Numbers whose bits are far apart.
  for (let i = 1; i <= 3 * MAX_ENTRIES; i++) await send(Math.imul(i, 0x9e3779b1) >>> 0, Math.imul(i, 0x85ebca6b) >>> 0)
  t.match(await send(0, 0), { messages: 2 })
})

void t.test('a message without a fingerprint is told nothing', async (t) => {
  const { id, reach } = await setting(t)
  t.same(await reach(id, 'msg_1', ['a@example.org'], []), { fresh: ['a@example.org'] })
})
