/** A name that is not there is null in every answer, whichever way the request said so. */
import t from 'tap'
import { z } from 'zod'
import { deliveryOf } from '../mailbox/world.js'
import { accountWorld } from './support/account-world.js'

/** Fields that hold a text, which may be empty: `path` is that of the MIME part that holds all others. */
const TEXTS = new Set(['subject', 'preview', 'text', 'extracted_text', 'path'])

/** Places where an answer says "" of what is no text. */
function empties(value: unknown, place: string): string[] {
  if (value === '') return TEXTS.has(place.split('.').at(-1) ?? '') ? [] : [place]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => empties(inner, `${place}.${name}`))
}

const BARE = 'ada@example.org'
const withId = z.object({ id: z.string(), thread_id: z.string() })

t.test('an answer says null where there is no name, and never ""', async (t) => {
  const w = await accountWorld(t)
  const raw = Buffer.from(`From: ${BARE}\r\nTo: agent@agents.example\r\nSubject:\r\nMessage-ID: <1@x>\r\n\r\n`)
  const { id, thread_id: threadId } = await w.mailboxes.delivery.deliver(await deliveryOf(w.id, { from: BARE, raw }))
  const gone = await w.mailboxes.delivery.deliver(await deliveryOf(w.id, { from: BARE, raw }))
  await w.mailboxes.trash.deleteMessage(w.id, gone.id)
  const words = { to: [BARE, { address: 'eve@example.org', name: null }, { address: 'bob@example.org', name: '' }] }
  const draft = await w.call('POST', '/v1/drafts', words)
  t.equal(draft.status, 201)
  const sent = await w.call('POST', '/v1/send', { ...words, subject: '', text: 'Hello' })
  t.equal(sent.status, 202)
  const paths = [
    `/v1/messages/${id}`,
    `/v1/messages/${id}/parts`,
    `/v1/messages/${withId.parse(sent.json).id}`,
    '/v1/messages',
    '/v1/messages?q=hello',
    `/v1/threads/${threadId}`,
    '/v1/threads',
    '/v1/trash',
    '/v1/drafts',
    '/v1/events',
    '/v1/mailbox',
    '/v1/mailboxes',
    '/v1/keys',
    '/v1/account',
  ]
  for (const path of paths) {
    const { status, json, text } = await w.call('GET', path)
    t.equal(status, 200, path)
    t.strictSame(empties(json, path), [], path)
    if (/messages|threads|trash|drafts|events/.test(path) && !/parts|q=/.test(path))
      t.match(text, /"name":null/, `${path} names somebody`)
  }
  t.match(draft.json, { to: words.to.map(() => ({ name: null })) })
})

t.test('null and "" both take a name away', async (t) => {
  const w = await accountWorld(t)
  for (const nothing of [null, '', '  ']) {
    t.match((await w.call('PATCH', '/v1/mailbox', { display_name: 'Ada' })).json, { display_name: 'Ada' })
    const { status, json } = await w.call('PATCH', '/v1/mailbox', { display_name: nothing })
    t.match({ status, json }, { status: 200, json: { display_name: null } }, JSON.stringify(nothing))
  }
})
