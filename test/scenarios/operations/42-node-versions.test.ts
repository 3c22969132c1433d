/** The two commands on each version of Node.js that the product runs on: all of the ways in and out, once. */
import { once } from 'node:events'
import { request as httpsRequest } from 'node:https'
import type { IncomingMessage } from 'node:http'
import t from 'tap'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { claim, waitForEvent } from '../../support/agent.js'
import { createAuthority, opensslPeer } from '../../support/peers/certificates.js'
import { startDaemon } from '../../support/daemon.js'
import { nodeVersions } from '../../support/peers/nodes.js'
import { allPeers } from '../../support/peers/peers.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { freePort } from '../../support/ports.js'
import { deliver } from '../../support/peers/smtp.js'
import { TOOL_NAMES } from '../../support/tool-names.js'

const HOST = 'mx.agents.test'

/** There is a binary of uWebSockets.js for this one only. */
const driverOf = (major: number): string => (major === 20 ? 'uws' : 'node')

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

for (const { major, program, options } of nodeVersions()) {
  t.test(`Node ${major} serves every way in and out`, allPeers(options, opensslPeer()), async (t) => {
    const driver = driverOf(major)
    const peer = await startPeer()
    t.teardown(() => peer.close())
    const authority = createAuthority(t.testdir())
    const { certFile, keyFile } = authority.issue([HOST])
    const web = await freePort()
    const daemon = await startDaemon(
      {
        'server.https': `127.0.0.1:${web}`,
        'server.base_url': `https://${HOST}:${web}`,
        'server.tls_cert': certFile,
        'server.tls_key': keyFile,
        'domains.hostname': HOST,
        'relay.smarthost': `127.0.0.1:${peer.port}`,
      },
      { node: program },
    )
    t.teardown(() => daemon.remove())

    await t.test('the start, the health and the doctor name the server of HTTP', async (t) => {
      const ready = daemon
        .output()
        .split('\n')
        .find((line) => line.includes('"msg":"ready"'))
      t.match(JSON.parse(ready ?? '{}'), { http_driver: driver })
      const health = await fetch(`${daemon.url}/healthz?verbose`)
      t.match(await health.json(), { status: 'ready', http_driver: driver })
      const { stdout } = await daemon.cli('doctor')
      t.match(stdout, new RegExp(`Node v${major}\\.`))
      t.match(stdout, `HTTP is served by ${driver}`)
    })

    const agent = await claim(daemon, 'ada.agent')
    await t.test('a claim is approved', async (t) => {
      t.equal((await agent.call('GET', '/v1/claim/status')).body.status, 'pending')
      t.match(agent.claimUrl, `https://${HOST}:${web}/claim/`)
      t.match(await daemon.cli('claim', 'approve', agent.address, '--owner', 'human@example.org'), { code: 0 })
      t.equal((await agent.call('GET', '/v1/claim/status')).body.status, 'claimed')
    })

    await t.test('mail comes in by SMTP, and wakes a stream of events', async (t) => {
      const leaving = new AbortController()
      const stream = await fetch(`${daemon.url}/v1/events`, {
        headers: { authorization: `Bearer ${agent.key}`, accept: 'text/event-stream' },
        signal: leaving.signal,
      })
      t.match(stream.headers.get('content-type'), 'text/event-stream')
      const mail = { to: [agent.address], subject: 'Lunch?', text: 'Noon?' }
      t.match(await deliver(daemon.smtpPort, mail), /^250 2\.0\.0/)
      let told = ''
      const decoder = new TextDecoder()
      for await (const chunk of stream.body ?? []) {
        told += decoder.decode(chunk, { stream: true })
        if (/^event: message\.received\ndata: .*"subject":"Lunch\?"/m.test(told)) break
      }
      t.match(told, /^event: message\.received\ndata: /m)
      leaving.abort()
    })

    await t.test('mail goes out to a receiving server', async (t) => {
      const sent = await agent.call('POST', '/v1/send', {
        to: ['bob@peer.test'],
        subject: 'Hello',
        text: 'Noon is fine.',
      })
      t.equal(sent.status, 202)
      await peer.count(1)
      t.match(peer.mail, [{ to: ['bob@peer.test'], raw: /^DKIM-Signature:[^]*\r\nNoon is fine\./m }])
      await waitForEvent(
        agent,
        (e) => e.type === 'message.status' && e.data.message_id === sent.body.id && e.data.status === 'delivered',
      )
    })

    await t.test('MCP lists its tools, and one is called', async (t) => {
      const client = new Client({ name: 'test', version: '1' })
      const requestInit = { headers: { authorization: `Bearer ${agent.key}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp`), { requestInit }))
      t.teardown(() => client.close())
      t.same(
        (await client.listTools()).tools.map(({ name }) => name),
        TOOL_NAMES,
      )
      const inbox = await client.callTool({ name: 'check_inbox', arguments: {} })
      t.match(JSON.stringify(inbox.structuredContent), 'Lunch?')
    })

    await t.test('HTTPS is served with the certificate of the settings', async (t) => {
      const body = JSON.stringify({ to: ['bob@peer.test'], subject: 'Again', text: 'Over TLS.' })
      const request = httpsRequest({
        host: '127.0.0.1',
        port: web,
        servername: HOST,
        ca: authority.ca,
        method: 'POST',
        path: '/v1/send',
        headers: { host: HOST, authorization: `Bearer ${agent.key}`, 'content-type': 'application/json' },
      })
      // Without a length it goes in chunks, which the server of HTTPS takes.
      request.write(body)
      request.end()
      const [response]: IncomingMessage[] = await once(request, 'response')
      t.match([response?.statusCode, response?.headers['strict-transport-security']], [202, 'max-age=31536000'])
      t.match(response && (await textOf(response)), '"status":"queued"')
      await peer.count(2)
    })

    await t.test('what is stored holds, also after a start on the same data', async (t) => {
      t.match(await daemon.cli('verify'), { code: 0, stdout: /nothing was found wrong/ })
      t.equal(await daemon.end('SIGTERM'), 0)
      t.match(await daemon.cli('verify'), { code: 0, stdout: /nothing was found wrong/ })
      await daemon.start()
      const threads = await agent.call('GET', '/v1/threads')
      t.equal(threads.body.data.length, 3)
    })
  })
}
