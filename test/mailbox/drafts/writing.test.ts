/** Drafts that a human writes: crashes at each commit, undo at the limits and against the clock, and keys of agents that want to be in the way. */
import t from 'tap'
import { createAudit } from '../../../src/audit/audit.js'
import { BY_ITSELF, type Note } from '../../../src/audit/types.js'
import { DAY, SECOND } from '../../../src/lib/clock.js'
import { newId } from '../../../src/lib/ids.js'
import { MAX_DRAFTS } from '../../../src/mailbox/sending/draft-room.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { mortal } from '../../support/store/mortal-engine.js'
import { letter, LIMITS, makeWorld, onEveryEngine, present, type World } from '../world.js'

const FORM = 'f'.repeat(22)
const CHANGE = {
  to: [{ address: 'ada@example.org', name: 'Ada' }],
  subject: 'Lunch',
  text: 'Shall we say noon?',
  attachments: [
    { filename: 'large.bin', contentType: 'application/octet-stream', content: Buffer.alloc(100_000, 'x') },
  ],
}

/** What a form does that is submitted. */
async function submit({ mailboxes, id }: World, draftId: string, note?: Note) {
  const saved = await mailboxes.writing.save(id, draftId, { revision: 0, form: FORM, change: CHANGE })
  if ('sent' in saved) return saved.sent
  const how = { revision: saved.draft.revision, isAnyway: false, requestId: 'req_test', note }
  const outcome = await mailboxes.writing.send(id, draftId, how)
  if ('doubt' in outcome) throw new Error('the guard has a doubt')
  return outcome.sent
}

const messagesOf = async ({ mailboxes, id }: World) => (await mailboxes.reading.messages(id, { limit: 50 })).data
const draftsOf = async ({ mailboxes, id }: World) => (await mailboxes.drafts.list(id, { limit: 50 })).data

for (const moment of ['before', 'after'] as const) {
  t.test(`a form submitted again after a crash ${moment} any commit sends one message`, async (t) => {
    let crashes = 0
    for (let at = 1; ; at++) {
      const engine = memoryEngine({ lateness: 0, conflicts: 0 })
      const process = mortal(engine, at, moment)
      const before = await makeWorld(t, createStore(process.engine))
      const draftId = newId('drf', before.clock.now())
      process.arm()
      await submit(before, draftId).catch((error: unknown) => {
        if (!process.died()) throw error
      })
      if (!process.died()) break
      crashes++
      const world = await makeWorld(t, createStore(engine), before)
      const { id } = await submit(world, draftId)
      t.same(
        (await messagesOf(world)).map((message) => message.id),
        [id],
        `crash at commit ${at}`,
      )
      t.same(await draftsOf(world), [])
      t.equal((await world.record()).draftCount, 0)
      t.equal((await world.record()).scheduledCount, 1)
    }
    t.equal(crashes, 2, 'the draft, and the message')
  })

  t.test(`a crash ${moment} any commit of an undo leaves the message or the draft`, async (t) => {
    let crashes = 0
    for (let at = 1; ; at++) {
      const engine = memoryEngine({ lateness: 0, conflicts: 0 })
      const process = mortal(engine, at, moment)
      const before = await makeWorld(t, createStore(process.engine))
      const { id } = await submit(before, newId('drf', before.clock.now()))
      process.arm()
      await before.mailboxes.sending.recall(before.id, id).catch((error: unknown) => {
        if (!process.died()) throw error
      })
      if (!process.died()) break
      crashes++
      const world = await makeWorld(t, createStore(engine), before)
      const [messages, drafts] = [await messagesOf(world), await draftsOf(world)]
      t.equal(messages.length + drafts.length, 1, `crash at commit ${at}`)
      const draft = await world.mailboxes.sending.recall(world.id, id)
      t.match(draft, { subject: 'Lunch', attachments: [{ filename: 'large.bin', size_bytes: 100_000 }] })
      const { content } = await world.mailboxes.deciding.file(world.id, draft.id, present(draft.attachments[0]).id)
      t.equal(content.length, 100_000)
      t.same(await messagesOf(world), [])
      world.clock.advance(10 * SECOND)
      await world.mailboxes.outbound.runScheduled(world.id, id)
      t.same(await messagesOf(world), [], 'and its time sends nothing')
    }
    t.equal(crashes, 1, 'it is one commit')
  })
}

onEveryEngine('undo and the time of the message exclude each other', async (t, world) => {
  for (let round = 0; round < 5; round++) {
    const { id } = await submit(world, newId('drf', world.clock.now()))
    world.clock.advance(10 * SECOND)
    const [undone] = await Promise.allSettled([
      world.mailboxes.sending.recall(world.id, id),
      world.mailboxes.outbound.runScheduled(world.id, id),
    ])
    const message = (await messagesOf(world)).find((each) => each.id === id)
    if (undone.status === 'fulfilled') t.equal(message, undefined)
    else {
      t.match(undone.reason, { code: 'too_late' })
      t.equal(message?.status, 'queued')
    }
  }
})

for (const moment of ['before', 'after'] as const) {
  t.test(
    `a crash ${moment} any commit leaves no message without its entry in the audit log, and no entry without it`,
    async (t) => {
      let crashes = 0
      for (let at = 1; ; at++) {
        const engine = memoryEngine({ lateness: 0, conflicts: 0 })
        const process = mortal(engine, at, moment)
        const before = await makeWorld(t, createStore(process.engine))
        const draftId = newId('drf', before.clock.now())
        process.arm()
        await noted(before, (note) => submit(before, draftId, note)).catch((error: unknown) => {
          if (!process.died()) throw error
        })
        if (!process.died()) break
        crashes++
        const world = await makeWorld(t, createStore(engine), before)
        const entries = await entriesOf(world)
        const ids = (await messagesOf(world)).map(({ id }) => id)
        t.same(
          entries.map(({ subject }) => subject.message_id),
          ids,
          `crash at commit ${at}`,
        )
        await noted(world, (note) => submit(world, draftId, note))
        t.match(await entriesOf(world), [{ action: 'message.sent', subject: { recipients: '1' } }], 'once')
      }
      t.equal(crashes, 2, 'it costs no commit')
    },
  )
}

const auditOf = ({ store, clock }: World) =>
  createAudit({ store, clock, retentionMs: DAY, log: { info: () => undefined, error: () => undefined } })
const entriesOf = async (world: World) => (await auditOf(world).list({ limit: 10 })).data
const noted = (world: World, change: (note: Note) => Promise<unknown>) =>
  auditOf(world).within({ action: 'message.sent', actor: BY_ITSELF, subject: {} }, change)

t.test('undo is refused neither for room nor for the number of drafts', async (t) => {
  const world = await makeWorld(t, createStore(memoryEngine()))
  const { id } = await submit(world, newId('drf', world.clock.now()))
  for (let i = 0; i < MAX_DRAFTS; i++) await world.mailboxes.drafts.create(world.id, { subject: String(i) }, {})
  const left = LIMITS.storageBytes - (await world.record()).usedBytes
  const filling = Buffer.alloc(Math.floor((left * 3) / 4) - 20_000, 'y').toString()
  await world.mailboxes.drafts.update(world.id, present((await draftsOf(world))[0]).id, {
    text: filling.slice(0, 400_000),
  })
  await world.mailboxes.sending.recall(world.id, id)
  t.equal((await world.record()).draftCount, MAX_DRAFTS + 1)
})

t.test('no idempotency key of an agent is in the way of a form', async (t) => {
  const world = await makeWorld(t, createStore(memoryEngine()))
  const draftId = newId('drf', world.clock.now())
  for (const key of [draftId, `\n${draftId}`, draftId.padStart(255)]) {
    await world.mailboxes.sending.send(world.id, letter(), { idempotencyKey: key })
  }
  const { id } = await submit(world, draftId)
  t.equal((await world.mailboxes.reading.message(world.id, id)).composed_by, 'human')
})

t.test('a long text comes back whole, although lists and pages keep less of it', async (t) => {
  const world = await makeWorld(t, createStore(memoryEngine()))
  const text = 'word '.repeat(60_000)
  const draftId = newId('drf', world.clock.now())
  const { mailboxes, id: mailboxId } = world
  await mailboxes.writing.save(mailboxId, draftId, {
    revision: 0,
    form: FORM,
    change: { ...CHANGE, attachments: [], text },
  })
  const sent = await mailboxes.writing.send(mailboxId, draftId, { revision: 1, isAnyway: false, requestId: 'req_test' })
  if ('doubt' in sent) throw new Error('the guard has a doubt')
  t.equal((await mailboxes.reading.message(mailboxId, sent.sent.id)).truncated, true)
  const draft = await mailboxes.sending.recall(mailboxId, sent.sent.id)
  t.equal(draft.text.trimEnd().length, text.trimEnd().length)
})

t.test('a mail that answers what is deleted meanwhile still joins its conversation', async (t) => {
  const world = await makeWorld(t, createStore(memoryEngine()))
  const { mailboxes, id: mailboxId } = world
  const first = await world.deliver({ headers: ['Message-ID: <a@example.org>'], subject: 'Plans' })
  const question = await world.deliver({ headers: ['Message-ID: <b@example.org>', 'In-Reply-To: <a@example.org>'] })
  const draftId = newId('drf', world.clock.now())
  const about = { reply: question.id, isToAll: false }
  const sendAt = world.clock.now() + 3600 * SECOND
  const change = { text: 'Yes.', subject: 'Re: Plans', sendAt }
  await mailboxes.writing.save(mailboxId, draftId, { revision: 0, form: FORM, change, about })
  const sent = await mailboxes.writing.send(mailboxId, draftId, { revision: 1, isAnyway: false, requestId: 'req_test' })
  if ('doubt' in sent) throw new Error('the guard has a doubt')
  await mailboxes.trash.deleteMessage(mailboxId, question.id)
  await mailboxes.trash.purge(mailboxId, question.id)
  const draft = await mailboxes.sending.recall(mailboxId, sent.sent.id)
  t.match(draft, { in_reply_to: null, thread_id: first.thread_id })
  const saved = await mailboxes.writing.save(mailboxId, draft.id, {
    revision: 1,
    form: 'g'.repeat(22),
    change: { sendAt: null },
  })
  t.ok('draft' in saved)
  const again = await mailboxes.writing.send(mailboxId, draft.id, {
    revision: 2,
    isAnyway: false,
    requestId: 'req_test',
  })
  if ('doubt' in again) throw new Error('the guard has a doubt')
  t.match(await mailboxes.reading.message(mailboxId, again.sent.id), {
    ...{ thread_id: first.thread_id, in_reply_to: 'b@example.org' },
  })
})
