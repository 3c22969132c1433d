/** 20,000 agents that wait for mail at once: memory for each of them, and how soon one event has reached them all. */
import { connect, type Socket } from 'node:net'
import { approvedAgent } from '../test/support/agent.js'
import { startDaemon } from '../test/support/daemon.js'
import type { DriverName } from '../src/http/listener/types.js'
import { DRIVERS } from './drivers.js'
import { cpuMs, residentKilobytes } from './processes/process.js'
import { lengthOf } from './support/length.js'
import { median, percentile, table, type Row } from './support/table.js'

const WAITERS = lengthOf(20_000, 500, 'BENCH_WAITERS')
/** An address has some 28,000 ports of its own: so many of them from each is far below that. */
const WAITERS_PER_ADDRESS = 5000
/** Connections that are opened before the daemon is let catch up. */
const STEP = 250
const WAIT_SECONDS = 600
const IDLE_SECONDS = lengthOf(10, 1)

interface Waiter {
  socket: Socket
  answered: Promise<number>
}

/** A socket and nothing around it: what is measured is the daemon, and the client has to hold as many. */
function wait(port: number, request: string, n: number): Promise<Waiter> {
  const localAddress = `127.0.0.${2 + Math.floor(n / WAITERS_PER_ADDRESS)}`
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    const answered = new Promise<number>((told, failed) => {
      socket.once('data', (bytes: Buffer) => {
        if (bytes.toString('latin1', 0, 12) === 'HTTP/1.1 200') told(performance.now())
        else failed(new Error(bytes.toString('latin1', 0, 400)))
      })
      socket.once('close', () => failed(new Error('a waiting request was closed without an answer')))
    })
    // Whoever waits for it hears of it; until then nobody does.
    answered.catch(() => undefined)
    socket.once('error', reject)
    socket.once('connect', () => socket.write(request, () => resolve({ socket, answered })))
  })
}

export async function polls(): Promise<string> {
  const tables: string[] = []
  for (const driver of DRIVERS) tables.push(await pollsOver(driver))
  return tables.join('\n')
}

async function pollsOver(driver: DriverName): Promise<string> {
  const daemon = await startDaemon({
    'server.http_driver': driver,
    'limits.long_polls_per_key': '10000',
    'limits.long_poll_seconds': String(WAIT_SECONDS),
    'limits.requests_per_minute': '1000000',
    'limits.account_requests_per_minute': '1000000',
  })
  const waiters: Waiter[] = []
  try {
    const sender = await approvedAgent(daemon, 'sending.agent')
    const names = ['first.agent', 'second.agent', 'third.agent']
    const agents = await Promise.all(names.map((name) => approvedAgent(daemon, name)))
    const port = Number(new URL(daemon.url).port)
    const seqs = await Promise.all(
      agents.map(async (each): Promise<number> => (await each.call('GET', '/v1/events')).body.next_after),
    )
    const before = await residentKilobytes(daemon.pid())
    while (waiters.length < WAITERS) {
      const count = Math.min(STEP, WAITERS - waiters.length)
      const more = Array.from({ length: count }, (_, i) => {
        const n = waiters.length + i
        const who = n % agents.length
        const head = `GET /v1/events?after=${seqs[who]}&wait=${WAIT_SECONDS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${agents[who]?.key}\r\n\r\n`
        return wait(port, head, n)
      })
      waiters.push(...(await Promise.all(more)))
      // It answers when it has taken those before.
      await sender.call('GET', '/v1/account/usage')
    }
    const each = ((await residentKilobytes(daemon.pid())) - before) / WAITERS
    const ticks = await cpuMs(daemon.pid())
    await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1000))
    const idle = (await cpuMs(daemon.pid())) - ticks
    const others: number[] = []
    for (let i = 0; i < 200; i++) {
      const begun = performance.now()
      await sender.call('GET', '/v1/threads?limit=25')
      others.push(performance.now() - begun)
    }

    const begun = performance.now()
    const letter = { to: agents.map(({ address }) => address), subject: 'now', text: 'Hello.' }
    await sender.call('POST', '/v1/send', letter)
    const delays = (await Promise.all(waiters.map(({ answered }) => answered))).map((at) => at - begun)
    const rows: Row[] = [
      { what: `memory of the daemon for each of ${WAITERS} waiting requests`, value: `${each.toFixed(1)} KB` },
      { what: `CPU of the daemon over ${IDLE_SECONDS} s while they wait`, value: `${idle} ms` },
      { what: 'GET /v1/threads meanwhile, median', value: `${median(others).toFixed(1)} ms` },
      {
        what: 'from sending to the first answer of a waiting request',
        value: `${percentile(delays, 0).toFixed(0)} ms`,
      },
      { what: 'to half of them', value: `${median(delays).toFixed(0)} ms` },
      { what: 'to 99 % of them', value: `${percentile(delays, 0.99).toFixed(0)} ms` },
      { what: 'to the last', value: `${percentile(delays, 1).toFixed(0)} ms` },
    ]
    return table(
      `Long-polls over ${driver}: ${WAITERS} wait at three mailboxes, and a letter goes to each of them`,
      rows,
    )
  } finally {
    for (const { socket } of waiters) socket.destroy()
    await daemon.remove()
  }
}
