/** The submission server as a program meets it: what it offers, who may sign in, and what becomes of messages. */
import t from 'tap'
import { request, waitForEvent } from '../support/agent.js'
import { openDialog } from '../support/peers/smtp-dialog.js'
import { opensslPeer } from '../support/peers/certificates.js'
import { base64, idIn, plain, startWorld, submit } from './world.js'

const TO = 'delivered@simulator.agents.test'
const lines = (from: string, subject = 'Hello', more: string[] = []): string[] => [
  `From: Ada <${from}>`,
  `To: ${TO}`,
  `Subject: ${subject}`,
  ...more,
  '',
  'Good morning.',
]

t.test('what is offered, and what comes first', opensslPeer(), async (t) => {
  const { port, greeted, agent, appPassword } = await startWorld(t)
  const dialog = await openDialog(port)
  await dialog.reply()
  const before = await dialog.say('EHLO laptop.test')
  t.match(before, /^250[ -]STARTTLS$/m)
  t.notMatch(before, /AUTH|REQUIRETLS/, 'no password is asked for in clear')
  t.match(before, /^250[ -]DSN$/m)
  t.match(await dialog.say(`AUTH PLAIN ${plain(agent.address, 'x')}`), /^538 5\.7\.11 /)
  t.match(await dialog.say(`MAIL FROM:<${agent.address}>`), /^530 5\.7\.0 .*STARTTLS/)
  dialog.drop()

  const secure = await greeted()
  const after = await secure.say('EHLO laptop.test')
  t.match(after, /^250-AUTH PLAIN LOGIN OAUTHBEARER XOAUTH2$/m)
  t.match(after, /^250-FUTURERELEASE 2592000 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/m)
  t.match(after, /^250-REQUIRETLS$/m)
  t.notMatch(after, /STARTTLS/)
  t.match(await secure.say(`MAIL FROM:<${agent.address}>`), /^530 5\.7\.0 .*AUTH/)
  t.match(await secure.say('AUTH CRAM-MD5'), /^504 5\.5\.4 /)
  t.equal(await secure.say('AUTH PLAIN'), '334')
  t.match(await secure.say('*'), /^501 5\.7\.0 /, 'a client may cancel')
  t.match(await secure.say('AUTH PLAIN %%%'), /^501 5\.5\.2 /)

  const { text } = await appPassword()
  t.equal(await secure.say('AUTH LOGIN'), `334 ${base64('Username:')}`)
  t.equal(await secure.say(base64(agent.address)), `334 ${base64('Password:')}`)
  t.match(await secure.say(base64(text)), /^235 2\.7\.0 /)
  t.match(await secure.say(`AUTH PLAIN ${plain(agent.address, text)}`), /^503 5\.5\.1 /, 'once for a session')
})

t.test('who may sign in', opensslPeer(), async (t) => {
  const { agent, daemon, greeted, signedIn, appPassword } = await startWorld(t)
  const { text, id } = await appPassword()
  const auth = async (name: string, password: string): Promise<string> => {
    const dialog = await greeted()
    const reply = await dialog.say(`AUTH PLAIN ${plain(name, password)}`)
    dialog.drop()
    return reply
  }
  const wrong = await auth(agent.address, `rst_${'x'.repeat(43)}`)
  t.match(wrong, /^535 5\.7\.8 /)
  t.equal(await auth('nobody@agents.test', text), wrong, 'a right password with a wrong name: the same words')
  t.equal(await auth('nobody@agents.test', 'secret'), wrong)
  t.match(await auth(agent.address.toUpperCase(), text), /^235 /, 'whatever the case of the name')
  t.match(await auth(agent.address, agent.key), /^525 5\.7\.13 .*submission/, 'the key of an agent is no app password')
  const reading = await appPassword({ scopes: ['imap:read'] })
  t.match(await auth(agent.address, reading.text), /^525 5\.7\.13 /)

  const app = { authorization: `Bearer ${text}` }
  for (const [method, path] of [
    ['GET', '/v1/threads'],
    ['GET', '/v1/keys'],
    ['GET', '/v1/account'],
    ['GET', '/v1/claim/status'],
    ['POST', '/mcp'],
  ] as const) {
    const refused = await request(`${daemon.url}${path}`, method, method === 'POST' ? {} : undefined, app)
    t.equal(refused.status, 403, `an app password does not open ${method} ${path}`)
  }

  const dialog = await greeted()
  for (const code of [535, 535, 421])
    t.match(await dialog.say(`AUTH PLAIN ${plain(agent.address, 'wrong')}`), new RegExp(`^${code} `))
  await dialog.closed

  const open = await signedIn(text)
  const ended = open.reply()
  t.equal((await agent.call('DELETE', `/v1/keys/${id}`)).status, 200)
  t.match(await ended, /^421 4\.7\.0 /, 'an open session ends with its key')
  t.match(await auth(agent.address, text), /^535 /)

  const another = await appPassword()
  t.equal((await daemon.cli('mailbox', 'pause', agent.address)).code, 0)
  t.match(await auth(agent.address, another.text), /^525 5\.7\.13 .*paused/)
  t.equal((await daemon.cli('mailbox', 'resume', agent.address)).code, 0)
  const suspended = await daemon.cli('account', 'suspend', 'human@example.org', '--reason', 'a test')
  t.equal(suspended.code, 0, suspended.stderr)
  t.match(await auth(agent.address, another.text), /^525 5\.7\.13 .*suspended.*a test/)
})

t.test('wrong passwords count as wrong keys of HTTP do', opensslPeer(), async (t) => {
  const { agent, greeted, daemon, appPassword } = await startWorld(t, { 'limits.requests_per_minute': '10' })
  const { text } = await appPassword()
  const auth = async (password: string): Promise<string> => {
    const dialog = await greeted()
    const reply = await dialog.say(`AUTH PLAIN ${plain(agent.address, password)}`)
    dialog.drop()
    return reply
  }
  // In case a minute ends meanwhile.
  const codes: string[] = []
  while (codes.length < 30 && !codes.includes('421')) codes.push((await auth('wrong')).slice(0, 3))
  t.equal(codes.at(-1), '421', 'after some, the network has to wait')
  t.ok(codes.length > 5)
  const http = await request(`${daemon.url}/v1/threads`, 'GET', undefined, {
    authorization: `Bearer rst_${'x'.repeat(43)}`,
  })
  t.equal(http.status, 429, 'over HTTP too')
  t.match(await auth(text), /^235 /, 'a right password works all the same')
})

t.test('a message goes the way of POST /v1/send', opensslPeer(), async (t) => {
  const { agent, signedIn, appPassword, daemon } = await startWorld(t)
  const { text, id: keyId } = await appPassword()
  const dialog = await signedIn(text)
  const from = agent.address
  const mail = { from, to: [TO], lines: lines(from) }

  t.test('accepted, with the fields that were missing, and once in Sent', async (t) => {
    const reply = await submit(dialog, mail)
    t.match(reply, /^250 2\.0\.0 accepted as msg_/)
    const id = idIn(reply)
    await waitForEvent(agent, (e) => e.data.message_id === id && e.data.status === 'delivered')
    const message = (await agent.call('GET', `/v1/messages/${id}`)).body
    t.match(message, {
      direction: 'outbound',
      subject: 'Hello',
      labels: ['sent'],
      from: { address: from, name: 'Ada' },
    })
    const raw = (await agent.call('GET', `/v1/messages/${id}/raw`)).body
    t.match(raw, /^Received: by mx\.agents\.test with ESMTPSA\r\n\tid msg_/)
    t.notMatch(raw, /127\.0\.0\.1|laptop\.test/, 'nothing of where the program is')
    t.match(raw, /^Message-ID: <[0-9a-z]{26}@agents\.test>\r$/m)
    t.match(raw, /^Date: /m)
    t.ok(raw.endsWith(lines(from).join('\r\n') + '\r\n'), 'and the rest as the program wrote it')
    const sent = await agent.call('GET', '/v1/threads?label=sent')
    t.equal(sent.body.data.length, 1)
    const key = (await agent.call('GET', '/v1/keys')).body.data.find((each: { id: string }) => each.id === keyId)
    t.ok(key.last_used_at)
  })

  t.test('Bcc is taken out, and shown to the author alone', async (t) => {
    const hidden = 'delivered+hidden@simulator.agents.test'
    const fields = [`Bcc: ${TO},`, `\t${hidden}`, `Resent-Bcc: ${hidden}`, 'X-Mailer: test']
    const reply = await submit(dialog, { from, to: [TO, hidden], lines: lines(from, 'Hidden', fields) })
    t.match(reply, /^250 /)
    const raw = (await agent.call('GET', `/v1/messages/${idIn(reply)}/raw`)).body
    t.notMatch(raw, /bcc|hidden@/i)
    t.match(raw, /Subject: Hidden\r\nX-Mailer: test\r\n\r\n/)
    const message = (await agent.call('GET', `/v1/messages/${idIn(reply)}`)).body
    t.match(message, { to: [{ address: TO }], bcc: [{ address: hidden }] })
    t.equal(message.headers.bcc, undefined)
  })

  t.test('repeated: the first answer, and one message; without Message-ID another message', async (t) => {
    const again = { ...mail, lines: lines(from, 'Twice', ['Message-ID: <twice@laptop.test>']) }
    const first = await submit(dialog, again)
    t.equal(await submit(dialog, again), first)
    const changed = { ...again, lines: [...again.lines, 'P.S.'] }
    t.not(idIn(await submit(dialog, changed)), idIn(first), 'other words are another message')
    t.not(idIn(await submit(dialog, mail)), idIn(await submit(dialog, mail)))
  })

  t.test('held and blocked, by the simulator', async (t) => {
    const held = await submit(dialog, { ...mail, to: ['hold@simulator.agents.test'] })
    t.match(held, /^250 2\.0\.0 accepted as msg_\S+, and held/)
    t.equal((await agent.call('GET', `/v1/messages/${idIn(held)}`)).body.status, 'held')
    const blocked = await submit(dialog, { ...mail, to: ['block@simulator.agents.test'] })
    t.match(blocked, /^550 5\.7\.1 msg_\S+ is blocked: ./)
    t.equal((await agent.call('GET', `/v1/messages/${idIn(blocked)}`)).body.status, 'blocked')
  })

  t.test('other authors are refused, with those that are allowed', async (t) => {
    t.match(
      await submit(dialog, { ...mail, from: 'eve@agents.test' }),
      /^550 5\.7\.1 write as ada\.agent@agents\.test;/,
    )
    t.match(await submit(dialog, { ...mail, from: '' }), /^550 5\.7\.1 /)
    await dialog.say('RSET')
    for (const author of ['Eve <eve@agents.test>', 'bob@peer.test'])
      t.match(
        await submit(dialog, { ...mail, lines: [`From: ${author}`, ...lines(from).slice(1)] }),
        /^550 5\.7\.1 write as ada\.agent@agents\.test;/,
      )
    const two = [`From: ${from}, eve@agents.test`, ...lines(from).slice(1)]
    t.match(await submit(dialog, { ...mail, lines: two }), /^550 /)
    t.match(await submit(dialog, { ...mail, lines: lines(from, 'x', ['Sender: eve@agents.test']) }), /^550 5\.7\.1 /)
    t.equal((await agent.call('POST', '/v1/aliases', { address: 'shop.agent@agents.test' })).status, 201)
    const alias = { ...mail, from: 'shop.agent@agents.test', lines: lines('shop.agent@agents.test') }
    t.match(await submit(dialog, alias), /^250 /)
  })

  t.test('recipients are refused where they are named', async (t) => {
    await dialog.say(`MAIL FROM:<${from}>`)
    t.match(
      await dialog.say(`RCPT TO:<${from}>`),
      /^550 5\.\d\.\d .*itself.*is this mailbox\. To test sending, write to delivered@simulator\.agents\.test; to test receiving, write to .* from another mailbox\./,
    )
    t.match(await dialog.say('RCPT TO:<bob@[192.0.2.1]>'), /^501 5\.1\.3 /)
    await dialog.say('RSET')
    await dialog.say(`MAIL FROM:<${from}>`)
    t.match(await dialog.say('RCPT TO:<bøb@peer.test>'), /^553 5\.6\.7 .*SMTPUTF8/)
    await dialog.say('RSET')
    await dialog.say(`MAIL FROM:<${from}> SMTPUTF8`)
    t.match(await dialog.say('RCPT TO:<b\u212ab@peer.test>'), /^501 5\.1\.3 /, 'the Kelvin sign')
    t.match(await dialog.say('RCPT TO:<bøb@peer.test>'), /^250 /)
    await dialog.say('RSET')
  })

  t.test('FUTURERELEASE schedules, and a time too far is refused', async (t) => {
    const reply = await submit(dialog, { ...mail, parameters: ' HOLDFOR=3600' })
    t.match(reply, /^250 2\.0\.0 accepted as msg_\S+, to be sent at \d{4}-/)
    const message = (await agent.call('GET', `/v1/messages/${idIn(reply)}`)).body
    t.equal(message.status, 'scheduled')
    const ms = Date.parse(message.send_at) - Date.now()
    t.ok(ms > 3_500_000 && ms < 3_700_000)
    const until = new Date(Date.now() + 7_200_000).toISOString().replace(/\.\d+/, '')
    t.match(await submit(dialog, { ...mail, parameters: ` HOLDUNTIL=${until}` }), /^250 /)
    t.match(await dialog.say(`MAIL FROM:<${from}> HOLDFOR=99999999`), /^501 5\.5\.4 /)
    t.match(await dialog.say(`MAIL FROM:<${from}> HOLDFOR=60 HOLDUNTIL=${until}`), /^501 5\.5\.4 /)
    t.match(await dialog.say(`MAIL FROM:<${from}> X-RET=FULL`), /^555 /)
    t.match(await dialog.say(`MAIL FROM:<${from}> AUTH=<>`), /^250 /)
    await dialog.say('RSET')
  })

  t.test('REQUIRETLS is kept', async (t) => {
    const reply = await submit(dialog, { ...mail, parameters: ' REQUIRETLS' })
    t.equal((await agent.call('GET', `/v1/messages/${idIn(reply)}`)).body.require_tls, true)
  })

  t.test('a message that ends with bare LF does not end', async (t) => {
    const other = await signedIn(text)
    await other.say(`MAIL FROM:<${from}>`)
    await other.say(`RCPT TO:<${TO}>`)
    await other.say('DATA')
    other.write(`${lines(from).join('\r\n')}\n.\nMAIL FROM:<${from}>\r\n.\r\n`)
    t.match(await other.reply(), /^550 5\.6\.0 .*bare LF/)
    t.match(await other.say('NOOP'), /^250 /, 'one reply to all of it')
  })

  t.test('what needs approval becomes a draft that waits', async (t) => {
    const asking = await appPassword({ name: 'asking', requires_approval: true })
    const waits = await signedIn(asking.text)
    const file = ['Content-Type: text/plain', 'Content-Disposition: attachment; filename="notes.txt"', '', 'Notes.']
    const reply = await submit(waits, {
      ...mail,
      lines: [
        ...lines(from).slice(0, 3),
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        '',
        'See the file.',
        '--b',
        ...file,
        '--b--',
      ],
    })
    t.match(reply, /^250 2\.0\.0 accepted as drf_\S+, a draft that waits/)
    const draft = (await agent.call('GET', `/v1/drafts/${idIn(reply)}`)).body
    t.match(draft, { subject: 'Hello', review: { status: 'waiting' }, to: [{ address: TO }] })
    t.match(draft.text, 'See the file.')
    t.match(draft.attachments, [{ filename: 'notes.txt' }])
  })

  t.test('the log has ids and addresses, and no content', async (t) => {
    t.match(daemon.output(), /"key_id":"key_/)
    t.notMatch(daemon.output(), /Good morning|See the file|"subject"/)
    t.notMatch(daemon.output(), text)
  })
})

t.test('a message that was acknowledged survives kill -9', opensslPeer(), async (t) => {
  const { agent, daemon, signedIn, appPassword } = await startWorld(t, { 'relay.smarthost': '127.0.0.1:9' })
  const dialog = await signedIn((await appPassword()).text)
  const mail = { from: agent.address, to: ['bob@example.org'], lines: lines(agent.address) }
  const reply = await submit(dialog, mail)
  t.match(reply, /^250 /)
  await daemon.end('SIGKILL')
  await daemon.start()
  const message = (await agent.call('GET', `/v1/messages/${idIn(reply)}`)).body
  t.match(message, { subject: 'Hello', labels: ['sent'], recipients: [{ address: 'bob@example.org' }] })
})

t.test('limits of connections', opensslPeer(), async (t) => {
  const { signedIn, greeted, agent, appPassword } = await startWorld(t, {
    'submission.max_connections_per_account': '2',
  })
  const { text } = await appPassword()
  const first = await signedIn(text)
  await signedIn(text)
  const third = await greeted()
  t.match(await third.say(`AUTH PLAIN ${plain(agent.address, text)}`), /^421 4\.7\.0 .*account/)
  await third.closed
  t.match(await first.say('QUIT'), /^221 /)
  await first.closed
  await signedIn(text)
})
