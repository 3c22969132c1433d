/**
 * What one costly request takes of the daemon's main thread: the longest time for which it answered nobody, and its CPU time, beside those of a
 * plain request in the same run. Then what the requests of one key, ten at once, do to those of another account.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { approvedAgent, type Agent, type Answer } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import { freePort } from '../test/support/ports.js'
import { deliver } from '../test/support/peers/smtp.js'
import { addressees, hostileBodies, largeText, longHtml, manyParts } from './hostile-requests.js'
import { threadCpuMs } from './processes/process.js'
import { startSink } from './peers/sink.js'
import { lengthOf, roundsOf } from './support/length.js'
import { median, percentile, table, type Row } from './support/table.js'

/** Least of so many: what else runs on the machine makes it longer and never shorter. */
const ROUNDS = roundsOf(3)
/** Which requests, by a pattern of their names. */
const CHOSEN = new RegExp(process.env['BENCH_REQUESTS'] ?? '')
const HOG_CLIENTS = 10
const MEASURE_MS = lengthOf(8_000, 1_000)
const LOOK_MS = lengthOf(700, 100)

export async function hostile(): Promise<string> {
  const [loopPort, smarthostPort] = [await freePort(), await freePort()]
  const sink = await startSink({ port: smarthostPort })
  const daemon = await startDaemon(
    {
      'relay.smarthost': `127.0.0.1:${smarthostPort}`,
      'limits.requests_per_minute': '1000000',
      'limits.account_requests_per_minute': '1000000',
      'limits.new_recipients_per_day': '1000000',
      'limits.storage_bytes': '10000000000',
      'smtp.messages_per_minute': '1000',
    },
    {
      env: {
        NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(LOOP_WATCH)}`,
        LOOP_PORT: `${loopPort}`,
      },
    },
  )
  try {
    const agent = await approvedAgent(daemon, 'hog.agent', 'hog@example.org')
    const other = await approvedAgent(daemon, 'other.agent', 'other@example.org')
    const rows: Row[] = []
    const asked = await requests(daemon, agent, other)
    const idle = await idleCpu(daemon.pid())
    for (const [what, ask] of Object.entries(asked))
      if (CHOSEN.test(what)) rows.push(await measured(daemon, loopPort, idle, what, ask))
    return [table('Hostile requests', rows), table('Ten clients of one key', await besideHog(agent, other))].join('\n')
  } finally {
    await daemon.remove()
    await sink.stop()
  }
}

/** Within the daemon: tells who connects how long the event loop stood still at most since the last one asked. */
const LOOP_WATCH = `
import { isMainThread } from 'node:worker_threads'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createServer } from 'node:net'
if (isMainThread && process.argv.includes('start')) {
  const delay = monitorEventLoopDelay({ resolution: 4 })
  delay.enable()
  createServer((socket) => { socket.end(String(delay.max / 1e6)); delay.reset() }).listen(Number(process.env.LOOP_PORT), '127.0.0.1').unref()
}`

async function longestStop(port: number): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  let told = ''
  socket.on('data', (chunk) => (told += chunk.toString()))
  await once(socket, 'close')
  return Number(told)
}

type Ask = () => Promise<Answer>

async function requests(daemon: Daemon, agent: Agent, other: Agent): Promise<Record<string, Ask>> {
  const to = agent.address
  const idOf = async (raw: Buffer): Promise<string> => {
    await deliver(daemon.smtpPort, { to: [to], raw })
    const listed = await agent.call('GET', '/v1/messages?limit=1')
    return String(listed.body.data[0].id)
  }
  const many = await idOf(manyParts(to, 990, 1))
  const some = await idOf(manyParts(to, 45, 200_000))
  const html = await idOf(longHtml(to, '<table><tr><td>a</td><td>b</td></tr></table>'))
  const chinese = await idOf(longHtml(to, '<p>漢字仮名交じり文</p>'))
  const answers = async (raw: Buffer, count: number): Promise<string> => {
    const first = await idOf(raw)
    const read = await agent.call('GET', `/v1/messages/${first}`)
    const reply = Buffer.concat([Buffer.from(`In-Reply-To: <${read.body.message_id}>\r\n`), raw])
    for (let i = 1; i < count; i++)
      await idOf(Buffer.from(reply.toString().replace(/^Message-ID: .*$/m, `Message-ID: <a${i}@peer.test>`)))
    return String(read.body.thread_id)
  }
  const thread = await answers(largeText(to, 240_000), 60)
  const large = await idOf(manyParts(to, 1, 17_000_000))
  for (let i = 0; i < 100; i++) await idOf(addressees(to, i))
  const attachment = async (id: string): Promise<string> =>
    String((await agent.call('GET', `/v1/messages/${id}`)).body.attachments[0].id)
  const [manyFile, htmlFile] = [await attachment(many), await attachment(html)]
  const forward =
    (id: string): Ask =>
    () =>
      agent.call('POST', `/v1/messages/${id}/forward?dry_run=1`, { to: 'delivered@simulator.agents.test' })
  const send =
    (body: object): Ask =>
    () =>
      agent.call('POST', '/v1/send', { to: 'delivered@simulator.agents.test', subject: 'Hello', ...body })
  const tool =
    (name: string, args: object): Ask =>
    () =>
      agent.call(
        'POST',
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
        { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
      )
  const status = (answer: Promise<unknown>): Promise<Answer> =>
    answer.then(() => ({ status: 250, headers: new Headers(), body: undefined }))
  // Its answer is kept until the mailbox changes.
  const changed =
    (id: string, ask: Ask): Ask =>
    async () => {
      await agent.call('PATCH', `/v1/messages/${id}`, { unread: false })
      await agent.call('PATCH', `/v1/messages/${id}`, { unread: true })
      return ask()
    }
  const bodies = hostileBodies()
  return {
    'plain: GET /v1/messages': () => agent.call('GET', '/v1/messages?limit=5'),
    'plain: POST /v1/send': send({ text: 'Good morning.' }),
    'forward dry_run, 990 parts': forward(many),
    'forward dry_run, 45 files, 9 MB': forward(some),
    'list the parts of 990': () => agent.call('GET', `/v1/messages/${many}/parts`),
    'one file of 990': () => agent.call('GET', `/v1/messages/${many}/attachments/${manyFile}`),
    'read HTML of 250 KB': changed(html, () => agent.call('GET', `/v1/messages/${html}`)),
    'get_attachment, HTML of 63 KB': tool('get_attachment', {
      message_id: html,
      attachment_id: htmlFile,
      accept_risk: true,
    }),
    'a phrase in Chinese': () => agent.call('GET', `/v1/messages?q=${encodeURIComponent('"文漢字仮名交"')}`),
    'read Chinese': changed(chinese, () => agent.call('GET', `/v1/messages/${chinese}`)),
    'read a thread of 60 long messages': changed(some, () => agent.call('GET', `/v1/threads/${thread}`)),
    'list 100 messages to 5,000 addresses each': changed(some, () => agent.call('GET', '/v1/messages?limit=100')),
    'list their threads': changed(some, () => agent.call('GET', '/v1/threads?limit=100')),
    'the events of all': () => agent.call('GET', '/v1/events?after=0&limit=100'),
    'a message of 25 MB, raw': () => agent.call('GET', `/v1/messages/${large}/raw`),
    'reply to 100 with 18 MB, by a smarthost': () =>
      agent.call('POST', '/v1/send', {
        ...bodies['a file of 18 MB'],
        to: Array.from({ length: 45 }, (_, i) => `a${i}@far.example`),
        subject: 'x',
      }),
    'mail in, 24 MB': () => status(deliver(daemon.smtpPort, { to: [to], raw: manyParts(to, 1, 24_000_000) })),
    'mail in, 12 MB of text': () => status(deliver(daemon.smtpPort, { to: [to], raw: largeText(to, 12_000_000) })),
    'mail in, 5,000 addresses': () => status(deliver(daemon.smtpPort, { to: [to], raw: addressees(to, 1000) })),
    'draft, 18 MB': () => agent.call('POST', '/v1/drafts', { to: other.address, ...bodies['a file of 18 MB'] }),
    'the same with an Idempotency-Key': () =>
      agent.call(
        'POST',
        '/v1/drafts',
        { to: other.address, ...bodies['a file of 18 MB'] },
        { 'idempotency-key': randomUUID() },
      ),
    'reply_to_message with a file of 7 MB': tool('send_message', {
      to: ['delivered@simulator.agents.test'],
      subject: 'x',
      text: 'x',
      attachments: [{ filename: 'a.bin', base64: randomBytes(7_000_000).toString('base64') }],
    }),
    'an export of the account': () => agent.call('POST', '/v1/account/export', {}),
    ...Object.fromEntries(Object.entries(bodies).map(([what, body]) => [`send: ${what}`, send(body)])),
    'send to a mailbox here: many small tables': () =>
      agent.call('POST', '/v1/send', { to: other.address, subject: 'x', ...bodies['HTML, many small tables'] }),
    'draft: many small tables': () =>
      agent.call('POST', '/v1/drafts', { to: other.address, subject: 'x', ...bodies['HTML, many small tables'] }),
  }
}

const mainCpu = async (pid: number): Promise<number> => (await threadCpuMs(pid)).get(pid) ?? 0

/** What the main thread takes in {@link LOOK_MS} while nobody asks for anything; the watch of its event loop is most of it. */
async function idleCpu(pid: number): Promise<number> {
  const takes: number[] = []
  for (let i = 0; i < 5; i++) takes.push(await cpuOfALook(pid))
  return median(takes)
}

async function cpuOfALook(pid: number): Promise<number> {
  const before = await mainCpu(pid)
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  return (await mainCpu(pid)) - before
}

/** CPU time of the main thread until it has done what the request left it to do, without what it takes at rest. */
async function untilQuiet(pid: number, idle: number, since: { cpu: number; at: number }): Promise<number> {
  while ((await cpuOfALook(pid)) > idle + 10);
  const rest = (idle * (performance.now() - since.at)) / LOOK_MS
  return Math.max(0, (await mainCpu(pid)) - since.cpu - rest)
}

async function measured(daemon: Daemon, loopPort: number, idle: number, what: string, ask: Ask): Promise<Row> {
  const stops: number[] = []
  const cpus: number[] = []
  const took: number[] = []
  let status = 0
  for (let i = 0; i < ROUNDS; i++) {
    await longestStop(loopPort)
    const since = { cpu: await mainCpu(daemon.pid()), at: performance.now() }
    const answer = await ask()
    took.push(performance.now() - since.at)
    status = answer.status
    cpus.push(await untilQuiet(daemon.pid(), idle, since))
    stops.push(await longestStop(loopPort))
  }
  const ms = (values: number[]): string => `${Math.round(Math.min(...values))} ms`
  const row = {
    what: `${what} (${status})`,
    value: `stood still ${ms(stops)}`,
    beside: `CPU of the main thread ${ms(cpus)}`,
  }
  console.error(`${row.what}: ${row.value}, ${row.beside}, ${ms(took)}`)
  return row
}

async function besideHog(hog: Agent, other: Agent): Promise<Row[]> {
  const body = { to: 'delivered@simulator.agents.test', subject: 'x', ...hostileBodies()['HTML, many small tables'] }
  const plain = async (): Promise<number> => {
    const begun = performance.now()
    await other.call('GET', '/v1/messages?limit=5')
    return performance.now() - begun
  }
  const during = async (): Promise<number[]> => {
    const times: number[] = []
    for (const end = performance.now() + MEASURE_MS; performance.now() < end;) {
      times.push(await plain())
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return times
  }
  const alone = await during()
  let stopped = false
  const statuses = new Map<number, number>()
  const hogs = Array.from({ length: HOG_CLIENTS }, async () => {
    while (!stopped) {
      const { status, headers } = await hog.call('POST', '/v1/send?dry_run=1', body)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const wait = Number(headers.get('retry-after') ?? 0)
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(wait, 1) * 1000))
    }
  })
  const beside = await during()
  stopped = true
  await Promise.all(hogs)
  const row = (what: string, times: number[]): Row => ({
    what,
    value: `median ${median(times).toFixed(1)} ms`,
    beside: `99th percentile ${percentile(times, 0.99).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms`,
  })
  const told = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
  return [row('GET of another account, alone', alone), row(`the same beside them (${told})`, beside)]
}
