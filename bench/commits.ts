/** What each story costs the store of an idle daemon, in commits, rows and bytes; and what a minute costs in which nothing happens. Counts, so no noise. */
import { setTimeout as pause } from 'node:timers/promises'
import { approvedAgent, claim, waitForEvent, type Agent } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import { deliver } from '../test/support/peers/smtp.js'
import { countsPer, storeCounts, type StoreCounts } from './support/counts.js'
import { startSink } from './peers/sink.js'
import { lengthOf } from './support/length.js'
import { table, type Row } from './support/table.js'

/** Longer than whatever follows a story takes, such as the index. */
const SETTLE_MS = 7_000
const IDLE_MS = lengthOf(60_000, 10_000)
/** Every eighth message merges the small pieces of the index: so many rounds have one such message. */
const ROUNDS = lengthOf(8, 1)

async function cost(daemon: Daemon, story: (round: number) => Promise<unknown>, rounds = ROUNDS): Promise<StoreCounts> {
  const before = await storeCounts(daemon)
  for (let round = 0; round < rounds; round++) {
    await story(round)
    await pause(SETTLE_MS)
  }
  return countsPer(before, await storeCounts(daemon), rounds)
}

/** @param first what the first form of the store took, which had no transaction over two partitions */
function rowOf(what: string, { commits, rows, bytes }: StoreCounts, first: string, aim: string): Row {
  return {
    what,
    value: `${commits} commits, ${rows} rows, ${(bytes / 1000).toFixed(1)} kB`,
    beside: `first form: ${first}`,
    ratio: aim,
  }
}

const text = (kilobytes: number): string => 'words of a letter that goes on. '.repeat(Math.round(kilobytes * 31))

async function mailIn(daemon: Daemon, agent: Agent): Promise<StoreCounts> {
  return cost(daemon, (round) =>
    deliver(daemon.smtpPort, { to: [agent.address], subject: `Hello number ${round}`, text: text(3.7) }),
  )
}

async function sends(daemon: Daemon, agent: Agent, to: string): Promise<StoreCounts> {
  return cost(daemon, async (round) => {
    const sent = await agent.call('POST', '/v1/send', { to: [to], subject: `Letter ${round}`, text: text(0.4) })
    if (sent.status !== 202) throw new Error(JSON.stringify(sent.body))
    await waitForEvent(agent, ({ data }) => data.message_id === sent.body.id && data.status === 'delivered')
  })
}

export async function commits(): Promise<string> {
  const sink = await startSink()
  const daemon = await startDaemon({
    'relay.smarthost': `127.0.0.1:${sink.port}`,
    'relay.allow_private_addresses': 'true',
  })
  try {
    const ada = await approvedAgent(daemon, 'ada-agent', 'owner@example.org')
    const bob = await approvedAgent(daemon, 'bob-agent', 'owner@example.org')
    await pause(SETTLE_MS)
    const idle = await cost(daemon, () => pause(IDLE_MS - SETTLE_MS), 1)
    const claimed: Agent[] = []
    const claims = await cost(daemon, async (round) => claimed.push(await claim(daemon, `claimed-${round}`)))
    const approvals = await cost(daemon, (round) =>
      daemon.cli('claim', 'approve', claimed[round]?.address ?? '', '--owner', 'owner@example.org'),
    )
    // Their first time makes rows that later ones find.
    await deliver(daemon.smtpPort, { to: [ada.address], subject: 'first', text: 'first' })
    await sends(daemon, ada, 'friend@example.org')
    return table('Commits of a story, on an idle daemon', [
      rowOf('mail in, 3.9 kB', await mailIn(daemon, ada), '2 to 3 commits, 27 rows, 17.9 kB', 'aim 2, 14, 9'),
      rowOf(
        'mail out to a smart host, 0.4 kB',
        await sends(daemon, ada, 'friend@example.org'),
        '7 commits, 39 rows, 11.5 kB',
        'aim 3, 20, 5',
      ),
      rowOf('to a neighbour mailbox', await sends(daemon, ada, bob.address), '8 commits, 62 rows', 'aim 4, 30'),
      rowOf('claim', claims, '10 commits', 'aim 1'),
      rowOf('approval', approvals, '8 commits', 'aim 1'),
      {
        what: 'idle minute, two mailboxes',
        value: `${idle.ranges} ranges read`,
        beside: 'first form: 1,900',
        ratio: 'aim 50',
      },
    ])
  } finally {
    await daemon.remove()
    await sink.stop()
  }
}
