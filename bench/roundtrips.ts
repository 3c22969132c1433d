/**
 * Round trips to a shared database (store.url) that a request waits for. Counts: the least of several runs, since the heartbeat and the index have round
 * trips of their own meanwhile. `BENCH_DAEMONS=2`: of a daemon beside which another one works on the same database, so that each read has to be validated.
 */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { approvedAgent, claim, waitForEvent, type Agent } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import { startPeer } from '../test/support/peers/peer-server.js'
import { postgresPeer, startPostgres } from '../test/support/peers/postgres.js'
import { deliver } from '../test/support/peers/smtp.js'
import { storeCounts } from './support/counts.js'
import { lengthOf } from './support/length.js'
import { table, type Row } from './support/table.js'

const DAEMONS = Number(process.env['BENCH_DAEMONS'] ?? 1)
const RUNS = lengthOf(8, 3)
/** Longer than what follows a request, such as the index. */
const SETTLE_MS = 3_000
/** Between two looks at the log; shorter than what follows an attempt. */
const LOOK_MS = 5
/** What all daemons on one database have in common, besides the database. */
const SHARED = ['secrets', 'dkim']

type Work = (run: number) => Promise<unknown>

/** @param before is not counted */
async function least(daemon: Daemon, work: Work, before: Work = async () => undefined): Promise<number> {
  const counts: number[] = []
  for (let run = 0; run < RUNS; run++) {
    await before(run)
    await pause(SETTLE_MS)
    const { roundTrips } = await storeCounts(daemon)
    await work(run)
    counts.push((await storeCounts(daemon)).roundTrips - roundTrips)
  }
  return Math.min(...counts)
}

async function sends(agent: Agent, run: number): Promise<string> {
  const sent = await agent.call('POST', '/v1/send', {
    to: ['friend@example.org'],
    subject: `Letter ${run}`,
    text: 'Hello.',
  })
  if (sent.status !== 202) throw new Error(JSON.stringify(sent.body))
  return sent.body.id
}

/** A server that keeps its reply to each message back until it is let go. */
async function startHoldingPeer() {
  let isHolding = false
  const held: (() => void)[] = []
  const peer = await startPeer({
    hold: () => (isHolding ? new Promise((resolve) => held.push(resolve)) : Promise.resolve()),
  })
  return {
    port: peer.port,
    close: peer.close,
    hold: () => (isHolding = true),
    letGo: () => {
      isHolding = false
      for (const resolve of held.splice(0)) resolve()
    },
  }
}

/** @returns the first, which is measured, and all */
async function startDaemons(settings: Record<string, string>): Promise<[Daemon, Daemon[]]> {
  const first = await startDaemon(settings)
  const all = [first]
  for (let n = 1; n < DAEMONS; n++) {
    const dataDir = `${first.dataDir}-${n}`
    for (const name of SHARED) await cp(join(first.dataDir, name), join(dataDir, name), { recursive: true })
    all.push(await startDaemon({ ...settings, 'server.data_dir': dataDir }))
  }
  return [first, all]
}

export async function roundtrips(): Promise<string> {
  const { skip } = await postgresPeer()
  if (skip !== false) return `## Round trips to PostgreSQL\n\nSkipped: ${skip}.\n`
  const peer = await startHoldingPeer()
  const postgres = await startPostgres()
  const [daemon, daemons] = await startDaemons({
    'store.url': postgres.url(),
    'relay.smarthost': `127.0.0.1:${peer.port}`,
    'relay.allow_private_addresses': 'true',
  })
  try {
    const agent = await approvedAgent(daemon, 'ada-agent', 'owner@example.org')
    await deliver(daemon.smtpPort, { to: [agent.address], subject: 'first', text: 'first' })
    const first = await sends(agent, -1)
    await waitForEvent(agent, ({ data }) => data.message_id === first && data.status === 'delivered')
    const rows: Row[] = []
    // Of the metrics themselves.
    const counting = await least(daemon, async () => undefined)
    const add = async (what: string, aim: number, work: Work, before?: Work): Promise<void> => {
      rows.push({ what, value: String((await least(daemon, work, before)) - counting), ratio: `aim ${aim}` })
    }
    const receive: Work = (run) =>
      deliver(daemon.smtpPort, { to: [agent.address], subject: `Hello ${run}`, text: 'Hello.' })
    await add('mail in, until the 250', 4, receive)
    await add('send, until the 202', 5, (run) => sends(agent, run))
    const attempts = (): number => daemon.output().split('"delivery attempt"').length
    const letGo = async (): Promise<void> => {
      const before = attempts()
      peer.letGo()
      while (attempts() === before) await pause(LOOK_MS)
    }
    const sendHeld: Work = (run) => {
      peer.hold()
      return sends(agent, run)
    }
    await add('outcome of a delivery, until it is logged', 2, letGo, sendHeld)
    await add('GET /v1/threads', 2, () => agent.call('GET', '/v1/threads'))
    await add('GET /v1/threads after a change', 2, () => agent.call('GET', '/v1/threads'), receive)
    await add('claim, challenge included', 3, (run) => claim(daemon, `claimed-${run}`))
    return table(`Round trips to PostgreSQL, daemons at work: ${DAEMONS}`, rows)
  } finally {
    for (const each of daemons) await each.remove()
    await postgres.stop()
    await peer.close()
  }
}
