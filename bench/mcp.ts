/**
 * What a tool call costs beside the same call of the API: check_inbox and `GET /v1/threads`, ten unread conversations of a mailbox with 1,000 messages,
 * asked in turns over one connection; each revision of the protocol, and the list of the tools.
 */
import { Agent as HttpAgent, request } from 'node:http'
import { approvedAgent } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import { fillNewest } from './support/filling.js'
import { cpuMs } from './processes/process.js'
import { rpc, type Call } from './rpc.js'
import { lengthOf, messagesOf } from './support/length.js'
import { median, percentile, table, type Row } from './support/table.js'

const MESSAGES = messagesOf(1000, 100)
const WARM_UP = lengthOf(500, 10)
const ROUNDS = lengthOf(2000, 50)
/** Calls of one kind in a row, for the CPU time of one of them: it is counted in ticks of 10 ms. */
const IN_A_ROW = lengthOf(2000, 50)

const CHECK_INBOX = { name: 'check_inbox', arguments: { limit: 10 } }

const THREADS: Call = { method: 'GET', path: '/v1/threads?unread=true&limit=10', headers: {} }
const CALLS: Record<string, Call> = {
  'check_inbox, revision 2026-07-28': rpc('2026-07-28', 'tools/call', CHECK_INBOX),
  'check_inbox, revision 2025-11-25': rpc('2025-11-25', 'tools/call', CHECK_INBOX),
  'tools/list, revision 2026-07-28': rpc('2026-07-28', 'tools/list', {}),
}

export async function mcp(): Promise<string> {
  const daemon = await startDaemon({
    'limits.requests_per_minute': '1000000',
    'limits.account_requests_per_minute': '1000000',
  })
  const http = new HttpAgent({ keepAlive: true, maxSockets: 1 })
  try {
    const agent = await approvedAgent(daemon, 'tools.agent')
    await daemon.end('SIGTERM')
    await fillNewest(daemon.dataDir, MESSAGES)
    await daemon.start()
    const ask = (call: Call): Promise<string> => answerOf(daemon, agent.key, http, call)
    await expectTenThreads(ask)
    for (let i = 0; i < WARM_UP; i++) for (const call of [THREADS, ...Object.values(CALLS)]) await ask(call)

    const rows: Row[] = []
    const cpuOfThreads = await cpuUsOf(daemon, () => ask(THREADS))
    for (const [what, call] of Object.entries(CALLS)) {
      const ours: number[] = []
      const beside: number[] = []
      for (let i = 0; i < ROUNDS; i++) {
        beside.push(await timed(() => ask(THREADS)))
        ours.push(await timed(() => ask(call)))
      }
      const cpu = await cpuUsOf(daemon, () => ask(call))
      rows.push(
        {
          what: `${what}, median`,
          value: ms(median(ours)),
          beside: `GET /v1/threads: ${ms(median(beside))}`,
          ratio: `${ms(median(ours) - median(beside))} more`,
        },
        {
          what: 'the same, 99th percentile',
          value: ms(percentile(ours, 0.99)),
          beside: ms(percentile(beside, 0.99)),
          ratio: `${ms(percentile(ours, 0.99) - percentile(beside, 0.99))} more`,
        },
        {
          what: 'CPU of the daemon for each',
          value: `${cpu} µs`,
          beside: `${cpuOfThreads} µs`,
          ratio: `${cpu - cpuOfThreads} µs more`,
        },
      )
    }
    return table('Tool calls', rows)
  } finally {
    http.destroy()
    await daemon.remove()
  }
}

/** @throws Error when an answer is not what is measured */
async function expectTenThreads(ask: (call: Call) => Promise<string>): Promise<void> {
  const listed = JSON.parse(await ask(THREADS)) as { data: { id: string }[] }
  if (listed.data.length !== 10) throw new Error(`GET /v1/threads has ${listed.data.length} threads`)
  for (const [what, call] of Object.entries(CALLS)) {
    const text = await ask(call)
    const missing = what.startsWith('check_inbox')
      ? listed.data.find(({ id }) => !text.includes(id))
      : !text.includes('"inputSchema"')
    if (missing) throw new Error(`${what}: ${text.slice(0, 500)}`)
  }
}

function answerOf(
  daemon: Daemon,
  key: string,
  agent: HttpAgent,
  { method, path, headers, body }: Call,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(
      `${daemon.url}${path}`,
      { method, agent, headers: { authorization: `Bearer ${key}`, ...headers, ...length } },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => (text += chunk))
        answer.on('end', () => (answer.statusCode === 200 ? resolve(text) : reject(new Error(text))))
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

async function timed(fn: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await fn()
  return performance.now() - begun
}

async function cpuUsOf(daemon: Daemon, fn: () => Promise<unknown>): Promise<number> {
  const before = await cpuMs(daemon.pid())
  for (let i = 0; i < IN_A_ROW; i++) await fn()
  return Math.round((((await cpuMs(daemon.pid())) - before) * 1000) / IN_A_ROW)
}

const ms = (value: number): string => `${value.toFixed(2)} ms`
