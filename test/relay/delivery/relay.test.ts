import { setImmediate as nextTurn } from 'node:timers/promises'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { MINUTE } from '../../../src/lib/clock.js'
import type { RelaySettings } from '../../support/relay.js'
import { nextWait, RETRY_WAITS_MS } from '../../../src/relay/schedule.js'
import { peer } from '../../support/peers/peers.js'
import { startPeer, type Peer, type PeerBehaviour } from '../../support/peers/peer-server.js'
import { RAW, startWorld, type World } from '../world.js'
import { tasksIn } from '../../support/store/tasks.js'

const OPENSSL = '/usr/bin/openssl'

async function setUp(
  t: Test,
  behaviour: PeerBehaviour = {},
  change: Partial<RelaySettings> = {},
): Promise<{ peer: Peer; world: World }> {
  const peer = await startPeer(behaviour)
  const world = await startWorld(peer.port, change)
  t.teardown(async () => {
    await world.close()
    await peer.close()
  })
  return { peer, world }
}

t.test('a message arrives at the MX of its recipients, signed and as it was written', async (t) => {
  const { peer, world } = await setUp(t)
  await world.send('msg_1', ['a@peer.test', 'b@peer.test'])
  const recipient = await world.settled('msg_1', 'b@peer.test')
  t.match(recipient, {
    status: 'delivered',
    smtp_code: 250,
    detail: '250 2.0.0 queued',
    attempts: 1,
    next_attempt_at: null,
  })
  t.equal(peer.mail.length, 1, 'one transaction for one domain')
  t.match(peer.mail[0], { from: 'alice@agents.test', to: ['a@peer.test', 'b@peer.test'], encrypted: false })
  t.equal(peer.mail[0]?.raw, `DKIM-Signature: d=agents.test\r\n${RAW}`)
  t.equal(peer.commands[0], 'EHLO mx.agents.test')
  await world.relay.stop()
  t.match(world.log.at(-1), { message_id: 'msg_1', domain: 'peer.test', host: 'mx.peer.test', delivered: 2 })
  t.notMatch(JSON.stringify(world.log), /Good morning|alice@/)
})

t.test('the line of an attempt says who got what answer, each answer once', async (t) => {
  const { world } = await setUp(t, {
    rcpt: (address) => (address.startsWith('gone') ? '550 5.1.1 no such user' : undefined),
  })
  await world.send('msg_1', ['a@peer.test', 'gone@peer.test', 'gone2@peer.test'])
  await world.settled('msg_1', 'gone2@peer.test')
  await world.relay.stop()
  t.match(world.log.at(-1), { msg: 'delivery attempt', attempt: 1, delivered: 1, bounced: 2 })
  t.same(world.log.at(-1)?.['outcomes'], [
    { status: 'delivered', code: 250, detail: '250 2.0.0 queued', recipients: ['a@peer.test'] },
    {
      status: 'bounced',
      code: 550,
      detail: '550 5.1.1 no such user',
      recipients: ['gone@peer.test', 'gone2@peer.test'],
    },
  ])
})

t.test('a message is said to be on its way when a try takes long, and not when it is over at once', async (t) => {
  let answer = (): void => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  let isHeld = false
  const { world } = await setUp(t, { hold: () => (isHeld ? answered : Promise.resolve()) }, { showAfterMs: 5000 })
  await world.send('msg_quick', ['a@peer.test'])
  await world.settled('msg_quick', 'a@peer.test')
  isHeld = true
  await world.restart({ showAfterMs: 0 })
  const told = world.told()
  await world.send('msg_slow', ['a@peer.test'])
  t.equal(await told, 'msg_slow')
  answer()
  await world.settled('msg_slow', 'a@peer.test')
  t.same(world.begun, ['msg_slow'])
})

t.test(
  'where others could cancel it, a message is marked before it leaves, and stays here when it was cancelled',
  async (t) => {
    // However slow the machine is, none is marked for the time that it takes.
    const { peer, world } = await setUp(t, {}, { nodes: { peers: () => ['another'] }, showAfterMs: 60_000 })
    await world.send('msg_1', ['a@peer.test'])
    await world.settled('msg_1', 'a@peer.test')
    t.same(world.begun, ['msg_1'])
    world.cancelled.add('msg_2')
    await world.send('msg_2', ['a@peer.test'])
    await world.calm()
    t.same(world.begun, ['msg_1', 'msg_2'])
    t.equal(world.recipient('msg_2', 'a@peer.test').attempts, 0)
    await world.send('msg_3', ['bob@agents.test'])
    await world.settled('msg_3', 'bob@agents.test')
    t.same(world.begun, ['msg_1', 'msg_2'], 'a local copy needs no mark')
    t.equal(peer.mail.length, 1)
  },
)

t.test('each recipient has its own answer, and only who is left is tried again', async (t) => {
  let full = true
  const { peer, world } = await setUp(t, {
    rcpt: (address) => {
      if (address === 'gone@peer.test') return '550 5.1.1 no such user'
      return full && address === 'full@peer.test' ? '452 4.2.2 mailbox full' : undefined
    },
  })
  await world.send('msg_1', ['ok@peer.test', 'gone@peer.test', 'full@peer.test'])
  const first = await world.settled('msg_1', 'full@peer.test')
  t.match(first, { status: 'deferred', smtp_code: 452, next_attempt_at: '2026-01-01T00:01:00.000Z' })
  t.match(world.recipient('msg_1', 'ok@peer.test'), { status: 'delivered' })
  t.match(world.recipient('msg_1', 'gone@peer.test'), {
    status: 'bounced',
    smtp_code: 550,
    detail: '550 5.1.1 no such user',
  })
  full = false
  world.advance(MINUTE)
  await world.settled('msg_1', 'full@peer.test', 2)
  t.same(
    peer.mail.map(({ to }) => to),
    [['ok@peer.test'], ['full@peer.test']],
  )
})

t.test('without PIPELINING, and when everybody is refused, answers are told apart all the same', async (t) => {
  const { world } = await setUp(t, {
    extensions: [],
    rcpt: (address) => (address.startsWith('now') ? '450 4.2.0 later' : '553 5.1.3 never'),
  })
  await world.send('msg_1', ['now@peer.test', 'not@peer.test'])
  t.match(await world.settled('msg_1', 'now@peer.test'), { status: 'deferred', smtp_code: 450 })
  t.match(world.recipient('msg_1', 'not@peer.test'), { status: 'bounced', smtp_code: 553 })
})

t.test('a refusal of the sender or of the message is for all who were left', async (t) => {
  let data = '554 5.7.1 spam'
  const { world } = await setUp(t, {
    mail: (line) => (line.includes('BODY=8BITMIME') ? '550 5.6.3 no' : undefined),
    data: () => data,
    rcpt: (address) => (address === 'gone@peer.test' ? '550 5.1.1 no such user' : undefined),
    extensions: ['8BITMIME', 'PIPELINING'],
  })
  await world.send('msg_1', ['a@peer.test', 'gone@peer.test'])
  t.match(await world.settled('msg_1', 'a@peer.test'), { status: 'bounced', smtp_code: 554 })
  t.match(world.recipient('msg_1', 'gone@peer.test'), { status: 'bounced', detail: '550 5.1.1 no such user' })
  data = '451 4.7.1 greylisted'
  await world.send('msg_2', ['a@peer.test'])
  t.match(await world.settled('msg_2', 'a@peer.test'), { status: 'deferred', smtp_code: 451 })
  await world.send('msg_3', ['a@peer.test'], RAW + 'grün\r\n')
  t.match(await world.settled('msg_3', 'a@peer.test'), { status: 'bounced', smtp_code: 550, detail: '550 5.6.3 no' })
})

t.test('after the last wait the recipient bounces with the last answer', async (t) => {
  const { world } = await setUp(t, { rcpt: () => '450 4.2.0 busy' })
  await world.send('msg_1', ['a@peer.test'])
  for (let attempt = 1; attempt <= RETRY_WAITS_MS.length; attempt++) {
    t.equal((await world.settled('msg_1', 'a@peer.test', attempt)).status, 'deferred')
    world.advance(nextWait(attempt, 0) ?? 0)
  }
  const last = await world.settled('msg_1', 'a@peer.test', RETRY_WAITS_MS.length + 1)
  t.match(last, { status: 'bounced', smtp_code: 450, attempts: 14, next_attempt_at: null })
  t.equal(last.detail, '450 4.2.0 busy (given up after 14 attempts in about 40 hours)')
})

t.test('the next host is tried when one cannot be reached or does not want to talk', async (t) => {
  const { peer, world } = await setUp(t)
  world.dns.set('dead.test', 'A', ['127.0.0.2'])
  world.dns.set('peer.test', 'MX', [
    { priority: 1, exchange: 'dead.test' },
    { priority: 2, exchange: 'mx.peer.test' },
  ])
  await world.send('msg_1', ['a@peer.test'])
  t.equal((await world.settled('msg_1', 'a@peer.test')).status, 'delivered')
  t.equal(peer.mail.length, 1)
})

t.test('a host that greets with an error, or hangs up, defers', async (t) => {
  const greetings = ['554 5.7.1 we do not like you', '421 4.3.2 too busy', 'drop']
  const { world } = await setUp(t, { greeting: () => greetings.shift() })
  await world.send('msg_1', ['a@peer.test'])
  t.match(await world.settled('msg_1', 'a@peer.test', 1), { status: 'deferred', smtp_code: 554 })
  world.advance(MINUTE)
  t.match(await world.settled('msg_1', 'a@peer.test', 2), { status: 'deferred', smtp_code: 421 })
  world.advance(2 * MINUTE)
  t.match(await world.settled('msg_1', 'a@peer.test', 3), { status: 'deferred', smtp_code: null })
  world.advance(5 * MINUTE)
  t.equal((await world.settled('msg_1', 'a@peer.test', 4)).status, 'delivered')
})

t.test('a message that may have been taken is not given to another host', async (t) => {
  let drop = true
  const { peer, world } = await setUp(t, { data: () => (drop ? 'drop' : undefined) })
  world.dns.set('mx.peer.test', 'AAAA', ['::1'])
  await world.send('msg_1', ['a@peer.test'])
  t.match(await world.settled('msg_1', 'a@peer.test'), { status: 'deferred', smtp_code: null })
  t.equal(peer.commands.filter((line) => line === '<message>').length, 1)
  drop = false
  world.advance(MINUTE)
  t.equal((await world.settled('msg_1', 'a@peer.test', 2)).status, 'delivered')
})

t.test('TLS is used where it is offered, whatever the certificate', async (t) => {
  const { peer, world } = await setUp(t, { starttls: 'works' })
  await world.send('msg_1', ['a@peer.test'])
  await world.settled('msg_1', 'a@peer.test')
  t.equal(peer.mail[0]?.encrypted, true)
  await world.relay.stop()
  t.match(world.log.at(-1), { tls: true })
})

t.test('a server whose TLS does not work gets the message in the clear', async (t) => {
  for (const starttls of ['refused', 'broken'] as const) {
    const { peer, world } = await setUp(t, { starttls })
    await world.send('msg_1', ['a@peer.test'])
    t.equal((await world.settled('msg_1', 'a@peer.test')).status, 'delivered', starttls)
    t.equal(peer.mail[0]?.encrypted, false)
  }
})

t.test('one session carries message after message, also after a refusal', async (t) => {
  const { peer, world } = await setUp(t, {
    rcpt: (address) => (address.startsWith('gone') ? '550 5.1.1 gone' : undefined),
  })
  for (const [i, name] of ['a', 'gone', 'b', 'c'].entries()) {
    await world.send(`msg_${i}`, [`${name}@peer.test`])
    await world.settled(`msg_${i}`, `${name}@peer.test`)
  }
  t.equal(peer.connections, 1)
  t.equal(peer.mail.length, 3)
  t.equal(peer.commands.filter((line) => line === 'RSET').length, 1)
})

t.test('a session that went stale is replaced', async (t) => {
  let stale = false
  const { peer, world } = await setUp(t, {
    mail: () => {
      const answer = stale ? '421 4.4.2 idle for too long' : undefined
      stale = false
      return answer
    },
  })
  await world.send('msg_1', ['a@peer.test'])
  await world.settled('msg_1', 'a@peer.test')
  stale = true
  await world.send('msg_2', ['a@peer.test'])
  t.match(await world.settled('msg_2', 'a@peer.test'), { status: 'delivered', attempts: 1 })
  t.equal(peer.connections, 2)
})

t.test('SMTPUTF8 is asked for when an address needs it, and its lack bounces', async (t) => {
  const extensions = ['PIPELINING', 'SMTPUTF8']
  const { peer, world } = await setUp(t, { extensions })
  await world.send('msg_1', ['jürgen@peer.test'])
  await world.settled('msg_1', 'jürgen@peer.test')
  t.ok(peer.commands.some((line) => line.startsWith('MAIL') && line.includes('SMTPUTF8')))
  await world.send('msg_2', ['a@peer.test'])
  await world.settled('msg_2', 'a@peer.test')
  t.equal(peer.commands.filter((line) => line.includes('SMTPUTF8')).length, 1)
  extensions.pop()
  await world.restart()
  await world.send('msg_3', ['jürgen@peer.test'])
  t.match(await world.settled('msg_3', 'jürgen@peer.test'), { status: 'bounced', detail: /^5\.6\.7 / })
})

t.test('SMTPUTF8 is said for a header in UTF-8 where the server knows it', async (t) => {
  const extensions = ['8BITMIME', 'SMTPUTF8']
  const { peer, world } = await setUp(t, { extensions })
  const sent = async (id: string, raw: string): Promise<string[]> => {
    await world.send(id, ['a@peer.test'], raw)
    t.match(await world.settled(id, 'a@peer.test'), { status: 'delivered' })
    return peer.commands.filter((line) => line.startsWith('MAIL')).slice(-1)
  }
  t.match(await sent('msg_1', `Comment: Grüße\r\n${RAW}`), [/SMTPUTF8 BODY=8BITMIME/])
  t.notMatch(await sent('msg_2', `${RAW}Grüße\r\n`), [/SMTPUTF8/], 'a text is no header')
  extensions.pop()
  await world.restart()
  t.notMatch(await sent('msg_3', `Comment: Grüße\r\n${RAW}`), [/SMTPUTF8/])
  t.notMatch(await sent('msg_4', `Comment: to josé@else.test\r\nCc: José <b@else.test>\r\n${RAW}`), [/SMTPUTF8/])
  await world.send('msg_5', ['a@peer.test'], `Cc: José <josé@else.test>\r\n${RAW}`)
  const bounced = { status: 'bounced', detail: /^5\.6\.7 .*send it without those addresses/ }
  t.match(await world.settled('msg_5', 'a@peer.test'), bounced, 'an address in the header needs it')
})

t.test('a message larger than the server takes bounces without being sent', async (t) => {
  const { peer, world } = await setUp(t, { extensions: ['SIZE 1000'] })
  await world.send('msg_1', ['a@peer.test'], RAW + 'x\r\n'.repeat(500))
  t.match(await world.settled('msg_1', 'a@peer.test'), { status: 'bounced', detail: /^5\.3\.4 / })
  t.notOk(peer.commands.includes('<message>'))
})

t.test('mail between mailboxes of this server is delivered once, without the network', async (t) => {
  const { peer, world } = await setUp(t)
  await world.send('msg_1', ['bob@agents.test', 'bob+tag@agents.test', 'nobody@agents.test'])
  await world.settled('msg_1', 'nobody@agents.test')
  t.match(world.recipient('msg_1', 'bob@agents.test'), { status: 'delivered', smtp_code: 250 })
  t.match(world.recipient('msg_1', 'bob+tag@agents.test'), { status: 'delivered' })
  t.match(world.recipient('msg_1', 'nobody@agents.test'), { status: 'bounced', smtp_code: 550, detail: /^5\.1\.1/ })
  t.equal(world.delivered.length, 1)
  const [delivery] = world.delivered
  t.match(delivery, { mailboxId: 'mbx_bob', envelopeFrom: 'alice@agents.test', auth: null })
  t.ok(
    delivery?.raw
      .toString()
      .startsWith('Return-Path: <alice@agents.test>\r\nReceived: by mx.agents.test id msg_1;\r\n\t'),
  )
  t.ok(delivery?.raw.toString().endsWith(RAW))
  t.equal(peer.connections, 0)
})

t.test('local mail is scanned like any other', async (t) => {
  const { world } = await setUp(
    t,
    {},
    { scanner: { enabled: true, scan: async () => ({ virus: 'infected', signature: 'x' }) } },
  )
  await world.send('msg_1', ['bob@agents.test'])
  t.match(await world.settled('msg_1', 'bob@agents.test'), { status: 'bounced', detail: /malware/ })
  await world.restart({ scanner: { enabled: true, scan: async () => ({ virus: 'unscanned', reason: 'away' }) } })
  await world.send('msg_2', ['bob@agents.test'])
  t.match(await world.settled('msg_2', 'bob@agents.test'), { status: 'deferred', smtp_code: 451 })
})

t.test('a server that sends nothing out says which setting would change that', async (t) => {
  const { peer, world } = await setUp(t, {}, { outbound: false })
  await world.send('msg_1', ['a@peer.test', 'bob@agents.test'])
  t.match(await world.settled('msg_1', 'a@peer.test'), {
    status: 'bounced',
    detail: /relay\.outbound or relay\.smarthost/,
  })
  t.match(await world.settled('msg_1', 'bob@agents.test'), { status: 'delivered' })
  t.equal(peer.connections, 0)
})

t.test('a crash before the attempt is written down leads to another attempt, never to a loss', async (t) => {
  const { peer, world } = await setUp(t)
  const crashed = new Promise<void>((resolve) => {
    world.onRecord = () => {
      resolve()
      return Promise.reject(new Error('the disk is gone'))
    }
  })
  await world.send('msg_1', ['a@peer.test'])
  await crashed
  world.onRecord = async () => undefined
  const settled = world.settled('msg_1', 'a@peer.test')
  await world.restart()
  world.advance(10 * MINUTE)
  t.equal((await settled).status, 'delivered')
  t.equal(peer.mail.length, 2, 'twice is better than not at all')
})

t.test('a task whose message has ended, or is gone after a first try, is not looked at again', async (t) => {
  const { world } = await setUp(t, { rcpt: () => '451 4.3.0 not now' })
  await world.send('msg_1', ['a@peer.test'])
  await world.send('msg_2', ['b@peer.test'])
  await world.settled('msg_1', 'a@peer.test')
  await world.settled('msg_2', 'b@peer.test')
  const due = await world.calm()
  // The operator deletes the one at another hand; the other goes with its mailbox.
  world.recipient('msg_1', 'a@peer.test').status = 'bounced'
  world.forget('msg_2')
  for (const id of ['msg_1', 'msg_2']) {
    // As soon after its queueing as it was looked at again before.
    await world.queue.reschedule('relay', `${id}:peer.test`, world.clock.now())
  }
  t.ok(due > world.clock.now())
  await world.calm()
  t.same(await tasksIn(world.queue, 'relay', 10), [])
})

t.test('one slow destination leaves room for the others', async (t) => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const fast = await startPeer()
  const { peer, world } = await setUp(t, { hold: () => held }, { concurrency: 6, perDestination: 2 })
  t.teardown(() => fast.close())
  for (let i = 0; i < 30; i++) await world.send(`msg_${i}`, ['a@peer.test'])
  await world.send('msg_local', ['bob@agents.test'])
  t.equal((await world.settled('msg_local', 'bob@agents.test')).status, 'delivered')
  t.equal(peer.mail.length, 0)
  while (peer.mostAtOnce < 2) await nextTurn()
  release()
  while (peer.mail.length < 30) {
    world.advance(100)
    await nextTurn()
  }
  t.equal(peer.mostAtOnce, 2, 'no more than two at once to one destination')
})

t.test('a smart host takes everything, with a password over TLS only', async (t) => {
  const peer = await startPeer({
    starttls: 'works',
    command: (line) => (line.startsWith('AUTH') ? '235 2.7.0 welcome' : undefined),
    extensions: ['AUTH PLAIN', 'PIPELINING'],
  })
  const smarthost = { host: 'mx.peer.test', port: peer.port, auth: { user: 'us', password: 'secret' } }
  const world = await startWorld(9, { smarthost, allowPrivateAddresses: false })
  t.teardown(async () => {
    await world.close()
    await peer.close()
  })
  await world.send('msg_1', ['a@elsewhere.test'])
  const recipient = await world.settled('msg_1', 'a@elsewhere.test')
  t.match(recipient, { status: 'deferred', detail: /certificate|self.signed/i }, 'a certificate nobody vouches for')
  t.notOk(peer.commands.some((line) => line.startsWith('AUTH')))
  await world.restart({ smarthost: { ...smarthost, auth: undefined } })
  world.advance(MINUTE)
  t.equal((await world.settled('msg_1', 'a@elsewhere.test', 2)).status, 'delivered')
})

t.test('a smart host with a good certificate is told the password', peer('openssl', OPENSSL), async (t) => {
  const dir = t.testdir({})
  const subject = ['-subj', '/CN=mx.peer.test', '-addext', 'subjectAltName=DNS:mx.peer.test']
  const kind = ['-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '1']
  execFileSync(OPENSSL, ['req', ...kind, ...subject, '-keyout', `${dir}/key`, '-out', `${dir}/cert`], {
    stdio: 'ignore',
  })
  const certificate = { key: readFileSync(`${dir}/key`, 'utf8'), cert: readFileSync(`${dir}/cert`, 'utf8') }
  let welcome = '535 5.7.8 wrong'
  const server = await startPeer({
    starttls: 'works',
    certificate,
    command: (line) => (line.startsWith('AUTH') ? welcome : undefined),
    extensions: ['AUTH PLAIN', 'PIPELINING'],
  })
  const auth = { user: 'us', password: 'secret' }
  const smarthost = { host: 'mx.peer.test', port: server.port, auth, ca: certificate.cert }
  const world = await startWorld(9, { smarthost })
  t.teardown(async () => {
    await world.close()
    await server.close()
  })
  await world.send('msg_1', ['a@elsewhere.test'])
  const refused = await world.settled('msg_1', 'a@elsewhere.test')
  t.match(
    refused,
    { status: 'deferred', smtp_code: 535, detail: /refuses our login/ },
    'a wrong password bounces nothing',
  )
  welcome = '235 2.7.0 welcome'
  world.advance(MINUTE)
  t.equal((await world.settled('msg_1', 'a@elsewhere.test', 2)).status, 'delivered')
  t.equal(server.mail[0]?.encrypted, true)
  t.ok(server.commands.includes(`AUTH PLAIN ${Buffer.from('\0us\0secret').toString('base64')}`))
})

t.test('stopping lets a delivery at work end, and one that hangs is made again later', async (t) => {
  let answer: () => void = () => undefined
  const asked: (() => void)[] = []
  const behaviour: PeerBehaviour = {
    hold: () =>
      new Promise((resolve) => {
        answer = resolve
        asked.shift()?.()
      }),
  }
  const { peer, world } = await setUp(t, behaviour, { stopGraceMs: 50 })
  const begun = new Promise<void>((resolve) => asked.push(resolve))
  await world.send('msg_1', ['a@peer.test'])
  await begun
  const stopped = world.relay.stop()
  answer()
  await stopped
  t.equal(world.recipient('msg_1', 'a@peer.test').status, 'delivered')

  await world.restart()
  const again = new Promise<void>((resolve) => asked.push(resolve))
  await world.send('msg_2', ['a@peer.test'])
  await again
  await world.relay.stop()
  t.match(world.recipient('msg_2', 'a@peer.test'), { status: 'queued', attempts: 0 })
  delete behaviour.hold
  await world.restart()
  t.equal((await world.settled('msg_2', 'a@peer.test')).status, 'delivered')
  t.equal(peer.mail.at(-1)?.to[0], 'a@peer.test')
})
