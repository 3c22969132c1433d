/**
 * What reading costs beside the bare HTTP server: `GET /v1/threads` (25 of 10,000) and `GET /v1/messages/{id}` of the daemon over
 * each of its servers of HTTP, and that server alone with the same bytes, asked in turns over the same number of connections. Also the first
 * list after a change of the mailbox, which is in no cache.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { approvedAgent } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import type { DriverName } from '../src/http/listener/types.js'
import { DRIVERS } from './drivers.js'
import { fillNewest } from './support/filling.js'
import { cpuMs } from './processes/process.js'
import { lengthOf, messagesOf, roundsOf } from './support/length.js'
import { median, table, type Row } from './support/table.js'

const MESSAGES = messagesOf(10_000, 200)
const CONNECTIONS = 32
const MEASURE_MS = lengthOf(3_000, 200)
const ROUNDS = roundsOf(3)
const CHANGES = lengthOf(400, 20)
const LISTS = ['/v1/messages', '/v1/threads']
const BARE = fileURLToPath(new URL('./processes/bare-server.js', import.meta.url))

/** The daemon over one of the servers of HTTP. */
interface Contestant {
  driver: DriverName
  daemon: Daemon
  key: string
  /** Of a message in its mailbox. */
  message: string
}

export async function reads(): Promise<string> {
  const contestants: Contestant[] = []
  try {
    for (const driver of DRIVERS) contestants.push(await contestant(driver))
    const paths: Record<string, (one: Contestant) => string> = {
      'GET /v1/threads, 25 of 10,000': () => '/v1/threads',
      'GET /v1/messages, 25 of 10,000': () => '/v1/messages',
      'GET /v1/messages/{id}': ({ message }) => `/v1/messages/${message}`,
    }
    const rows: Row[] = []
    for (const [what, pathOf] of Object.entries(paths)) rows.push(...(await inTurns(contestants, what, pathOf)))
    for (const one of contestants) for (const list of LISTS) rows.push(await afterChange(one, list))
    return table('Reading over HTTP', rows)
  } finally {
    for (const { daemon } of contestants) await daemon.remove()
  }
}

async function contestant(driver: DriverName): Promise<Contestant> {
  const daemon = await startDaemon({
    'server.http_driver': driver,
    'limits.requests_per_minute': '1000000',
    'limits.account_requests_per_minute': '1000000',
  })
  const agent = await approvedAgent(daemon, 'reads.agent')
  await daemon.end('SIGTERM')
  await fillNewest(daemon.dataDir, MESSAGES)
  await daemon.start()
  const listed = await agent.call('GET', '/v1/messages?limit=1')
  return { driver, daemon, key: agent.key, message: String(listed.body.data[0].id) }
}

/** CPU time of a list right after a change: that of changes each followed by the list, less that of as many changes alone. */
async function afterChange({ driver, daemon, key, message }: Contestant, list: string): Promise<Row> {
  const headers = {
    ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    // Else the list is compressed, in another thread.
    'accept-encoding': 'identity',
  }
  const ask = async (path: string, init: RequestInit = {}): Promise<void> => {
    const answer = await fetch(`${daemon.url}${path}`, { ...init, headers })
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body}`)
  }
  let changes = 0
  const cost = async (then: () => Promise<void>): Promise<number> => {
    const before = await cpuMs(daemon.pid())
    for (let n = 0; n < CHANGES; n++) {
      const body = JSON.stringify({ [changes++ % 2 === 0 ? 'add_labels' : 'remove_labels']: ['bench'] })
      await ask(`/v1/messages/${message}`, { method: 'PATCH', body })
      await then()
    }
    return (((await cpuMs(daemon.pid())) - before) * 1000) / CHANGES
  }
  const rounds: { listed: number; alone: number }[] = []
  for (let i = 0; i <= ROUNDS; i++)
    rounds.push({ alone: await cost(async () => undefined), listed: await cost(() => ask(list)) })
  // The first round warms up.
  const [alone, listed] = [rounds.slice(1).map((round) => round.alone), rounds.slice(1).map((round) => round.listed)]
  const us = Math.round(median(listed) - median(alone))
  return {
    what: `GET ${list} after a change: ${driver}`,
    value: `${us} µs CPU`,
    beside: `the change: ${Math.round(median(alone))} µs`,
  }
}

interface Server {
  port: number
  pid: number
  asked: Asked[]
}

/** All of them and their bare servers, one after the other, round after round. */
async function inTurns(
  contestants: readonly Contestant[],
  what: string,
  pathOf: (one: Contestant) => string,
): Promise<Row[]> {
  const bares: ChildProcess[] = []
  try {
    const pairs = await Promise.all(
      contestants.map(async (one) => {
        const { daemon, key, driver } = one
        const path = pathOf(one)
        const answer = await fetch(`${daemon.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
        const body = await answer.text()
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body}`)
        const child = fork(BARE, [driver], { execArgv: [] })
        bares.push(child)
        const [barePort] = await once(child, 'message')
        child.send(body)
        await once(child, 'message')
        const whole: Server = { port: Number(new URL(daemon.url).port), pid: daemon.pid(), asked: [] }
        const bare: Server = { port: Number(barePort), pid: child.pid ?? 0, asked: [] }
        const ask = ({ port, pid }: Server) => measure(port, pid, path, key, Buffer.byteLength(body))
        await ask(whole)
        return { driver, whole, bare, ask, bytes: body.length }
      }),
    )
    for (let i = 0; i < ROUNDS; i++)
      for (const { whole, bare, ask } of pairs) for (const server of [whole, bare]) server.asked.push(await ask(server))
    const rows = pairs.map(({ driver, whole, bare, bytes }) => ({
      what: `${what}: ${driver}`,
      value: rate(whole),
      beside: `bare server of ${driver}, ${bytes} bytes: ${rate(bare)}`,
      ratio: (rateOf(whole) / rateOf(bare)).toFixed(2),
    }))
    const [uws, node] = pairs
    if (!uws || !node) return rows
    const share = (rateOf(node.whole) / rateOf(uws.whole)).toFixed(2)
    return [...rows, { what: `${what}: node beside uws`, value: '', ratio: share }]
  } finally {
    for (const bare of bares) bare.kill()
  }
}

const rateOf = ({ asked }: Server): number => median(asked.map(({ perSecond }) => perSecond))

function rate(server: Server): string {
  const cpuUs = Math.round(median(server.asked.map((each) => each.cpuUs)))
  return `${Math.round(rateOf(server)).toLocaleString('en')}/s, ${cpuUs} µs CPU each`
}

interface Asked {
  perSecond: number
  /** CPU time of the server's process for a request, in microseconds. */
  cpuUs: number
}

/** Requests over some connections, each of which sends its next request when an answer is there. */
async function measure(port: number, pid: number, path: string, key: string, bytes: number): Promise<Asked> {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const cpuBefore = await cpuMs(pid)
  const begun = performance.now()
  let answers = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true)
      await once(socket, 'connect')
      let head = ''
      let left = -1
      socket.write(request)
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject)
        socket.on('close', () => reject(new Error('The connection was closed')))
        socket.on('data', (chunk: Buffer) => {
          if (left < 0) {
            head += chunk.toString('latin1')
            const end = head.indexOf('\r\n\r\n')
            if (end < 0) return
            if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(head))
            left = bytes - (head.length - end - 4)
            head = ''
          } else left -= chunk.length
          if (left > 0) return
          left = -1
          answers++
          if (performance.now() - begun < MEASURE_MS) socket.write(request)
          else resolve()
        })
      })
      socket.removeAllListeners('close').destroy()
    }),
  )
  const tookMs = performance.now() - begun
  return { perSecond: (answers * 1000) / tookMs, cpuUs: (((await cpuMs(pid)) - cpuBefore) * 1000) / answers }
}
