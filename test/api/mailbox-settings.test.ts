import t from 'tap'
import { z } from 'zod'
import { deliveryOf, present } from '../mailbox/world.js'
import { accountWorld, type AccountWorld } from './support/account-world.js'

const events = z.object({ data: z.array(z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) })) })
const accepted = z.object({ id: z.string() })

async function sentText(w: AccountWorld, answer: { json: unknown }): Promise<{ text: string; html: string | null }> {
  const { text, html } = await w.mailboxes.reading.message(w.id, accepted.parse(answer.json).id)
  return { text: text.trimEnd(), html }
}

t.test('name, signature and rules are set, seen, and told of once', async (t) => {
  const w = await accountWorld(t)
  t.match((await w.call('GET', '/v1/mailbox')).json, { signature: null, auto_labels: [], send_only_allowed: false })
  const change = {
    display_name: ' Scout ',
    signature: { text: 'Scout\r\nan agent' },
    auto_labels: [{ from: 'Ada@Example.ORG', labels: ['friends'] }],
  }
  const set = await w.call('PATCH', '/v1/mailbox', change)
  t.match(set.json, {
    display_name: 'Scout',
    signature: { text: 'Scout\nan agent', html: null },
    auto_labels: [{ from: 'ada@example.org', labels: ['friends'], mark_read: false }],
  })
  t.strictSame((await w.call('GET', '/v1/mailbox')).json, set.json)
  await w.call('PATCH', '/v1/mailbox', change)
  const { data } = events.parse((await w.call('GET', '/v1/events?after=0')).json)
  t.strictSame(
    data.map(({ type, data }) => [type, data]),
    [['mailbox.updated', { changed: ['display_name', 'signature', 'auto_labels'] }]],
  )
  t.match((await w.call('PATCH', '/v1/mailbox', { signature: null })).json, {
    display_name: 'Scout',
    signature: null,
    auto_labels: [{ from: 'ada@example.org' }],
  })
})

t.test('the signature goes under the words, above what is quoted, and can be left out', async (t) => {
  const w = await accountWorld(t)
  await w.call('PATCH', '/v1/mailbox', { signature: { text: 'Scout <3' } })
  const to = 'ada@example.org'
  t.strictSame(await sentText(w, await w.call('POST', '/v1/send', { to, subject: 's', text: 'Hello.\n' })), {
    text: 'Hello.\n\n-- \nScout <3',
    html: null,
  })
  const quoting = 'Yes.\n\nOn Monday Ada wrote:\n> May I?\n> Ada'
  t.match(await sentText(w, await w.call('POST', '/v1/send', { to, subject: 's', text: quoting })), {
    text: 'Yes.\n\n-- \nScout <3\n\nOn Monday Ada wrote:\n> May I?\n> Ada',
  })
  const html = '<p>Hello.</p><div class="gmail_quote">old</div>'
  const both = await sentText(w, await w.call('POST', '/v1/send', { to, subject: 's', text: 'Hello.', html }))
  t.match(both.html, /Hello\.<\/p><div class="signature">-- <br>\s+Scout &#60;3<\/div>\s+<div class="gmail_quote">/)
  t.match(await sentText(w, await w.call('POST', '/v1/send', { to, subject: 's', text: 'Hello.', signature: false })), {
    text: 'Hello.',
  })
  const message = await w.mailboxes.delivery.deliver(await deliveryOf(w.id, { from: to, text: 'Old words.' }))
  t.match(await sentText(w, await w.call('POST', `/v1/messages/${message.id}/reply`, { text: 'Fine.' })), {
    text: 'Fine.\n\n-- \nScout <3',
  })
  const forward = await sentText(w, await w.call('POST', `/v1/messages/${message.id}/forward`, { to, text: 'See:' }))
  t.match(forward.text, /^See:\n\n-- \nScout <3\n\n-+ Forwarded message -+\n[^]*Old words\./)
})

t.test('rules label mail as it comes in, in the same event', async (t) => {
  const w = await accountWorld(t)
  await w.call('PATCH', '/v1/mailbox', {
    auto_labels: [
      { from: '*.example.org', subject_contains: 'Invoice', labels: ['invoices'], mark_read: true },
      { to: 'agent+orders@agents.example', labels: ['orders', 'invoices'] },
      { has_attachment: true, labels: ['files'] },
    ],
  })
  const mail = async (given: Parameters<typeof deliveryOf>[1], recipients: string[] = []) =>
    w.mailboxes.delivery.deliver({ ...(await deliveryOf(w.id, given)), recipients })
  t.match(await mail({ from: 'a@shop.example.org', subject: 'Your INVOICE' }), {
    labels: ['inbox', 'invoices'],
    unread: false,
  })
  t.match(await mail({ from: 'a@example.com', subject: 'Invoice' }), { labels: ['inbox'], unread: true })
  t.strictSame((await mail({ from: 'a@example.com' }, ['agent+orders@agents.example'])).labels, [
    'inbox',
    'orders',
    'invoices',
  ])
  const { data } = events.parse((await w.call('GET', '/v1/events?after=1')).json)
  t.match(data[0], { type: 'message.received', data: { labels: ['inbox', 'invoices'], unread: false } })
  t.match((await w.call('GET', '/v1/threads?unread=1')).json, {
    data: [{ labels: ['inbox', 'orders', 'invoices'] }, {}],
  })
})

t.test('settings that cannot be are refused by field, and change nothing', async (t) => {
  const w = await accountWorld(t)
  const rule = { labels: ['x'] }
  for (const [json, field] of [
    [{}, /.*/],
    [{ display_name: 'a\u0007b' }, 'display_name'],
    [{ display_name: 'x'.repeat(101) }, 'display_name'],
    [{ signature: { text: 'bell \u0007' } }, 'signature.text'],
    [{ signature: { text: 'x\n'.repeat(40) + 'x' } }, 'signature.text'],
    [{ signature: { text: 'é'.repeat(2049) } }, 'signature.text'],
    [{ signature: { text: 'x', html: '\u0000' } }, 'signature.html'],
    [{ auto_labels: [rule] }, 'auto_labels.0'],
    [{ auto_labels: [{ ...rule, from: 'not an address' }] }, 'auto_labels.0.from'],
    [{ auto_labels: [{ from: 'a@example.org' }] }, 'auto_labels.0.labels'],
    [{ auto_labels: [{ from: 'a@example.org', labels: ['sent'] }] }, 'auto_labels.0.labels'],
    [{ auto_labels: [{ from: 'a@example.org', labels: ['Upper'] }] }, 'auto_labels.0.labels.0'],
    [{ auto_labels: Array.from({ length: 51 }, () => ({ ...rule, has_attachment: true })) }, 'auto_labels'],
    [{ colour: 'red' }, 'colour'],
  ] as const) {
    const answer = await w.call('PATCH', '/v1/mailbox', json)
    t.match(answer.json, { error: { code: 'invalid_request', fields: [{ field }] } }, JSON.stringify(json).slice(0, 60))
  }
  t.match((await w.call('GET', '/v1/mailbox')).json, { display_name: null, signature: null, auto_labels: [] })
})

t.test('lists are filled, paged, read and emptied', async (t) => {
  const w = await accountWorld(t)
  const path = '/v1/lists/receive/block'
  const first = await w.call('POST', path, { entry: 'Spam@EXAMPLE.org', reason: 'spam' })
  t.equal(first.status, 201)
  t.match(first.json, { direction: 'receive', type: 'block', entry: 'spam@example.org', reason: 'spam' })
  t.equal((await w.call('POST', path, { entry: 'spam@example.org' })).status, 200)
  for (const entry of ['*.bücher.example', 'example.net']) await w.call('POST', path, { entry })
  const page = await w.call('GET', `${path}?limit=2`)
  t.match(page.json, { data: [{ entry: '*.xn--bcher-kva.example' }, { entry: 'example.net' }], has_more: true })
  const { next_cursor: cursor } = z.object({ next_cursor: z.string() }).parse(page.json)
  t.match((await w.call('GET', `${path}?limit=2&cursor=${cursor}`)).json, {
    data: [{ entry: 'spam@example.org', reason: 'spam' }],
    has_more: false,
    next_cursor: null,
  })
  t.match((await w.call('GET', `${path}/spam%40example.org`)).json, { reason: 'spam' })
  t.match((await w.call('GET', '/v1/lists/receive/allow')).json, { data: [] }, 'each list is its own')
  t.equal((await w.call('DELETE', `${path}/spam%40example.org`)).status, 200)
  t.match((await w.call('DELETE', `${path}/spam%40example.org`)).json, { error: { code: 'not_found' } })
  t.equal((await w.call('GET', '/v1/lists/receive/other')).status, 404)
  for (const entry of ['', 'nobody', 'a b@example.org', '*', '192.0.2.1']) {
    t.match((await w.call('POST', path, { entry })).json, { error: { fields: [{ field: 'entry' }] } }, entry)
  }
})

t.test('a list ends at 1,000 entries', async (t) => {
  const w = await accountWorld(t)
  const list = { direction: 'send', type: 'block' } as const
  for (let i = 0; i < 1000; i++) await w.mailboxes.lists.add(w.id, list, { entry: `a${i}@example.org` })
  await t.rejects(w.mailboxes.lists.add(w.id, list, { entry: 'one@example.com' }), { code: 'invalid_request' })
  t.equal((await w.mailboxes.lists.add(w.id, list, { entry: 'a7@example.org' })).isNew, false)
  await w.mailboxes.lists.remove(w.id, list, 'a7@example.org')
  t.equal((await w.mailboxes.lists.add(w.id, list, { entry: 'one@example.com' })).isNew, true)
})

t.test('nothing is sent to whom the block list names, nor past the allow list when that is all there is', async (t) => {
  const w = await accountWorld(t)
  const send = (to: string) => w.call('POST', '/v1/send', { to, subject: 's', text: 'Hello.' })
  await w.call('POST', '/v1/lists/send/block', { entry: '*.rival.example' })
  t.match((await send('ceo@mail.rival.example')).json, {
    error: { code: 'recipient_blocked', hint: /DELETE \/v1\/lists\/send\/block\/\*\.rival\.example/ },
  })
  t.equal((await send('ada@example.org')).status, 202)
  await w.call('POST', '/v1/lists/send/allow', { entry: 'grace@example.org' })
  await w.call('POST', '/v1/lists/send/allow', { entry: 'rival.example' })
  t.equal((await send('ada@example.org')).status, 202, 'an allow list alone confines nobody')
  await w.call('PATCH', '/v1/mailbox', { send_only_allowed: true })
  const refused = await send('ada@example.org')
  t.equal(refused.status, 403)
  t.match(refused.json, { error: { code: 'recipient_not_allowed' } })
  t.equal((await send('grace+tag@example.org')).status, 202)
  t.equal((await send('ceo@rival.example')).status, 403, 'what is blocked stays so')
})

t.test('an agent that is confined cannot let itself out', async (t) => {
  const w = await accountWorld(t)
  const agent = (await w.accounts.createKey(w.id, { scopes: ['mail:read', 'mail:send', 'mail:write'] })).text
  for (const [method, path, json] of [
    ['PATCH', '/v1/mailbox', { send_only_allowed: false }],
    ['PATCH', '/v1/mailbox', { display_name: 'x', receive_only_allowed: false }],
    ['POST', '/v1/lists/send/allow', { entry: 'example.org' }],
    ['DELETE', '/v1/lists/send/block/example.org', undefined],
  ] as const) {
    const answer = await w.call(method, path, json, agent)
    t.match(answer.json, { error: { code: 'insufficient_scope', message: /account:manage/ } }, `${method} ${path}`)
  }
  t.equal((await w.call('GET', '/v1/lists/send/allow', undefined, agent)).status, 200)
  t.match(present(await w.mailboxes.directory.get(w.id)).displayName, '')
})
