/** Mail programs as people use them, each sending a message that arrives at a real Postfix. */
import t from 'tap'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitForEvent } from '../support/agent.js'
import { run } from '../support/daemon.js'
import { allPeers, peer } from '../support/peers/peers.js'
import { opensslPeer } from '../support/peers/certificates.js'
import { postfixPeer, startPostfix } from '../support/peers/postfix.js'
import { HOST, msmtpSettings, relayingToPeer, startWorld } from './world.js'

const PYTHON = '/usr/bin/python3'
const PROGRAMS = [
  peer('msmtp', '/usr/bin/msmtp'),
  peer('swaks', '/usr/bin/swaks'),
  peer('curl', '/usr/bin/curl'),
  peer('python3', PYTHON),
]

/** Sends a message with a name in UTF-8, over TLS and STARTTLS. */
const SMTPLIB = `
import smtplib, ssl, sys
from email.message import EmailMessage
host, tls_port, port, ca, user, password = sys.argv[1:]
context = ssl.create_default_context(cafile=ca)
context.check_hostname = False
for way in ('tls', 'starttls'):
    message = EmailMessage()
    message['From'], message['To'], message['Bcc'] = f'Ada Lövelace <{user}>', 'bob@peer.test', 'hidden@peer.test'
    message['Subject'] = f'smtplib over {way}'
    message.set_content('Grüße')
    if way == 'tls':
        server = smtplib.SMTP_SSL('127.0.0.1', int(tls_port), context=context)
    else:
        server = smtplib.SMTP('127.0.0.1', int(port))
        server.starttls(context=context)
    server.login(user, password)
    server.send_message(message)
    server.quit()
`

t.test(
  'a message of each program arrives signed, without Bcc, and is in Sent',
  allPeers(...PROGRAMS, opensslPeer(), postfixPeer()),
  async (t) => {
    // Postfix takes Bcc out of what it gets; here it shows what it got.
    const postfix = await startPostfix('peer.test', ['message_drop_headers ='])
    t.teardown(() => postfix.stop())
    const world = await startWorld(t, await relayingToPeer(t, postfix.port))
    const { agent, port, tlsPort, caFile, dir, appPassword } = world
    const { text: password } = await appPassword()
    const user = agent.address
    const file = join(dir, 'message.eml')
    const write = (subject: string): Promise<void> =>
      writeFile(
        file,
        `From: Ada <${user}>\r\nTo: bob@peer.test\r\nBcc: hidden@peer.test\r\nSubject: ${subject}\r\n\r\nHello.\r\n.\r\n`,
      )

    const programs: [string, () => Promise<{ code: number; stderr: string; stdout: string }>][] = [
      [
        'msmtp',
        async () => {
          const config = join(dir, 'msmtprc')
          const lines = msmtpSettings(world, 'plain', password)
          await writeFile(config, lines.join('\n'), { mode: 0o600 })
          return run('/bin/sh', ['-c', `/usr/bin/msmtp -C ${config} -t < ${file}`])
        },
      ],
      [
        'swaks',
        () =>
          run('/usr/bin/swaks', [
            ...['--server', '127.0.0.1', '--port', String(port), '--tls', '--ehlo', 'laptop.test'],
            ...['--auth', 'LOGIN', '--auth-user', user, '--auth-password', password],
            ...['--from', user, '--to', 'bob@peer.test,hidden@peer.test', '--data', `@${file}`],
          ]),
      ],
      [
        'curl',
        () =>
          run('/usr/bin/curl', [
            ...['--silent', '--show-error', '--cacert', caFile, '--resolve', `${HOST}:${tlsPort}:127.0.0.1`],
            ...[`smtps://${HOST}:${tlsPort}/laptop.test`, '--user', `${user}:${password}`],
            ...['--mail-from', user, '--mail-rcpt', 'bob@peer.test', '--mail-rcpt', 'hidden@peer.test', '-T', file],
          ]),
      ],
    ]
    let count = 0
    for (const [name, send] of programs)
      await t.test(name, async (t) => {
        await write(`from ${name}`)
        const sent = await send()
        t.equal(sent.code, 0, `${sent.stderr}${sent.stdout}`)
        // The files of a Maildir are not in the order of arrival.
        const raws = (await postfix.nextMail('bob', ++count)).map(String)
        const raw =
          raws.find((each) => each.includes(`Subject: from ${name}\r\n`) || each.includes(`Subject: from ${name}\n`)) ??
          ''
        t.not(raw, '', 'it has come')
        t.equal(raw.match(/^DKIM-Signature:/gm)?.length, 2)
        t.match(raw, /^Received: by mx\.agents\.test with ESMTPSA$/m)
        t.notMatch(raw, /^Bcc:|hidden@peer\.test/m)
        t.equal((await postfix.nextMail('hidden', count)).length, count, 'who was in Bcc has it')
      })
    t.test('smtplib of Python, over TLS and STARTTLS', async (t) => {
      const script = join(dir, 'send.py')
      await writeFile(script, SMTPLIB)
      const sent = await run(PYTHON, [script, HOST, String(tlsPort), String(port), caFile, user, password])
      t.equal(sent.code, 0, sent.stderr)
      const all = (await postfix.nextMail('bob', count + 2)).map(String)
      const raws = all.filter((raw) => raw.includes('Subject: smtplib over '))
      t.equal(raws.length, 2)
      for (const way of ['tls', 'starttls'])
        t.ok(
          raws.some((raw) => raw.includes(`Subject: smtplib over ${way}`)),
          way,
        )
      t.notMatch(raws.join('\n'), /hidden/)
    })
    t.test('all of them are in Sent, once', async (t) => {
      const sent = await agent.call('GET', '/v1/messages?label=sent&limit=50')
      t.equal(sent.body.data.length, 5, JSON.stringify(sent.body))
      const [last] = sent.body.data
      await waitForEvent(agent, (e) => e.data.message_id === last.id && e.data.status === 'delivered')
      const message = (await agent.call('GET', `/v1/messages/${last.id}`)).body
      t.match(message.bcc, [{ address: 'hidden@peer.test' }], 'its author sees who had it')
      t.match(message.from, { name: 'Ada Lövelace' })
    })
    t.test('a wrong password is an error of the program', async (t) => {
      const { code, stderr } = await run('/usr/bin/curl', [
        ...['--silent', '--show-error', '--cacert', caFile, '--resolve', `${HOST}:${tlsPort}:127.0.0.1`],
        ...[`smtps://${HOST}:${tlsPort}/laptop.test`, '--user', `${user}:wrong`],
        ...['--mail-from', user, '--mail-rcpt', 'bob@peer.test', '-T', file],
      ])
      t.not(code, 0)
      t.match(stderr, /denied|535/i)
    })
  },
)
