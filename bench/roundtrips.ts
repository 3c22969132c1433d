/**
 * Round trips to a shared database (store.url) that a request waits for. Counts: the least of several runs, since the heartbeat and the index have round
 * trips of their own meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { approvedAgent, claim, waitForEvent, type Agent } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import { postgresPeer, startPostgres } from '../test/support/peers/postgres.js'
import { deliver } from '../test/support/peers/smtp.js'
import { startSink } from './peers/sink.js'
import { storeCounts } from './support/counts.js'
import { lengthOf } from './support/length.js'
import { table, type Row } from './support/table.js'

const RUNS = lengthOf(8, 3)
/** Longer than what follows a request, such as the index. */
const SETTLE_MS = 3_000

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

export async function roundtrips(): Promise<string> {
  const { skip } = await postgresPeer()
  if (skip !== false) return `## Round trips to PostgreSQL\n\nSkipped: ${skip}.\n`
  const sink = await startSink()
  const postgres = await startPostgres()
  const daemon = await startDaemon({
    'store.url': postgres.url(),
    'relay.smarthost': `127.0.0.1:${sink.port}`,
    'relay.allow_private_addresses': 'true',
  })
  try {
    const agent = await approvedAgent(daemon, 'ada-agent', 'owner@example.org')
    await deliver(daemon.smtpPort, { to: [agent.address], subject: 'first', text: 'first' })
    const first = await sends(agent, -1)
    await waitForEvent(agent, ({ data }) => data.message_id === first && data.status === 'delivered')
    const rows: Row[] = []
    const add = async (what: string, aim: number, work: Work, before?: Work): Promise<void> => {
      rows.push({ what, value: String(await least(daemon, work, before)), ratio: `aim ${aim}` })
    }
    const receive: Work = (run) =>
      deliver(daemon.smtpPort, { to: [agent.address], subject: `Hello ${run}`, text: 'Hello.' })
    await add('mail in, until the 250', 4, receive)
    await add('send, until the 202', 5, (run) => sends(agent, run))
    await add('GET /v1/threads', 2, () => agent.call('GET', '/v1/threads'))
    await add('GET /v1/threads after a change', 2, () => agent.call('GET', '/v1/threads'), receive)
    await add('claim, challenge included', 3, (run) => claim(daemon, `claimed-${run}`))
    return table('Round trips to PostgreSQL', rows)
  } finally {
    await daemon.remove()
    await postgres.stop()
    await sink.stop()
  }
}
