/**
 * Messages a second with everything on: SPF, an RSA-2048 signature, DMARC, parsing, threading, a durable store; beside the receivers people run
 * today on the same mail, from the same sender, with the same DNS server, in the same run. Rounds take turns, so that a busy minute of the machine
 * meets everybody.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { approvedAgent, type Agent } from '../test/support/agent.js'
import { startClamd } from '../test/support/peers/clamd.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import { startDnsServer, type DnsServer } from '../test/support/peers/dns-server.js'
import { startHaraka } from './peers/haraka.js'
import { lengthOf, messagesOf, roundsOf } from './support/length.js'
import { startLoad, type Load } from './support/load.js'
import { makeSigningKey, SELECTOR, SENDER_DOMAIN } from './support/messages.js'
import { CLAMD, missingPrograms, RECEIVER_STACK } from './support/programs.js'
import { startPostfixStack } from './peers/postfix-stack.js'
import { cpuMs } from './processes/process.js'
import { median, percentile, table, type Row } from './support/table.js'

const CONNECTIONS = 50
const MESSAGES = messagesOf(2000, 100)
const ROUNDS = roundsOf(3)
const WARM_UP = lengthOf(300, 50)
const BODY_BYTES = 4096
const TO = 'bench.agent@agents.test'

interface Contestant {
  name: string
  port: number
  cpuMs(): Promise<number>
  /** Resolves when all it took is where it belongs. */
  settled(count: number): Promise<void>
  rates: number[]
  settledRates: number[]
  cpu: number[]
  latencies: number[]
  taken: number
}

function contestant(
  what: Pick<Contestant, 'name' | 'port' | 'cpuMs'> & { settled?: Contestant['settled'] },
): Contestant {
  return { settled: async () => undefined, rates: [], settledRates: [], cpu: [], latencies: [], taken: 0, ...what }
}

let servers = 0

export async function benchDns(record: string): Promise<DnsServer> {
  // An address of its own at port 53, which Debian's daemons and Node's resolver insist on.

  const host = `127.${100 + (servers++ % 100)}.${(process.pid >> 8) & 255}.${process.pid & 255 || 1}`
  const zone = {
    [SENDER_DOMAIN]: { TXT: ['v=spf1 ip4:127.0.0.0/8 -all'] },
    [`client.${SENDER_DOMAIN}`]: { A: ['127.0.0.1'], TXT: ['v=spf1 ip4:127.0.0.0/8 -all'] },
    [`${SELECTOR}._domainkey.${SENDER_DOMAIN}`]: { TXT: [record] },
    [`_dmarc.${SENDER_DOMAIN}`]: { TXT: ['v=DMARC1; p=reject'] },
  }
  return startDnsServer(zone, { listen: { host, port: 53 } })
}

export async function receiver(): Promise<string> {
  const stops: (() => Promise<unknown>)[] = []
  const dir = await mkdtemp(join(tmpdir(), 'restante-bench-'))
  stops.push(() => rm(dir, { recursive: true, force: true }))
  try {
    const key = makeSigningKey()
    const dns = await benchDns(key.record)
    stops.push(() => dns.close())
    const load = startLoad()
    stops.push(() => load.stop())
    const [all, proofs] = await contestants(dns, stops)
    const notes = all.flatMap((each) => (typeof each === 'string' ? [each] : []))
    const present = all.filter((each) => typeof each !== 'string')

    const batch = { to: TO, bytes: BODY_BYTES, pem: key.pem }
    await load.write({ ...batch, seed: 0, messages: WARM_UP })
    for (const each of present) await measure(each, load, WARM_UP)
    for (const proof of proofs) notes.push(await proof())
    for (const each of present) Object.assign(each, { rates: [], settledRates: [], cpu: [], latencies: [] })
    for (let round = 1; round <= ROUNDS; round++) {
      await load.write({ ...batch, seed: round, messages: MESSAGES })
      for (const each of present) await measure(each, load, MESSAGES)
    }
    return report(present, notes)
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

/** The servers to compare, or a sentence for each one that is missing; and a function for each that shows it makes the checks it should. */
async function contestants(
  dns: DnsServer,
  stops: (() => Promise<unknown>)[],
): Promise<[(Contestant | string)[], (() => Promise<string>)[]]> {
  const nameserver = dns.address.replace(/:53$/, '')
  const settings = { 'server.dns': dns.address }
  const proofs: (() => Promise<string>)[] = []

  async function ours(name: string, more: Record<string, string>): Promise<Contestant> {
    const daemon = await startDaemon({ ...settings, ...more })
    stops.push(() => daemon.remove())
    const agent = await approvedAgent(daemon, 'bench.agent')
    proofs.push(() => proveOurs(name, agent))
    return contestant({
      name,
      port: daemon.smtpPort,
      cpuMs: () => cpuMs(daemon.pid()),
      settled: storedBy(daemon, agent),
    })
  }

  const all: (Contestant | string)[] = [await ours('Restante', {})]
  if (missingPrograms([CLAMD]).length > 0) all.push('clamd is missing.')
  else {
    const clamd = await startClamd()
    stops.push(() => clamd.stop())
    all.push(await ours('Restante with clamd', { 'scan.clamav': clamd.socket }))
  }
  const missing = missingPrograms(RECEIVER_STACK)
  if (missing.length > 0) all.push(`The Postfix stack is missing: ${missing.join(', ')}.`)
  else {
    const stack = await startPostfixStack('agents.test', nameserver)
    stops.push(() => stack.stop())
    proofs.push(async () => `Postfix stack: ${proven(await stack.stored(), ['spf=pass', 'dkim=pass', 'dmarc=pass'])}.`)
    const settled = async (count: number): Promise<void> => {
      while ((await stack.delivered()) < count) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    all.push(contestant({ name: 'Postfix, policyd-spf, OpenDKIM, OpenDMARC, Maildir', ...stack, settled }))
  }
  const haraka = await startHaraka(nameserver)
  if (!haraka && process.env['REQUIRE_PEERS'] === '1') throw new Error('npm could not install Haraka')
  if (!haraka) all.push('Haraka is missing: npm could not install it.')
  else {
    stops.push(() => haraka.stop())
    proofs.push(async () => `Haraka: ${proven(await haraka.shown(), ['spf=pass', 'dkim=pass'])}.`)
    all.push(contestant({ name: 'Haraka, SPF and DKIM, stores nothing', ...haraka }))
  }
  return [all, proofs]
}

async function measure(each: Contestant, load: Load, messages: number): Promise<void> {
  const [cpuBefore, begun] = [await each.cpuMs(), performance.now()]
  const poured = await load.pour({ port: each.port, connections: CONNECTIONS })
  const refused = Object.entries(poured.refused)
  if (refused.length > 0)
    throw new Error(`${each.name} refused: ${JSON.stringify(refused.slice(0, 3))} of ${refused.length} kinds`)
  each.taken += messages
  await each.settled(each.taken)
  each.rates.push((messages * 1000) / poured.ms)
  each.settledRates.push((messages * 1000) / (performance.now() - begun))
  each.cpu.push(((await each.cpuMs()) - cpuBefore) / messages)
  each.latencies.push(...poured.latenciesMs)
}

/** Fails when what was acknowledged is not stored. */
function storedBy(daemon: Daemon, agent: Agent): Contestant['settled'] {
  return async (count) => {
    const stored = (await agent.call('GET', '/v1/account/usage')).body.messages.received
    if (stored !== count) throw new Error(`${daemon.dataDir}: ${stored} messages stored of ${count}`)
  }
}

async function proveOurs(name: string, agent: Agent): Promise<string> {
  const thread = (await agent.call('GET', '/v1/threads?limit=1')).body.data[0]
  const { auth, scan } = (await agent.call('GET', `/v1/messages/${thread.last_message_id}`)).body
  const results = `spf=${auth.spf} dkim=${auth.dkim} dmarc=${auth.dmarc}`
  return `${name}: ${proven(results, ['spf=pass', 'dkim=pass', 'dmarc=pass'])}, virus ${scan.virus}.`
}

/** @throws Error when one of the results is not there: then the figure means nothing */
function proven(text: string, results: string[]): string {
  const absent = results.filter((result) => !text.includes(result))
  if (absent.length > 0) throw new Error(`no ${absent.join(', ')} in:\n${text.slice(0, 4000)}`)
  return results.join(', ')
}

function report(present: Contestant[], notes: string[]): string {
  const own = median(present[0]?.rates ?? [])
  const rows = present.map((each, n): Row => {
    const rate = median(each.rates)
    const settled = each.name.startsWith('Postfix') ? `; ${median(each.settledRates).toFixed(0)}/s in the mailbox` : ''
    return {
      what: each.name,
      value: `${rate.toFixed(0)}/s${settled}`,
      beside: `${median(each.cpu).toFixed(2)} ms CPU a message; reply within ${percentile(each.latencies, 0.5).toFixed(0)} ms (median), ${percentile(each.latencies, 0.99).toFixed(0)} ms (99 %)`,
      ratio: n === 0 ? '' : `Restante takes ${(own / rate).toFixed(2)} times as many`,
    }
  })
  const title = `Mail in, everything on (median of ${ROUNDS} rounds of ${MESSAGES} messages of 4 KB, ${CONNECTIONS} connections)`
  return `${table(title, rows)}\nShown on a message of each: ${notes.join(' ')}\n`
}
