/** Mail programs that are allowed by their owner on a page, and sign in with the token they get for it. */
import t, { type Test } from 'tap'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { once } from 'node:events'
import { ImapFlow } from 'imapflow'
import { claim, request } from '../../support/agent.js'
import { allowOn, sendForm, sessionOf } from '../../support/consent.js'
import { run } from '../../support/daemon.js'
import { rawClient, type RawClient } from '../../support/oauth-client.js'
import { opensslPeer } from '../../support/peers/certificates.js'
import { allPeers, peer } from '../../support/peers/peers.js'
import { base64, HOST, msmtpSettings, startWorld, submit } from '../../submission/world.js'
import { Client } from '../session/server.js'
import { flowTo, startMailWorld, type MailWorld } from './world.js'

const PYTHON = '/usr/bin/python3'
const REGISTERED = 'http://127.0.0.1/callback'
/** RFC 8252 §7.3: the port is free. */
const REDIRECT = 'http://127.0.0.1:50123/callback'
const MAIL_SCOPE = 'urn:ietf:params:oauth:scope:mail'

interface Granted {
  access_token: string
  refresh_token: string
  scope: string
}

/** Asks as a mail program does: without a resource. */
async function granted(client: RawClient, cookie: string, scope: string, resource?: string): Promise<Granted> {
  const location = await allowOn(client.authorizeUrl({ redirect_uri: REDIRECT, scope, resource }), cookie)
  const back = new URL(location)
  if (`${back.origin}${back.pathname}` !== REDIRECT) throw new Error(location)
  const { status, body } = await client.token({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: REDIRECT,
    resource,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

const oauthBearer = (name: string, token: string): string =>
  base64(`n,a=${name},\x01host=${HOST}\x01port=993\x01auth=Bearer ${token}\x01\x01`)

async function rawImap(t: Test, { imapPort, ca }: MailWorld): Promise<Client> {
  const socket = connect({ host: '127.0.0.1', port: imapPort, ca, servername: HOST })
  await once(socket, 'secureConnect')
  const client = new Client(socket)
  t.teardown(() => client.drop())
  await client.greeting()
  return client
}

/** @returns the last response */
async function authenticate(client: Client, name: string, token: string): Promise<string> {
  client.write(`o AUTHENTICATE OAUTHBEARER ${oauthBearer(name, token)}\r\n`)
  const first = await client.next()
  if (!first.startsWith('+ ')) return first.replace(/^o /, '')
  client.write('AQ==\r\n')
  return (await client.until('o')).at(-1) ?? ''
}

const PROGRAMS = [
  peer('curl', '/usr/bin/curl'),
  peer('msmtp', '/usr/bin/msmtp'),
  peer('python3', PYTHON),
  opensslPeer(),
]

/** Reads with both mechanisms, and sends with XOAUTH2, with the initial response and without. */
const PROGRAM = `
import imaplib, smtplib, ssl, sys
from email.message import EmailMessage
imap_port, smtp_port, ca, user, token, to = sys.argv[1:]
context = ssl.create_default_context(cafile=ca)
context.check_hostname = False
xoauth2 = f'user={user}\\x01auth=Bearer {token}\\x01\\x01'
bearer = f'n,a={user},\\x01auth=Bearer {token}\\x01\\x01'
for mechanism, message in (('XOAUTH2', xoauth2), ('OAUTHBEARER', bearer)):
    server = imaplib.IMAP4_SSL('127.0.0.1', int(imap_port), ssl_context=context)
    server.authenticate(mechanism, lambda challenge: message.encode())
    status, count = server.select('INBOX')
    print(mechanism, status, count[0].decode())
    server.logout()
server = imaplib.IMAP4_SSL('127.0.0.1', int(imap_port), ssl_context=context)
answers = []
def wrong(challenge):
    answers.append(challenge.decode())
    return b'' if challenge else xoauth2.replace(token, 'wrong').encode()
try:
    server.authenticate('XOAUTH2', wrong)
except imaplib.IMAP4.error as error:
    print('refused', answers[-1], error)
for at_once in (True, False):
    server = smtplib.SMTP_SSL('127.0.0.1', int(smtp_port), context=context)
    server.ehlo('laptop.test')
    server.auth('XOAUTH2', lambda challenge=None: xoauth2, initial_response_ok=at_once)
    message = EmailMessage()
    message['From'], message['To'], message['Subject'] = user, to, f'smtplib {at_once}'
    message.set_content('Hello.')
    server.send_message(message)
    server.quit()
print('sent')
`

t.test('programs sign in with tokens', allPeers(...PROGRAMS), async (t) => {
  const world = await startMailWorld(t)
  const { daemon, agent, imapPort, tlsPort, caFile, dir, user, greeted } = world
  await world.arrive('mail', 3, 1)
  const cookie = await sessionOf(daemon, user)
  const program = await rawClient(daemon.url, REGISTERED, 'Lark Mail')
  const all = await granted(program, cookie, 'imap smtp')
  t.equal(all.scope, 'imap smtp')
  const other = 'bob.agent@agents.test'
  const connections = async (): Promise<string> =>
    (await (await fetch(`${daemon.url}/account/connections`, { headers: { cookie } })).text()).replaceAll(/\s+/g, ' ')

  t.test('the documents lead from a refused token to the page', async (t) => {
    const client = await rawImap(t, world)
    client.write(`o AUTHENTICATE OAUTHBEARER ${base64('n,,\x01\x01')}\r\n`)
    const told = JSON.parse(Buffer.from((await client.next()).slice(2), 'base64').toString())
    t.match(told, { status: 'invalid_token', scope: 'imap' })
    const { body: server } = await request(told['openid-configuration'], 'GET')
    t.match(server, { issuer: daemon.url, authorization_endpoint: `${daemon.url}/oauth/authorize` })
    const [, resource] = server.protected_resources
    t.equal(resource, `${daemon.url}/mail`)
    const { pathname } = new URL(resource)
    const { body } = await request(`${daemon.url}/.well-known/oauth-protected-resource${pathname}`, 'GET')
    t.match(body, { resource, authorization_servers: [daemon.url] })
    for (const scope of ['imap', 'smtp', MAIL_SCOPE]) t.ok(body.scopes_supported.includes(scope), scope)
    const page = await fetch(program.authorizeUrl({ redirect_uri: REDIRECT, scope: MAIL_SCOPE, resource }), {
      headers: { cookie },
    })
    t.match(await page.text(), /Read, file and send mail in a mail program/)
  })

  t.test('imapflow', async (t) => {
    const client = new ImapFlow({ ...flowTo(world), auth: { user, accessToken: all.access_token } })
    t.teardown(() => client.close())
    await client.connect()
    t.match(await client.status('INBOX', { messages: true }), { messages: 3 })
    await client.logout()
    const wrong = new ImapFlow({ ...flowTo(world), auth: { user, accessToken: `${all.access_token}x` } })
    const refusal: unknown = await wrong.connect().catch((error: unknown) => error)
    t.match(refusal, { authenticationFailed: true, oauthError: { status: 'invalid_token' } })
  })

  t.test('imaplib and smtplib of Python', async (t) => {
    const script = join(dir, 'oauth.py')
    await writeFile(script, PROGRAM)
    const { code, stdout, stderr } = await run(PYTHON, [
      ...[script, String(imapPort), String(tlsPort), caFile],
      ...[user, all.access_token, other],
    ])
    t.equal(code, 0, stderr)
    t.match(stdout, /^XOAUTH2 OK 3\nOAUTHBEARER OK 3\nrefused \{"status":"401".*AUTHENTICATIONFAILED.*\nsent\n$/)
  })

  t.test('curl, which reads and sends', async (t) => {
    const resolved = ['--silent', '--show-error', '--cacert', caFile, '--resolve', `${HOST}:${imapPort}:127.0.0.1`]
    const credentials = ['--user', user, '--oauth2-bearer', all.access_token]
    const read = await run('/usr/bin/curl', [...resolved, ...credentials, `imaps://${HOST}:${imapPort}/INBOX;UID=1`])
    t.equal(read.code, 0, read.stderr)
    t.match(read.stdout, 'Subject: mail 0')
    const file = join(dir, 'curl.eml')
    await writeFile(file, `From: ${user}\r\nTo: ${other}\r\nSubject: from curl\r\n\r\nHello.\r\n`)
    const send = await run('/usr/bin/curl', [
      ...[...resolved.slice(0, 4), '--resolve', `${HOST}:${tlsPort}:127.0.0.1`, ...credentials],
      ...[`smtps://${HOST}:${tlsPort}/laptop.test`, '--mail-from', user, '--mail-rcpt', other, '-T', file],
    ])
    t.equal(send.code, 0, send.stderr)
    const refused = await run('/usr/bin/curl', [
      ...[...resolved, '--user', user, '--oauth2-bearer', 'wrong', `imaps://${HOST}:${imapPort}/INBOX;UID=1`],
    ])
    t.not(refused.code, 0)
  })

  t.test('msmtp', async (t) => {
    for (const mechanism of ['oauthbearer', 'xoauth2']) {
      const config = join(dir, `msmtp-${mechanism}`)
      const lines = msmtpSettings(world, mechanism, all.access_token)
      await writeFile(config, lines.join('\n'), { mode: 0o600 })
      const mail = `From: ${user}\nTo: ${other}\nSubject: msmtp ${mechanism}\n\nHello.\n`
      const sent = await run('/usr/bin/msmtp', ['-C', config, '-t'], mail)
      t.equal(sent.code, 0, `${sent.stderr}${sent.stdout}`)
    }
  })

  t.test('each message is in Sent, and was sent by the connection', async (t) => {
    const { body } = await agent.call('GET', '/v1/messages?label=sent&limit=50')
    const subjects: string[] = []
    for (const { id, subject } of body.data) {
      subjects.push(subject)
      const message = await agent.call('GET', `/v1/messages/${id}`)
      t.match(message.body.requested_by, { type: 'connection', key_id: /^con_/ }, subject)
    }
    t.same(subjects.sort(), ['from curl', 'msmtp oauthbearer', 'msmtp xoauth2', 'smtplib False', 'smtplib True'])
  })

  t.test('a token opens its mailbox in programs, and nothing else', async (t) => {
    const client = await rawImap(t, world)
    const wrong = await authenticate(client, user, `${all.access_token}x`)
    t.match(wrong, /^NO \[AUTHENTICATIONFAILED\]/)
    t.equal(await authenticate(client, other, all.access_token), wrong, 'another mailbox of the same owner')
    const { text: password } = await world.appPassword({ scopes: ['imap'] })
    const second = await rawImap(t, world)
    t.equal(await authenticate(second, user, password), wrong, 'an app password is no token')
    t.match((await second.say(`LOGIN ${user} ${all.access_token}`)).at(-1), /^NO \[AUTHENTICATIONFAILED\]/)
    const third = await rawImap(t, world)
    const ofAgents = await granted(program, cookie, 'mail:read mail:send mail:write', `${daemon.url}/mcp`)
    t.equal(await authenticate(third, user, ofAgents.access_token), wrong, 'a token for the MCP server')
    t.match(
      await authenticate(third, `${user.replace('@', '+tag@')}`, all.access_token),
      /^OK/,
      'its address with a tag',
    )
    for (const [method, path] of [
      ['GET', '/v1/messages'],
      ['POST', '/v1/send'],
      ['POST', '/mcp'],
    ] as const) {
      const answer = await request(`${daemon.url}${path}`, method, method === 'POST' ? {} : undefined, {
        authorization: `Bearer ${all.access_token}`,
      })
      t.equal(answer.status, 401, path)
    }
    const waiting = await claim(daemon, 'eve.agent')
    t.equal(await authenticate(await rawImap(t, world), waiting.address, all.access_token), wrong)
  })

  t.test('scopes are kept, and a program that was not allowed reads so', async (t) => {
    const reads = await granted(program, cookie, 'imap:read')
    const client = await rawImap(t, world)
    t.match(await authenticate(client, user, reads.access_token), /^OK/)
    await client.say('SELECT INBOX')
    t.match((await client.say('STORE 1 +FLAGS (\\Seen)')).at(-1), /^NO/)
    const dialog = await greeted()
    t.match(await dialog.say(`AUTH OAUTHBEARER ${oauthBearer(user, reads.access_token)}`), /^334 /)
    t.match(await dialog.say('AQ=='), /^525 5\.7\.13 This program was not allowed the right submission/)
    const sends = await granted(program, cookie, 'smtp')
    t.match(await authenticate(await rawImap(t, world), user, sends.access_token), /^NO \[AUTHORIZATIONFAILED\]/)
    t.match(await dialog.say(`AUTH OAUTHBEARER ${oauthBearer(user, sends.access_token)}`), /^235 /)
  })

  t.test('a refreshed token works, and what was refreshed goes on until its end', async (t) => {
    const before = await granted(program, cookie, MAIL_SCOPE)
    t.equal(before.scope, MAIL_SCOPE)
    const { status, body } = await program.token({
      grant_type: 'refresh_token',
      refresh_token: before.refresh_token,
      resource: undefined,
    })
    t.equal(status, 200)
    for (const token of [body.access_token, before.access_token])
      t.match(await authenticate(await rawImap(t, world), user, token), /^OK/)
  })

  t.test('a connection that its owner ends is cut off at once', async (t) => {
    t.match(await connections(), /Lark Mail.*May read and file mail in a mail program; send mail from a mail program/)
    const own = await granted(await rawClient(daemon.url, REGISTERED, 'Owl Mail'), cookie, 'imap smtp')
    const imap = await rawImap(t, world)
    t.match(await authenticate(imap, user, own.access_token), /^OK/)
    const dialog = await greeted()
    t.match(await dialog.say(`AUTH OAUTHBEARER ${oauthBearer(user, own.access_token)}`), /^235 /)
    const listed = await daemon.cli('connection', 'list', 'human@example.org')
    t.match(listed.stdout, 'Owl Mail')
    const page = await (await fetch(`${daemon.url}/account/connections`, { headers: { cookie } })).text()
    const at = page.indexOf('Owl Mail')
    const path = /action="([^"]*\/revoke)"/.exec(page.slice(at))?.[1] ?? ''
    const mark = /name="mark" value="([^"]*)"/.exec(page.slice(at))?.[1] ?? ''
    const ended = await sendForm(`${daemon.url}${path}`, new URLSearchParams({ mark }), cookie)
    t.equal(ended.status, 303)
    t.match(await imap.next(), /^\* BYE your access has ended: the access token has expired or was revoked/)
    t.match(await dialog.reply(), /^421 4\.7\.0 your access has just ended/)
    t.match(await authenticate(await rawImap(t, world), user, own.access_token), /^NO \[AUTHENTICATIONFAILED\]/)
  })

  t.test('a suspended account ends what is open, and tells why', async (t) => {
    const imap = await rawImap(t, world)
    t.match(await authenticate(imap, user, all.access_token), /^OK/)
    t.equal((await daemon.cli('account', 'suspend', 'human@example.org', '--reason', 'a test')).code, 0)
    t.match(await imap.next(), /^\* BYE your access has ended/)
    t.match(
      await authenticate(await rawImap(t, world), user, all.access_token),
      /^NO \[AUTHORIZATIONFAILED\] The account of this mailbox is suspended\. The reason: a test/,
    )
    const dialog = await greeted()
    t.match(await dialog.say(`AUTH OAUTHBEARER ${oauthBearer(user, all.access_token)}`), /^525 5\.7\.13 .*a test/)
    t.equal((await daemon.cli('account', 'reinstate', 'human@example.org')).code, 0)
    t.match(await dialog.say(`AUTH OAUTHBEARER ${oauthBearer(user, all.access_token)}`), /^235 /)
    t.match(
      await submit(dialog, {
        from: user,
        to: [other],
        lines: [`From: ${user}`, `To: ${other}`, 'Subject: again', '', 'Hi.'],
      }),
      /^250 /,
    )
  })
})

t.test('wrong tokens count as wrong keys of HTTP do', opensslPeer(), async (t) => {
  const { greeted, agent } = await startWorld(t, { 'limits.requests_per_minute': '3' })
  const answers: string[] = []
  while (answers.length < 10 && !answers.at(-1)?.startsWith('421')) {
    const dialog = await greeted()
    const asked = await dialog.say(`AUTH OAUTHBEARER ${oauthBearer(agent.address, `wrong${answers.length}`)}`)
    answers.push(asked.startsWith('334') ? await dialog.say('AQ==') : asked)
    dialog.drop()
  }
  t.match(answers[0], /^535 5\.7\.8 the access token is wrong/)
  t.match(answers.at(-1), /^421 4\.7\.0 too many wrong/)
})
