/** A sender asks to be told of the delivery (RFC 3461), and a real Postfix takes the notice in (RFC 3464). */
import t from 'tap'
import { approvedAgent } from '../../support/agent.js'
import { run, startDaemon } from '../../support/daemon.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { peer } from '../../support/peers/peers.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { postfixPeer, startPostfix } from '../../support/peers/postfix.js'
import { openDialog } from '../../support/peers/smtp-dialog.js'

/** The sender's domain: it vouches for clients on this machine, and its mail server is here. */
const PEER = {
  'peer.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'], MX: [{ priority: 10, exchange: 'mx.peer.test' }] },
  'mx.peer.test': { A: ['127.0.0.1'] },
}

/** What another implementation reads in a report: the fields of each block of its delivery-status part. */
const READ_REPORT = `
import email, email.policy, json, sys
message = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
status = [part for part in message.walk() if part.get_content_type() == 'message/delivery-status'][0]
blocks = [{name.lower(): str(value) for name, value in block.items()} for block in status.get_payload()]
json.dump({
  'type': message.get_content_type(),
  'report': message.get_param('report-type'),
  'parts': [part.get_content_type() for part in message.iter_parts()],
  'auto': message['Auto-Submitted'],
  'returnPath': message['Return-Path'],
  'blocks': blocks,
}, sys.stdout)
`

async function send(port: number, mail: string, recipients: string[], text: string): Promise<string> {
  const dialog = await openDialog(port)
  await dialog.reply()
  const hello = await dialog.say('EHLO client.peer.test')
  if (!/^250[- ]DSN\r?$/m.test(hello)) throw new Error(`DSN is not announced:\n${hello}`)
  await dialog.say(`MAIL FROM:${mail}`)
  for (const recipient of recipients) await dialog.say(`RCPT TO:${recipient}`)
  await dialog.say('DATA')
  dialog.write(`From: Carol <carol@peer.test>\r\nSubject: with a notice\r\nX-Kept: in the notice\r\n\r\n${text}\r\n`)
  const reply = await dialog.say('.')
  dialog.drop()
  return reply
}

t.test('a notice that was asked for reaches a Postfix, and none comes that was not', postfixPeer(), async (t) => {
  const postfix = await startPostfix('peer.test')
  t.teardown(() => postfix.stop())
  const dns = await startDnsServer(PEER)
  t.teardown(() => dns.close())
  const daemon = await startDaemon({
    'server.dns': dns.address,
    'relay.port': String(postfix.port),
    'relay.allow_private_addresses': 'true',
  })
  t.teardown(() => daemon.remove())
  const ada = await approvedAgent(daemon, 'ada.agent')
  const bob = await approvedAgent(daemon, 'bob.agent')

  // Delivered at once: there is no delay and no failure to tell of.
  const silent = ['NOTIFY=DELAY', 'NOTIFY=FAILURE,DELAY', 'NOTIFY=NEVER', '']
  for (const notify of silent) {
    const reply = await send(daemon.smtpPort, '<dave@peer.test> RET=FULL', [`<${ada.address}> ${notify}`.trim()], 'x')
    t.match(reply, /^250/, notify)
  }
  // A domain that does not vouch for the client gets none either.
  const forged = await send(daemon.smtpPort, '<eve@other.test>', [`<${ada.address}> NOTIFY=SUCCESS`], 'x')
  t.match(forged, /^250/)
  const asked = await send(
    daemon.smtpPort,
    '<carol@peer.test> RET=HDRS ENVID=QQ+2B314159',
    [`<${ada.address}> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;old+2Bada@peer.test`, `<${bob.address}> NOTIFY=NEVER`],
    'SECRET-WORDS',
  )
  t.match(asked, /^250/)

  const [raw = Buffer.alloc(0)] = await postfix.nextMail('carol')
  const read = await run('/usr/bin/python3', ['-c', READ_REPORT], raw)
  t.equal(read.code, 0, read.stderr)
  const report = JSON.parse(read.stdout)
  t.match(report, {
    type: 'multipart/report',
    report: 'delivery-status',
    parts: ['text/plain', 'message/delivery-status', 'text/rfc822-headers'],
    auto: 'auto-replied',
    returnPath: '<>',
  })
  t.match(report.blocks, [
    { 'reporting-mta': 'dns; agents.test', 'original-envelope-id': 'QQ+314159' },
    {
      'original-recipient': 'rfc822;old+ada@peer.test',
      'final-recipient': `rfc822; ${ada.address}`,
      action: 'delivered',
      status: '2.0.0',
    },
  ])
  t.equal(report.blocks.length, 2, 'the recipient that asked for nothing is not in it')
  const text = raw.toString('latin1')
  t.match(text, /^X-Kept: in the notice\r?$/m)
  t.notMatch(text, /SECRET-WORDS/, 'nothing of the text')
  t.match(text, /^DKIM-Signature: [\s\S]*?d=agents\.test/m)
  const notices = daemon.output().match(/"notice":"[a-z ]+"/g)
  t.same(notices, ['"notice":"unverified"', '"notice":"queued"'], 'and nobody else was written to')
  t.equal(await postfix.delivered(), 1)
})

t.test('a notice in the middle of its delivery survives kill -9', peer('python3', '/usr/bin/python3'), async (t) => {
  let arrived = (): void => undefined
  const first = new Promise<void>((resolve) => (arrived = resolve))
  let held = true
  const sink = await startPeer({
    hold: async () => {
      arrived()
      if (held) await new Promise(() => undefined)
    },
  })
  t.teardown(() => sink.close())
  const dns = await startDnsServer(PEER)
  t.teardown(() => dns.close())
  const daemon = await startDaemon({
    'server.dns': dns.address,
    'relay.port': String(sink.port),
    'relay.allow_private_addresses': 'true',
  })
  t.teardown(() => daemon.remove())
  const ada = await approvedAgent(daemon, 'ada.agent')
  t.match(await send(daemon.smtpPort, '<carol@peer.test>', [`<${ada.address}> NOTIFY=SUCCESS`], 'x'), /^250/)
  await first
  await daemon.end('SIGKILL')
  held = false
  await daemon.start()
  await sink.count(1)
  t.match(sink.mail, [{ from: '', to: ['carol@peer.test'] }])
  t.match(sink.mail[0]?.raw, /^Action: delivered\r$/m)
})
