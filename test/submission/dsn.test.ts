/** Delivery notices that a mail program asks for (RFC 3461): what the next server hears of it, and what comes back to the mailbox. */
import t, { type Test } from 'tap'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { approvedAgent, waitForEvent } from '../support/agent.js'
import { run } from '../support/daemon.js'
import { opensslPeer } from '../support/peers/certificates.js'
import { startPeer, type Peer, type PeerBehaviour } from '../support/peers/peer-server.js'
import { allPeers, peer } from '../support/peers/peers.js'
import { postfixPeer, startPostfix } from '../support/peers/postfix.js'
import { freePort } from '../support/ports.js'
import { idIn, relayingToPeer, startWorld, type World } from './world.js'

const SIMULATOR = 'simulator.agents.test'
const ALL = 'NOTIFY=SUCCESS,FAILURE,DELAY'

/** A program's session with a daemon whose mail for peer.test goes to this port. */
async function startSubmitting(t: Test, port?: number, settings: Record<string, string> = {}) {
  const world = await startWorld(t, { ...(await relayingToPeer(t, port)), ...settings })
  const { text } = await world.appPassword()
  const dialog = await world.signedIn(text)
  /** @returns the id of the message */
  async function submit(parameters: string, recipients: Record<string, string>, subject: string): Promise<string> {
    const commands = [
      `MAIL FROM:<${world.agent.address}> ${parameters}`,
      ...Object.entries(recipients).map(([address, wishes]) => `RCPT TO:<${address}> ${wishes}`),
      'DATA',
    ]
    for (const command of commands) t.match(await dialog.say(command.trim()), /^[23]/, command)
    const lines = [`From: ${world.agent.address}`, `Subject: ${subject}`, 'Message-ID: <a@laptop.test>', '', 'Secret.']
    const reply = await dialog.say([...lines, '.'].join('\r\n'))
    t.match(reply, /^250 /)
    return idIn(reply)
  }
  return { ...world, text, dialog, submit }
}

const withPeer = async (t: Test, behaviour: PeerBehaviour): Promise<Peer> => {
  const peer = await startPeer(behaviour)
  t.teardown(() => peer.close())
  return peer
}

const ended = ({ agent }: Pick<World, 'agent'>, id: string, status: string) =>
  waitForEvent(agent, (event) => event.data.message_id === id && event.data.status === status)

/** Mail that came to the mailbox, newest first. */
async function received({ agent }: Pick<World, 'agent'>) {
  const { data } = (await agent.call('GET', '/v1/messages?direction=inbound&limit=50')).body
  return Promise.all(data.map(async ({ id }: { id: string }) => (await agent.call('GET', `/v1/messages/${id}`)).body))
}

async function rawOf({ daemon, agent }: Pick<World, 'daemon' | 'agent'>, id: string): Promise<string> {
  const answer = await fetch(`${daemon.url}/v1/messages/${id}/raw`, {
    headers: { authorization: `Bearer ${agent.key}` },
  })
  return (await answer.text()).replaceAll('\r\n', '\n')
}

t.test('a server with DSN hears what was asked for, and sends the notices', opensslPeer(), async (t) => {
  const peer = await withPeer(t, { extensions: ['PIPELINING', 'DSN'] })
  const world = await startSubmitting(t, peer.port)
  t.match(await world.dialog.say('EHLO laptop.test'), /^250[ -]DSN$/m)
  const id = await world.submit(
    'RET=HDRS ENVID=QQ+2B314',
    {
      'bob@peer.test': `${ALL} ORCPT=rfc822;bob@peer.test`,
      'eve@peer.test': 'NOTIFY=NEVER',
      'ida@peer.test': 'ORCPT=rfc822;Ida+2Bx@list.test',
      'zoe@peer.test': '',
    },
    'asked',
  )
  await ended(world, id, 'delivered')
  t.same(
    peer.commands.filter((line) => line.startsWith('MAIL')).map((line) => line.replace(/<.*>/, '<>')),
    Array.from({ length: 4 }, () => 'MAIL FROM:<> RET=HDRS ENVID=QQ+2B314'),
  )
  t.same(peer.commands.filter((line) => line.startsWith('RCPT')).sort(), [
    'RCPT TO:<bob@peer.test> NOTIFY=SUCCESS,FAILURE,DELAY ORCPT=rfc822;bob@peer.test',
    'RCPT TO:<eve@peer.test> NOTIFY=NEVER',
    'RCPT TO:<ida@peer.test> ORCPT=rfc822;Ida+2Bx@list.test',
    'RCPT TO:<zoe@peer.test>',
  ])
  t.same(await received(world), [], 'the notice is that server’s to send')
  const plain = await world.submit('', { 'bob@peer.test': '' }, 'nothing asked')
  await ended(world, plain, 'delivered')
  t.notMatch(peer.commands.slice(-6).join('\n'), /RET|ENVID|NOTIFY|ORCPT/)
})

t.test(
  'a server without DSN: what was passed on is confirmed, and what failed comes back',
  opensslPeer(),
  async (t) => {
    const peer = await withPeer(t, {
      rcpt: (address) => (address.startsWith('no') ? '550 5.2.1 not in use' : undefined),
    })
    const world = await startSubmitting(t, peer.port)
    const passedOn = await world.submit('ENVID=x1', { 'bob@peer.test': `${ALL} ORCPT=rfc822;b@list.test` }, 'passed on')
    await ended(world, passedOn, 'delivered')
    t.notMatch(peer.commands.join('\n'), /ENVID|NOTIFY|ORCPT/)
    const [confirmed, ...none] = await received(world)
    t.same(none, [])
    t.match(confirmed, {
      subject: 'Passed on: your message is on its way',
      automation: 'auto-reply',
      report: {
        recipients: [{ address: 'b@list.test', final_address: 'bob@peer.test', action: 'relayed', status: '2.0.0' }],
      },
    })
    t.equal(confirmed.thread_id, (await world.agent.call('GET', `/v1/messages/${passedOn}`)).body.thread_id)
    const text = await rawOf(world, confirmed.id)
    t.match(text, 'Original-Envelope-Id: x1\n')
    t.match(text, 'Original-Recipient: rfc822;b@list.test\nFinal-Recipient: rfc822; bob@peer.test\nAction: relayed\n')
    t.notMatch(text, 'Secret.')

    for (const [subject, parameters, wishes, returned] of [
      ['all of it', 'RET=FULL', ALL, 'message/rfc822'],
      ['its header', 'RET=HDRS', ALL, 'text/rfc822-headers'],
      ['as usual', '', '', 'text/rfc822-headers'],
      ['no notice', '', 'NOTIFY=NEVER', undefined],
      ['success only', '', 'NOTIFY=SUCCESS', undefined],
    ] as const) {
      const before = (await received(world)).length
      const id = await world.submit(parameters, { 'nobody@peer.test': wishes }, subject)
      await ended(world, id, 'bounced')
      const [notice, ...earlier] = await received(world)
      t.equal(earlier.length, returned ? before : before - 1, subject)
      if (!returned) continue
      t.match(notice, { automation: 'bounce', report: { recipients: [{ action: 'failed', status: '5.2.1' }] } })
      const text = await rawOf(world, notice.id)
      t.match(text, `Content-Type: ${returned}`, subject)
      t.equal(text.includes('\nSecret.\n'), returned === 'message/rfc822', subject)
    }
  },
)

t.test('mailboxes of this server, wrong wishes, and wishes against the setting', opensslPeer(), async (t) => {
  const world = await startSubmitting(t, undefined, { 'relay.sender_notices': 'off' })
  const other = await approvedAgent(world.daemon, 'bob.agent', 'human@example.org')
  const id = await world.submit('', { [other.address]: 'NOTIFY=SUCCESS' }, 'local')
  await ended(world, id, 'delivered')
  t.match(await received(world), [
    { subject: 'Delivered: your message reached its mailbox', report: { recipients: [{ action: 'delivered' }] } },
  ])
  const failing = await world.submit('', { [`bounce@${SIMULATOR}`]: 'NOTIFY=FAILURE' }, 'failing')
  await ended(world, failing, 'bounced')
  const silent = await world.submit('', { [`bounce@${SIMULATOR}`]: '' }, 'silent')
  await ended(world, silent, 'bounced')
  t.same(
    (await received(world)).map(({ report }) => report.recipients[0].action),
    ['failed', 'delivered'],
  )
  const { dialog, agent } = world
  for (const wrong of ['RET=ALL', 'ENVID=', `ENVID=${'x'.repeat(101)}`, 'ENVID=+2b', 'RET=FULL RET=HDRS'])
    t.match(await dialog.say(`MAIL FROM:<${agent.address}> ${wrong}`), /^501 5\.5\.4 /, wrong)
  t.match(await dialog.say(`MAIL FROM:<${agent.address}>`), /^250 /)
  for (const wrong of ['NOTIFY=NEVER,SUCCESS', 'NOTIFY=', 'ORCPT=bob', `ORCPT=rfc822;${'x'.repeat(500)}`])
    t.match(await dialog.say(`RCPT TO:<delivered@${SIMULATOR}> ${wrong}`), /^501 5\.5\.4 /, wrong)
})

const PYTHON = '/usr/bin/python3'
const SMTPLIB = `
import smtplib, ssl, sys
tls_port, ca, user, password, recipients = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:]
context = ssl.create_default_context(cafile=ca)
context.check_hostname = False
server = smtplib.SMTP_SSL('127.0.0.1', int(tls_port), context=context)
server.login(user, password)
for to in recipients:
    text = 'From: %s\\r\\nTo: %s\\r\\nSubject: by smtplib\\r\\nMessage-ID: <%s>\\r\\n\\r\\nHello.\\r\\n' % (user, to, to)
    server.sendmail(user, [to], text, mail_options=['RET=HDRS', 'ENVID=letter+2B7'],
        rcpt_options=['NOTIFY=SUCCESS,FAILURE', 'ORCPT=rfc822;old+2B' + to])
server.quit()
`

t.test(
  'Postfix as the next server: it gets ENVID and ORCPT, and its own notices reach the mailbox',
  allPeers(peer('python3', PYTHON), opensslPeer(), postfixPeer()),
  async (t) => {
    const smtpPort = await freePort()
    const postfix = await startPostfix('peer.test', [
      `relayhost = [127.0.0.1]:${smtpPort}`,
      'virtual_mailbox_maps = inline:{bob@peer.test=all/}',
    ])
    t.teardown(() => postfix.stop())
    const world = await startSubmitting(t, postfix.port, { 'smtp.listen': `127.0.0.1:${smtpPort}` })
    const script = join(world.dir, 'send.py')
    await writeFile(script, SMTPLIB)
    const sent = await run(PYTHON, [
      ...[script, String(world.tlsPort), world.caFile, world.agent.address, world.text, 'bob@peer.test'],
    ])
    t.equal(sent.code, 0, sent.stderr)
    await postfix.nextMail('bob')
    const { data } = await waitForEvent(world.agent, ({ type }) => type === 'message.received')
    const notice = (await world.agent.call('GET', `/v1/messages/${data.message_id}`)).body
    t.match(notice, {
      report: {
        reported_by: 'mx.peer.test',
        recipients: [{ address: 'old+bob@peer.test', final_address: 'bob@peer.test', action: 'delivered' }],
      },
    })
    t.match(await rawOf(world, notice.id), /^Original-Envelope-Id: letter\+7$/m)
    t.equal((await received(world)).length, 1, 'and none of ours')
  },
)
