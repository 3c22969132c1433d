/** An account whose agent writes to addresses that do not exist: its level goes down, it is suspended by itself, and its owner finds the way back. */
import t from 'tap'
import { approvedAgent, waitForEvent, type Agent } from '../../support/agent.js'
import { startDaemon, type Daemon } from '../../support/daemon.js'
import { startPeer } from '../../support/peers/peer-server.js'

const OWNER = 'bob@owner.test'

async function sendTo(agent: Agent, ...names: string[]): Promise<void> {
  const to = names.map((name) => `${name}@peer.test`)
  const sent = await agent.call('POST', '/v1/send', { to, subject: 'Hello', text: 'Good morning.' })
  await waitForEvent(
    agent,
    ({ type, data }) =>
      type === 'message.status' &&
      data.message_id === sent.body.id &&
      ['delivered', 'partially_delivered', 'bounced'].includes(data.status),
  )
}

const trustOf = async (daemon: Daemon) => JSON.parse((await daemon.cli('account', 'trust', OWNER, '--json')).stdout)

t.test(
  'mail to addresses that do not exist costs a level, then the account, and the operator gives it back',
  async (t) => {
    const peer = await startPeer({
      rcpt: (address) => (address.startsWith('gone') ? '550 5.1.1 no such user' : undefined),
    })
    t.teardown(() => peer.close())
    const daemon = await startDaemon({
      'relay.smarthost': `127.0.0.1:${peer.port}`,
      'limits.lower_min_recipients': '4',
      'limits.suspend_min_recipients': '8',
    })
    t.teardown(() => daemon.remove())
    const agent = await approvedAgent(daemon, 'ada.agent', OWNER)
    const usage = async () => (await agent.call('GET', '/v1/account/usage')).body

    t.equal((await daemon.cli('account', 'trust', OWNER, '--level', '2')).code, 0)
    t.match(await usage(), {
      trust_level: 2,
      new_recipients: { limit: 100 },
      trust: { last_change: { by: 'operator' } },
    })
    t.equal((await daemon.cli('account', 'trust', OWNER, '--level', '7')).code, 64)

    const dry = await agent.call('POST', '/v1/send?dry_run=1', { to: ['new@peer.test'], subject: 'Hi', text: 'Hello.' })
    t.match(dry.body, {
      decision: 'send',
      category: 'legitimate',
      new_recipients: ['new@peer.test'],
      new_recipients_left: 100,
    })
    t.ok(dry.body.reasons.length > 0 && Object.keys(dry.body.scores).length > 0)

    await sendTo(agent, 'carol', 'dave', 'bounce-not', 'gone1')
    await sendTo(agent, 'erin')
    // The level was set today, and moves once a day at most.
    t.match(await usage(), {
      trust_level: 2,
      outcomes: { last_7_days: { sent: 5, delivered: 4, bounced: 1, active_days: 1 } },
      suspension_lines: { recipients: 5, min_recipients: 8, bounce_percent: 20, max_bounce_percent: 10 },
      next_level: { level: 3, needs: { active_days: 7, delivered: 50 }, progress: { active_days: 0 } },
    })

    // The outcome suspends the account in its own commit, which ends the agent's wait: with the event, or with a 401.
    await sendTo(agent, 'frank', 'gone2', 'grace').catch((error: unknown) =>
      t.match(error, /access of this key has just ended/),
    )
    t.match(await trustOf(daemon), { suspension_lines: { recipients: 8, bounce_percent: 25 } })
    const refused = await agent.call('POST', '/v1/send', { to: ['heidi@peer.test'], subject: 'Hi', text: 'Hello.' })
    t.match(refused, {
      status: 403,
      body: {
        error: {
          code: 'account_suspended',
          message: /2 of 8 recipients within 7 days do not exist: 25 %, and the limit is 10 %/,
          hint: /tell your human the reason.*operator of this server/,
        },
      },
    })
    await peer.count(4)
    const letter = peer.mail.find(({ to }) => to.includes(OWNER))
    t.match(letter?.raw, /Subject: Your account at [^\r]* is suspended/)
    t.match(letter?.raw.replace(/=\r\n/g, ''), /2 of 8 recipients/)
    t.match((await daemon.cli('account', 'show', OWNER)).stdout, /Suspended +\S+, by itself: 2 of 8 recipients/)

    t.equal((await daemon.cli('account', 'reinstate', OWNER)).code, 0)
    await sendTo(agent, 'heidi')
    t.match(await usage(), { suspension_lines: { recipients: 1, bounce_percent: 0 } })
    t.match((await daemon.cli('account', 'show', OWNER)).stdout, /Status +active/)
    t.match((await daemon.cli('account', 'trust', OWNER, '--pin')).stdout, /level 2, pinned/)
  },
)
