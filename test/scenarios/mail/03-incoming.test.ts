/** Mail from other people's software: swaks, Postfix's smtp-source, and messages signed by dkimpy and OpenDKIM. */
import t from 'tap'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { approvedAgent, claim, waitForEvent } from '../../support/agent.js'
import { run, startDaemon } from '../../support/daemon.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { peer } from '../../support/peers/peers.js'
import { deliver } from '../../support/peers/smtp.js'

t.test('swaks and smtp-source deliver, to claimed and pending mailboxes alike', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'inbox.agent')
  const pending = await claim(daemon, 'pending.agent')
  const server = `127.0.0.1:${daemon.smtpPort}`

  t.test('swaks', peer('swaks', '/usr/bin/swaks'), async (t) => {
    for (const to of [agent.address, pending.address]) {
      const sent = await run('/usr/bin/swaks', ['--server', server, '--from', 'a@peer.test', '--to', to])
      t.equal(sent.code, 0, sent.stdout)
      t.match(sent.stdout, /250 2\.0\.0/)
    }
    await waitForEvent(agent, (e) => e.type === 'message.received')
    t.equal((await daemon.cli('claim', 'approve', pending.address)).code, 0)
    await waitForEvent(pending, (e) => e.type === 'message.received')
  })

  t.test('smtp-source', peer('postfix', '/usr/sbin/smtp-source'), async (t) => {
    const before = (await agent.call('GET', '/v1/account/usage')).body.messages.received
    const words = ['-s', '5', '-m', '50', '-l', '4096', '-f', 'a@peer.test', '-t', agent.address, `inet:${server}`]
    const sent = await run('/usr/sbin/smtp-source', words)
    t.equal(sent.code, 0, sent.stderr)
    t.equal((await agent.call('GET', '/v1/account/usage')).body.messages.received - before, 50)
  })
})

t.test('a message signed elsewhere passes, and a tampered one fails', async (t) => {
  const dir = t.testdir()
  const key = join(dir, 'sel.private')
  await run('openssl', ['genrsa', '-out', key, '2048'])
  const pub = (await run('openssl', ['rsa', '-in', key, '-pubout', '-outform', 'PEM'])).stdout
  const record = `v=DKIM1; k=rsa; p=${pub.replace(/-----[^-]+-----|\s/g, '')}`
  const dns = await startDnsServer({
    'sel._domainkey.peer.test': { TXT: [record] },
    '_dmarc.peer.test': { TXT: ['v=DMARC1; p=reject; adkim=s'] },
    'peer.test': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
  })
  t.teardown(() => dns.close())
  const daemon = await startDaemon({ 'server.dns': dns.address })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'signed.agent')

  const plain = join(dir, 'plain.eml')
  const lines = [
    'From: Bob <bob@peer.test>',
    `To: ${agent.address}`,
    'Subject: signed',
    'Date: Sat, 21 Nov 2026 10:00:00 +0000',
    'Message-ID: <signed-1@peer.test>',
    '',
    'The words that were signed.',
    '',
  ]
  await writeFile(plain, lines.join('\r\n'))

  const send = (raw: Buffer | string) => deliver(daemon.smtpPort, { from: 'bob@peer.test', to: [agent.address], raw })
  async function judged(raw: Buffer | string) {
    const before = (await agent.call('GET', '/v1/events')).body.data.at(-1)?.seq ?? 0
    await send(raw)
    const event = await waitForEvent(agent, (e) => e.type === 'message.received', before)
    return (await agent.call('GET', `/v1/messages/${event.data.message_id}`)).body
  }

  t.test('dkimpy', peer('python3-dkim', '/usr/bin/dkimsign'), async (t) => {
    const signed = (await run('/usr/bin/dkimsign', ['sel', 'peer.test', key], await readFile(plain))).stdout
    const message = await judged(signed)
    t.match(message.auth, { dkim: 'pass', dkim_domain: 'peer.test', dkim_selector: 'sel', spf: 'fail', dmarc: 'pass' })
    const raw = (await agent.call('GET', `/v1/messages/${message.id}/raw`)).body
    t.match(raw, /^Authentication-Results: agents\.test;[\s\S]*?dkim=pass/m)
    t.match(raw, /^Received: from client\.peer\.test/m)
    await t.rejects(send(signed.replace('words', 'swords')), /550 5\.7\.1/, 'tampered: DMARC says reject')
    dns.set('_dmarc.peer.test', 'TXT', ['v=DMARC1; p=none'])
  })

  t.test('OpenDKIM', peer('opendkim', '/usr/sbin/opendkim'), async (t) => {
    const signed = await signWithOpendkim(dir, key, plain)
    const message = await judged(signed)
    t.match(message.auth, { dkim: 'pass', dkim_domain: 'peer.test' })
  })
})

/** OpenDKIM as a signer without a mail server around it: its test mode shows the field it would insert. */
async function signWithOpendkim(dir: string, key: string, message: string): Promise<string> {
  const conf = join(dir, 'opendkim.conf')
  const settings = [
    'Mode s',
    'Domain peer.test',
    'Selector sel',
    `KeyFile ${key}`,
    'RequireSafeKeys no',
    'Canonicalization relaxed/relaxed',
  ]
  await writeFile(conf, `${settings.join('\n')}\n`)
  const signed = await run('/usr/sbin/opendkim', ['-x', conf, '-t', message, '-v', '-v'])
  const value = /hname='DKIM-Signature' hvalue='([^']*)'/.exec(signed.stdout)?.[1]
  if (value === undefined) throw new Error(`opendkim: ${signed.stdout}${signed.stderr}`)
  return `DKIM-Signature: ${value.replace(/\r?\n/g, '\r\n')}\r\n${await readFile(message, 'utf8')}`
}
