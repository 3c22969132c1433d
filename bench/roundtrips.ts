/**
 * Round trips to a shared database (store.url) that a request waits for: of a daemon that is alone, and of one beside which another works, so that each
 * read has to be validated. Counts: the least of several runs, since heartbeats and the index have round trips of their own meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { approvedAgent, claim, waitForEvent, type Agent } from '../test/support/agent.js'
import type { Daemon } from '../test/support/daemon.js'
import { startCluster } from '../test/support/nodes.js'
import { startPeer } from '../test/support/peers/peer-server.js'
import { postgresPeer } from '../test/support/peers/postgres.js'
import { deliver } from '../test/support/peers/smtp.js'
import { storeCounts } from './support/counts.js'
import { lengthOf } from './support/length.js'
import { table } from './support/table.js'

const RUNS = lengthOf(8, 3)
/** Longer than what follows a request, such as the index. */
const SETTLE_MS = 3_000
/** Between two looks at the log; shorter than what follows an attempt. */
const LOOK_MS = 5
/** Max round trips while others work. */
const AIMS: Record<string, number> = {
  'mail in, until the 250': 4,
  'send, until the 202': 5,
  'send, after the relay changed the mailbox': 5,
  'outcome of a delivery, until it is logged': 2,
  'GET /v1/threads': 2,
  'GET /v1/threads after a change': 2,
  'claim, challenge included': 3,
}

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

/**
 * @param roles of the daemons; the first one takes mail and requests, the last one delivers
 * @returns round trips by request
 */
async function measure(roles: readonly string[]): Promise<Map<string, number>> {
  const peer = await startHoldingPeer()
  const cluster = await startCluster({
    'relay.smarthost': `127.0.0.1:${peer.port}`,
    'relay.allow_private_addresses': 'true',
  })
  try {
    const daemons: Daemon[] = []
    for (const each of roles) daemons.push(await cluster.add({ 'server.roles': each }))
    const [daemon, relay] = [daemons[0], daemons.at(-1)]
    if (!daemon || !relay) throw new Error('no daemon')
    const agent = await approvedAgent(daemon, 'ada-agent', 'owner@example.org')
    await deliver(daemon.smtpPort, { to: [agent.address], subject: 'first', text: 'first' })
    const first = await sends(agent, -1)
    await waitForEvent(agent, ({ data }) => data.message_id === first && data.status === 'delivered')
    const counts = new Map<string, number>()
    // Of the metrics themselves.
    const counting = await least(daemon, async () => undefined)
    const add = async (what: keyof typeof AIMS, work: Work, before?: Work, of = daemon): Promise<void> => {
      counts.set(what, (await least(of, work, before)) - counting)
    }
    const receive: Work = (run) =>
      deliver(daemon.smtpPort, { to: [agent.address], subject: `Hello ${run}`, text: 'Hello.' })
    await add('mail in, until the 250', receive)
    const send: Work = (run) => sends(agent, run)
    await add('send, after the relay changed the mailbox', send)
    peer.hold()
    await add('send, until the 202', send, send)
    peer.letGo()
    const attempts = (): number => relay.output().split('"delivery attempt"').length
    const letGo = async (): Promise<void> => {
      const before = attempts()
      peer.letGo()
      while (attempts() === before) await pause(LOOK_MS)
    }
    const sendHeld: Work = (run) => {
      peer.hold()
      return sends(agent, run)
    }
    await add('outcome of a delivery, until it is logged', letGo, sendHeld, relay)
    await add('GET /v1/threads', () => agent.call('GET', '/v1/threads'))
    await add('GET /v1/threads after a change', () => agent.call('GET', '/v1/threads'), receive)
    await add('claim, challenge included', (run) => claim(daemon, `claimed-${run}`))
    return counts
  } finally {
    await cluster.stop()
    await peer.close()
  }
}

export async function roundtrips(): Promise<string> {
  const { skip } = await postgresPeer()
  if (skip !== false) return `## Round trips to PostgreSQL\n\nSkipped: ${skip}.\n`
  const [alone, beside] = await Promise.all([measure(['mx,api,relay,jobs']), measure(['mx,api', 'mx,api,relay,jobs'])])
  const rows = Object.entries(AIMS).map(([what, aim]) => ({
    what,
    value: `alone ${alone.get(what)}`,
    beside: `beside another daemon ${beside.get(what)}`,
    ratio: `aim ${aim}`,
  }))
  return table('Round trips to PostgreSQL', rows)
}
