/** A mailbox by its own rules: whom it takes mail from and writes to, under which addresses, and with which keys; over the real SMTP and HTTP. */
import t, { type Test } from 'tap'
import { approvedAgent, request, waitForEvent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { deliver } from '../../support/peers/smtp.js'

const ALIAS = 'orders.desk@agents.test'

t.test('a mailbox by its own rules', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const ada = await approvedAgent(daemon, 'ada.agent', 'grace@owner.example')
  const ben = await approvedAgent(daemon, 'ben.agent', 'rob@owner.example')
  const withKey = (key: string, method: string, path: string, body?: unknown) =>
    request(`${daemon.url}${path}`, method, body, { authorization: `Bearer ${key}` })
  const lastSeq = async (agent: typeof ada): Promise<number> =>
    (await agent.call('GET', '/v1/mailbox')).body.last_event_seq

  /** @returns what `deliver` was refused with */
  async function refusal(from: string, to: string) {
    return deliver(daemon.smtpPort, { from, to: [to], subject: 'Hello' }).then(
      (response) => ({ response, responseCode: 250, command: '' }),
      (error: { response: string; responseCode: number; command: string }) => error,
    )
  }

  /** What came of a message over SMTP. */
  async function received(t: Test, subject: string, mail: { to: string; from?: string }) {
    const after = await lastSeq(ada)
    t.match(await deliver(daemon.smtpPort, { ...mail, to: [mail.to], subject, text: 'Thank you.' }), /^250 2\.0\.0/)
    const event = await waitForEvent(ada, ({ type }) => type === 'message.received', after)
    return (await ada.call('GET', `/v1/messages/${event.data.message_id}`)).body
  }

  await t.test('mail of those on its block list is refused at RCPT', async (t) => {
    t.match(await received(t, 'before', { to: ada.address, from: 'eve@mail.spam.example' }), { subject: 'before' })
    t.equal((await ada.call('POST', '/v1/lists/receive/block', { entry: '*.spam.example' })).status, 201)
    const refused = await refusal('eve@mail.spam.example', ada.address)
    t.match(refused, {
      responseCode: 550,
      command: 'RCPT TO',
      response: /550 5\.7\.1 the recipient does not take mail/,
    })
    t.match(await refusal('eve@mail.spam.example', ben.address), { responseCode: 250 }, 'of this mailbox alone')
    t.match(await refusal('bob@peer.test', ada.address), { responseCode: 250 })
  })

  await t.test('mail from others is refused while only those on its allow list may write', async (t) => {
    await ada.call('POST', '/v1/lists/receive/allow', { entry: 'bob@peer.test' })
    t.equal((await ada.call('PATCH', '/v1/mailbox', { receive_only_allowed: true })).status, 200)
    t.match(await refusal('mallory@peer.test', ada.address), { responseCode: 550, response: /5\.7\.1/ })
    t.match(await refusal('bob+tag@peer.test', ada.address), { responseCode: 250 })
    t.equal((await ada.call('PATCH', '/v1/mailbox', { receive_only_allowed: false })).status, 200)
    t.match(await refusal('mallory@peer.test', ada.address), { responseCode: 250 })
  })

  await t.test('an alias receives, and what it receives is answered from it', async (t) => {
    t.match(await refusal('bob@peer.test', ALIAS), { responseCode: 550, response: /5\.1\.1/ })
    t.equal((await ada.call('POST', '/v1/aliases', { address: ALIAS })).status, 201)
    t.match(await ben.call('POST', '/v1/aliases', { address: ALIAS }), {
      status: 409,
      body: { error: { code: 'name_taken' } },
    })
    t.match(await received(t, 'tagged', { to: 'orders.desk+shop@agents.test' }), { subject: 'tagged' })

    const [afterAda, afterBen] = [await lastSeq(ada), await lastSeq(ben)]
    const asked = await ben.call('POST', '/v1/send', { to: ALIAS, subject: 'Order 17', text: 'Where is it?' })
    t.equal(asked.status, 202)
    const { data } = await waitForEvent(ada, ({ type }) => type === 'message.received', afterAda)
    const answer = await ada.call('POST', `/v1/messages/${data.message_id}/reply`, { text: 'On its way.' })
    t.equal(answer.status, 202)
    const back = await waitForEvent(ben, ({ type }) => type === 'message.received', afterBen)
    t.match(back.data, { from: { address: ALIAS }, thread_id: asked.body.thread_id })

    t.match(await ben.call('POST', '/v1/send', { from: ALIAS, to: ada.address, subject: 'x', text: 'x' }), {
      status: 400,
      body: { error: { code: 'invalid_request', fields: [{ field: 'from' }] } },
    })
    t.equal((await ada.call('DELETE', `/v1/aliases/${ALIAS}`)).status, 200)
    t.match(await refusal('bob@peer.test', ALIAS), { responseCode: 550, response: /5\.1\.1/ })
  })

  await t.test('it writes only to those it may write to, and an agent can’t let itself out', async (t) => {
    const usual = await ada.call('POST', '/v1/keys', {
      name: 'writer',
      scopes: ['mail:read', 'mail:send', 'mail:write'],
    })
    const { id, api_key: writer } = usual.body
    t.equal((await ada.call('PATCH', '/v1/mailbox', { send_only_allowed: true })).status, 200)
    const mail = { to: ben.address, subject: 'Lunch', text: 'Shall we meet at noon on Monday?' }
    const refused = await withKey(writer, 'POST', '/v1/send', mail)
    t.match(refused, { status: 403, body: { error: { code: 'recipient_not_allowed' } } })
    t.match(refused.body.error.hint, 'POST /v1/lists/send/allow')
    for (const [method, path, body] of [
      ['POST', '/v1/lists/send/allow', { entry: ben.address }],
      ['PATCH', '/v1/mailbox', { send_only_allowed: false }],
    ] as const)
      t.match(await withKey(writer, method, path, body), {
        status: 403,
        body: { error: { code: 'insufficient_scope' } },
      })

    t.equal((await ada.call('POST', '/v1/lists/send/allow', { entry: ben.address })).status, 201)
    t.equal((await withKey(writer, 'POST', '/v1/send', mail)).status, 202)
    t.equal((await ada.call('PATCH', '/v1/mailbox', { send_only_allowed: false })).status, 200)

    t.equal((await ada.call('DELETE', `/v1/keys/${id}`)).status, 200)
    t.match(await withKey(writer, 'GET', '/v1/mailbox'), { status: 401, body: { error: { code: 'unauthorized' } } })
  })

  await t.test('a key ends when its time has come', async (t) => {
    const expires_at = new Date(Date.now() + 5000).toISOString()
    const { body } = await ada.call('POST', '/v1/keys', { name: 'guest', scopes: ['mail:read'], expires_at })
    t.match(body, { expires_at })
    const ask = () => withKey(body.api_key, 'GET', '/v1/mailbox')
    t.equal((await ask()).status, 200)
    await until(t, async () => (await ask()).status === 401)
    t.match((await ada.call('GET', '/v1/mailbox')).body, { address: ada.address }, 'the others stay')
  })

  await t.test('its rules label what comes in over SMTP', async (t) => {
    const auto_labels = [
      { from: 'peer.test', subject_contains: 'INVOICE', labels: ['invoices'], mark_read: true },
      { to: 'ada.agent+shop@agents.test', labels: ['shop'] },
    ]
    t.equal((await ada.call('PATCH', '/v1/mailbox', { auto_labels })).status, 200)
    const invoice = await received(t, 'Your invoice 1042', { to: 'ada.agent+shop@agents.test' })
    t.match(invoice, { unread: false })
    t.ok(invoice.labels.includes('invoices') && invoice.labels.includes('shop'), String(invoice.labels))
    const other = await received(t, 'Your invoice 1043', { to: ada.address, from: 'bob@other.test' })
    t.match(other, { unread: true })
    t.notOk(other.labels.includes('invoices') || other.labels.includes('shop'), String(other.labels))
  })

  await t.test('a second mailbox of the account is made, works by its own key, and goes', async (t) => {
    const made = await ada.call('POST', '/v1/mailboxes', { name: 'billing-bot' })
    t.match(made, { status: 201, body: { address: 'billing-bot@agents.test', is_current: false } })
    const { id, address, api_key: key } = made.body
    t.match(await refusal('bob@peer.test', address), { responseCode: 250 })
    t.match(await withKey(key, 'GET', '/v1/messages'), { body: { data: [{ subject: 'Hello' }] } })
    t.equal((await ada.call('GET', '/v1/mailboxes')).body.data.length, 2)
    t.equal((await ben.call('DELETE', `/v1/mailboxes/${id}`)).status, 404, 'for others it does not exist')

    t.match(await ada.call('DELETE', `/v1/mailboxes/${id}`), { status: 202, body: { status: 'deleting', address } })
    t.match(await withKey(key, 'GET', '/v1/mailbox'), { status: 401, body: { error: { code: 'unauthorized' } } })
    await until(t, async () => (await refusal('bob@peer.test', address)).responseCode === 550)
    t.match(await ada.call('GET', '/v1/mailboxes'), { body: { data: [{ address: ada.address }] } })
    t.equal((await ada.call('GET', '/v1/mailboxes')).body.data.length, 1)
    t.equal((await ben.call('POST', '/v1/mailboxes', { name: 'billing-bot' })).status, 201, 'its address is free again')

    const { body } = await ada.call('GET', '/v1/mailboxes')
    t.match(await ada.call('DELETE', `/v1/mailboxes/${body.data[0].id}`), {
      status: 409,
      body: { error: { code: 'last_mailbox' } },
    })
  })
})

async function until(t: Test, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  t.fail('it did not become so in time')
}
