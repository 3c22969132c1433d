/** An agent's mail waits for its human: the agent sends by MCP, the human gets a letter, changes the words and sends, the peer has the human's words. */
import t from 'tap'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { startPeer } from '../../support/peers/peer-server.js'

const OWNER = 'bob@owner.test'

t.test('what an agent wants to send is sent by its human, in the words of the human', async (t) => {
  const peer = await startPeer()
  t.teardown(() => peer.close())
  const daemon = await startDaemon({ 'relay.smarthost': `127.0.0.1:${peer.port}` })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'careful.agent', OWNER)
  const made = await agent.call('POST', '/v1/keys', { name: 'careful', requires_approval: true })
  t.match([made.status, made.body], [201, { requires_approval: true }])

  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${made.body.api_key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp`), { requestInit }))
  t.teardown(() => client.close())
  const mail = { to: ['carol@peer.test'], subject: 'Friday', text: 'Words of the agent.' }
  const asked = await client.callTool({ name: 'send_email', arguments: mail })
  const { draft_id: id, status, review_url: url } = asked.structuredContent as Record<string, string>
  t.equal(status, 'waiting_for_approval')
  const { pathname } = new URL(url ?? '')

  await peer.count(1)
  t.match(peer.mail[0], { to: [OWNER], raw: /Subject: [^\r]*a draft waits for you/ })
  t.match(peer.mail[0]?.raw, 'Friday')
  t.notMatch(peer.mail[0]?.raw, 'Words of the agent')

  const link = /https?:\/\/\S+/.exec((await daemon.cli('account', 'sign-in', OWNER)).stdout)?.[0] ?? ''
  const path = new URL(link).pathname
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const signedIn = await fetch(`${daemon.url}${path}`, { method: 'POST', headers: form, body: '' })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const page = await (await fetch(`${daemon.url}${pathname}`, { headers: { cookie } })).text()
  t.match(page, /Words of the agent\./)
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
  const fields = { mark: field('mark'), form: field('form'), subject: 'Friday', text: 'Words of the human.' }
  const sent = await fetch(`${daemon.url}${pathname}/send`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...form, cookie },
    body: new URLSearchParams(fields).toString(),
  })
  t.match([sent.status, sent.headers.get('location')], [303, '/review?done=sent'])

  const approved = await waitForEvent(agent, ({ type }) => type === 'draft.approved')
  t.equal(approved.data.draft_id, id)
  await peer.count(2)
  const [, arrived] = peer.mail
  t.match(arrived, { to: ['carol@peer.test'], raw: /^DKIM-Signature:/m })
  t.match(arrived?.raw, 'Words of the human.')
  t.notMatch(arrived?.raw, 'Words of the agent')
  const message = await agent.call('GET', `/v1/messages/${approved.data.message_id}`)
  t.match(message.body, { composed_by: 'human', subject: 'Friday' })
  const audit = await daemon.cli('audit', '--action', 'draft.approved')
  t.match(audit.stdout, /draft\.approved/)
})
