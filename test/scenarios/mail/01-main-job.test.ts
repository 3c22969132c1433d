/** The main job: claim, approve, mail in, long-poll, answer, mail out to a real Postfix with signatures that others verify. */
import t from 'tap'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { claim, request, waitForEvent } from '../../support/agent.js'
import { run, startDaemon } from '../../support/daemon.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { postfixPeer, startPostfix } from '../../support/peers/postfix.js'
import { deliver } from '../../support/peers/smtp.js'
import { dkimTool } from '../../support/dkim-verify.js'

t.test(
  'an agent claims, a human approves, mail comes in, the answer arrives signed at a real MTA',
  postfixPeer(),
  async (t) => {
    const postfix = await startPostfix('peer.test')
    t.teardown(() => postfix.stop())
    const dns = await startDnsServer({
      'peer.test': { MX: [{ priority: 10, exchange: 'mx.peer.test' }] },
      'mx.peer.test': { A: ['127.0.0.1'] },
    })
    t.teardown(() => dns.close())
    const daemon = await startDaemon({
      'server.dns': dns.address,
      'relay.port': String(postfix.port),
      'relay.allow_private_addresses': 'true',
    })
    t.teardown(() => daemon.remove())

    const agent = await claim(daemon, 'ada.agent')
    t.equal(agent.address, 'ada.agent@agents.test')
    t.match(agent.key, /^rst_pending_[0-9A-Za-z]{43}$/)
    t.equal((await agent.call('GET', '/v1/claim/status')).body.status, 'pending')
    const refused = await agent.call('GET', '/v1/threads')
    t.equal(refused.status, 403)
    t.equal(refused.body.error.code, 'claim_pending')
    t.ok(refused.body.error.hint)
    t.equal((await fetch(agent.claimUrl)).status, 200)

    const listed = await daemon.cli('claim', 'list')
    t.match(listed.stdout, 'ada.agent@agents.test')
    const approved = await daemon.cli('claim', 'approve', 'ada.agent@agents.test', '--owner', 'human@example.org')
    t.equal(approved.code, 0, approved.stderr)
    t.equal((await agent.call('GET', '/v1/claim/status')).body.status, 'claimed')

    const start = (await agent.call('GET', '/v1/events')).body.data.at(-1).seq
    const waiting = agent.call('GET', `/v1/events?after=${start}&wait=30`)
    const reply = await deliver(daemon.smtpPort, {
      from: 'Bob <bob@peer.test>',
      to: [agent.address],
      subject: 'Lunch?',
      text: 'Noon?\n\n-- \nBob',
    })
    t.match(reply, /^250 2\.0\.0/)
    const answer = await waiting
    t.equal(answer.body.data[0].type, 'message.received')
    const messageId: string = answer.body.data[0].data.message_id

    const message = (await agent.call('GET', `/v1/messages/${messageId}`)).body
    t.match(message, {
      object: 'message',
      direction: 'inbound',
      status: 'received',
      subject: 'Lunch?',
      from: { address: 'bob@peer.test', name: 'Bob' },
      extracted_text: 'Noon?',
      unread: true,
      untrusted: true,
    })
    t.equal((await agent.call('GET', `/v1/threads/${message.thread_id}`)).body.messages.length, 1)
    t.equal((await agent.call('GET', '/v1/threads?unread=1')).body.data.length, 1, 'reading marks nothing as read')

    const accepted = await agent.call('POST', `/v1/messages/${messageId}/reply`, { text: 'Noon is fine.' })
    t.equal(accepted.status, 202)
    t.equal(accepted.body.thread_id, message.thread_id)
    await waitForEvent(
      agent,
      (e) => e.type === 'message.status' && e.data.message_id === accepted.body.id && e.data.status === 'delivered',
    )
    const [raw] = await postfix.nextMail('bob')
    t.ok(raw)
    const text = raw?.toString() ?? ''
    t.match(text, /Subject: Re: Lunch\?/)
    t.match(text, /In-Reply-To: <[^>]+>/)
    t.equal(text.match(/^DKIM-Signature:/gm)?.length, 2, 'signed with RSA and Ed25519')

    const delivered = (await agent.call('GET', `/v1/messages/${accepted.body.id}`)).body
    t.match(delivered, {
      status: 'delivered',
      recipients: [{ address: 'bob@peer.test', status: 'delivered', smtp_code: 250 }],
    })
    t.match(delivered.check, { decision: 'send' })
    t.ok(delivered.check.reasons.length > 0)
    const thread = (await agent.call('GET', `/v1/threads/${message.thread_id}`)).body
    t.same(
      thread.messages.map((m: { direction: string }) => m.direction),
      ['inbound', 'outbound'],
    )

    t.test('both signatures verify with another implementation', dkimTool(), async (t) => {
      const records = await daemon.cli('dkim', 'list', '--json')
      const file = join(t.testdir(), 'message.eml')
      // What the MTA added at the top is not signed; the message starts at our first signature.
      await writeFile(file, text.slice(text.search(/^DKIM-Signature:/m)))
      const verdict = await run(
        '/usr/bin/python3',
        [join(process.cwd(), 'test/support/dkim-verify.py'), file],
        records.stdout,
      )
      t.same(JSON.parse(verdict.stdout || '[]'), [true, true], verdict.stderr)
    })
  },
)

t.test('mail for nobody is refused at RCPT, and so is relaying', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  await t.rejects(deliver(daemon.smtpPort, { to: ['nobody.here@agents.test'] }), /550 5\.1\.1/)
  await t.rejects(deliver(daemon.smtpPort, { to: ['somebody@elsewhere.test'] }), /550 5\.7\.1/)
  t.equal((await request(`${daemon.url}/v1/threads`, 'GET')).status, 401)
})
