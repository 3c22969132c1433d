/** 1,000 calls of wait_for_mail at once, over ten mailboxes: memory for each of them, what they cost while nothing comes, and how soon all have their mail. */
import { connect, type Socket } from 'node:net'
import { approvedAgent, type Agent } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import { cpuMs, residentKilobytes } from './processes/process.js'
import { rpc, type Revision } from './rpc.js'
import { lengthOf } from './support/length.js'
import { median, percentile, table, type Row } from './support/table.js'

const WAITERS = lengthOf(1000, 100, 'BENCH_WAITERS')
const MAILBOXES = 10
/** So many first: what is compiled and loaded once is none of the memory of a call. */
const WARM_UP = 100
/** Connections that are opened before the daemon is let catch up. */
const STEP = 100
const WAIT_SECONDS = 60
const IDLE_SECONDS = lengthOf(10, 1)

interface Waiter {
  socket: Socket
  /** When the last byte of its answer was there. */
  answered: Promise<number>
}

/** A socket and nothing around it: what is measured is the daemon. */
function wait(port: number, request: string): Promise<Waiter> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port })
    const answered = new Promise<number>((told, failed) => {
      let text = ''
      socket.on('data', (bytes: Buffer) => {
        text += bytes.toString('latin1')
        if (!text.startsWith('HTTP/1.1 200') || text.includes('"isError"')) failed(new Error(text.slice(0, 1000)))
        // The last field of the data stands behind the messages.
        if (text.includes('"timed_out":')) told(performance.now())
      })
      socket.once('close', () => failed(new Error(`closed without an answer: ${text.slice(0, 1000)}`)))
    })
    // Whoever waits for it hears of it; until then nobody does.
    answered.catch(() => undefined)
    socket.once('error', reject)
    socket.once('connect', () => socket.write(request, () => resolve({ socket, answered })))
  })
}

function requestOf(revision: Revision, key: string, afterSeq: number): string {
  const call = rpc(revision, 'tools/call', {
    name: 'wait_for_mail',
    arguments: { after_seq: afterSeq, timeout_seconds: WAIT_SECONDS },
  })
  const body = call.body ?? ''
  const headers = { host: 'localhost', authorization: `Bearer ${key}`, 'content-length': body.length, ...call.headers }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`POST ${call.path} HTTP/1.1`, ...lines, '', body].join('\r\n')
}

async function round(
  daemon: Daemon,
  sender: Agent,
  agents: readonly Agent[],
  revision: Revision,
  count: number,
): Promise<Row[]> {
  const waiters: Waiter[] = []
  try {
    const port = Number(new URL(daemon.url).port)
    const seqs = await Promise.all(
      agents.map(async (each): Promise<number> => (await each.call('GET', '/v1/events')).body.next_after),
    )
    const before = await residentKilobytes(daemon.pid())
    while (waiters.length < count) {
      const more = Array.from({ length: Math.min(STEP, count - waiters.length) }, (_, i) => {
        const who = (waiters.length + i) % agents.length
        return wait(port, requestOf(revision, agents[who]?.key ?? '', seqs[who] ?? 0))
      })
      waiters.push(...(await Promise.all(more)))
      // It answers when it has taken those before.
      await sender.call('GET', '/v1/account/usage')
    }
    const each = ((await residentKilobytes(daemon.pid())) - before) / count
    const cpuBefore = await cpuMs(daemon.pid())
    await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1000))
    const idle = (await cpuMs(daemon.pid())) - cpuBefore

    const begun = performance.now()
    const cpuAtSend = await cpuMs(daemon.pid())
    const letter = { to: agents.map(({ address }) => address), subject: 'now', text: 'Hello.' }
    await sender.call('POST', '/v1/send', letter)
    const delays = (await Promise.all(waiters.map(({ answered }) => answered))).map((at) => at - begun)
    const cpu = (await cpuMs(daemon.pid())) - cpuAtSend
    const ms = (value: number): string => `${value.toFixed(0)} ms`
    return [
      {
        what: `${revision}: memory of the daemon for each of ${count} waiting calls`,
        value: `${each.toFixed(1)} KB`,
      },
      { what: `${revision}: CPU of the daemon over ${IDLE_SECONDS} s while they wait`, value: ms(idle) },
      { what: `${revision}: from sending to the first that has its mail`, value: ms(percentile(delays, 0)) },
      { what: `${revision}: to half of them`, value: ms(median(delays)) },
      { what: `${revision}: to the last`, value: ms(percentile(delays, 1)), beside: `CPU of the daemon: ${ms(cpu)}` },
    ]
  } finally {
    for (const { socket } of waiters) socket.destroy()
  }
}

export async function mcpWaits(): Promise<string> {
  const rows: Row[] = []
  for (const revision of ['2026-07-28', '2025-11-25'] as const) rows.push(...(await measure(revision)))
  return table(`${WAITERS} calls of wait_for_mail at ${MAILBOXES} mailboxes, and a letter to each of them`, rows)
}

/** In a daemon of its own: one that has held a thousand calls has room for the next thousand, and shows none of their memory. */
async function measure(revision: Revision): Promise<Row[]> {
  const daemon = await startDaemon({
    'limits.long_polls_per_key': String(Math.ceil(WAITERS / MAILBOXES)),
    'limits.requests_per_minute': '1000000',
    'limits.account_requests_per_minute': '1000000',
  })
  try {
    const sender = await approvedAgent(daemon, 'sending.agent')
    const agents: Agent[] = []
    for (let n = 0; n < MAILBOXES; n++) agents.push(await approvedAgent(daemon, `waiting.agent.${n}`))
    await round(daemon, sender, agents, revision, WARM_UP)
    return await round(daemon, sender, agents, revision, WAITERS)
  } finally {
    await daemon.remove()
  }
}
