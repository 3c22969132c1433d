/** What webhooks deliver: to ten receivers' worth of webhooks at once, to one alone, and how late at 1,000 a second; beside a bare client of Node. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { z } from 'zod'
import { approvedAgent, type Agent } from '../test/support/agent.js'
import { startDaemon } from '../test/support/daemon.js'
import { freePort } from '../test/support/ports.js'
import { deliver } from '../test/support/peers/smtp.js'
import { cpuMs } from './processes/process.js'
import { lengthOf } from './support/length.js'
import { table } from './support/table.js'

const WEBHOOKS = 10
const EVENTS = lengthOf(2000, 100)
const STEADY_SECONDS = lengthOf(10, 1)
const STEADY_PER_SECOND = 1000

/** In a process of its own: takes everything, and tells how many came and how late. */
const RECEIVER = `
const { createServer } = require('node:http')
let late = []
createServer((request, response) => {
  if (request.method === 'GET') return response.end(JSON.stringify(late))
  if (request.method === 'DELETE') { late = []; return response.end() }
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => { late.push(Date.now() - Date.parse(JSON.parse(body).timestamp)); response.writeHead(204).end() })
}).listen(Number(process.argv[1]), '127.0.0.1', () => console.log('ready'))
`

async function latenesses(url: string): Promise<number[]> {
  return z.array(z.number()).parse(await (await fetch(url)).json())
}

async function until(url: string, count: number): Promise<void> {
  while ((await latenesses(url)).length < count) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Nothing waits at any webhook. */
async function delivered(agent: Agent): Promise<void> {
  const waits = z.object({ deliveries: z.object({ events_waiting: z.int(), retries_waiting: z.int() }) })
  for (;;) {
    const { data } = z.object({ data: z.array(waits) }).parse((await agent.call('GET', '/v1/webhooks')).body)
    if (data.every(({ deliveries }) => deliveries.events_waiting + deliveries.retries_waiting === 0)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function post(url: string, agent: HttpAgent, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const asked = httpRequest(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', resolve)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** The same number of the same bodies, as many at once as the webhooks have. */
async function bare(url: string, bodies: string[], count: number, atOnce: number): Promise<number> {
  const agent = new HttpAgent({ keepAlive: true, maxSockets: atOnce })
  const begun = performance.now()
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) await post(url, agent, bodies[next++ % bodies.length] ?? '')
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  agent.destroy()
  return (count / (performance.now() - begun)) * 1000
}

const label = (agent: Agent, id: string, n: number) =>
  agent.call('PATCH', `/v1/messages/${id}`, n % 2 === 0 ? { add_labels: ['n'] } : { remove_labels: ['n'] })

export async function webhooks(): Promise<string> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const receiver = spawn(process.execPath, ['-e', RECEIVER, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(receiver.stdout, 'data')
  const daemon = await startDaemon({
    'webhooks.allow_http': 'true',
    'webhooks.allow_private_addresses': 'true',
    'webhooks.ports': String(port),
    'webhooks.connections_per_address': '200',
    'limits.requests_per_minute': '1000000',
    'limits.account_requests_per_minute': '1000000',
    'limits.requests_at_once_per_key': '1000',
  })
  try {
    const agent = await approvedAgent(daemon, 'bench.agent')
    await deliver(daemon.smtpPort, { to: [agent.address], subject: 'bench' })
    const message: string = (await agent.call('GET', '/v1/threads')).body.data[0].last_message_id
    const ids: string[] = []
    for (let n = 0; n < WEBHOOKS; n++) {
      const made = await agent.call('POST', '/v1/webhooks', { url, events: ['message.updated'] })
      ids.push(made.body.id)
      await agent.call('PATCH', `/v1/webhooks/${made.body.id}`, { enabled: false })
    }
    for (let n = 0; n < EVENTS; n++) await label(agent, message, n)
    const enable = (id: string) => agent.call('PATCH', `/v1/webhooks/${id}`, { enabled: true })
    const measure = async (some: string[]): Promise<{ rate: number; cpu: number }> => {
      await fetch(url, { method: 'DELETE' })
      const cpu = await cpuMs(daemon.pid())
      const begun = performance.now()
      await Promise.all(some.map(enable))
      await until(url, some.length * EVENTS)
      const rate = (some.length * EVENTS * 1000) / (performance.now() - begun)
      return { rate, cpu: ((await cpuMs(daemon.pid())) - cpu) / (some.length * EVENTS) }
    }
    const alone = await measure(ids.slice(0, 1))
    const many = await measure(ids.slice(1))
    const bodies = (await agent.call('GET', '/v1/events?limit=100')).body.data.map((event: unknown) =>
      JSON.stringify(event),
    )
    const besideOne = await bare(url, bodies, EVENTS, 8)
    const besideMany = await bare(url, bodies, (WEBHOOKS - 1) * EVENTS, (WEBHOOKS - 1) * 8)

    await fetch(url, { method: 'DELETE' })
    const begun = performance.now()
    const events = (STEADY_SECONDS * STEADY_PER_SECOND) / WEBHOOKS
    const asked: Promise<unknown>[] = []
    for (let n = 0; n < events; n++) {
      const due = begun + (n * 1000 * WEBHOOKS) / STEADY_PER_SECOND
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
      // Not waited for: a slow answer must not make the load lighter.
      asked.push(
        agent.call('PATCH', `/v1/messages/${message}`, {
          add_labels: [`n${n % 40}`],
          remove_labels: [`n${(n + 39) % 40}`],
        }),
      )
    }
    await Promise.all(asked)
    await delivered(agent)
    const tookMs = performance.now() - begun
    const late = (await latenesses(url)).sort((a, b) => a - b)
    const reached = (late.length * 1000) / tookMs
    const at = (share: number): string => `${late[Math.min(late.length - 1, Math.floor(late.length * share))]} ms`
    const ratio = (own: number, other: number): string => `${((100 * own) / other).toFixed(0)} %`
    return table('Webhooks', [
      {
        what: `${WEBHOOKS - 1} webhooks, a backlog of ${EVENTS} events each`,
        value: `${many.rate.toFixed(0)}/s`,
        beside: `bare client of Node, unsigned: ${besideMany.toFixed(0)}/s`,
        ratio: ratio(many.rate, besideMany),
      },
      {
        what: `1 webhook, a backlog of ${EVENTS} events`,
        value: `${alone.rate.toFixed(0)}/s`,
        beside: `bare client, 8 at once: ${besideOne.toFixed(0)}/s`,
        ratio: ratio(alone.rate, besideOne),
      },
      { what: 'CPU of the daemon for a delivery', value: `${many.cpu.toFixed(2)} ms` },
      {
        what: `${STEADY_PER_SECOND} deliveries a second for ${STEADY_SECONDS} s: reached`,
        value: `${reached.toFixed(0)}/s`,
      },
      { what: 'the same, from the event to the receiver: median', value: at(0.5) },
      { what: 'the same, 99th percentile', value: at(0.99) },
    ])
  } finally {
    await daemon.remove()
    receiver.kill()
  }
}
