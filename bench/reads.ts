/**
 * What reading costs beside the bare HTTP server: `GET /v1/threads` (25 of 10,000) and `GET /v1/messages/{id}` of the daemon, and a server of
 * uWebSockets.js alone that answers the same bytes, asked in turns over the same number of connections.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { approvedAgent } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import { fillNewest } from './filling.js'
import { cpuMs } from './process.js'
import { median, table, type Row } from './table.js'

const MESSAGES = 10_000
const CONNECTIONS = 32
const MEASURE_MS = 3_000
const ROUNDS = 3
const BARE = fileURLToPath(new URL('bare-server.js', import.meta.url))

export async function reads(): Promise<string> {
  const daemon = await startDaemon({
    'limits.requests_per_minute': '1000000',
    'limits.account_requests_per_minute': '1000000',
  })
  try {
    const agent = await approvedAgent(daemon, 'reads.agent')
    await daemon.end('SIGTERM')
    await fillNewest(daemon.dataDir, MESSAGES)
    await daemon.start()
    const listed = await agent.call('GET', '/v1/messages?limit=1')
    const paths = { 'GET /v1/threads, 25 of 10,000': '/v1/threads', 'GET /v1/messages, 25 of 10,000': '/v1/messages' }
    const all = { ...paths, 'GET /v1/messages/{id}': `/v1/messages/${String(listed.body.data[0].id)}` }
    const rows: Row[] = []
    for (const [what, path] of Object.entries(all)) rows.push(await beside(daemon, agent.key, what, path))
    return table('Reading over HTTP', rows)
  } finally {
    await daemon.remove()
  }
}

async function beside(daemon: Daemon, key: string, what: string, path: string): Promise<Row> {
  const answer = await fetch(`${daemon.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body}`)
  const bare = fork(BARE, { execArgv: [] })
  const [barePort] = await once(bare, 'message')
  const barePid = bare.pid ?? 0
  bare.send(body)
  await once(bare, 'message')
  try {
    const ours: Asked[] = []
    const theirs: Asked[] = []
    const ask = (at: number, pid: number): Promise<Asked> => measure(at, pid, path, key, Buffer.byteLength(body))
    const port = Number(new URL(daemon.url).port)
    await ask(port, daemon.pid())
    for (let i = 0; i < ROUNDS; i++) {
      ours.push(await ask(port, daemon.pid()))
      theirs.push(await ask(Number(barePort), barePid))
    }
    const rateOf = (values: Asked[]): number => median(values.map(({ perSecond }) => perSecond))
    const share = rateOf(ours) / rateOf(theirs)
    const rate = (values: Asked[]): string =>
      `${Math.round(rateOf(values)).toLocaleString('en')}/s, ${Math.round(median(values.map(({ cpuUs }) => cpuUs)))} µs CPU each`
    return {
      what,
      value: rate(ours),
      beside: `bare server, ${body.length} bytes: ${rate(theirs)}`,
      ratio: share.toFixed(2),
    }
  } finally {
    bare.kill()
  }
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
