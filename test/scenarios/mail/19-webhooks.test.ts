/** Webhooks of a running daemon: a receiver that does everything wrong, and a kill -9 in between. No event is lost. */
import t from 'tap'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { freePort } from '../../support/ports.js'
import { deliver } from '../../support/peers/smtp.js'
import { isSignedBy, isSignedFor, startReceiver, type Answering } from '../../support/peers/webhook-receiver.js'

t.test('a receiver that misbehaves and a kill -9 lose no event', async (t) => {
  const [receiver, inside] = [await startReceiver(await freePort()), await startReceiver()]
  const daemon = await startDaemon({
    'webhooks.allow_http': 'true',
    'webhooks.allow_private_addresses': 'true',
    'webhooks.ports': String(receiver.port),
    'webhooks.timeout_seconds': '1',
  })
  t.teardown(async () => {
    receiver.close()
    inside.close()
    await daemon.remove()
  })
  const agent = await approvedAgent(daemon, 'hooked.agent')
  const made = await agent.call('POST', '/v1/webhooks', { url: receiver.url })
  t.equal(made.status, 201, JSON.stringify(made.body))
  const path = `/v1/webhooks/${made.body.id}`
  t.match((await agent.call('POST', `${path}/test`, {})).body, { taken: true, attempt: { status_code: 204 } })
  const since: number = made.body.deliveries.last_seq
  for (const url of [`${daemon.url}/v1/send`, 'https://127.0.0.1/', inside.url])
    t.equal((await agent.call('POST', '/v1/webhooks', { url })).status, 400, url)

  const taken = new Set<string>()
  const take: Answering = (response, { headers }) => {
    taken.add(String(headers['webhook-id']))
    response.writeHead(200).end()
  }
  receiver.received.length = 0
  receiver.next = [
    500,
    (response) => response.writeHead(302, { Location: inside.url }).end(),
    () => undefined,
    (response, received, request) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('x')
      request.socket.destroySoon()
    },
    (response, { headers }) => {
      taken.add(String(headers['webhook-id']))
      response.writeHead(200)
      const more = (): void => void response.write('x'.repeat(10_000), (error) => error ?? more())
      more()
    },
    (response, received, request) => void setTimeout(() => take(response, received, request), 300),
  ]
  receiver.otherwise = take
  await deliver(daemon.smtpPort, { to: [agent.address], subject: 'hello' })
  const { data } = await waitForEvent(agent, ({ type }) => type === 'message.received')
  for (let n = 0; n < 12; n++) await agent.call('PATCH', `/v1/messages/${data.message_id}`, { add_labels: [`n${n}`] })
  await receiver.count(6)
  await daemon.end('SIGKILL')
  await daemon.start()
  await agent.call('PATCH', `/v1/messages/${data.message_id}`, { unread: false })

  const events: { id: string; seq: number }[] = (await agent.call('GET', `/v1/events?after=${since}&limit=100`)).body
    .data
  t.ok(events.length >= 14, `${events.length} events`)
  for (let tries = 0; tries < 300 && !events.every(({ id }) => taken.has(id)); tries++)
    await new Promise((resolve) => setTimeout(resolve, 200))
  t.same(
    events.filter(({ id }) => !taken.has(id)).map(({ seq }) => seq),
    [],
    'every event was taken in the end',
  )
  t.equal(inside.received.length, 0, 'the redirect was not followed')
  const ids = new Set(receiver.received.map(({ headers, event }) => `${event.id} ${headers['webhook-id']}`))
  t.equal(ids.size, new Set(receiver.seqs()).size, 'what came twice came under one id')
  const [key] = made.body.public_keys
  for (const received of receiver.received) {
    t.ok(isSignedBy(made.body.secret, received), 'signed with the secret, also after the restart')
    t.ok(isSignedFor(key.key, received))
  }

  // Of the first message the receipt may be lost: it was in memory when the process was killed.
  const [last] = events.slice(-1)
  await deliver(daemon.smtpPort, { to: [agent.address], subject: 'follow me' })
  const later = await waitForEvent(agent, ({ type }) => type === 'message.received', last?.seq)
  const isDone = async (): Promise<boolean> => {
    const { data: deliveries } = (await agent.call('GET', `${path}/deliveries?status=succeeded`)).body
    return deliveries.some(({ event }: { event: { id: string } }) => event.id === later.id)
  }
  for (let tries = 0; tries < 100 && !(await isDone()); tries++)
    await new Promise((resolve) => setTimeout(resolve, 200))
  const traced = await daemon.cli('trace', later.data.message_id)
  t.equal(traced.code, 0, traced.stderr)
  t.match(traced.stdout, /receipt +rcp_\w+ +accepted from 127\.0\.0\.1; 250 2\.0\.0/, 'from the receiver')
  t.match(traced.stdout, new RegExp(`webhook +dlv_\\w+ +message\\.received to ${made.body.id}: accepted with 200`))
  t.notMatch(traced.stdout, /follow me/, 'nothing of the content')
  const asJson = JSON.parse(
    (await daemon.cli('trace', later.data.message_id, '--mailbox', agent.address, '--json')).stdout,
  )
  t.match(asJson, { direction: 'inbound', receipt: { outcome: 'accepted' }, missing: [] })
  t.match(await daemon.cli('trace', `msg_${'0'.repeat(26)}`), { code: 1, stderr: /No message msg_0+ .*Check the id/ })

  await t.test('the log follows both ways of a message by ids alone', async (t) => {
    const lines = (): Record<string, unknown>[] =>
      daemon
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    const { message_id: id } = later.data
    const received = lines().find(({ part, message_id: named }) => part === 'mx' && named === id)
    t.match(received, { receipt_id: asJson.receipt.id, connection_id: /\w/, mailbox_id: asJson.mailbox_id })
    const told = lines().filter(({ msg, message_id: named }) => msg === 'webhook attempt' && named === id)
    t.match(told, [
      { webhook_id: made.body.id, event_id: later.id, delivery_id: later.id.replace('evt_', 'dlv_'), taken: true },
    ])
    t.notMatch(JSON.stringify(told), /@|https?:/, 'neither addresses nor URLs')

    const here = agent.address.replace(/^[^@]*/, 'postmaster')
    const mail = { to: here, subject: 'Secret subject', text: 'Secret words' }
    const answer = await agent.call('POST', '/v1/send', mail)
    const sent: string = answer.body.id
    await waitForEvent(agent, ({ data }) => data.message_id === sent && data.status === 'delivered')
    const ofSent = (msg: string) => lines().find((line) => line['msg'] === msg && line['message_id'] === sent)
    t.match(ofSent('message to be sent'), { request_id: answer.headers.get('x-request-id'), status: 'queued' })
    t.match(ofSent('delivery attempt'), { task_id: new RegExp(`^${sent}:`), delivered: 1 })
    const atRecipient = lines().find((line) => line['sent_message_id'] === sent)
    t.match(atRecipient, { message_id: /^msg_/, mailbox_id: /^mbx_/ })
    for (let tries = 0; tries < 100 && !ofSent('webhook attempt'); tries++)
      await new Promise((resolve) => setTimeout(resolve, 200))
    t.match(ofSent('webhook attempt'), { webhook_id: made.body.id, type: 'message.status' })
    t.notMatch(daemon.output(), /follow me|Secret subject|Secret words/, 'nothing of the content')
  })

  const metrics = await daemon.cli('webhook', 'list', '--json')
  t.match(JSON.parse(metrics.stdout), [{ id: made.body.id, enabled: true }])
  t.match((await daemon.cli('webhook', 'show', made.body.id)).stdout, receiver.url)
  t.equal((await daemon.cli('webhook', 'disable', made.body.id)).code, 0)
  const disabled = await waitForEvent(agent, ({ type }) => type === 'webhook.disabled')
  t.match(disabled.data, { webhook_id: made.body.id, reason: 'operator' })
  t.match((await agent.call('GET', path)).body, { enabled: false, disabled: { reason: 'operator' } })
  t.notMatch(daemon.output(), made.body.secret.slice(6), 'no secret is in the log')
})
