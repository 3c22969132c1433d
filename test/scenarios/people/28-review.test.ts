/** What the check holds, from the agent's send to the decision of an operator by command. */
import t from 'tap'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { PHISH, sendHeld, statusIs } from '../../support/review.js'

t.test(
  'an operator reviews by command: approved mail is delivered, rejected mail is not, an account is stopped',
  async (t) => {
    const peer = await startPeer()
    t.teardown(() => peer.close())
    const daemon = await startDaemon({ 'relay.smarthost': `127.0.0.1:${peer.port}`, 'guard.block_score': '1' })
    t.teardown(() => daemon.remove())
    const agent = await approvedAgent(daemon, 'ada.agent', 'bob@owner.test')
    t.match(await daemon.cli('review', 'list'), { code: 0, stdout: '', stderr: /Nothing waits for review/ })

    const first = await sendHeld(agent, PHISH)
    const second = await sendHeld(agent, { subject: 'Second' })
    const listed = await daemon.cli('review', 'list')
    t.match(listed.stdout, new RegExp(`^ID .*\\n${first} .*<ada\\.agent@agents\\.test> .*\\n${second} `))
    const shown = await daemon.cli('review', 'show', first)
    t.equal(shown.code, 0, shown.stderr)
    t.match(shown.stdout, /simulator +A recipient is hold@/)
    t.match(shown.stdout, /»https:\/\/www\.paypal\.com\/« +»http:\/\/192\.0\.2\.7\/login«/)
    t.match(shown.stdout, /»verify your account« »within 24 hours«/)
    t.notMatch(shown.stdout, /\u202e/, 'it cannot turn the terminal around')
    t.match(shown.stdout, /bob@owner\.test \(active, trust level 0\)/)

    const { thread_id: thread } = (await agent.call('GET', `/v1/messages/${first}`)).body
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }
    const tellOf = async (name: string, args: object): Promise<string> => {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
      return JSON.stringify((await agent.call('POST', '/mcp', call, headers)).body)
    }
    t.match(await tellOf('read_conversation', { thread_id: thread }), /It is held: get_message_status says why/)
    const told = await tellOf('get_message_status', { message_id: first })
    t.match(told, /Next: Wait for the review by staff\. Do not send it again/)
    t.match(told, /Check: hold \([^)]*simulator/)
    t.match(told, /simulator: A recipient is hold@/)

    const approved = await daemon.cli('review', 'approve', first)
    t.match(approved, { code: 0, stdout: `${first} is approved.\n` })
    await peer.count(1)
    t.match(peer.mail[0], { to: ['carol@peer.test'], raw: /Subject: Your account/ })
    await waitForEvent(agent, statusIs(first, 'delivered'))
    const events = (await agent.call('GET', '/v1/events?after=0')).body.data.filter(
      ({ type, data }: { type: string; data: Record<string, unknown> }) =>
        type === 'message.status' && data['message_id'] === first,
    )
    const statuses: string[] = events.map(({ data }: { data: { status: string } }) => data.status)
    t.same(statuses.slice(0, 4), ['checking', 'held', 'queued', 'sending'])
    t.equal(statuses.at(-1), 'delivered')
    t.match((await agent.call('GET', `/v1/messages/${first}`)).body, {
      status: 'delivered',
      check: { decision: 'hold', reviewed_by: 'staff', reviewed_at: /^20/ },
    })
    const again = await daemon.cli('review', 'approve', first)
    t.match(again, { code: 0, stderr: /^cli:\S+ was first: msg_\w+ was approved at/ })
    t.match(await daemon.cli('review', 'reject', first), { code: 1, stderr: /was approved at .*It stays so/ })

    const rejected = await daemon.cli('review', 'reject', second, '--reason', 'Write only to people who expect it.')
    t.match(rejected, { code: 0, stdout: `${second} is rejected.\n` })
    await waitForEvent(agent, statusIs(second, 'blocked'))
    t.match((await agent.call('GET', `/v1/messages/${second}`)).body, {
      status: 'blocked',
      check: { reasons: [{ code: 'rejected_by_staff', detail: 'Write only to people who expect it.' }, {}] },
    })

    const third = await sendHeld(agent)
    const metrics = await daemon.cli('review', 'list', '--json')
    t.match(JSON.parse(metrics.stdout), [{ id: third, status: 'held' }])
    t.match(await daemon.cli('review', 'suspend', third), { code: 64, stderr: /needs --reason/ })
    const suspended = await daemon.cli('review', 'suspend', third, '--reason', 'Phishing; please write to us.', '--yes')
    t.match(suspended, { code: 0, stdout: /is rejected, and its account suspended/ })
    t.match((await agent.call('GET', '/v1/threads')).body, { error: { code: 'account_suspended' } })
    t.match((await daemon.cli('account', 'show', 'bob@owner.test')).stdout, /Suspended +\S+: Phishing/)

    const log = await daemon.cli('review', 'log')
    t.match(
      log.stdout,
      new RegExp(`suspend +cli:\\S+ +${third}[^]*reject +cli:\\S+ +${second}[^]*approve +cli:\\S+ +${first}`),
    )
    t.match(await daemon.cli('review', 'show', 'msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3'), {
      code: 1,
      stderr: /waits for review/,
    })

    await daemon.cli('account', 'reinstate', 'bob@owner.test')
    const fourth = await sendHeld(agent)
    await daemon.end('SIGKILL')
    await daemon.start(25 * 3600 * 1000)
    t.match((await daemon.cli('review', 'list')).stdout, fourth, 'it waits on after a crash')
    t.match(await daemon.cli('review', 'approve', fourth), { code: 0 })
    const toCarol = () => peer.mail.filter(({ to }) => to.includes('carol@peer.test'))
    // A day later the daemon may have letters of its own to send first.
    while (toCarol().length < 2) await peer.count(peer.mail.length + 1)
    t.equal(toCarol().length, 2)
  },
)
