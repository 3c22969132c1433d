import t, { type Test } from 'tap'
import { sweepInvites } from '../../../src/lifecycle/claims/invite-limits.js'
import { DAY, HOUR } from '../../../src/lib/clock.js'
import { addressOwner } from '../../../src/mailbox/addresses.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { prefixRange } from '../../../src/store/keys.js'
import { claim, fakeLetters, LETTERS, mortal, runClaimTasks, world, type World, type WorldOptions } from './world.js'

const HUMAN = 'ana@people.test'

async function pending(w: World, name = 'robot', client?: string): Promise<{ id: string; claimUrl: string }> {
  const { address, claim_url } = await claim(w, name, client)
  return { id: (await addressOwner(w.store, address)) ?? '', claimUrl: claim_url }
}

async function setUp(t: Test, options: WorldOptions = {}): Promise<World & { id: string; claimUrl: string }> {
  const w = await world(t, options)
  return { ...w, ...(await pending(w)) }
}

const tokenOf = (url: string): string => url.split('/').at(-1) ?? ''

/** The links of an invite as its reader has them. */
function linksIn(w: World, id: string): { url: string; token: string; notMe: string } {
  const letter = w.posted.get(id)
  const [url = '', notMe = ''] = (letter?.parts ?? []).flatMap((part) => (part.kind === 'link' ? [part.url] : []))
  return { url, token: tokenOf(url), notMe }
}

void t.test('an invite brings its human the link, the agent’s words as such, and a way to say no', async (t) => {
  const w = await setUp(t)
  const note = 'Hello Ana,\nI am the helper you set up this morning. <b>Please</b> approve me.'
  const sent = await w.claims.notify(w.id, { to: 'Ana@People.test', note }, '192.0.2.1')
  t.match(sent, { to: HUMAN, note, invites_left: 1, sent_at: '2026-01-01T00:00:00.000Z' })
  t.equal(sent.expires_at, '2026-01-02T00:00:00.000Z')
  const letter = w.posted.get(sent.id)
  const { url, token, notMe } = linksIn(w, sent.id)
  t.match(letter, { to: HUMAN, unsubscribeUrl: notMe, notAfter: w.clock.now() + DAY })
  t.match(url, /^https:\/\/mail\.example\/claim\/[0-9A-Za-z]{43}$/)
  t.equal(notMe, `${url}/not-me`)
  t.strictSame(
    letter?.parts.flatMap((part) => (part.kind === 'quote' ? [part.text] : [])),
    ['Tester', note],
  )
  t.notMatch(letter?.subject, /Tester/, 'no word of the agent is in the subject')
  t.match(await w.claims.describe(token), { status: 'pending', note, inviteId: sent.id, agentName: 'Tester' })
  t.match(await w.claims.describe(tokenOf(w.claimUrl)), { note: null, inviteId: null })
})

void t.test('a claim has two invites, however many are asked for at once', async (t) => {
  const w = await setUp(t)
  const asked = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((i) => w.claims.notify(w.id, { to: `human${i}@people.test` }, '192.0.2.1')),
  )
  t.equal(asked.filter(({ status }) => status === 'fulfilled').length, 2)
  t.equal(w.posted.size, 2)
  for (const one of asked) if (one.status === 'rejected') t.match(one.reason, { code: 'invite_limit' })
  await t.rejects(w.claims.notify(w.id, { to: HUMAN }, '192.0.2.1'), { code: 'invite_limit' })
})

void t.test('the same Idempotency-Key gives the same invite, and for another it is refused', async (t) => {
  const w = await setUp(t)
  const request = { to: HUMAN, note: 'Hello', idempotencyKey: 'k1' }
  const first = await w.claims.notify(w.id, request, '192.0.2.1')
  t.strictSame(await w.claims.notify(w.id, request, '192.0.2.1'), first)
  await t.rejects(w.claims.notify(w.id, { ...request, note: 'Hi' }, '192.0.2.1'), { code: 'idempotency_mismatch' })
  t.equal(w.posted.size, 1)
  t.match(await w.claims.notify(w.id, { to: HUMAN, note: 'Hello' }, '192.0.2.1'), { invites_left: 0 })
})

void t.test('an invite cut off at any line has its place, its link and its letter, or nothing of it', async (t) => {
  for (const side of ['before', 'after'] as const) {
    const engine = mortal(memoryEngine())
    const first = await setUp(t, { engine })
    const request = { to: HUMAN, idempotencyKey: 'k1' }
    engine.dieAt(1, side)
    await t.rejects(first.claims.notify(first.id, request, '192.0.2.1'))
    engine.revive()
    const w = await world(t, { engine, clock: first.clock })
    const letters = async (): Promise<number> =>
      (await w.store.read(LETTERS, (view) => view.range(prefixRange()))).length
    t.equal(await letters(), side === 'after' ? 1 : 0, side)
    t.match(await w.claims.notify(first.id, request, '192.0.2.1'), { to: HUMAN, invites_left: 1 }, side)
    t.equal(await letters(), 1, `${side}: asked for again it is the same`)
    const all = await Promise.allSettled(
      [1, 2, 3].map((i) => w.claims.notify(first.id, { to: `h${i}@people.test` }, '192.0.2.1')),
    )
    t.equal(all.filter(({ status }) => status === 'rejected').length, 2)
    t.equal(await letters(), 2, `${side}: never a third`)
  }
})

void t.test('a note that reads like spam is refused with the reason, and costs no invite', async (t) => {
  const w = await setUp(t)
  const note =
    'URGENT: your PayPal account has been suspended. Verify your password immediately at http://paypal.com.secure-login.example.ru/verify or you lose access within 24 hours.'
  await t.rejects(w.claims.notify(w.id, { to: HUMAN, note }, '192.0.2.1'), {
    code: 'invalid_request',
    hint: /Write plainly/,
    fields: [{ field: 'note' }],
  })
  t.equal(w.posted.size, 0)
  t.match(await w.claims.notify(w.id, { to: HUMAN, note: 'I am your helper.' }, '192.0.2.1'), { invites_left: 1 })
})

void t.test('what can’t be an invite says what is wrong, and is not counted', async (t) => {
  const w = await setUp(t)
  const refused = async (
    to: string,
    note: string | undefined,
    expected: Parameters<Test['rejects']>[1] & object,
  ): Promise<void> =>
    void (await t.rejects(w.claims.notify(w.id, { to, note }, '192.0.2.1'), expected, JSON.stringify([to, note])))
  for (const to of [
    '',
    'ana',
    'Ana <ana@people.test>',
    'a@b.test, c@d.test',
    'a@people.test\r\nBcc: x@y.test',
    'x@[1.2.3.4]',
  ])
    await refused(to, undefined, { code: 'invalid_request', fields: [{ field: 'to' }] })
  await refused('someone@agents.example', undefined, { code: 'invalid_request', message: /agents/ })
  await refused('bounces@people.test', undefined, { code: 'recipient_suppressed' })
  for (const note of ['x'.repeat(1001), 'a\u0000b', 'a\u202eb', 'a\u001b[31m'])
    await refused(HUMAN, note, { code: 'invalid_request', fields: [{ field: 'note' }] })
  t.equal(w.posted.size, 0)
  t.match(await w.claims.notify(w.id, { to: HUMAN, note: 'é'.repeat(1000) }, '192.0.2.1'), { invites_left: 1 })
})

void t.test('a server that sends no mail out says so instead of swallowing the invite', async (t) => {
  const w = await setUp(t, { letters: { ...fakeLetters(), canReach: () => false } })
  const refusal = { code: 'invalid_request', message: /sends no mail/, hint: /claim_url/ }
  await t.rejects(w.claims.notify(w.id, { to: HUMAN }, '192.0.2.1'), refusal)
})

void t.test('who is approved, declined or too late is told that nobody has to be asked any more', async (t) => {
  const w = await world(t)
  const ask = (id: string): Promise<unknown> => w.claims.notify(id, { to: HUMAN }, '192.0.2.1')
  const [approved, declined, late] = [await pending(w, 'one-1'), await pending(w, 'two-2'), await pending(w, 'three')]
  await w.claims.approve('one-1@agents.example')
  await w.claims.decline({ address: 'two-2@agents.example' })
  await t.rejects(ask(approved.id), { code: 'invalid_request', message: /already approved/ })
  await t.rejects(ask(declined.id), { code: 'invalid_request', message: /declined/ })
  w.clock.advance(DAY)
  await t.rejects(ask(late.id), { code: 'invalid_request', message: /ended/ })
  t.equal(w.posted.size, 0)
})

void t.test('invites are limited by human, by network and for the server, also across a restart', async (t) => {
  const engine = memoryEngine()
  let w = await world(t, { engine, invitesPerHour: 23 })
  const ask = async (name: string, to: string, network: number): Promise<unknown> => {
    const client = `10.0.${network}.1`
    return w.claims.notify((await pending(w, name, client)).id, { to }, client)
  }
  for (let i = 0; i < 4; i++) await ask(`human${i}`, HUMAN, i)
  await t.rejects(ask('human4', HUMAN, 4), {
    code: 'rate_limited',
    retryAfterSeconds: DAY / 1000,
    message: /not counted/,
  })

  for (let i = 0; i < 19; i++) await ask(`netto${i}`, `n${i}@people.test`, 0)
  w = await world(t, { engine, invitesPerHour: 23, clock: w.clock })
  await t.rejects(ask('netto20', 'n20@people.test', 0), { code: 'rate_limited', message: /your network/ })
  await t.rejects(ask('serve0', 's0@people.test', 9), { code: 'rate_limited', message: /this server/ })
  w.clock.advance(HOUR + 1)
  t.match(await ask('serve1', 's1@people.test', 0), { invites_left: 1 })
  await t.rejects(ask('human5', HUMAN, 5), { code: 'rate_limited', message: /this address/ })
  w.clock.advance(DAY)
  t.match(await ask('human6', HUMAN, 6), { invites_left: 1 })
})

void t.test(
  '“not me” ends invites to that human from there, makes claims from there harder, and declines nothing',
  async (t) => {
    const engine = memoryEngine()
    const w = await world(t, { engine })
    const { id } = await pending(w)
    const sent = await w.claims.notify(id, { to: HUMAN }, '192.0.2.1')
    const { token } = linksIn(w, sent.id)
    t.equal(await w.claims.refuse('x'.repeat(43)), undefined)
    const easy = (await w.claims.challenge('192.0.2.77')).difficulty
    t.match(await w.claims.refuse(token), { address: 'robot@agents.example' })
    await w.claims.refuse(token)

    const after = await world(t, { engine, clock: w.clock })
    t.equal((await after.claims.challenge('192.0.2.77')).difficulty, easy + 2, 'at once, once, and after a restart')
    t.equal((await after.claims.challenge('198.51.100.1')).difficulty, easy)
    t.match(await after.claims.describe(token), { status: 'pending' })
    const refused = { code: 'recipient_suppressed', hint: /claim_url/ }
    await t.rejects(
      after.claims.notify(id, { to: HUMAN }, '203.0.113.9'),
      refused,
      'for this claim, wherever it asks from',
    )
    const neighbour = await pending(after, 'neighbour', '192.0.2.200')
    await t.rejects(after.claims.notify(neighbour.id, { to: 'ANA@people.test' }, '192.0.2.200'), refused)
    t.match(await after.claims.notify(neighbour.id, { to: 'bob@people.test' }, '192.0.2.200'), { invites_left: 1 })
    const other = await pending(after, 'other', '198.51.100.1')
    t.match(await after.claims.notify(other.id, { to: HUMAN }, '198.51.100.1'), { invites_left: 1 })

    after.clock.advance(7 * DAY)
    t.equal((await after.claims.challenge('192.0.2.77')).difficulty, easy, 'it fades')
  },
)

void t.test('who said “not me” to three networks is left alone by all', async (t) => {
  const w = await world(t)
  for (let i = 0; i < 3; i++) {
    const client = `10.0.${i}.1`
    const { id } = await pending(w, `robot${i}`, client)
    await w.claims.refuse(linksIn(w, (await w.claims.notify(id, { to: HUMAN }, client)).id).token)
  }
  const { id } = await pending(w, 'robot9', '10.0.9.1')
  await t.rejects(w.claims.notify(id, { to: HUMAN }, '10.0.9.1'), { code: 'recipient_suppressed' })
})

void t.test('“not me” still counts when the mail is read after the claim is over', async (t) => {
  const w = await setUp(t)
  const { token } = linksIn(w, (await w.claims.notify(w.id, { to: HUMAN }, '192.0.2.1')).id)
  w.clock.advance(DAY)
  await runClaimTasks(w)
  w.clock.advance(HOUR)
  await runClaimTasks(w)
  t.equal(await w.claims.describe(token), undefined)
  await t.rejects(w.claims.decline({ token }), { code: 'not_found' })
  t.strictSame(await w.claims.refuse(token), { address: null })
  const { id } = await pending(w, 'later')
  await t.rejects(w.claims.notify(id, { to: HUMAN }, '192.0.2.1'), { code: 'recipient_suppressed' })
  w.clock.advance(30 * DAY)
  t.equal(await w.claims.refuse(token), undefined, 'a link is good for 30 days')
})

void t.test('what invites are counted by is gone after a day', async (t) => {
  const engine = mortal(memoryEngine())
  const w = await setUp(t, { engine })
  await w.claims.notify(w.id, { to: HUMAN }, '192.0.2.1')
  t.ok((await engine.holding()).includes('invites'))
  t.same(await sweepInvites(w.store, w.clock.now() + DAY), { removed: 0, more: false })
  t.ok((await engine.holding()).includes('invites'), 'not a moment before')
  await sweepInvites(w.store, w.clock.now() + DAY + 1)
  t.notOk((await engine.holding()).includes('invites'))
})

void t.test('nothing of an invite is stored beside the claim once it has ended', async (t) => {
  const engine = mortal(memoryEngine())
  const w = await setUp(t, { engine })
  await w.claims.notify(w.id, { to: HUMAN, note: 'Hello' }, '192.0.2.1')
  w.clock.advance(DAY)
  await runClaimTasks(w)
  w.clock.advance(HOUR)
  await runClaimTasks(w)
  t.strictSame(
    (await engine.holding()).filter((partition) => partition.startsWith('claim/')),
    [],
  )
})
