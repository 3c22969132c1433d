/** An operator who reads mail elsewhere: what comes for postmaster and abuse is passed on by the real daemon, sealed, whatever crashes. */
import t from 'tap'
import { openDkimKeys } from '../../../src/authentication/keys.js'
import { secretFolder } from '../../../src/lib/secret-files.js'
import { createAuthenticator } from '../../../src/authentication/verify.js'
import { systemClock } from '../../../src/lib/clock.js'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { run, startDaemon } from '../../support/daemon.js'
import { dkimTool } from '../../support/dkim-verify.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { textResolver } from '../../support/peers/fake-resolver.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { deliver } from '../../support/peers/smtp.js'
import { openDialog } from '../../support/peers/smtp-dialog.js'
import { join } from 'node:path'

const WITH_DKIMPY = `
import base64, dkim, json, sys
asked = json.load(sys.stdin)
def lookup(name, timeout=5):
    return asked['records'].get((name.decode() if isinstance(name, bytes) else name).rstrip('.'), '').encode()
cv, results, reason = dkim.arc_verify(base64.b64decode(asked['raw']), dnsfunc=lookup)
print((cv or b'').decode(), reason)
`

t.test('mail for the operator arrives elsewhere, sealed, once, and through kill -9', dkimTool(), async (t) => {
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
  const dns = await startDnsServer({
    'elsewhere.test': { MX: [{ priority: 10, exchange: 'mx.elsewhere.test' }] },
    'mx.elsewhere.test': { A: ['127.0.0.1'] },
    'peer.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
  })
  t.teardown(() => dns.close())
  const daemon = await startDaemon({
    'server.dns': dns.address,
    'relay.port': String(sink.port),
    'relay.allow_private_addresses': 'true',
    'identity.forward_operator_mail': 'me@elsewhere.test',
  })
  t.teardown(() => daemon.remove())
  const keys = await openDkimKeys({ files: secretFolder(join(daemon.dataDir, 'dkim')), clock: systemClock })
  const records = Object.fromEntries(keys.list().map(({ recordName, recordValue }) => [recordName, recordValue]))
  t.equal(Object.keys(records).length, 2)

  const said = { from: 'Carol <carol@peer.test>', subject: 'your server', text: 'Something is wrong with it.' }
  t.match(await deliver(daemon.smtpPort, { ...said, to: ['abuse@agents.test'] }), /^250/)
  await first
  await daemon.end('SIGKILL')
  held = false
  await daemon.start()
  await sink.count(1)
  const [mail] = sink.mail
  t.match(mail, { from: 'postmaster+forwarded@agents.test', to: ['me@elsewhere.test'] })
  const raw = Buffer.from(mail?.raw ?? '', 'latin1')
  t.match(
    raw.toString(),
    /^ARC-Authentication-Results: i=1; agents\.test;\r\n spf=pass smtp\.mailfrom=carol@peer\.test/m,
  )

  const asked = JSON.stringify({ raw: raw.toString('base64'), records })
  const judged = await run('/usr/bin/python3', ['-c', WITH_DKIMPY], asked)
  t.match(judged.stdout, /^pass /, judged.stderr)
  const authenticator = createAuthenticator({ resolver: textResolver(records), authservId: 'mx.elsewhere.test' })
  const session = { raw, ip: '192.0.2.1', helo: 'agents.test', mailFrom: '', fromCount: 1 }
  t.equal((await authenticator.verify(session)).results.arc.result, 'pass')

  t.test('what comes back of it is kept, and so is a copy that came round', async (t) => {
    const bounce = await openDialog(daemon.smtpPort)
    await bounce.reply()
    await bounce.say('EHLO mx.elsewhere.test')
    await bounce.say('MAIL FROM:<>')
    t.match(await bounce.say('RCPT TO:<postmaster+forwarded@agents.test>'), /^250/)
    await bounce.say('DATA')
    bounce.write('From: <mailer-daemon@elsewhere.test>\r\nSubject: nobody here\r\n\r\nYour mail came back.\r\n')
    t.match(await bounce.say('.'), /^250/)
    bounce.drop()
    t.match(await deliver(daemon.smtpPort, { from: 'me@elsewhere.test', to: ['abuse@agents.test'], raw }), /^250/)

    // Both would have gone on before what an agent of this server writes to its operator.
    const ada = await approvedAgent(daemon, 'ada.agent')
    const sent = await ada.call('POST', '/v1/send', { to: 'postmaster@agents.test', subject: 'help', text: 'Help me.' })
    t.equal(sent.status, 202)
    await waitForEvent(ada, (event) => event.data.status === 'delivered')
    await sink.count(2)
    t.match(sink.mail[1]?.raw, /^DKIM-Signature: [\s\S]*?d=agents\.test[\s\S]*^Subject: help\r$/m)
    t.equal(sink.mail.length, 2)
  })
})
