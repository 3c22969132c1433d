/** Delay until a waiting agent gets a message, and the cost of 5,000 waiting agents. */
import { readFile } from 'node:fs/promises'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { approvedAgent, type Agent } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import type { DriverName } from '../src/http/listener/types.js'
import { DRIVERS } from './drivers.js'
import { lengthOf } from './support/length.js'
import { median, percentile, table, type Row } from './support/table.js'

const ROUNDS = lengthOf(200, 20)
const WAITERS = lengthOf(5000, 200)

async function reply(socket: Socket): Promise<string> {
  let text = ''
  for (;;) {
    const [chunk] = await once(socket, 'data')
    text += String(chunk)
    if (/^\d{3} .*\r\n$/m.test(text)) return text
  }
}

/** An SMTP session that stops before the last byte of DATA. */
async function dialog(port: number, to: string): Promise<{ finish(): Promise<string>; close(): void }> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  await reply(socket)
  for (const line of ['EHLO bench.test', 'MAIL FROM:<bob@peer.test>', `RCPT TO:<${to}>`, 'DATA']) {
    socket.write(`${line}\r\n`)
    await reply(socket)
  }
  socket.write(`From: bob@peer.test\r\nTo: ${to}\r\nSubject: now\r\n\r\nhello\r\n`)
  return {
    finish() {
      socket.write('.\r\n')
      return reply(socket)
    },
    close: () => socket.destroy(),
  }
}

function hold(daemon: Daemon, agent: Agent, after: number, http: HttpAgent): Promise<{ at: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${agent.key}` }
    const request = httpRequest(
      `${daemon.url}/v1/events?after=${after}&wait=60`,
      { headers, agent: http },
      (response) => {
        let body = ''
        response.on('data', (chunk: Buffer) => (body += chunk.toString()))
        response.on('end', () => resolve({ at: performance.now(), body }))
      },
    )
    request.on('error', reject)
    request.end()
  })
}

async function residentKilobytes(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
}

/** User and system time so far, in clock ticks of 10 ms. */
async function cpuTicks(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

export async function waiting(): Promise<string> {
  const tables: string[] = []
  for (const driver of DRIVERS) tables.push(await waitingOver(driver))
  return tables.join('\n')
}

async function waitingOver(driver: DriverName): Promise<string> {
  const daemon = await startDaemon({
    'server.http_driver': driver,
    'limits.long_polls_per_key': String(WAITERS + 100),
    'limits.requests_per_minute': '1000000',
    'limits.account_requests_per_minute': '1000000',
    'smtp.max_connections_per_address': '200',
  })
  const http = new HttpAgent({ keepAlive: true, maxSockets: WAITERS + 10 })
  try {
    const agent = await approvedAgent(daemon, 'wait.agent')
    let seq: number = (await agent.call('GET', '/v1/events')).body.data.at(-1).seq
    const delays: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const session = await dialog(daemon.smtpPort, agent.address)
      const held = hold(daemon, agent, seq, http)
      await agent.call('GET', '/v1/account/usage')
      const begun = performance.now()
      const [answer] = await Promise.all([held, session.finish()])
      delays.push(answer.at - begun)
      seq = JSON.parse(answer.body).data.at(-1).seq
      session.close()
    }

    const before = await residentKilobytes(daemon.pid())
    const held = Array.from({ length: WAITERS }, () => hold(daemon, agent, seq, http))
    for (let open = 0; open < WAITERS;) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      open = Object.values(http.sockets).reduce((sum, list) => sum + (list?.length ?? 0), 0)
      if (open >= WAITERS) await new Promise((resolve) => setTimeout(resolve, 3000))
    }
    const each = ((await residentKilobytes(daemon.pid())) - before) / WAITERS
    const ticks = await cpuTicks(daemon.pid())
    await new Promise((resolve) => setTimeout(resolve, lengthOf(10_000, 1000)))
    const idle = (await cpuTicks(daemon.pid())) - ticks
    const others: number[] = []
    for (let i = 0; i < 500; i++) {
      const begun = performance.now()
      await agent.call('GET', '/v1/threads?limit=25')
      others.push(performance.now() - begun)
    }
    const session = await dialog(daemon.smtpPort, agent.address)
    const begun = performance.now()
    await session.finish()
    const answers = await Promise.all(held)
    const lastAt = Math.max(...answers.map((answer) => answer.at)) - begun
    session.close()
    const rows: Row[] = [
      { what: 'last byte of DATA to the waiting answer, median', value: `${median(delays).toFixed(2)} ms` },
      { what: 'the same, 99th percentile', value: `${percentile(delays, 0.99).toFixed(2)} ms` },
      { what: `memory for each of ${WAITERS} waiting long-polls`, value: `${each.toFixed(1)} KB` },
      { what: 'CPU of the daemon over 10 s while they wait', value: `${idle * 10} ms` },
      { what: 'GET /v1/threads meanwhile, median', value: `${median(others).toFixed(2)} ms` },
      { what: 'one message wakes them all: last answer after', value: `${lastAt.toFixed(0)} ms` },
    ]
    return table(`Waiting, over ${driver}`, rows)
  } finally {
    http.destroy()
    await daemon.remove()
  }
}
