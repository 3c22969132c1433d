/** A human pauses an agent on the page of its mailbox, and the operator another time: what the agent, the peer and a webhook get of it. */
import { createServer } from 'node:http'
import { setTimeout as later } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t from 'tap'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { listenAnywhere } from '../../support/ports.js'

const OWNER = 'bob@owner.test'
const MAIL = { to: 'carol@peer.test', subject: 'Hello', text: 'Good morning, Carol.' }
const PAUSED = { status: 403, body: { error: { code: 'mailbox_paused' } } }

t.test('a paused agent sends nothing, or does nothing, until its human resumes it', async (t) => {
  let isWilling = false
  const peer = await startPeer({ rcpt: () => (isWilling ? undefined : '451 4.7.1 not now') })
  t.teardown(() => peer.close())
  const hooked: string[] = []
  const hook = createServer((request, response) => {
    request.resume().on('end', () => {
      hooked.push(String(request.headers['webhook-id']))
      response.end()
    })
  })
  const hookPort = await listenAnywhere(hook)
  t.teardown(() => void hook.close())
  const daemon = await startDaemon({
    'relay.smarthost': `127.0.0.1:${peer.port}`,
    'webhooks.allow_private_addresses': 'true',
    'webhooks.allow_http': 'true',
    'webhooks.ports': String(hookPort),
  })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent', OWNER)

  const link = /https?:\/\/\S+/.exec((await daemon.cli('account', 'sign-in', OWNER)).stdout)?.[0] ?? ''
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const signedIn = await fetch(`${daemon.url}${new URL(link).pathname}`, { method: 'POST', headers: form, body: '' })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const { id: mailboxId } = (await agent.call('GET', '/v1/mailbox')).body
  const path = `/account/mailboxes/${mailboxId}`
  const page = async () => (await fetch(`${daemon.url}${path}`, { headers: { cookie } })).text()
  const press = async (what: string, fields: Record<string, string> = {}) => {
    const mark = /name="mark" value="([^"]*)"/.exec(await page())?.[1] ?? ''
    const body = new URLSearchParams({ mark, ...fields }).toString()
    const headers = { ...form, cookie }
    return fetch(`${daemon.url}${path}/${what}`, { method: 'POST', redirect: 'manual', headers, body })
  }

  const before = (await agent.call('POST', '/v1/send', MAIL)).body.id
  await waitForEvent(
    agent,
    ({ type, data }) =>
      type === 'message.status' && data.message_id === before && data.recipients[0].status === 'deferred',
  )
  t.match((await press('pause', { what: 'sending' })).headers.get('location'), `${path}?done=paused`)
  t.match(await page(), 'Sending is paused')
  t.match(await agent.call('POST', '/v1/send', MAIL), PAUSED)
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${agent.key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp`), { requestInit }))
  t.teardown(() => client.close())
  const tool = (name: string, args: object) => client.callTool({ name, arguments: { ...args } })
  t.match(await tool('send_email', { ...MAIL, to: [MAIL.to] }), {
    isError: true,
    content: [{ text: /^mailbox_paused: Its human has paused sending[^]*keep what you write with save_draft/ }],
  })
  t.notOk((await tool('check_inbox', {})).isError)

  isWilling = true
  t.equal((await daemon.cli('queue', 'retry', '--all')).code, 0)
  for (let held = false; !held; await later(20))
    held = JSON.parse((await daemon.cli('queue', 'list', '--json')).stdout)[0].state === 'held'
  t.match((await agent.call('GET', `/v1/messages/${before}`)).body.recipients, [
    { detail: /^waits, because the mailbox is paused/ },
  ])
  t.match((await press('resume')).headers.get('location'), `${path}?done=resumed`)
  await peer.count(1)
  await waitForEvent(agent, ({ type, data }) => type === 'message.status' && data.status === 'delivered')

  t.match(await agent.call('POST', '/v1/webhooks', { url: `http://127.0.0.1:${hookPort}/` }), { status: 201 })
  const { last_event_seq: seq } = (await agent.call('GET', '/v1/mailbox')).body
  const waiting = agent.call('GET', `/v1/events?after=${seq}&types=message.received&wait=60`)
  const called = tool('wait_for_mail', { timeout_seconds: 60 }).catch((error: unknown) => ({ error }))
  await later(200)
  const paused = await daemon.cli('mailbox', 'pause', agent.address, '--all')
  t.match(paused, { code: 0, stdout: /ada\.agent@\S+ is paused: no key of it works\./ })
  t.match(await waiting, { status: 401 })
  t.ok(await called, 'an open call over MCP has ended')
  t.match(await agent.call('GET', '/v1/threads'), PAUSED)
  t.match(await agent.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }), { status: 403 })
  const internal = await approvedAgent(daemon, 'other.agent', OWNER)
  t.match(await internal.call('POST', '/v1/send', { ...MAIL, to: agent.address }), { status: 202 })
  await waitForEvent(internal, ({ type, data }) => type === 'message.status' && data.status === 'delivered')
  t.ok(hooked.length <= 1, 'a webhook hears of the pause at most')
  t.match(
    JSON.parse((await daemon.cli('mailbox', 'list', '--json')).stdout).find(
      ({ id }: { id: string }) => id === mailboxId,
    ),
    {
      paused: 'all',
    },
  )

  t.match(await daemon.cli('mailbox', 'resume', agent.address), { code: 0, stdout: /is not paused/ })
  const events = (await agent.call('GET', `/v1/events?after=${seq}`)).body.data
  t.match(
    events.map(({ type }: { type: string }) => type),
    ['mailbox.paused', 'message.received', 'mailbox.resumed'],
  )
  for (let i = 0; i < 500 && hooked.length < 3; i++) await later(20)
  t.equal(new Set(hooked).size, 3, 'the webhook gets what came meanwhile')
  const log = JSON.parse((await daemon.cli('audit', '--action', 'mailbox', '--json')).stdout)
  t.match(
    log.map(({ action, actor, reason }: { action: string; actor: { type: string }; reason: string }) => [
      action,
      actor.type,
      reason,
    ]),
    [
      ['mailbox.resumed', 'operator', null],
      ['mailbox.paused', 'operator', 'sending, keys and connections'],
      ['mailbox.resumed', 'session', null],
      ['mailbox.paused', 'session', 'sending'],
    ],
  )
})
