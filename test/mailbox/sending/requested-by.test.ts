/** Which key or connection asked to send a message, as it is stored and shown. */
import { newId } from '../../../src/lib/ids.js'
import { packMessage, readState, unpackMessage } from '../../../src/mailbox/message-rows.js'
import { mailboxPartition } from '../../../src/mailbox/keys.js'
import type { SendOptions } from '../../../src/mailbox/sending/requests.js'
import { accepted, letter, onEveryEngine, present, waiting, type World } from '../world.js'

const by = (type: 'key' | 'connection', id: string, requiresApproval = false): SendOptions => ({
  by: { type, id, requiresApproval },
})
const requestedBy = async ({ mailboxes, id }: World, messageId: string) =>
  (await mailboxes.reading.message(id, messageId)).requested_by

onEveryEngine('a message says which key, connection or human asked to send it; others say nothing', async (t, w) => {
  const { sending } = w.mailboxes
  const [key, connection] = [newId('key'), newId('con')]
  const original = await w.deliver()
  const sent = accepted(await sending.send(w.id, letter(), by('key', key)))
  t.same(await requestedBy(w, sent.id), { type: 'key', key_id: key })
  const reply = { text: 'Yes.', html: null, attachments: [], all: false }
  const replied = accepted(await sending.reply(w.id, original.id, reply, by('connection', connection)))
  t.same(await requestedBy(w, replied.id), { type: 'connection', key_id: connection })
  t.same(await requestedBy(w, accepted(await sending.send(w.id, letter(), {})).id), { type: 'session', key_id: null })
  t.equal(await requestedBy(w, original.id), null)
})

onEveryEngine('a draft that a human approved says which key had asked for it', async (t, w) => {
  const { mailboxes, id } = w
  const key = newId('key')
  const asked = waiting(await mailboxes.sending.send(id, letter(), by('key', key, true)))
  const { form } = await mailboxes.deciding.shown(id, asked.id)
  const sent = await mailboxes.deciding.approve(id, asked.id, { form })
  t.same(await requestedBy(w, sent.id), { type: 'key', key_id: key })
})

onEveryEngine('it takes 21 bytes of the row, and a row from before it was stored can be read', async (t, w) => {
  const { id } = accepted(await w.mailboxes.sending.send(w.id, letter(), by('key', newId('key'))))
  const state = present(await w.store.read(mailboxPartition(w.id), (view) => readState(view, id)))
  const { requestedBy: _by, ...before } = state
  const [row, old] = [packMessage(state), packMessage(before)]
  t.ok(row.length - old.length <= 21, `${row.length - old.length} bytes more`)
  t.same(unpackMessage(row), state)
  t.same(unpackMessage(old), before)
})
