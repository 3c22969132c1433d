/**
 * Mail out: signed and delivered messages of 4 KB a second to Postfix's `smtp-sink`, beside Postfix with OpenDKIM on mail of the same kind;
 * what dead destinations cost the living ones; and what a message costs in commits, bytes and CPU time on its way.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { approvedAgent } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import { startDnsServer } from '../test/support/peers/dns-server.js'
import { freePort } from '../test/support/ports.js'
import { lengthOf, messagesOf, roundsOf } from './support/length.js'
import { startLoad } from './support/load.js'
import { makeSigningKey } from './support/messages.js'
import { startPostfixRelay } from './peers/postfix-relay.js'
import { missingPrograms, RELAY_STACK } from './support/programs.js'
import { post } from './support/post.js'
import { cpuMs } from './processes/process.js'
import type { PathCost } from './processes/send-path-process.js'
import { startSink, type Sink } from './peers/sink.js'
import { median, table, type Row } from './support/table.js'

const MESSAGES = messagesOf(2000, 200)
const ROUNDS = roundsOf(3)
const WARM_UP = lengthOf(200, 50)
/** A stream beside dead destinations takes so long at least. */
const STREAM_SECONDS = lengthOf(12, 1)
const BODY_BYTES = 4096
/** Connections that messages come in over, and the most that they go out over. */
const CONNECTIONS = 20
const AGENTS = ['ada', 'bela', 'carla', 'dinesh', 'emeka']

const NO_LIMITS = {
  'limits.new_recipients_per_day': '1000000',
  'limits.requests_per_minute': '1000000',
  'limits.account_requests_per_minute': '1000000',
}

export async function relay(): Promise<string> {
  return [await besidePostfix(), await withDeadDestinations(), await costOnTheWay()].join('\n')
}

interface Contestant {
  name: string
  sink: Sink
  submit(messages: number, seed: number): Promise<unknown>
  cpuMs(): Promise<number>
  rates: number[]
  cpu: number[]
}

async function besidePostfix(): Promise<string> {
  const stops: (() => Promise<unknown>)[] = []
  const dir = await mkdtemp(join(tmpdir(), 'restante-bench-'))
  stops.push(() => rm(dir, { recursive: true, force: true }))
  try {
    await chmod(dir, 0o777)
    const all: Contestant[] = []
    const notes: string[] = []

    const ourPort = await freePort()
    const daemon = await startDaemon({
      ...NO_LIMITS,
      'relay.smarthost': `127.0.0.1:${ourPort}`,
      'relay.per_destination': String(CONNECTIONS),
      'relay.concurrency': String(CONNECTIONS),
    })
    stops.push(() => daemon.remove())
    const keys = await approvedKeys(daemon)
    const submit = (messages: number, seed: number): Promise<number> =>
      post({ url: daemon.url, keys, connections: CONNECTIONS, seed, messages, bytes: BODY_BYTES, domains: PEERS })
    notes.push(await proof(join(dir, 'ours'), ourPort, submit, 'Restante', ['a=rsa-sha256', 'a=ed25519-sha256']))
    const ourSink = await startSink({ port: ourPort })
    stops.push(() => ourSink.stop())
    all.push({ name: 'Restante', sink: ourSink, submit, cpuMs: () => cpuMs(daemon.pid()), rates: [], cpu: [] })

    const missing = missingPrograms(RELAY_STACK)
    if (missing.length > 0) notes.push(`Postfix with OpenDKIM is missing: ${missing.join(', ')}.`)
    else {
      const theirPort = await freePort()
      const load = startLoad()
      stops.push(() => load.stop())
      const postfix = await startPostfixRelay(theirPort, CONNECTIONS, makeSigningKey().pem)
      stops.push(() => postfix.stop())
      const submit = async (messages: number, seed: number): Promise<void> => {
        await load.write({ seed, messages, bytes: BODY_BYTES, to: `person@${PEERS[0] ?? ''}` })
        await load.pour({ port: postfix.port, connections: CONNECTIONS })
      }
      notes.push(await proof(join(dir, 'theirs'), theirPort, submit, 'Postfix', ['a=rsa-sha256']))
      const theirSink = await startSink({ port: theirPort })
      stops.push(() => theirSink.stop())
      all.push({ name: 'Postfix with OpenDKIM', sink: theirSink, submit, cpuMs: postfix.cpuMs, rates: [], cpu: [] })
    }

    for (const each of all) await measure(each, WARM_UP, 0)
    for (const each of all) Object.assign(each, { rates: [], cpu: [] })
    for (let round = 1; round <= ROUNDS; round++) for (const each of all) await measure(each, MESSAGES, round)
    const own = median(all[0]?.rates ?? [])
    const rows = all.map((each, n): Row => ({
      what: each.name,
      value: `${median(each.rates).toFixed(0)}/s`,
      beside: `${median(each.cpu).toFixed(2)} ms CPU a message`,
      ratio: n === 0 ? '' : `Restante delivers ${(own / median(each.rates)).toFixed(2)} times as many`,
    }))
    const title = `Mail out, signed (median of ${ROUNDS} rounds of ${MESSAGES} messages of 4 KB, submitted while they are delivered, ${CONNECTIONS} connections in and out)`
    return `${table(title, rows)}\nShown on a message of each: ${notes.join(' ')}\n`
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

const PEERS = ['one.example', 'two.example', 'three.example', 'four.example', 'five.example']

async function approvedKeys(daemon: Daemon): Promise<string[]> {
  const keys: string[] = []
  for (const name of AGENTS) keys.push((await approvedAgent(daemon, `${name}.agent`)).key)
  return keys
}

/** From the first message at the receiving server to the last. */
async function measure(each: Contestant, messages: number, seed: number): Promise<void> {
  const [cpuBefore, before] = [await each.cpuMs(), each.sink.taken()]
  const first = each.sink.reached(before + 1)
  await each.submit(messages, seed)
  const last = await each.sink.reached(before + messages)
  each.rates.push(((messages - 1) * 1000) / (last - (await first)))
  each.cpu.push(((await each.cpuMs()) - cpuBefore) / messages)
}

/** Sends one message into a file and checks that it has the expected signatures. */
async function proof(
  dump: string,
  port: number,
  submit: Contestant['submit'],
  name: string,
  tags: string[],
): Promise<string> {
  const sink = await startSink({ port, dump })
  try {
    await submit(1, 999)
    await sink.reached(1)
  } finally {
    await sink.stop()
  }
  const text = await readFile(dump, 'latin1')
  const absent = ['DKIM-Signature:', ...tags].filter((tag) => !text.includes(tag))
  if (absent.length > 0) throw new Error(`${name}: no ${absent.join(', ')} in:\n${text.slice(0, 3000)}`)
  return `${name}: signed with ${tags.map((tag) => tag.slice(2)).join(' and ')}.`
}

/** The same stream of messages in turn, all to living destinations and every other one to a dead one. */
async function withDeadDestinations(): Promise<string> {
  const stops: (() => Promise<unknown>)[] = []
  try {
    const sink = await startSink()
    stops.push(() => sink.stop())
    // Takes connections and never says a word.
    const tarpit = createServer((socket) => void socket.on('error', () => socket.destroy()))
    tarpit.listen(sink.port, '127.0.0.3')
    await once(tarpit, 'listening')
    stops.push(async () => tarpit.close())
    const living = PEERS
    const dead = living.map((domain) => `dead-${domain}`)
    const hosts = [...living.map(() => '127.0.0.1'), ...dead.map((_, n) => (n % 2 === 0 ? '127.0.0.2' : '127.0.0.3'))]
    const zone = [...living, ...dead].flatMap((domain, n) => [
      [domain, { MX: [{ priority: 10, exchange: `mx.${domain}` }] }],
      [`mx.${domain}`, { A: [hosts[n] ?? ''] }],
    ])
    const dns = await startDnsServer(Object.fromEntries(zone))
    stops.push(() => dns.close())
    const daemon = await startDaemon({
      ...NO_LIMITS,
      'server.dns': dns.address,
      'relay.port': String(sink.port),
      'relay.allow_private_addresses': 'true',
    })
    stops.push(() => daemon.remove())
    const keys = await approvedKeys(daemon)
    const stream = async (domains: string[], seed: number, messages: number, arriving: number): Promise<number> => {
      const before = sink.taken()
      const first = sink.reached(before + 1)
      const order = { url: daemon.url, keys, connections: CONNECTIONS, seed, messages, bytes: BODY_BYTES }
      await post({ ...order, domains })
      const last = await sink.reached(before + arriving)
      return ((arriving - 1) * 1000) / (last - (await first))
    }
    const half = living.flatMap((domain, n) => [domain, dead[n] ?? domain])
    // The pace is not known before, and a short stream ends before dead destinations have cost anything.
    const pace = await stream(living, 1, WARM_UP, WARM_UP)
    const count = 2 * Math.ceil(Math.max(MESSAGES, pace * STREAM_SECONDS) / 2)
    const [alone, mixed]: [number[], number[]] = [[], []]
    for (let round = 1; round <= ROUNDS; round++) {
      alone.push(await stream(living, 2 * round, count, count))
      mixed.push(await stream(half, 2 * round + 1, count, count / 2))
    }
    const halfAlone = median(alone) / 2
    const rows: Row[] = [
      {
        what: 'messages/s to living destinations, every other message to a dead one (refused, or a server that never speaks)',
        value: `${median(mixed).toFixed(0)}/s`,
        beside: `half of the same stream when all live: ${halfAlone.toFixed(0)}/s`,
        ratio: `${((1 - median(mixed) / halfAlone) * 100).toFixed(0)} % lost`,
      },
    ]
    return table(
      `Dead destinations (median of ${ROUNDS} rounds in turn of ${count} messages, settings as they come)`,
      rows,
    )
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

/** In a process of its own: `bench/processes/send-path-process.ts`. */
async function costOnTheWay(): Promise<string> {
  const child = fork(fileURLToPath(new URL('./processes/send-path-process.js', import.meta.url)), [String(MESSAGES)])
  const [cost] = (await once(child, 'message')) as [PathCost]
  if (child.exitCode === null) await once(child, 'exit')
  const rows = cost.written.map(([kind, { commits, rows, bytes }]): Row => ({
    what: `partitions \`${kind}\``,
    value: `${commits.toFixed(2)} commits, ${rows.toFixed(1)} rows, ${bytes.toFixed(0)} bytes`,
  }))
  const sum = (field: 'commits' | 'rows' | 'bytes'): number =>
    cost.written.reduce((total, [, each]) => total + each[field], 0)
  rows.push({
    what: 'all',
    value: `${sum('commits').toFixed(2)} commits, ${sum('rows').toFixed(1)} rows, ${sum('bytes').toFixed(0)} bytes`,
    beside: `${(cost.cpuUs / 1000).toFixed(2)} ms CPU a message, without the API`,
  })
  return table('What one message of 4 KB writes on its way out, commits shared with others counted in part', rows)
}
