/** Mail that comes back: a real Postfix takes a message and bounces it afterwards; complaints and refusals end at the suppression list. */
import t from 'tap'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { freePort } from '../../support/ports.js'
import { postfixPeer, startPostfix } from '../../support/peers/postfix.js'
import { deliver } from '../../support/peers/smtp.js'

t.test('what a server takes and bounces later is told, and not sent again', postfixPeer(), async (t) => {
  const smtpPort = await freePort()
  const postfix = await startPostfix('peer.test', [
    'smtpd_reject_unlisted_recipient = no',
    `transport_maps = inline:{ { late@peer.test = error:5.1.1 user unknown here }, { agents.test = smtp:[127.0.0.1]:${smtpPort} } }`,
  ])
  t.teardown(() => postfix.stop())
  const dns = await startDnsServer({
    'peer.test': { MX: [{ priority: 10, exchange: 'mx.peer.test' }] },
    'mx.peer.test': { A: ['127.0.0.1'] },
  })
  t.teardown(() => dns.close())
  const daemon = await startDaemon({
    'server.dns': dns.address,
    'smtp.listen': `127.0.0.1:${smtpPort}`,
    'relay.port': String(postfix.port),
    'relay.allow_private_addresses': 'true',
  })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent')
  const send = (to: string[], dryRun = '') =>
    agent.call('POST', `/v1/send${dryRun}`, { to, subject: 'Hello', text: 'Good morning.' })
  const statusOf = (id: string, status: string) =>
    waitForEvent(agent, (e) => e.type === 'message.status' && e.data.message_id === id && e.data.status === status)

  const sent = (await send(['late@peer.test', 'fine@peer.test'])).body
  await statusOf(sent.id, 'delivered')
  const event = await statusOf(sent.id, 'partially_delivered')
  t.match(event.data.recipients, [
    { address: 'late@peer.test', status: 'bounced', detail: /5\.1\.1.*user unknown here/ },
    { address: 'fine@peer.test', status: 'delivered' },
  ])
  const [received = Buffer.alloc(0)] = await postfix.nextMail('fine')
  const returnPath = /^Return-Path: <(b\+[0-9a-z]{62}@agents\.test)>/im.exec(received.toString('latin1'))?.[1] ?? ''
  t.not(returnPath, '', 'the envelope sender is of the message’s own')
  const thread = (await agent.call('GET', `/v1/threads/${sent.thread_id}`)).body
  t.equal(thread.message_count, 1, 'the bounce itself is no mail')

  const refused = await send(['Late@peer.test'])
  t.equal(refused.status, 403)
  t.equal(refused.body.error.code, 'recipient_suppressed')
  t.match(refused.body.error.hint, 'DELETE /v1/suppressions/late%40peer.test')
  t.equal((await send(['late@peer.test'], '?dry_run=true')).status, 403)
  t.match((await agent.call('GET', '/v1/suppressions')).body, {
    data: [{ address: 'late@peer.test', reason: 'bounce', message_id: sent.id }],
    has_more: false,
  })
  t.equal((await agent.call('DELETE', '/v1/suppressions/late%40peer.test')).status, 200)
  t.equal((await send(['late@peer.test'], '?dry_run=true')).status, 200)

  // An answer of a program to the same path is mail, and changes nobody's state.
  const away = 'Auto-Submitted: auto-replied\r\nFrom: fine@peer.test\r\nSubject: Away\r\n\r\nI am away.\r\n'
  t.match(await deliver(smtpPort, { from: '', to: [returnPath], raw: away }), /^250/)
  const mail = await waitForEvent(agent, (e) => e.type === 'message.received')
  t.match(mail.data, { subject: 'Away', automation: 'auto-reply' })
  const complaint = [
    'From: fbl@peer.test',
    'Subject: FW: Hello',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary=x',
    '',
    '--x\r\n\r\nA complaint.\r\n--x\r\nContent-Type: message/feedback-report\r\n',
    'Feedback-Type: abuse\r\nUser-Agent: FBL/1\r\nVersion: 1',
    `Original-Mail-From: <${returnPath}>\r\nOriginal-Rcpt-To: <fine@peer.test>`,
    '--x--',
    '',
  ].join('\r\n')
  t.match(await deliver(smtpPort, { from: 'fbl@peer.test', to: ['abuse@agents.test'], raw: complaint }), /^250/)
  await waitForEvent(agent, (e) => e.data.message_id === sent.id && e.data.recipients?.[1]?.status === 'complained')
  t.equal((await agent.call('GET', '/v1/account/usage')).body.complaints.last_30_days, 1)
})

t.test('who has a copy of a message can report nothing about the others', async (t) => {
  const smtpPort = await freePort()
  const peer = await startPeer()
  t.teardown(() => peer.close())
  const dns = await startDnsServer({
    'peer.test': { MX: [{ priority: 10, exchange: 'mx.peer.test' }] },
    'mx.peer.test': { A: ['127.0.0.1'] },
  })
  t.teardown(() => dns.close())
  const daemon = await startDaemon({
    'server.dns': dns.address,
    'smtp.listen': `127.0.0.1:${smtpPort}`,
    'relay.port': String(peer.port),
    'relay.allow_private_addresses': 'true',
  })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent')
  const to = ['victim@peer.test', 'eve@peer.test']
  const sent = (await agent.call('POST', '/v1/send', { to, subject: 'Hello', text: 'Good morning.' })).body
  await waitForEvent(agent, (e) => e.data.message_id === sent.id && e.data.status === 'delivered')
  const path = peer.mail.find((mail) => mail.to.includes('eve@peer.test'))?.from ?? ''
  const report = [
    'From: MAILER-DAEMON@peer.test',
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=x',
    '',
    '--x\r\n\r\nSorry.\r\n--x\r\nContent-Type: message/delivery-status\r\n',
    'Reporting-MTA: dns; mx.peer.test\r\n',
    'Final-Recipient: rfc822; victim@peer.test\r\nAction: failed\r\nStatus: 5.1.1',
    '--x--',
    '',
  ].join('\r\n')
  const recipients = async () => (await agent.call('GET', `/v1/messages/${sent.id}`)).body.recipients
  t.match(await deliver(smtpPort, { from: 'eve@peer.test', to: [path], raw: report }), /^250/)
  t.match(await waitForEvent(agent, (e) => e.type === 'message.received'), { data: { automation: 'bounce' } })
  t.match(await recipients(), [{ status: 'delivered' }, { status: 'delivered' }], 'from an address it is mail')
  t.same((await agent.call('GET', '/v1/suppressions')).body.data, [])

  t.match(await deliver(smtpPort, { from: '', to: [path], raw: report }), /^250/)
  await waitForEvent(agent, (e) => e.data.message_id === sent.id && e.data.status === 'partially_delivered')
  t.match(await recipients(), [
    { address: 'victim@peer.test', status: 'delivered' },
    { address: 'eve@peer.test', status: 'bounced' },
  ])
  t.match((await agent.call('GET', '/v1/suppressions')).body.data, [{ address: 'eve@peer.test' }])
})

t.test('who gives a message up tells its sender in the conversation, and is not answered', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent')
  const sent = (await agent.call('POST', '/v1/send', { to: 'nobody@agents.test', subject: 'Hello', text: 'Hi.' })).body
  await waitForEvent(agent, (e) => e.data.message_id === sent.id && e.data.status === 'bounced')
  const event = await waitForEvent(agent, (e) => e.type === 'message.received')
  t.match(event.data, { thread_id: sent.thread_id, automation: 'bounce', labels: ['inbox', 'bounce'] })
  const notice = (await agent.call('GET', `/v1/messages/${event.data.message_id}`)).body
  t.match(notice, {
    from: { address: 'postmaster@agents.test' },
    unread: true,
    report: { kind: 'delivery', recipients: [{ address: 'nobody@agents.test', action: 'failed', status: '5.1.1' }] },
  })
  const answer = await agent.call('POST', `/v1/messages/${notice.id}/reply`, { text: 'Why?' })
  t.match([answer.status, answer.body.error?.code], [400, 'invalid_request'])
  t.same((await agent.call('GET', '/v1/suppressions')).body.data, [])
})
