/**
 * What nodes cost: CPU time of the daemons and of the database for the same mail, in and out, with the embedded store and with 1, 2 and 4 nodes on one
 * PostgreSQL; and that of a second in which nothing happens. All on this machine.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { approvedAgent, type Agent } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import { startCluster } from '../test/support/nodes.js'
import { startDnsServer } from '../test/support/peers/dns-server.js'
import { postgresPeer } from '../test/support/peers/postgres.js'
import { startSink, type Sink } from './peers/sink.js'
import { cpuMs, serverCpuMs } from './processes/process.js'
import { countsPer, storeCounts, sumOf, type StoreCounts } from './support/counts.js'
import { isShort, lengthOf, messagesOf } from './support/length.js'
import { startLoad, type Load } from './support/load.js'
import { SENDER_DOMAIN } from './support/messages.js'
import { post } from './support/post.js'
import { table, type Row } from './support/table.js'

/** Of each lane, in and as many out. */
const MESSAGES = messagesOf(300, 10)
const WARM_UP = lengthOf(100, 5)
/** Streams of mail at the same time, whatever the number of nodes: the work is the same. */
const LANES = 4
const CONNECTIONS = 5
const BODY_BYTES = 4096
const NODES = isShort ? [1, 2] : [1, 2, 4]
/** Longer than what follows the mail, such as the index. */
const SETTLE_MS = lengthOf(8_000, 3_000)
const IDLE_MS = lengthOf(20_000, 5_000)

interface Bench {
  sink: Sink
  loads: Load[]
  settings: Record<string, string>
}

/** In milliseconds. */
interface Cpu {
  daemons: number
  database: number
}

/** Of a message, and of a second without any. */
interface Costs {
  name: string
  message: Cpu
  /** Of all nodes together, for a message. */
  counts: StoreCounts
  idle: Cpu
}

/** Mail comes in to a mailbox at one node and leaves it at another, where there are two. */
async function work({ sink, loads }: Bench, daemons: Daemon[], agents: Agent[], messages: number, seed: number) {
  const nodeOf = (lane: number): Daemon => daemons[lane % daemons.length] as Daemon
  const before = sink.taken()
  await Promise.all(
    loads.map(async (load, lane) => {
      const to = agents[lane]?.address ?? ''
      await load.write({ seed: seed * LANES + lane, messages, bytes: BODY_BYTES, to })
    }),
  )
  await Promise.all(
    loads.map(async (load, lane) => {
      const { refused } = await load.pour({ port: nodeOf(lane).smtpPort, connections: CONNECTIONS })
      if (Object.keys(refused).length > 0) throw new Error(JSON.stringify(refused))
    }),
  )
  await Promise.all(
    agents.map(({ key }, lane) =>
      post({
        url: nodeOf(lane + 1).url,
        keys: [key],
        connections: CONNECTIONS,
        seed: seed * LANES + lane,
        messages,
        bytes: BODY_BYTES,
        domains: ['one.example', 'two.example'],
      }),
    ),
  )
  await sink.reached(before + messages * LANES)
  await pause(SETTLE_MS)
}

async function costsOf(
  bench: Bench,
  name: string,
  daemons: Daemon[],
  databaseMs: () => Promise<number>,
): Promise<Costs> {
  const [first] = daemons
  if (!first) throw new Error('no daemon')
  const agents: Agent[] = []
  for (let lane = 0; lane < LANES; lane++) agents.push(await approvedAgent(first, `lane${lane}.agent`))

  async function during(what: () => Promise<unknown>): Promise<Cpu> {
    const read = async (): Promise<Cpu> => ({
      daemons: (await Promise.all(daemons.map((daemon) => cpuMs(daemon.pid())))).reduce((sum, ms) => sum + ms, 0),
      database: await databaseMs(),
    })
    const before = await read()
    await what()
    const after = await read()
    return { daemons: after.daemons - before.daemons, database: after.database - before.database }
  }
  const per = ({ daemons: own, database }: Cpu, count: number): Cpu => ({
    daemons: own / count,
    database: database / count,
  })

  const counted = async (): Promise<StoreCounts> => sumOf(await Promise.all(daemons.map(storeCounts)))

  // As many at each node, so that the code of all is compiled alike.
  await work(bench, daemons, agents, WARM_UP * daemons.length, 1)
  const before = await counted()
  const mail = await during(() => work(bench, daemons, agents, MESSAGES, 2))
  const counts = countsPer(before, await counted(), 2 * MESSAGES * LANES)
  const idle = await during(() => pause(IDLE_MS))
  return { name, message: per(mail, 2 * MESSAGES * LANES), counts, idle: per(idle, IDLE_MS / 1000) }
}

async function embedded(bench: Bench): Promise<Costs> {
  const daemon = await startDaemon(bench.settings)
  try {
    return await costsOf(bench, 'LMDB, 1 daemon', [daemon], async () => 0)
  } finally {
    await daemon.remove()
  }
}

async function shared(bench: Bench, count: number): Promise<Costs> {
  const cluster = await startCluster(bench.settings)
  try {
    const daemons: Daemon[] = []
    for (let n = 0; n < count; n++) daemons.push(await cluster.add())
    const [postmaster] = (await readFile(join(cluster.postgres.dir, 'data', 'postmaster.pid'), 'utf8')).split('\n')
    const name = `PostgreSQL, ${count} ${count === 1 ? 'node' : 'nodes'}`
    return await costsOf(bench, name, daemons, () => serverCpuMs(Number(postmaster)))
  } finally {
    await cluster.stop()
  }
}

export async function nodes(): Promise<string> {
  const { skip } = await postgresPeer()
  if (skip !== false) return `## Nodes\n\nSkipped: ${skip}.\n`
  const dns = await startDnsServer({
    [SENDER_DOMAIN]: { TXT: ['v=spf1 ip4:127.0.0.0/8 -all'], MX: [{ priority: 10, exchange: `mx.${SENDER_DOMAIN}` }] },
    [`mx.${SENDER_DOMAIN}`]: { A: ['127.0.0.1'] },
  })
  const sink = await startSink()
  const loads = Array.from({ length: LANES }, () => startLoad())
  const settings = {
    'server.dns': dns.address,
    'relay.smarthost': `127.0.0.1:${sink.port}`,
    'relay.allow_private_addresses': 'true',
    'limits.new_recipients_per_day': '1000000',
    'limits.requests_per_minute': '1000000',
    'limits.account_requests_per_minute': '1000000',
  }
  const bench = { sink, loads, settings }
  try {
    const all = [await embedded(bench)]
    for (const count of NODES) all.push(await shared(bench, count))
    const alone = all[0]?.message.daemons ?? Number.NaN
    const rows = all.map(({ name, message, idle }): Row => {
      const sum = message.daemons + message.database
      return {
        what: name,
        value: `a message: daemons ${message.daemons.toFixed(2)} ms, database ${message.database.toFixed(2)} ms, sum ${sum.toFixed(2)} ms`,
        beside: `an idle second: daemons ${idle.daemons.toFixed(1)} ms, database ${idle.database.toFixed(1)} ms`,
        ratio: `daemons ${(message.daemons / alone).toFixed(2)} times those of LMDB`,
      }
    })
    const counted = all.map(({ name, counts }): Row => ({
      what: name,
      value: `${counts.roundTrips} round trips, ${counts.commits} commits`,
      beside: `${counts.gets} rows and ${counts.ranges} ranges asked for, most of them known; ${counts.rows} rows written`,
    }))
    return [
      table(`Nodes: CPU of ${MESSAGES * LANES} messages in and as many out`, rows),
      table('Nodes: counts for a message, of all nodes together', counted),
    ].join('\n')
  } finally {
    for (const load of loads) await load.stop()
    await sink.stop()
    await dns.close()
  }
}
