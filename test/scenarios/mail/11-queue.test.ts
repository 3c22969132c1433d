/** A dead destination and what the operator does about it, and the simulator addresses, each through the API with its events. */
import t from 'tap'
import { approvedAgent, waitForEvent, type Agent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { freePort } from '../../support/ports.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { deliver } from '../../support/peers/smtp.js'

async function send(agent: Agent, to: string): Promise<string> {
  const answer = await agent.call('POST', '/v1/send', { to, subject: 'Secret subject', text: 'Good morning.' })
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
  return answer.body.id
}

/** The first event that tells of the message's recipient as `fits` wants it. */
function told(agent: Agent, id: string, fits: (recipient: { status: string; detail: string | null }) => boolean) {
  return waitForEvent(
    agent,
    ({ type, data }) => type === 'message.status' && data.message_id === id && fits(data.recipients[0]),
  )
}

t.test('mail to a dead destination is seen, held, released, tried and deleted by the operator', async (t) => {
  const dns = await startDnsServer({
    'dead.test': { MX: [{ priority: 10, exchange: 'mx.dead.test' }] },
    'mx.dead.test': { A: ['127.0.0.1'] },
  })
  t.teardown(() => dns.close())
  const port = await freePort()
  const daemon = await startDaemon({
    'server.dns': dns.address,
    'relay.port': String(port),
    'relay.allow_private_addresses': 'true',
  })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent')
  const first = await send(agent, 'bob@dead.test')
  const second = await send(agent, 'carol@dead.test')
  for (const id of [first, second]) await told(agent, id, ({ status }) => status === 'deferred')

  const listed = await daemon.cli('queue', 'list')
  t.equal(listed.code, 0, listed.stderr)
  const [head, ...rows] = listed.stdout.trimEnd().split('\n')
  t.match(head, /^ID +AGE +SIZE +FROM +TO +RCPT +TRIES +NEXT +LAST ANSWER$/)
  t.equal(rows.length, 2)
  const row = rows.find((line) => line.startsWith(first))
  t.match(
    row,
    /^msg_\w+:dead\.test +\d+[sm] +\d+ +<ada\.agent@agents\.test> +dead\.test +1 +1 +(now|in \d+[sm]) +\S.*ECONNREFUSED/,
  )
  t.notMatch(listed.stdout, /Secret|Good morning/)

  const held = await daemon.cli('queue', 'hold', '--domain', 'dead.test', '--reason', 'moving')
  t.match(held, { code: 0, stdout: 'Held: 2\n' })
  const event = await told(agent, first, ({ detail }) => detail?.startsWith('held by the operator') === true)
  t.match(event.data.recipients, [{ status: 'deferred', next_attempt_at: null }])
  const third = await send(agent, 'dave@sub.dead.test')
  await told(agent, third, ({ detail }) => detail === 'held by the operator of this server')
  t.match((await daemon.cli('queue', 'holds')).stdout, /domain +dead\.test +\S+ +\S+ +moving/)
  const stats = await daemon.cli('queue', 'stats')
  t.match(
    stats.stdout,
    /^3 in the queue \(0 of them notices\), the oldest \d+s old\nsending 0, queued 0, deferred 0, held 3\n/,
  )
  t.match((await daemon.cli('queue', 'list', '--state', 'held')).stdout, /held: domain dead\.test/)

  // Holding outlives the process, and so does all else.
  await daemon.end('SIGKILL')
  await daemon.start()
  t.equal(JSON.parse((await daemon.cli('queue', 'stats', '--json')).stdout).states.held, 3)

  const refused = await daemon.cli('queue', 'release', first)
  t.match(refused, {
    code: 1,
    stderr: /held by the rule on domain dead\.test\. Release that: restante queue release --domain dead\.test/,
  })
  const deleted = await daemon.cli('queue', 'delete', second, '--yes')
  t.match(deleted, { code: 0, stdout: 'Deleted: 1\n' })
  await told(
    agent,
    second,
    ({ status, detail }) => status === 'bounced' && /deleted by the operator/.test(detail ?? ''),
  )
  t.equal((await agent.call('GET', `/v1/messages/${second}`)).body.status, 'bounced')
  const gone = await daemon.cli('queue', 'show', second)
  t.match(gone, { code: 1, stderr: /is not in the queue\..*--mailbox ADDRESS/ })
  const shown = await daemon.cli('queue', 'show', second, '--mailbox', agent.address)
  t.match(shown.stdout, /Status +bounced\n[^]*<carol@dead\.test> +bounced/)
  t.notMatch(shown.stdout, /Secret/)

  // The host is there again.
  const peer = await startPeer({}, port)
  dns.set('sub.dead.test', 'MX', [{ priority: 10, exchange: 'mx.dead.test' }])
  t.match((await daemon.cli('queue', 'release', '--domain', 'dead.test')).stdout, 'Released: 2')
  for (const id of [first, third]) await told(agent, id, ({ status }) => status === 'delivered')
  t.match(await daemon.cli('queue', 'list'), { code: 0, stdout: '', stderr: /Nothing that fits/ })
  await peer.close()

  const fourth = await send(agent, 'bob@dead.test')
  await told(agent, fourth, ({ status }) => status === 'deferred')
  const waits = await daemon.cli('queue', 'show', fourth)
  t.match(
    waits.stdout,
    new RegExp(`${fourth}:dead\\.test +deferred +(now|in \\d+[sm]) +mx\\.dead\\.test \\[127\\.0\\.0\\.1\\]:${port}`),
  )
  const again = await startPeer({}, port)
  t.teardown(() => again.close())
  t.match(await daemon.cli('queue', 'retry', '--domain', 'dead.test'), { code: 0, stdout: 'Trying now: 1\n' })
  await told(agent, fourth, ({ status }) => status === 'delivered')
  t.match(await daemon.cli('queue', 'retry', fourth), { code: 1, stderr: /is not in the queue/ })
  t.match(daemon.output(), /"action":"hold","domain":"dead\.test","by":"[^"]+"/)
})

t.test('each simulator address makes its outcome happen, with its events and without a network', async (t) => {
  const daemon = await startDaemon({ 'limits.new_recipients_per_day': '1' })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent')
  const to = (name: string): string => `${name}@simulator.agents.test`

  const delivered = await send(agent, to('delivered+run1'))
  await told(agent, delivered, ({ status }) => status === 'delivered')
  const bounced = await told(agent, await send(agent, to('bounce')), ({ status }) => status === 'bounced')
  t.match(bounced.data, { status: 'bounced', recipients: [{ smtp_code: 550, detail: /^5\.1\.1/ }] })
  const deferred = await send(agent, to('defer'))
  const waits = await told(agent, deferred, ({ status }) => status === 'deferred')
  t.match(waits.data.recipients, [{ smtp_code: 451, next_attempt_at: String }])
  await daemon.cli('queue', 'retry', deferred)
  await told(agent, deferred, ({ status }) => status === 'delivered')

  const complained = await send(agent, to('complaint'))
  await told(agent, complained, ({ status }) => status === 'delivered')
  t.equal((await told(agent, complained, ({ status }) => status === 'complained')).data.status, 'delivered')
  const late = await send(agent, to('late-bounce'))
  await told(agent, late, ({ status }) => status === 'delivered')
  t.equal((await told(agent, late, ({ status }) => status === 'bounced')).data.status, 'bounced')

  for (const [name, status] of [
    ['hold', 'held'],
    ['block', 'blocked'],
  ] as const) {
    const id = await send(agent, to(name))
    const event = await waitForEvent(agent, ({ data }) => data.message_id === id && data.status === status)
    t.match(event.data.check, { decision: name, reasons: [{ code: 'simulator' }] })
    const dry = await agent.call('POST', '/v1/send?dry_run=1', { to: to(name), subject: 'A', text: 'B' })
    t.match(dry.body, { decision: name, new_recipients: [], new_recipients_left: 1 })
  }
  const unknown = await told(agent, await send(agent, to('nosuch')), ({ status }) => status === 'bounced')
  t.match(unknown.data.recipients, [
    { detail: /5\.1\.1 the simulator has no such address; it has delivered, bounce, / },
  ])

  const fromOutside = deliver(daemon.smtpPort, { to: [to('delivered')], subject: 'Hello', text: 'Hello' })
  await t.rejects(fromOutside, { message: /550 5\.7\.1 relaying denied/ })
})
