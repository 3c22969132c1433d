/** A postmaster asks what became of Bob's mail: `restante receipts` over the real daemon, for each way a delivery can end. */
import t from 'tap'
import { approvedAgent } from '../../support/agent.js'
import { EICAR, startClamd } from '../../support/peers/clamd.js'
import { startDaemon, type Daemon } from '../../support/daemon.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { peer } from '../../support/peers/peers.js'
import { deliver } from '../../support/peers/smtp.js'
import { openDialog } from '../../support/peers/smtp-dialog.js'

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function receipts(daemon: Daemon, ...words: string[]): Promise<any[]> {
  const asked = await daemon.cli('receipts', '--json', ...words)
  if (asked.code !== 0) throw new Error(asked.stderr)
  return JSON.parse(asked.stdout)
}

t.test('each way a delivery can end is found again, by sender, recipient and time', async (t) => {
  const dns = await startDnsServer({
    '_dmarc.strict.test': { TXT: ['v=DMARC1; p=reject'] },
    'strict.test': { TXT: ['v=spf1 -all'] },
  })
  t.teardown(() => dns.close())
  const daemon = await startDaemon({
    'server.dns': dns.address,
    'smtp.max_message_bytes': '300000',
    'domains.names': 'agents.test',
  })
  t.teardown(() => daemon.remove())
  const ada = await approvedAgent(daemon, 'ada.agent')

  const said = await deliver(daemon.smtpPort, { from: 'bob@peer.test', to: [ada.address], subject: 'SECRET-SUBJECT' })
  const id = /rcp_\w+/.exec(said)?.[0]
  await t.rejects(deliver(daemon.smtpPort, { from: 'bob@peer.test', to: ['nobody@agents.test'] }), /550 5\.1\.1/)
  await t.rejects(deliver(daemon.smtpPort, { from: 'bob@peer.test', to: ['x@elsewhere.test'] }), /relaying denied/)
  await t.rejects(deliver(daemon.smtpPort, { from: 'eve@strict.test', to: [ada.address] }), /550 5\.7\.1/)

  const dialog = await openDialog(daemon.smtpPort)
  await dialog.reply()
  await dialog.say('EHLO large.peer.test')
  await dialog.say('MAIL FROM:<large@peer.test>')
  await dialog.say(`RCPT TO:<${ada.address}>`)
  await dialog.say('DATA')
  dialog.write(`Subject: x\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(5000)}`)
  t.match(await dialog.say('.'), /^552/)
  await dialog.say('MAIL FROM:<gone@peer.test>')
  await dialog.say(`RCPT TO:<${ada.address}>`)
  await dialog.say('DATA')
  dialog.drop()
  await dialog.closed

  // The receiver learns of the client's end by itself.
  const gone = (all: { from: string }[]): boolean => all.some(({ from }) => from === 'gone@peer.test')
  let all = await receipts(daemon, '--since', '1h')
  while (!gone(all)) all = await receipts(daemon, '--since', '1h')
  t.match(all, [
    { outcome: 'abandoned', from: 'gone@peer.test', reply: null },
    { outcome: 'refused', from: 'large@peer.test', reply: { code: 552, enhanced: '5.3.4' } },
    { outcome: 'refused', auth: { spf: 'fail', dmarc: 'fail', dmarc_policy: 'reject' }, reply: { enhanced: '5.7.1' } },
    { outcome: 'refused', recipients: [{ address: 'x@elsewhere.test' }], reply: { text: 'relaying denied' } },
    { outcome: 'refused', recipients: [{ address: 'nobody@agents.test' }], reply: { enhanced: '5.1.1' } },
    { outcome: 'accepted', id, reply: { code: 250 }, size_bytes: Number, auth: { spf: 'none' } },
  ])
  t.equal(all.length, 6)
  t.notMatch(JSON.stringify(all), /SECRET-SUBJECT/, 'nothing of the content')

  const bob = await daemon.cli('receipts', '--address', 'BOB@peer.test')
  t.match(bob.stdout, /^TIME +REPLY +FROM +TO +CLIENT +SPF\/DKIM\/DMARC +ID +WHY\n/)
  t.match(bob.stdout, /550 5\.1\.1 +<bob@peer\.test> +<nobody@agents\.test> +127\.0\.0\.1 .* no such mailbox here/)
  t.equal(bob.stdout.trimEnd().split('\n').length, 4, 'a line for each attempt under one line of names')
  const page = await daemon.cli('receipts', '--address', ada.address, '--limit', '2')
  t.equal(page.stdout.trimEnd().split('\n').length, 3)
  t.match(page.stderr, /There are more/)
  t.match((await daemon.cli('receipts', '--until', '1h')).stderr, /no receipt that fits/)

  await daemon.end('SIGTERM')
  await daemon.start()
  t.equal((await receipts(daemon)).length, 6, 'they are there after a restart')
})

t.test('a virus leaves its name', peer('clamav-daemon', '/usr/sbin/clamd'), async (t) => {
  const clamd = await startClamd()
  t.teardown(() => clamd.stop())
  const daemon = await startDaemon({ 'scan.clamav': clamd.socket })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'scan.agent')
  const infected = { to: [agent.address], attachments: [{ filename: 'eicar.com', content: EICAR }] }
  await t.rejects(deliver(daemon.smtpPort, infected), /550 5\.7\.1/)
  t.match(await receipts(daemon), [{ outcome: 'refused', virus: { verdict: 'infected', detail: /Eicar/ } }])
  t.match((await daemon.cli('receipts')).stdout, /message carries malware; .*Eicar/)
})
