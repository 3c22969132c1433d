/** Sends that wait for a human: what is kept, what the human may do, and each way around that an agent might try. */
import { accepted, dryRun, eventsOf, letter, onEveryEngine, present, tasksOf, waiting, type World } from '../world.js'
import { DAY } from '../../../src/lib/clock.js'
import { ServiceError } from '../../../src/lib/errors.js'
import {
  APPROVAL_EXPIRY_KIND,
  APPROVAL_LETTER_KIND,
  type ApprovalTask,
} from '../../../src/mailbox/sending/review-tasks.js'
import type { ShownDraft } from '../../../src/mailbox/drafts/shown.js'
import type { SendOptions } from '../../../src/mailbox/sending/requests.js'
import { tasksIn } from '../../support/store/tasks.js'

/** A key whose mail needs approval, and one whose mail does not. */
const ASKS: SendOptions = { by: { type: 'key', id: 'key_1', requiresApproval: true } }
const FREE: SendOptions = { by: { type: 'key', id: 'key_2', requiresApproval: false } }

const sentCount = async (w: World): Promise<number> => (await w.record()).sentCount
const draftEvents = async (w: World) => (await eventsOf(w)).filter(({ type }) => type.startsWith('draft.'))
const shownForm = async ({ mailboxes, id }: World, draftId: string): Promise<string> =>
  (await mailboxes.deciding.shown(id, draftId)).form
const ask = async ({ mailboxes, id }: World, request = {}) =>
  waiting(await mailboxes.sending.send(id, letter(request), ASKS))

onEveryEngine('what a key in need of approval sends waits, and is sent as the human has changed it', async (t, w) => {
  const { mailboxes, id, clock } = w
  const file = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.alloc(100_000, 'a') }
  const asked = await ask(w, { subject: 'Friday', text: 'Ten?', attachments: [file], labels: ['work'] })
  t.match(asked, { object: 'draft', review: { status: 'waiting', requested_by: { type: 'key', key_id: 'key_1' } } })
  t.equal(Date.parse(present(asked.review.expires_at)), clock.now() + 7 * DAY)
  const draft = await mailboxes.drafts.get(id, asked.id)
  t.match(draft, { subject: 'Friday', text: 'Ten?', labels: ['work'], composed_by: 'agent' })
  t.match(draft.from, { address: 'agent@agents.example' })
  t.equal(await sentCount(w), 0)
  t.same(await tasksOf(w, 'relay'), [])
  t.match(await draftEvents(w), [{ type: 'draft.waiting', data: { draft_id: asked.id, subject: 'Friday' } }])
  t.match(await mailboxes.deciding.waiting(id), [{ id: asked.id, guard: { decision: 'send' }, isTold: false }])

  const change = { text: 'Shall we say ten?' }
  const form = await shownForm(w, asked.id)
  const sent = await mailboxes.deciding.approve(id, asked.id, { form, change })
  t.equal(sent.status, 'queued')
  const message = await mailboxes.reading.message(id, sent.id)
  t.match(message, { composed_by: 'human', subject: 'Friday', attachments: [{ filename: 'a.txt' }] })
  t.match(message.text, /^Shall we say ten\?/)
  t.match((await draftEvents(w)).at(-1), {
    type: 'draft.approved',
    data: { draft_id: asked.id, message_id: sent.id, thread_id: sent.thread_id, status: 'queued' },
  })
  t.equal((await w.record()).usedBytes, message.size_bytes, 'the room of the draft is given back')
  t.same(await tasksOf(w, APPROVAL_EXPIRY_KIND), [])
  t.same(await tasksOf(w, APPROVAL_LETTER_KIND), [])
  await t.rejects(mailboxes.deciding.approve(id, asked.id, { form }), { code: 'not_found' }, 'once')
  const plain = await mailboxes.reading.message(id, (await w.send()).id)
  t.equal(plain.composed_by, 'agent')
})

onEveryEngine('the request or the mailbox may ask too, for mail, answers, forwards and drafts alike', async (t, w) => {
  const { mailboxes, id } = w
  const { sending } = mailboxes
  const original = await w.deliver({ subject: 'Ten?', text: 'Shall we say ten?' })
  const answer = { text: 'Yes.', html: null, attachments: [], all: false }
  const forward = {
    to: [{ address: 'bob@example.org', name: '' }],
    cc: [],
    bcc: [],
    text: 'See.',
    includeAttachments: true,
  }
  const made = await mailboxes.drafts.create(id, { to: letter().to, text: 'Hello' }, {})
  const all = [
    (options: SendOptions) => sending.send(id, letter(), options),
    (options: SendOptions) => sending.reply(id, original.id, answer, options),
    (options: SendOptions) => sending.forward(id, original.id, forward, options),
    (options: SendOptions) => sending.sendDraft(id, made.id, options),
  ]
  for (const send of all) waiting(await send({ ...FREE, requiresApproval: true }))
  const found = await mailboxes.deciding.waiting(id)
  t.equal(found.length, 4)
  const [reply, forwarded] = ['Re: Ten?', 'Fwd: Ten?'].map((subject) => found.find((one) => one.subject === subject))
  for (const one of found) await mailboxes.deciding.discard(id, one.id, one)
  t.match(reply, { in_reply_to: original.id, thread_id: original.thread_id, subject: 'Re: Ten?' })
  t.match(forwarded, { subject: 'Fwd: Ten?', to: [{ address: 'bob@example.org' }] })

  await mailboxes.settings.change(id, { requiresApproval: true, approvalDays: 2 })
  const asked = waiting(await sending.reply(id, original.id, answer, {}))
  t.equal(Date.parse(present(asked.review.expires_at)), w.clock.now() + 2 * DAY)
  t.match(dryRun(await sending.send(id, letter(), { dryRun: true })), { requires_approval: true })
  const sent = await mailboxes.deciding.approve(id, asked.id, { form: await shownForm(w, asked.id) })
  t.match(await mailboxes.reading.message(id, sent.id), { composed_by: 'agent', in_reply_to: original.message_id })
  const lifting = mailboxes.settings.change(id, { requiresApproval: false, approvalDays: 3 })
  await t.rejects(lifting, { code: 'insufficient_scope' }, 'no key ends it')
  t.match(await mailboxes.settings.get(id), { requiresApproval: true, approvalDays: 2 })
  await mailboxes.settings.change(id, { requiresApproval: false }, 'human')
  await mailboxes.settings.change(id, { requiresApproval: false })
  accepted(await sending.send(id, letter(), FREE))
  await t.rejects(mailboxes.settings.change(id, { approvalDays: 31 }), { code: 'invalid_request' })
})

onEveryEngine('an agent has no way around the human', async (t, w) => {
  const { mailboxes, id } = w
  const { sending, drafts, deciding } = mailboxes
  const asked = await ask(w)
  const again = waiting(await sending.sendDraft(id, asked.id, ASKS))
  t.same([again.id, again.revision], [asked.id, asked.revision], 'sending it again only waits on')
  waiting(await sending.sendDraft(id, asked.id, FREE))
  t.equal((await draftEvents(w)).length, 1, 'and tells nothing twice')

  const seen = await deciding.shown(id, asked.id)
  const changed = await drafts.update(id, asked.id, { text: 'Send the money.' })
  t.match(changed, { review: { status: 'waiting' } })
  t.ok(changed.revision > seen.draft.revision)
  await t.rejects(deciding.approve(id, asked.id, seen), { code: 'unavailable' })
  await t.rejects(deciding.discard(id, asked.id, seen.draft), { code: 'unavailable' }, 'nor is another thrown away')
  await t.rejects(deciding.sendBack(id, asked.id, { ...seen.draft, note: 'No.' }), { code: 'unavailable' })
  const edit = { ...seen, change: { text: 'Good morning.' } }
  await t.rejects(deciding.approve(id, asked.id, edit), { code: 'unavailable' }, 'nor with a change')
  t.match(await drafts.get(id, asked.id), { text: 'Send the money.' })

  await mailboxes.settings.change(id, { displayName: 'Your bank', signature: { text: 'Call 555 0100' } })
  const sent = await deciding.approve(id, asked.id, await deciding.shown(id, asked.id))
  const message = await mailboxes.reading.message(id, sent.id)
  t.equal(message.from?.name, 'Agent', 'author and signature are those that the human saw')
  t.notMatch(message.text, /555 0100/)

  const made = await drafts.create(id, { to: letter().to, text: 'Hello' }, {})
  const waits = waiting(await sending.sendDraft(id, made.id, ASKS))
  t.match((await drafts.get(id, waits.id)).text, /^Hello\n\n-- \nCall 555 0100/, 'the signature is there to be seen')
  await deciding.sendBack(id, waits.id, { ...waits, note: 'No.' })
  t.match(waiting(await sending.sendDraft(id, waits.id, ASKS)), { review: { status: 'waiting' } }, 'it asks again')
  await drafts.delete(id, waits.id)
  t.same(await tasksOf(w, APPROVAL_EXPIRY_KIND), [])
  t.equal(await sentCount(w), 1)
})

onEveryEngine('the same idempotency key asks once, also when it was decided', async (t, w) => {
  const { mailboxes, id } = w
  const options = { ...ASKS, idempotencyKey: 'once' }
  const first = waiting(await mailboxes.sending.send(id, letter(), options))
  t.same(await mailboxes.sending.send(id, letter(), options), first)
  await mailboxes.deciding.approve(id, first.id, { form: await shownForm(w, first.id) })
  t.same(await mailboxes.sending.send(id, letter(), options), first)
  t.equal(await sentCount(w), 1)
  const other = { ...FREE, idempotencyKey: 'once', requiresApproval: true as const }
  await t.rejects(mailboxes.sending.send(id, letter(), other), { code: 'idempotency_mismatch' })
})

onEveryEngine('the checks of a send come first, and the guard decides after the human', async (t, w) => {
  const { mailboxes, id, guard } = w
  await t.rejects(mailboxes.sending.send(id, letter({ labels: ['sent'] }), ASKS), { code: 'invalid_request' })
  w.recipients.refusal = new ServiceError('new_recipient_limit', 'Too many.', 'Wait.', { retryAfterSeconds: 1 })
  await t.rejects(mailboxes.sending.send(id, letter(), ASKS), { code: 'new_recipient_limit' })
  delete w.recipients.refusal
  t.same(await mailboxes.deciding.waiting(id), [])
  guard.verdict = { category: 'phishing', scores: { phishing: 1 }, decision: 'hold', reasons: [] }
  const asked = await ask(w)
  t.match(await mailboxes.deciding.waiting(id), [{ guard: { decision: 'hold' } }])
  const sent = await mailboxes.deciding.approve(id, asked.id, { form: await shownForm(w, asked.id) })
  t.equal(sent.status, 'held')
  t.match((await draftEvents(w)).at(-1), { type: 'draft.approved', data: { status: 'held' } })
})

onEveryEngine('a draft is returned with a note, discarded, or returned when its time is over', async (t, w) => {
  const { mailboxes, id, clock, queue } = w
  const { deciding, drafts } = mailboxes
  const asked = await ask(w)
  await t.rejects(deciding.sendBack(id, asked.id, { ...asked, note: 'x'.repeat(2001) }), { code: 'invalid_request' })
  await deciding.sendBack(id, asked.id, { ...asked, note: ' Say when. ' })
  await deciding.sendBack(id, asked.id, { ...asked, note: ' Say when. ' })
  t.equal((await draftEvents(w)).length, 2, 'a form that is sent twice returns it once')
  t.match(await drafts.get(id, asked.id), { review: { status: 'returned', reason: 'sent_back', note: 'Say when.' } })
  t.match((await draftEvents(w)).at(-1), { type: 'draft.returned', data: { reason: 'sent_back', note: 'Say when.' } })
  await drafts.update(id, asked.id, { text: 'At ten.' })
  waiting(await mailboxes.sending.sendDraft(id, asked.id, ASKS))
  await deciding.discard(id, asked.id, { ...(await drafts.get(id, asked.id)), note: 'Never mind' })
  t.match((await draftEvents(w)).at(-1), { type: 'draft.discarded', data: { draft_id: asked.id, note: 'Never mind' } })
  await t.rejects(drafts.get(id, asked.id), { code: 'not_found' })

  const late = await ask(w)
  const [task] = await tasksIn<ApprovalTask>(queue, APPROVAL_EXPIRY_KIND)
  const { payload, due } = present(task)
  t.same(await deciding.expire(payload), { done: false, retryAt: due }, 'not before its time')
  clock.advance(due - clock.now())
  t.same(await deciding.expire(payload), { done: true })
  t.same(await deciding.expire(payload), { done: true })
  t.match(await drafts.get(id, late.id), { review: { status: 'returned', reason: 'expired' } })
  const returned = (await draftEvents(w)).filter(
    ({ type, data }) => type === 'draft.returned' && data['reason'] === 'expired',
  )
  t.equal(returned.length, 1)
})

onEveryEngine('a time to send at is kept, and has no meaning once it has passed', async (t, w) => {
  const { mailboxes, id, clock } = w
  const sendAt = clock.now() + DAY
  const [soon, late] = [await ask(w, { sendAt }), await ask(w, { sendAt })]
  t.equal((await mailboxes.deciding.approve(id, soon.id, { form: await shownForm(w, soon.id) })).status, 'scheduled')
  clock.advance(2 * DAY)
  t.equal((await mailboxes.deciding.approve(id, late.id, { form: await shownForm(w, late.id) })).status, 'queued')
})

onEveryEngine('a draft that never asked is sent with the author and signature that its human saw', async (t, w) => {
  const { mailboxes, id } = w
  const { deciding, drafts } = mailboxes
  const made = await drafts.create(id, { to: letter().to, subject: 'Hi', text: 'Hello' }, {})
  const before = await deciding.shown(id, made.id)
  t.match(before.draft, { from: { address: 'agent@agents.example', name: 'Agent' }, text: 'Hello' })
  await mailboxes.settings.change(id, { signature: { text: 'Call 555 0100' } })
  await t.rejects(deciding.approve(id, made.id, before), { code: 'unavailable' }, 'not with another signature')
  const signed = await deciding.shown(id, made.id)
  t.match(signed.draft.text, /^Hello\n\n-- \nCall 555 0100/)
  await mailboxes.settings.change(id, { displayName: 'Your bank' })
  await t.rejects(deciding.approve(id, made.id, signed), { code: 'unavailable' }, 'nor as another author')
  t.equal(await sentCount(w), 0)

  w.recipients.refusal = new ServiceError('new_recipient_limit', 'Too many.', 'Wait.', { retryAfterSeconds: 1 })
  const seen = { ...(await deciding.shown(id, made.id)), change: { text: 'Hello.\n\n-- \nAda' } }
  await t.rejects(deciding.approve(id, made.id, seen), { code: 'new_recipient_limit' })
  delete w.recipients.refusal
  const kept = await deciding.shown(id, made.id)
  t.match(kept.draft, { text: 'Hello.\n\n-- \nAda', composed_by: 'human' }, 'the words of the human stay')
  await mailboxes.settings.change(id, { displayName: 'Other', signature: { text: 'Other' } })
  const sent = await deciding.approve(id, made.id, kept)
  const message = await mailboxes.reading.message(id, sent.id)
  t.match([message.from?.name, message.text.trimEnd()], ['Your bank', 'Hello.\n\n-- \nAda'])
})

onEveryEngine('of two decisions at once at most one counts, and none on what was changed meanwhile', async (t, w) => {
  const { deciding, drafts } = w.mailboxes
  const others: Record<string, (id: string, seen: ShownDraft) => Promise<unknown>> = {
    approve: (id, seen) => deciding.approve(w.id, id, seen),
    discard: (id, { draft }) => deciding.discard(w.id, id, draft),
    sendBack: (id, { draft }) => deciding.sendBack(w.id, id, { ...draft, note: 'No.' }),
    update: (id) => drafts.update(w.id, id, { text: 'Send the money.' }),
  }
  for (const [name, decide] of Object.entries(others)) {
    const before = { sent: await sentCount(w), events: (await draftEvents(w)).length }
    const asked = await ask(w)
    const seen = await deciding.shown(w.id, asked.id)
    const all = await Promise.allSettled([deciding.approve(w.id, asked.id, seen), decide(asked.id, seen)])
    const [, ...told] = (await draftEvents(w)).slice(before.events)
    const decisions = name === 'update' ? all.slice(0, 1) : all
    t.equal(told.length, decisions.filter(({ status }) => status === 'fulfilled').length, `${name}: an event for each`)
    t.ok(told.length <= 1, `${name}: not both`)
    const approved = told.filter(({ type }) => type === 'draft.approved')
    t.equal((await sentCount(w)) - before.sent, approved.length, `${name}: sent if approved`)
    for (const one of approved) {
      const { text } = await w.mailboxes.reading.message(w.id, String(one.data['message_id']))
      t.notMatch(text, 'money')
    }
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as ServiceError] : []))
    t.ok(
      refused.every(({ code }) => code === 'unavailable' || code === 'not_found'),
      `${name}: the other is told`,
    )
  }
})
