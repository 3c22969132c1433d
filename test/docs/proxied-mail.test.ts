/** Behind Caddy, nginx and HAProxy, with the files that are shipped, what waits for mail at the real daemon is answered when it comes; over both servers of HTTP. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { loadUws } from '../../src/http/listener/uws.js'
import { approvedAgent } from '../support/agent.js'
import { startDaemon, type Daemon } from '../support/daemon.js'
import { peer } from '../support/peers/peers.js'
import { freePort } from '../support/ports.js'
import { call, fetchThrough, HOST, open, proxies, startProxy } from '../support/peers/proxies.js'
import { deliver } from '../support/peers/smtp.js'
import { TOOL_NAMES } from '../support/tool-names.js'

const drivers = 'driver' in loadUws() ? ['node', 'uws'] : ['node']

for (const driver of drivers) {
  t.test(`before ${driver}`, async (t) => {
    const { daemon, waiting } = await startBehindProxy(t, driver)
    const agent = await approvedAgent(daemon, 'ada.agent')
    const authorization = `Bearer ${agent.key}`
    const mail = async (t: Test, subject: string): Promise<void> => {
      t.match(await deliver(daemon.smtpPort, { to: [agent.address], subject, text: 'Noon?' }), /^250 /)
    }

    for (const proxy of proxies) {
      const name = proxy.file.split('/').at(-1) ?? ''
      await t.test(name, peer(proxy.program, proxy.program), async (t) => {
        const at = await startProxy(t, proxy, Number(new URL(daemon.url).port))
        const lastSeq = async (): Promise<number> => {
          const { body } = await call(at, '/v1/events', { headers: { authorization } })
          return JSON.parse(body.toString()).next_after
        }

        await t.test('a tool of MCP waits, and is answered by the mail that comes meanwhile', async (t) => {
          const client = new Client({ name: 'test', version: '1' })
          const options = { requestInit: { headers: { authorization } }, fetch: fetchThrough(at) }
          await client.connect(new StreamableHTTPClientTransport(new URL(`https://${HOST}/mcp`), options))
          t.same(
            (await client.listTools()).tools.map((tool) => tool.name),
            TOOL_NAMES,
          )
          const args = { timeout_seconds: 60, after_seq: await lastSeq() }
          const arrived = client.callTool({ name: 'wait_for_mail', arguments: args })
          await waiting(1)
          await mail(t, `By MCP and ${name}`)
          const { structuredContent } = await arrived
          t.match(structuredContent, { timed_out: false, messages: [{ untrusted: { subject: `By MCP and ${name}` } }] })
          await client.close()
          await waiting(0)
        })

        await t.test('a long poll is answered by the mail that comes meanwhile', async (t) => {
          const poll = call(at, `/v1/events?after=${await lastSeq()}&wait=60`, { headers: { authorization } })
          await waiting(1)
          await mail(t, `By poll and ${name}`)
          const { status, body } = await poll
          const subject = `By poll and ${name}`
          t.match(
            [status, JSON.parse(body.toString())],
            [200, { data: [{ type: 'message.received', data: { subject } }] }],
          )
          await waiting(0)
        })

        await t.test('a stream of events has each mail as it comes', async (t) => {
          const headers = { authorization, accept: 'text/event-stream' }
          const stream = await open(at, `/v1/events?after=${await lastSeq()}`, { headers })
          t.match([stream.statusCode, stream.headers['content-type']], [200, 'text/event-stream'])
          t.match(String((await once(stream, 'data'))[0]), 'retry: ')
          for (const subject of ['First', 'Second']) {
            const chunk = once(stream, 'data')
            await mail(t, subject)
            t.match(
              String((await chunk)[0]),
              new RegExp(`^id: \\d+\\nevent: message\\.received\\ndata: .*"${subject}"`),
            )
          }
          stream.destroy()
          await waiting(0)
        })

        await t.test('mail that is handed over without a length', async (t) => {
          const letter = { to: 'delivered@simulator.agents.test', subject: 'In chunks', text: 'x'.repeat(10_000) }
          const answer = await call(
            at,
            '/v1/send',
            {
              method: 'POST',
              headers: { authorization, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
            },
            Buffer.from(JSON.stringify(letter)),
          )
          const said: unknown = JSON.parse(answer.body.toString())
          // Caddy and HAProxy pass the chunks on, which uws does not take; nginx collects the body, and gives it its length.
          if (driver === 'uws' && name !== 'nginx.conf')
            t.match([answer.status, said], [411, { error: { code: 'length_required' } }])
          else t.match([answer.status, said], [202, { status: 'queued' }])
        })
      })
    }
  })
}

interface BehindProxy {
  daemon: Daemon
  /** Until so many requests wait at the daemon; the time limit of the test ends it otherwise. */
  waiting(count: number): Promise<void>
}

async function startBehindProxy(t: Test, driver: string): Promise<BehindProxy> {
  const admin = await freePort()
  const daemon = await startDaemon({
    'server.http_driver': driver,
    'server.admin': `127.0.0.1:${admin}`,
    'server.base_url': `https://${HOST}`,
    'server.trusted_proxies': '["127.0.0.1"]',
  })
  t.teardown(() => daemon.remove())
  const authorization = `Bearer ${readFileSync(join(daemon.dataDir, 'secrets/admin_token'), 'utf8').trim()}`
  const metrics = async (): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${admin}/metrics`, { headers: { authorization } })
    if (!answer.ok) throw new Error(await answer.text())
    return await answer.text()
  }
  return {
    daemon,
    async waiting(count) {
      const line = `restante_http_requests_waiting ${count}`
      while (!(await metrics()).split('\n').includes(line)) await new Promise((resolve) => setTimeout(resolve, 20))
    },
  }
}
