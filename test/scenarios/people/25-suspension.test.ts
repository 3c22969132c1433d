/** An account that the operator stops and lets go on, as its agent, its owner and those who write to it see that. */
import t from 'tap'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { startDaemon, type Daemon } from '../../support/daemon.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { deliver } from '../../support/peers/smtp.js'

const OWNER = 'bob@owner.test'
const REASON = 'Complaints about bulk mail; please write to us.'

async function queued(daemon: Daemon): Promise<{ state: string; held_by: { kind: string; reason: string } | null }[]> {
  return JSON.parse((await daemon.cli('queue', 'list', '--json')).stdout)
}

t.test('a suspended account neither sends nor reads, still gets mail, and goes on where it was', async (t) => {
  let willing = false
  const peer = await startPeer({
    rcpt: (address) => (willing || address === OWNER ? undefined : '451 4.7.1 not now'),
  })
  t.teardown(() => peer.close())
  const daemon = await startDaemon({ 'relay.smarthost': `127.0.0.1:${peer.port}`, 'identity.staff': OWNER })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent', OWNER)
  const mail = { to: 'carol@peer.test', subject: 'Hello', text: 'Good morning.' }
  const sent = (await agent.call('POST', '/v1/send', mail)).body.id
  const last = await waitForEvent(
    agent,
    ({ type, data }) =>
      type === 'message.status' && data.message_id === sent && data.recipients[0].status === 'deferred',
  )
  const waiting = agent.call('GET', `/v1/events?after=${last.seq}&wait=60`)

  const missing = await daemon.cli('account', 'suspend', OWNER)
  t.equal(missing.code, 64)
  t.match(missing.stderr, /needs --reason TEXT/)
  const suspended = await daemon.cli('account', 'suspend', agent.address, '--reason', REASON)
  t.equal(suspended.code, 0, suspended.stderr)
  t.match(suspended.stdout, new RegExp(`^The account bob@owner\\.test \\(acc_\\w+\\) is suspended: ${REASON}`))

  t.ok([401, 403].includes((await waiting).status), 'what was waiting has ended')
  t.match(await agent.call('POST', '/v1/send', mail), { status: 403, body: { error: { code: 'account_suspended' } } })
  t.match(await agent.call('GET', '/v1/threads'), { status: 403, body: { error: { code: 'account_suspended' } } })
  const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'check_inbox', arguments: {} } }
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }
  const mcp = await agent.call('POST', '/mcp', tool, headers)
  t.match(JSON.stringify(mcp.body), 'account_suspended')
  t.match(
    await deliver(daemon.smtpPort, {
      from: 'carol@peer.test',
      to: [agent.address],
      raw: 'From: carol@peer.test\r\nSubject: still here\r\n\r\nA word.\r\n',
    }),
    /^250/,
  )
  await peer.count(1)
  t.match(peer.mail[0], { to: [OWNER], raw: /Subject: Your account at [^\r]* is suspended/ })
  t.match(peer.mail[0]?.raw, 'Complaints about bulk mail')

  willing = true
  for (let rows = await queued(daemon); rows.some(({ state }) => state !== 'held');) rows = await queued(daemon)
  t.match(await queued(daemon), [{ held_by: { kind: 'account', reason: REASON } }])
  t.match((await daemon.cli('queue', 'holds')).stdout, /account +bob@owner\.test/)
  t.match((await daemon.cli('account', 'list')).stdout, /acc_\w+ +bob@owner\.test +suspended +1 /)
  t.match((await daemon.cli('account', 'show', OWNER)).stdout, /Status +suspended\nSuspended +\S+: Complaints/)

  const reinstated = await daemon.cli('account', 'reinstate', OWNER, '--json')
  t.match(JSON.parse(reinstated.stdout), { owner: OWNER, status: 'active', suspension: null })
  await waitForEvent(agent, ({ type, data }) => type === 'message.status' && data.status === 'delivered', last.seq)
  await peer.count(3)
  t.strictSame(peer.mail.flatMap(({ to }) => to).sort(), [OWNER, OWNER, 'carol@peer.test'])
  const events = (await agent.call('GET', `/v1/events?after=${last.seq}`)).body.data
  const told = events.filter(({ type }: { type: string }) => type.startsWith('account.'))
  t.match(told, [{ type: 'account.suspended', data: { reason: REASON } }, { type: 'account.reinstated' }])
  t.ok(events.some(({ type }: { type: string }) => type === 'message.received'))
})

t.test('the operator sees an account before deleting it, and declines a claim', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent', OWNER)
  const shown = JSON.parse((await daemon.cli('account', 'show', agent.address, '--json')).stdout)
  t.match(shown, {
    owner: OWNER,
    status: 'active',
    shown_mailboxes: [{ address: agent.address, keys: [{ name: 'claim' }] }],
  })
  t.notMatch(JSON.stringify(shown), agent.key)
  const asked = await daemon.cli('account', 'delete', OWNER)
  t.equal(asked.code, 1)
  t.match(asked.stderr, /would delete the account bob@owner\.test \(acc_\w+\) with 1 mailbox\. Nothing was done/)
  const own = await daemon.cli('account', 'suspend', 'postmaster@agents.test', '--reason', 'x')
  t.match(own, { code: 1, stderr: /operator's own account/ })
  t.match(await daemon.cli('account', 'show', 'nobody@example.org'), { code: 1, stderr: /no such account/ })
  const approved = await daemon.cli('claim', 'decline', agent.address)
  t.match(approved, { code: 1, stderr: /is approved and belongs to an account/ })
})
