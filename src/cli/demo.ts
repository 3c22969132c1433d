/**
 * `npm run demo`: the whole story in a terminal, against a real daemon on free ports with a temporary data folder: claim, approve, receive, wait, reply, and
 * the reply's arrival at another mail server. Each step prints its command.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { Restante, solve } from '#client'

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

/** The other mail server: accepts and keeps everything. */
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
    // A sixteenth of the default work, so that the demo takes seconds.
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

  async function tellStory(): Promise<void> {
    await ready(url, daemon)
    result(`listening: HTTP ${url}, SMTP 127.0.0.1:${smtp}, data in ${dataDir}`)

    step('2. An agent asks for a challenge and solves it')
    command(`curl ${url}/v1/claim/challenge`)
    const stranger = new Restante({ baseUrl: url })
    const { challenge, difficulty } = await stranger.call('getClaimChallenge', {})
    const nonce = await solve(challenge, difficulty)
    result(`SHA-256("<challenge>:${nonce}") starts with ${difficulty} zero bits`)

    step('3. It claims an address, with no account')
    const claimBody = { name: 'ada.agent', challenge, nonce, agent_name: 'Ada' }
    command(`curl ${url}/v1/claim -H 'Content-Type: application/json' -d '${JSON.stringify(claimBody)}'`)
    const { address, api_key: key, claim_url } = await stranger.call('claimMailbox', { body: claimBody })
    const agent = new Restante({ baseUrl: url, apiKey: key })
    result(`${address} is yours once a human has approved it: ${claim_url}`)

    step('4. A human approves')
    command(`bin/restante claim approve ${address} ${args.slice(0, 6).join(' ')}`)
    const approved = await promisify(execFile)(process.execPath, [BIN, 'claim', 'approve', address, ...args])
    result(approved.stdout.trim())

    step('5. The agent waits for mail; somebody writes to it')
    command(`curl '${url}/v1/events?types=message.received&wait=30' -H 'Authorization: Bearer ${key}'`)
    const before = (await agent.call('getMailbox', {})).last_event_seq
    const waiting = agent.call('listEvents', { query: { after: before, wait: 30 } })
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
    const event = (await waiting).data[0]
    if (!event) throw new Error('the wait ended without an event')
    result(`the waiting call answers: ${event.type} ${JSON.stringify(event.data)}`)

    step('6. It reads the message')
    const messageId = String(event.data['message_id'])
    command(`curl ${url}/v1/messages/${messageId} -H 'Authorization: Bearer ${key}'`)
    const message = await agent.call('getMessage', { params: { id: messageId } })
    result(`${message.subject}\n${message.extracted_text}\nauth: ${JSON.stringify(message.auth)}`)

    step('7. It answers; the daemon checks, signs and relays')
    const body = { text: 'Noon is fine. See you there.' }
    command(
      `curl ${url}/v1/messages/${messageId}/reply -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
    )
    const accepted = await agent.reply(messageId, body)
    if ('review' in accepted) throw new Error('The answer waits for approval, which nobody asked for')
    result(`202: ${accepted.id} is ${accepted.status}`)
    const raw = await sink.next
    const shown = raw.split('\r\n').filter((line) => /^(DKIM-Signature|From|To|Subject|In-Reply-To):/i.test(line))
    result(`the other mail server has it:\n${shown.map((line) => `  ${line}`).join('\n')}`)

    step('8. The outcome is an event too')
    command(`curl '${url}/v1/events?after=${event.seq}&wait=30' -H 'Authorization: Bearer ${key}'`)
    result(await outcome(agent, event.seq, accepted.id))
  }

  async function outcome(agent: Restante, after: number, id: string): Promise<string> {
    const statuses: string[] = []
    while (performance.now() - started < 55_000) {
      const page = await agent.call('listEvents', { query: { after, wait: 10 } })
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
  for (let tries = 0; tries < 1200 && daemon.exitCode === null; tries++) {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the daemon did not get ready')
}

await main()
