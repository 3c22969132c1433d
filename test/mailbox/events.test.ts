import { DAY } from '../../src/lib/clock.js'
import type { EventFilter } from '../../src/mailbox/event-filter.js'
import { appendEvent } from '../../src/mailbox/events.js'
import { changeMailbox, claimMailbox } from '../../src/mailbox/record.js'
import { sweepMailbox } from '../../src/mailbox/retention/sweep.js'
import { prefixRange } from '../../src/store/keys.js'
import { eventsOf, letter, onEveryEngine, present } from './world.js'

const never = new AbortController().signal

onEveryEngine('events come in pages, each number once and without a gap', async (t, world) => {
  const { mailboxes, id } = world
  for (let i = 0; i < 5; i++) await world.deliver()
  const first = await mailboxes.events(id, { after: 0, limit: 3, waitMs: 0 }, never)
  t.same(
    first.data.map(({ seq }) => seq),
    [1, 2, 3],
  )
  t.match(first, { has_more: true, next_after: 3 })
  const second = await mailboxes.events(id, { after: first.next_after, limit: 3, waitMs: 0 }, never)
  t.same(
    second.data.map(({ seq }) => seq),
    [4, 5],
  )
  t.match(second, { has_more: false, next_after: 5 })
  t.match(await mailboxes.events(id, { after: 5, limit: 3, waitMs: 0 }, never), {
    data: [],
    has_more: false,
    next_after: 5,
  })
  for (const after of [6, Number.MAX_SAFE_INTEGER])
    await t.rejects(mailboxes.events(id, { after, limit: 3, waitMs: 60_000 }, never), {
      code: 'events_expired',
      oldestSeq: 6,
      hint: /after=5/,
    })
  await t.rejects(mailboxes.events('mbx_unknown', { after: 0, limit: 1, waitMs: 60_000 }, never), { code: 'not_found' })
})

onEveryEngine('a waiting reader is woken by the delivery, once', async (t, world) => {
  const { mailboxes, id } = world
  let answers = 0
  const waiting = mailboxes.events(id, { after: 0, limit: 10, waitMs: 60_000 }, never).then((page) => {
    answers++
    return page
  })
  const message = await world.deliver()
  const { data, next_after } = await waiting
  t.same(
    data.map((event) => event.data.message_id),
    [message.id],
  )
  await world.deliver()
  t.equal(answers, 1)
  t.equal((await mailboxes.events(id, { after: next_after, limit: 10, waitMs: 60_000 }, never)).data.length, 1)
})

onEveryEngine('many wait at one mailbox, and all are told', async (t, world) => {
  const { mailboxes, id } = world
  const waiting = Array.from({ length: 300 }, () => mailboxes.events(id, { after: 0, limit: 1, waitMs: 60_000 }, never))
  await world.deliver()
  const pages = await Promise.all(waiting)
  t.ok(pages.every(({ data }) => data.length === 1 && data[0]?.seq === 1))
})

onEveryEngine('a wait ends with nothing at its time, or when the client goes away', async (t, world) => {
  const { mailboxes, id } = world
  t.match(await mailboxes.events(id, { after: 0, limit: 1, waitMs: 5 }, never), { data: [], next_after: 0 })
  await world.deliver()
  const client = new AbortController()
  const waiting = mailboxes.events(id, { after: 1, limit: 1, waitMs: 60_000 }, client.signal)
  client.abort()
  t.match(await waiting, { data: [], next_after: 1 })
  t.match(await mailboxes.events(id, { after: 1, limit: 1, waitMs: 60_000 }, AbortSignal.abort()), { data: [] })
})

onEveryEngine('approval is told by one event', async (t, world) => {
  const id = await world.addMailbox('pending-agent', 'pending')
  await world.store.write(`mailbox/${id}`, (tx) => claimMailbox(tx, 'acc_1', world.clock.now()))
  t.match(await world.mailboxes.directory.get(id), {
    status: 'claimed',
    accountId: 'acc_1',
    claimedAt: world.clock.now(),
  })
  const events = await eventsOf(world, 0, id)
  t.same(
    events.map(({ type }) => type),
    ['claim.claimed'],
  )
})

onEveryEngine('the sweep drops what is old, and numbers never come back', async (t, world) => {
  const { store, id, clock } = world
  for (let i = 0; i < 250; i++) await world.deliver({ deliveryId: `d${i}` })
  const first = await world.send(letter(), 'key')
  clock.advance(DAY)
  t.equal(await sweepMailbox(store, id, clock.now() - 1, { eventsMs: 30 * DAY }), 0)
  const second = await world.send(letter(), 'key')
  t.not(second.id, first.id, 'after 24 hours a key may stand for a new message')
  t.equal(await sweepMailbox(store, id, clock.now(), { eventsMs: 30 * DAY }), 1)
  t.equal((await world.send(letter(), 'key')).id, second.id, 'what expired was the first answer alone')

  clock.advance(29 * DAY + 1)
  await sweepMailbox(store, id, clock.now(), { eventsMs: 30 * DAY })
  const { seq } = await world.record()
  t.same(
    (await eventsOf(world)).map((event) => event.seq),
    [seq - 1, seq],
    'the events of 30 days ago are gone',
  )
  clock.advance(2 * DAY)
  await sweepMailbox(store, id, clock.now(), { eventsMs: 30 * DAY })
  t.same(await eventsOf(world), [])
  await world.deliver()
  t.equal(present((await eventsOf(world))[0]).seq, seq + 1)
  const rest = await store.read(`mailbox/${id}`, (view) => view.range({ ...prefixRange('delivery') }))
  t.same(rest, [])
})

onEveryEngine('what no longer is kept is told with the oldest event that is', async (t, world) => {
  const { mailboxes, store, id, clock } = world
  const read = (after: number, gone?: 'skip') =>
    mailboxes.events(id, { after, limit: 10, waitMs: 0, ...(gone && { gone }) }, never)
  for (let i = 0; i < 3; i++) await world.deliver()
  clock.advance(29 * DAY)
  await world.deliver()
  clock.advance(2 * DAY)
  await sweepMailbox(store, id, clock.now(), { eventsMs: 30 * DAY })
  await t.rejects(read(2), { code: 'events_expired', status: 410, oldestSeq: 4, hint: /after=3/ })
  for (const [after, gone] of [
    [0, undefined],
    [3, undefined],
    [2, 'skip'],
  ] as const) {
    const page = await read(after, gone)
    t.same(
      page.data.map(({ seq }) => seq),
      [4],
      `after ${after}`,
    )
  }
  clock.advance(30 * DAY)
  await sweepMailbox(store, id, clock.now(), { eventsMs: 30 * DAY })
  await t.rejects(read(3), { code: 'events_expired', oldestSeq: 5 })
  t.match(await read(4), { data: [], next_after: 4 })
  t.match(await read(0), { data: [], next_after: 0 })
})

onEveryEngine('a filter passes what fits, and the next call begins behind what did not', async (t, world) => {
  const { mailboxes, id } = world
  const mail = (from: string, subject: string) => world.deliver({ from, subject })
  const first = await mail('Ada <ada@example.org>', 'Invoice 7')
  await mail('bob@example.com', 'Lunch')
  await mail('bob@example.com', 'Your INVOICE 8')
  await world.send()
  const { seq } = await world.record()
  const find = async (filter: EventFilter, limit = 10) => {
    const page = await mailboxes.events(id, { after: 0, limit, waitMs: 0, filter }, never)
    return [page.data.map((event) => event.seq), page.has_more, page.next_after]
  }
  t.same(await find({ subjectContains: 'invoice' }), [[1, 3], false, seq])
  t.same(await find({ subjectContains: 'invoice' }, 1), [[1], true, 1], 'it stops behind the last that fits')
  t.same(await find({ from: 'BOB@example.com' }), [[2, 3], false, seq])
  t.same(await find({ from: '@example.com', subjectContains: 'lunch' }), [[2], false, seq])
  t.same(await find({ from: 'ob@example.com' }), [[], false, seq])
  t.same(await find({ threadId: first.thread_id, types: new Set(['message.received']) }), [[1], false, seq])
  const [statuses] = await find({ types: new Set(['message.status']) })
  t.ok(Array.isArray(statuses) && statuses.length > 0 && statuses.every((each) => each > 3))
})

onEveryEngine('a wait ends at the first event that fits, and not before', async (t, world) => {
  const { mailboxes, id } = world
  let isOver = false
  const waiting = mailboxes
    .events(id, { after: 0, limit: 5, waitMs: 60_000, filter: { subjectContains: 'code' } }, never)
    .finally(() => (isOver = true))
  await world.deliver({ from: 'bob@example.com', subject: 'Lunch' })
  await world.deliver({ from: 'bob@example.com', subject: 'Dinner' })
  t.notOk(isOver)
  await world.deliver({ from: 'login@example.com', subject: 'Your code is 1234' })
  t.match(await waiting, { data: [{ seq: 3, data: { subject: 'Your code is 1234' } }], next_after: 3, has_more: false })
  const nothing = await mailboxes.events(
    id,
    { after: 0, limit: 5, waitMs: 5, filter: { subjectContains: 'nobody' } },
    never,
  )
  t.match(nothing, { data: [], next_after: 3 }, 'what did not fit is not looked at again')
})

onEveryEngine('a filter that passes little looks at so many events for one answer', async (t, world) => {
  const { store, mailboxes, id } = world
  for (let row = 0; row <= 600; row++)
    await changeMailbox(store, id, async (_tx, mailbox) => {
      if (row === 600) appendEvent(mailbox, 0, 'message.updated', { thread_id: 'thr_2' })
      else for (let i = 0; i < 10; i++) appendEvent(mailbox, 0, 'message.updated', { thread_id: 'thr_1' })
    })
  const query = { limit: 5, waitMs: 60_000, filter: { threadId: 'thr_2' } }
  const first = await mailboxes.events(id, { ...query, after: 0 }, never)
  t.match(first, { data: [], has_more: true })
  t.ok(first.next_after >= 5000 && first.next_after < 6000)
  t.match(await mailboxes.events(id, { ...query, after: first.next_after }, never), { data: [{ seq: 6001 }] })
})
