/**
 * `npm run demo`: the whole story in a terminal, against the real daemon on free ports and a throw-away data folder: claim, approve,
 * receive, wait, reply, and the answer's arrival at another mail server. Each step prints the command that repeats it by hand.
 */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { z } from 'zod'

const BIN = join(import.meta.dirname, '../../bin/restante')
const started = performance.now()

const say = (text = '') => process.stdout.write(`${text}\n`)
const step = (title: string) =>
  say(`\n\u001b[1m${title}\u001b[0m  (${((performance.now() - started) / 1000).toFixed(1)} s)`)
const command = (text: string) => say(`  \u001b[36m$ ${text}\u001b[0m`)
const result = (text: string) => say(text.replace(/^/gm, '  '))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** The other side: a mail server that takes whatever comes and keeps it. */
async function startSink(): Promise<{ port: number; next: Promise<string>; close(): void }> {
  let arrived: (raw: string) => void
  const next = new Promise<string>((resolve) => (arrived = resolve))
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        arrived(Buffer.concat(chunks).toString())
        done()
      })
    },
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  return { port, next, close: () => server.close() }
}

const claimed = z.object({ address: z.string(), api_key: z.string(), claim_url: z.string() })
const challengeShape = z.object({ challenge: z.string(), difficulty: z.number() })
const eventsShape = z.object({
  data: z.array(z.object({ seq: z.number(), type: z.string(), data: z.record(z.string(), z.unknown()) })),
})

/** With a pause now and then: a connection that the server closes meanwhile is to be noticed. */
async function solve(challenge: string, difficulty: number): Promise<{ nonce: string; tries: number }> {
  for (let nonce = 0; ; nonce++) {
    const digest = createHash('sha256').update(`${challenge}:${nonce}`).digest()
    if (Math.clz32(digest.readUInt32BE(0)) >= difficulty) return { nonce: String(nonce), tries: nonce + 1 }
    if (nonce % 50_000 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'restante-demo-'))
  const sink = await startSink()
  const [http, admin, smtp] = [await freePort(), await freePort(), await freePort()]
  const url = `http://127.0.0.1:${http}`
  const settings = [
    `server.data_dir=${dataDir}`,
    `server.http=127.0.0.1:${http}`,
    `server.admin=127.0.0.1:${admin}`,
    `smtp.listen=127.0.0.1:${smtp}`,
    `relay.smarthost=127.0.0.1:${sink.port}`,
    // Sixteen times less work than the default, so that the story is told in seconds on any machine.
    'limits.claim_difficulty=18',
  ]
  const args = settings.flatMap((setting) => ['--set', setting])

  step('1. Start the daemon, with a local sink as the rest of the Internet')
  command(`bin/restante start ${args.join(' ')}`)
  const daemon = spawn(process.execPath, [BIN, 'start', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  daemon.stderr.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-4000)))
  try {
    await tellStory()
    step('Done: claim, approval, mail in, mail out, signed.')
  } catch (error) {
    say(complaints)
    throw error
  } finally {
    daemon.kill('SIGTERM')
    if (daemon.exitCode === null) await once(daemon, 'exit')
    sink.close()
    await rm(dataDir, { recursive: true, force: true })
  }

  async function call(method: string, path: string, options: { key?: string; body?: unknown } = {}): Promise<unknown> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        ...(options.key !== undefined && { authorization: `Bearer ${options.key}` }),
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }

  async function tellStory(): Promise<void> {
    await ready(url, daemon)
    result(`listening: HTTP ${url}, SMTP 127.0.0.1:${smtp}, data in ${dataDir}`)

    step('2. An agent asks for a challenge and solves it')
    command(`curl ${url}/v1/claim/challenge`)
    const challenge = challengeShape.parse(await call('GET', '/v1/claim/challenge'))
    const { nonce, tries } = await solve(challenge.challenge, challenge.difficulty)
    result(`SHA-256("<challenge>:${nonce}") starts with ${challenge.difficulty} zero bits, found after ${tries} tries`)

    step('3. It claims an address, with no account')
    const claimBody = { name: 'ada.agent', challenge: challenge.challenge, nonce, agent_name: 'Ada' }
    command(`curl ${url}/v1/claim -H 'Content-Type: application/json' -d '${JSON.stringify(claimBody)}'`)
    const { address, api_key: key, claim_url } = claimed.parse(await call('POST', '/v1/claim', { body: claimBody }))
    result(`${address} is yours once a human has approved it: ${claim_url}`)

    step('4. A human approves')
    command(`bin/restante claim approve ${address} ${args.slice(0, 6).join(' ')}`)
    const approved = await promisify(execFile)(process.execPath, [BIN, 'claim', 'approve', address, ...args])
    result(approved.stdout.trim())

    step('5. The agent waits for mail; somebody writes to it')
    command(`curl '${url}/v1/events?after=0&wait=30' -H 'Authorization: Bearer ${key}'`)
    const before = eventsShape.parse(await call('GET', '/v1/events', { key })).data.at(-1)?.seq ?? 0
    const waiting = call('GET', `/v1/events?after=${before}&wait=30`, { key })
    command(`swaks --server 127.0.0.1:${smtp} --from bob@example.org --to ${address} --header 'Subject: Lunch?'`)
    const reply = await createTransport({
      host: '127.0.0.1',
      port: smtp,
      ignoreTLS: true,
      name: 'client.example.org',
    }).sendMail({
      from: 'Bob <bob@example.org>',
      to: address,
      subject: 'Lunch?',
      text: 'Shall we meet at noon?\n\n-- \nBob',
    })
    result(`SMTP: ${reply.response}`)
    const event = eventsShape.parse(await waiting).data[0]
    if (!event) throw new Error('the wait ended without an event')
    result(`the waiting call answers: ${event.type} ${JSON.stringify(event.data)}`)

    step('6. It reads the message')
    const messageId = String(event.data['message_id'])
    command(`curl ${url}/v1/messages/${messageId} -H 'Authorization: Bearer ${key}'`)
    const message = z
      .object({ subject: z.string(), extracted_text: z.string(), auth: z.unknown() })
      .parse(await call('GET', `/v1/messages/${messageId}`, { key }))
    result(`${message.subject}\n${message.extracted_text}\nauth: ${JSON.stringify(message.auth)}`)

    step('7. It answers; the daemon checks, signs and relays')
    const body = { text: 'Noon is fine. See you there.' }
    command(
      `curl ${url}/v1/messages/${messageId}/reply -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
    )
    const accepted = z
      .object({ id: z.string(), status: z.string() })
      .parse(await call('POST', `/v1/messages/${messageId}/reply`, { key, body }))
    result(`202: ${accepted.id} is ${accepted.status}`)
    const raw = await sink.next
    const shown = raw.split('\r\n').filter((line) => /^(DKIM-Signature|From|To|Subject|In-Reply-To):/i.test(line))
    result(`the other mail server has it:\n${shown.map((line) => `  ${line}`).join('\n')}`)

    step('8. The outcome is an event too')
    command(`curl '${url}/v1/events?after=${event.seq}&wait=30' -H 'Authorization: Bearer ${key}'`)
    result(await outcome(key, event.seq, accepted.id))
  }

  async function outcome(key: string, after: number, id: string): Promise<string> {
    const statuses: string[] = []
    while (performance.now() - started < 55_000) {
      const page = eventsShape.parse(await call('GET', `/v1/events?after=${after}&wait=10`, { key }))
      for (const event of page.data) {
        after = event.seq
        if (event.type !== 'message.status' || event.data['message_id'] !== id) continue
        statuses.push(String(event.data['status']))
        if (statuses.at(-1) === 'delivered') return `message.status: ${statuses.join(' → ')}`
      }
    }
    throw new Error(`the reply was not delivered in time: ${statuses.join(' → ')}`)
  }
}

async function ready(url: string, daemon: { exitCode: number | null }): Promise<void> {
  for (let tries = 0; tries < 200 && daemon.exitCode === null; tries++) {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the daemon did not get ready')
}

await main()
