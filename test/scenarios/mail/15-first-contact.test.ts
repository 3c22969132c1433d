/** Strangers at the door of the real daemon: clients on a blocklist, and clients that have never written. */
import t from 'tap'
import { approvedAgent, type Agent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { openDialog } from '../../support/peers/smtp-dialog.js'

const MINUTE = 60_000

/** RFC 5782 §2.1: 127.0.0.66 is on both lists, 127.0.0.1 on none. */
const LISTS = { '66.0.0.127.one.test': { A: ['127.0.0.2'] }, '66.0.0.127.two.test': { A: ['127.0.0.10'] } }

/** @returns the reply to RCPT, or to the message where the recipient was taken */
async function tries(port: number, mail: { from?: string; to: string; client?: string }): Promise<string> {
  const dialog = await openDialog(port, '127.0.0.1', mail.client)
  await dialog.reply()
  await dialog.say('EHLO client.peer.test')
  await dialog.say(`MAIL FROM:<${mail.from ?? 'carol@peer.test'}>`)
  let reply = await dialog.say(`RCPT TO:<${mail.to}>`)
  if (reply.startsWith('250')) {
    await dialog.say('DATA')
    dialog.write('From: Carol <carol@peer.test>\r\nSubject: hello\r\n\r\nA word.\r\n')
    reply = await dialog.say('.')
  }
  dialog.drop()
  return reply
}

async function received(agent: Agent) {
  const threads = (await agent.call('GET', '/v1/threads')).body.data
  return Promise.all(
    threads.map(
      async (thread: { last_message_id: string }) =>
        (await agent.call('GET', `/v1/messages/${thread.last_message_id}`)).body,
    ),
  )
}

t.test('a client on a blocklist is told which one, and can still ask the postmaster why', async (t) => {
  const dns = await startDnsServer(LISTS)
  t.teardown(() => dns.close())
  const daemon = await startDaemon({ 'server.dns': dns.address, 'smtp.dnsbl': 'one.test' })
  t.teardown(() => daemon.remove())
  const ada = await approvedAgent(daemon, 'ada.agent')
  const listed = { to: ada.address, client: '127.0.0.66' }
  t.match(await tries(daemon.smtpPort, listed), /^550 5\.7\.1 client address 127\.0\.0\.66 is listed by one\.test; ask/)
  t.match(await tries(daemon.smtpPort, { ...listed, to: 'postmaster@agents.test' }), /^250/)
  t.match(await tries(daemon.smtpPort, { ...listed, to: 'abuse@agents.test' }), /^250/)
  t.same(await received(ada), [])
  t.match(await tries(daemon.smtpPort, { to: ada.address }), /^250/, 'another client is not concerned')
  dns.behave('67.0.0.127.one.test', 'servfail')
  t.match(await tries(daemon.smtpPort, { ...listed, client: '127.0.0.67' }), /^250/, 'no answer lists nobody')
  t.match((await daemon.cli('receipts')).stdout, /550 5\.7\.1 .*127\.0\.0\.66.* is listed by one\.test/)
})

t.test('where blocklists are only counted, two of them make a message spam', async (t) => {
  const dns = await startDnsServer(LISTS)
  t.teardown(() => dns.close())
  const daemon = await startDaemon({
    'server.dns': dns.address,
    'smtp.dnsbl': 'one.test,two.test',
    'smtp.dnsbl_action': 'score',
  })
  t.teardown(() => daemon.remove())
  const ada = await approvedAgent(daemon, 'ada.agent')
  t.match(await tries(daemon.smtpPort, { to: ada.address, client: '127.0.0.66' }), /^250/)
  t.same(await received(ada), [], 'it is not in the inbox')
  const [listed] = (await ada.call('GET', '/v1/messages?label=spam')).body.data
  const message = (await ada.call('GET', `/v1/messages/${listed.id}`)).body
  t.ok(message.labels.includes('spam'))
  const lists = message.scan.spam.reasons.filter(({ code }: { code: string }) => code === 'dns_block_list')
  t.match(lists, [
    { score: 2.5, detail: /one\.test/ },
    { score: 2.5, detail: /two\.test/ },
  ])
})

t.test('who has never written comes again in some minutes, across a restart, and is known from then on', async (t) => {
  const daemon = await startDaemon({ 'smtp.greylist': 'true', 'smtp.greylist_minutes': '5' })
  t.teardown(() => daemon.remove())
  const ada = await approvedAgent(daemon, 'ada.agent')
  const first = { to: ada.address }
  t.match(await tries(daemon.smtpPort, first), /^451 4\.7\.1 you have not written before; try again/)
  t.match(await tries(daemon.smtpPort, first), /^451 4\.7\.1/, 'too early')
  t.match(await tries(daemon.smtpPort, { to: 'postmaster@agents.test' }), /^250/, 'the operator is reached at once')
  t.same(await received(ada), [])

  await daemon.end('SIGKILL')
  await daemon.start(4 * MINUTE)
  t.match(await tries(daemon.smtpPort, first), /^451 4\.7\.1/, 'still too early')
  await daemon.end('SIGTERM')
  await daemon.start(6 * MINUTE)
  const other = { to: ada.address, from: 'dave@peer.test' }
  t.match(await tries(daemon.smtpPort, other), /^451/, 'another sender is a first attempt of its own')
  t.match(await tries(daemon.smtpPort, first), /^250/)
  t.match(await tries(daemon.smtpPort, other), /^250/, 'the client is known now')
  const events: { type: string }[] = (await ada.call('GET', '/v1/events')).body.data
  t.equal(events.filter(({ type }) => type === 'message.received').length, 2, 'each message once')
})
