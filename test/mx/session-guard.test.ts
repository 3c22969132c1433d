/** The session guard over real connections: what a hostile client gets, and what an honest one gets meanwhile. */
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import builtIn from 'smtp-server/lib/tls-options'
import { MINUTE } from '../../src/lib/clock.js'
import { NO_RATES } from '../../src/mx/intake/client-limits.js'
import { NO_SESSION_LIMITS } from '../../src/smtp/server/session-limits.js'
import { createMetrics } from '../../src/observe/metrics.js'
import { fakeResolver, type Found } from '../support/peers/fake-resolver.js'
import { openDialog } from '../support/peers/smtp-dialog.js'
import { greeted, MESSAGE, send, startReceiver, type Receiver } from './receiver.js'

const LIMITS = {
  maxMessageBytes: 100_000,
  maxRecipients: 100,
  maxConnections: 20,
  maxConnectionsPerAddress: 10,
  maxReceived: 50,
}
const SWEEP = { sweepMs: 5, lingerMs: 50 }

const { key, cert } = builtIn()
const certificate = { key: String(key), cert: String(cert) }

/** Moves the clock on until something has happened, whenever the receiver gets to it. */
async function until(mx: Receiver, happened: Promise<unknown>, stepMs: number): Promise<void> {
  let done = false
  const end = happened.finally(() => (done = true))
  while (!done) {
    mx.world.clock.advance(stepMs)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await end
}

t.test(
  'a session with too many commands that make no sense is ended, and delivered mail wipes the slate',
  async (t) => {
    const mx = await startReceiver({ sessionLimits: { ...NO_SESSION_LIMITS, commandErrors: 20 } })
    t.teardown(() => mx.close())
    const dialog = await greeted(mx.port)
    for (let i = 0; i < 19; i++) t.match(await dialog.say(`NONSENSE ${i}`), /^500 /)
    t.match(await send(dialog), /^250/)
    for (let i = 0; i < 19; i++) t.match(await dialog.say(i % 2 ? 'DATA' : 'WHAT'), /^50[03] /)
    t.match(await dialog.say('WHAT'), /^421 4\.7\.0 .*fix your client/)
    await dialog.closed
  },
)

t.test('a directory harvest is cut, and learns nothing in its next sessions', async (t) => {
  const metrics = createMetrics()
  const mx = await startReceiver({
    metrics,
    sessionLimits: { ...NO_SESSION_LIMITS, badRecipients: 3 },
    rates: { ...NO_RATES, badRecipientsPerHour: { address: 8, network: 100 } },
  })
  t.teardown(() => mx.close())
  for (let session = 0; session < 2; session++) {
    const dialog = await greeted(mx.port)
    await dialog.say('MAIL FROM:<carol@peer.test>')
    for (let i = 0; i < 3; i++) t.match(await dialog.say(`RCPT TO:<name${i}@agents.test>`), /^550 5\.1\.1 /)
    dialog.write('RCPT TO:<name4@agents.test>\r\nRCPT TO:<alice@agents.test>\r\n')
    t.match(await dialog.reply(), /^421 4\.7\.0 .*correct your list/)
    await dialog.closed
  }
  const third = await greeted(mx.port)
  await third.say('MAIL FROM:<carol@peer.test>')
  t.match(await third.say('RCPT TO:<alice@agents.test>'), /^421 4\.7\.0 .*in an hour/, 'that she exists is not told')
  await third.closed
  const other = await greeted(mx.port, '127.0.0.2')
  t.match(await send(other), /^250/, 'another address of its network may write')
  t.match(
    mx.world.log.find((line) => line['reason'] === 'bad_recipients_hour'),
    { client: '127.0.0.1', reply: '421 4.7.0' },
  )
  const { body } = await metrics.render()
  t.match(body, /restante_mx_recipients_refused_total\{reason="no_such_mailbox"\} 6/)
  t.match(body, /restante_mx_recipients_refused_total\{reason="bad_recipients"\} 2/)
  t.match(body, /restante_mx_replies_total\{code="421"\} 3/)
  t.match(body, /restante_mx_replies_total\{code="550"\} 6/)
})

t.test('who connects too often, or begins too many messages, is told to wait', async (t) => {
  const metrics = createMetrics()
  const mx = await startReceiver({
    metrics,
    sessionLimits: { ...NO_SESSION_LIMITS, transactions: 2 },
    rates: {
      ...NO_RATES,
      connectionsPerMinute: { address: 2, network: 0 },
      messagesPerMinute: { address: 2, network: 0 },
    },
  })
  t.teardown(() => mx.close())
  const first = await greeted(mx.port)
  t.match(await send(first), /^250/)
  t.match(await send(first), /^250/)
  t.match(await first.say('MAIL FROM:<carol@peer.test>'), /^421 4\.7\.0 .*enough for one session/)
  const second = await greeted(mx.port)
  t.match(await second.say('MAIL FROM:<carol@peer.test>'), /^450 4\.7\.1 .*wait a minute/)
  await greeted(mx.port)
  const fourth = await openDialog(mx.port)
  t.match(await fourth.reply(), /^421 4\.7\.0 .*wait a minute/)
  await fourth.closed
  mx.world.clock.advance(MINUTE)
  t.match(await (await openDialog(mx.port)).reply(), /^220 /)
  t.match(await second.say('MAIL FROM:<carol@peer.test>'), /^250 /)
  t.match((await metrics.render()).body, /restante_mx_connections_refused_total\{reason="connection_rate"\} 1/)
})

t.test('a network has its limit of connections, whichever of its addresses they come from', async (t) => {
  const mx = await startReceiver({ limits: { ...LIMITS, maxConnectionsPerAddress: 2, maxConnectionsPerNetwork: 3 } })
  t.teardown(() => mx.close())
  await greeted(mx.port, '127.0.0.1')
  await greeted(mx.port, '127.0.0.1')
  t.match(await (await openDialog(mx.port, '127.0.0.1', '127.0.0.1')).reply(), /^421 4\.7\.0 .*your address/)
  await greeted(mx.port, '127.0.0.2')
  t.match(await (await openDialog(mx.port, '127.0.0.1', '127.0.0.3')).reply(), /^421 4\.7\.0 .*your network/)
  t.match(await (await openDialog(mx.port, '127.0.0.1', '127.0.1.1')).reply(), /^220 /, 'another network')
})

t.test('when all places are taken by one network, others get in all the same', async (t) => {
  const mx = await startReceiver({ limits: { ...LIMITS, maxConnections: 4, maxConnectionsPerAddress: 4 } })
  t.teardown(() => mx.close())
  const oldest = await greeted(mx.port)
  const inData = await greeted(mx.port)
  await inData.say('MAIL FROM:<carol@peer.test>')
  await inData.say('RCPT TO:<alice@agents.test>')
  await inData.say('DATA')
  mx.world.clock.advance(1000)
  const quick = await greeted(mx.port)
  const idle = await greeted(mx.port)
  t.match(await (await openDialog(mx.port, '127.0.0.1', '127.0.0.9')).reply(), /^421 .*too many connections here/)
  const other = await greeted(mx.port, '127.0.1.1')
  t.match(await oldest.reply(), /^421 4\.7\.0 .*be quicker/, 'who has been silent longest makes room')
  await oldest.closed
  t.match(await send(other), /^250/)
  t.match(await quick.say('NOOP'), /^250/, 'the others stay')
  inData.write(MESSAGE)
  t.match(await inData.say('.'), /^250/, 'and so does a message on its way')
  t.match(await idle.say('NOOP'), /^250/)
})

t.test('data that drips makes room too', async (t) => {
  const mx = await startReceiver({ limits: { ...LIMITS, maxConnections: 2, maxConnectionsPerAddress: 4 } })
  t.teardown(() => mx.close())
  const dripping = [await greeted(mx.port), await greeted(mx.port)]
  for (const dialog of dripping) {
    await dialog.say('MAIL FROM:<carol@peer.test>')
    await dialog.say('RCPT TO:<alice@agents.test>')
    await dialog.say('DATA')
    dialog.write('S')
  }
  mx.world.clock.advance(21_000)
  t.match(await send(await greeted(mx.port, '127.0.1.1')), /^250/)
  t.match(await Promise.race(dripping.map((dialog) => dialog.reply())), /^421 4\.7\.0 /)
})

t.test('a byte a second does not keep a session alive, in a command or in the data', async (t) => {
  const mx = await startReceiver({ deadlines: { ...SWEEP, commandMs: 60_000, transactionMs: 600_000 } })
  t.teardown(() => mx.close())
  for (const inData of [false, true]) {
    const dialog = await greeted(mx.port)
    if (inData) {
      await dialog.say('MAIL FROM:<carol@peer.test>')
      await dialog.say('RCPT TO:<alice@agents.test>')
      await dialog.say('DATA')
    }
    const last = dialog.reply()
    const startedAt = mx.world.clock.now()
    let over = false
    void last.finally(() => (over = true))
    while (!over) {
      dialog.write('X')
      mx.world.clock.advance(1000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    t.match(await last, /^421 4\.4\.2 /, inData ? 'in the data' : 'in a command')
    t.ok(mx.world.clock.now() - startedAt > (inData ? 600_000 : 60_000), 'after its time')
    await dialog.closed
  }
  t.same(mx.world.delivered, [])
})

t.test('a TLS handshake that drips is ended', async (t) => {
  const mx = await startReceiver({ tls: certificate, deadlines: { ...SWEEP, handshakeMs: 30_000 } })
  t.teardown(() => mx.close())
  const socket = connect(mx.port, '127.0.0.1')
  await once(socket, 'data')
  socket.write('STARTTLS\r\n')
  await once(socket, 'data')
  socket.on('error', () => socket.destroy())
  const closed = new Promise((resolve) => socket.on('close', resolve))
  // The beginning of a ClientHello.
  socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02]))
  await until(mx, closed, 1000)
  const next = await greeted(mx.port)
  t.match(await send(next), /^250/, 'the receiver goes on')
})

t.test('a client that never reads its replies is ended before they fill the memory', async (t) => {
  const metrics = createMetrics()
  const mx = await startReceiver({ metrics, deadlines: { ...SWEEP, commandMs: 60_000 } })
  t.teardown(() => mx.close())
  const socket = connect(mx.port, '127.0.0.1')
  await once(socket, 'data')
  socket.pause()
  socket.on('error', () => socket.destroy())
  const commands = Buffer.from(`${'x'.repeat(3)}\r\n`.repeat(20_000))
  for (let i = 0; i < 100; i++) socket.write(commands)
  // It hears nothing of the end either, so the receiver is asked.
  while (/mx_connections 1$/m.test((await metrics.render()).body)) {
    mx.world.clock.advance(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  socket.destroy()
  const { body } = await metrics.render()
  t.ok(Number(/mx_replies_total\{code="500"\} (\d+)/.exec(body)?.[1]) <= 10_000, 'of two million')
  t.match(await send(await greeted(mx.port)), /^250/)
})

t.test('a crowd whose commands drip keeps nobody else out', async (t) => {
  const mx = await startReceiver({ limits: { ...LIMITS, maxConnections: 60, maxConnectionsPerAddress: 50 } })
  t.teardown(() => mx.close())
  const crowd = await Promise.all(Array.from({ length: 50 }, () => openDialog(mx.port)))
  for (const dialog of crowd) dialog.write('E')
  for (let i = 0; i < 20; i++) {
    t.match(await send(await greeted(mx.port, `127.0.${i + 1}.1`)), /^250/)
  }
  for (const dialog of crowd) dialog.drop()
})

t.test('with too little room on the disk mail is deferred, and taken again after', async (t) => {
  let low = true
  const mx = await startReceiver({ disk: { isLow: async () => low, isReadable: async () => true } })
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  t.match(await dialog.say('MAIL FROM:<carol@peer.test>'), /^452 4\.3\.1 /)
  t.match(mx.world.log.at(-1), { reply: '452 4.3.1', reason: 'disk_low' })
  low = false
  t.match(await send(dialog), /^250/)
})

t.test('while the store cannot be read mail is deferred as for an error here, whatever room there is', async (t) => {
  let readable = false
  const mx = await startReceiver({ disk: { isLow: async () => true, isReadable: async () => readable } })
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  t.match(await dialog.say('MAIL FROM:<carol@peer.test>'), /^451 4\.3\.0 /)
  t.match(mx.world.log.at(-1), { reply: '451 4.3.0', reason: 'store_unreadable' })
  readable = true
  t.match(await dialog.say('MAIL FROM:<carol@peer.test>'), /^452 4\.3\.1 /)
})

t.test('a client without mail before is asked to come again, postmaster is reached at once', async (t) => {
  const asked: unknown[] = []
  const mx = await startReceiver({
    greylist: {
      async passes(attempt) {
        asked.push(attempt)
        return asked.length > 1
      },
    },
  })
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  t.match(await send(dialog, MESSAGE, ['nobody@agents.test', 'alice@agents.test']), /^550 5\.1\.1 /)
  await dialog.say('RSET')
  t.same(asked, [{ network: '127.0.0.0/24', sender: 'carol@peer.test', recipient: 'alice@agents.test' }])
  asked.length = 0
  await dialog.say('MAIL FROM:<carol@peer.test>')
  t.match(await dialog.say('RCPT TO:<alice@agents.test>'), /^451 4\.7\.1 .*try again/)
  t.match(await dialog.say('RCPT TO:<postmaster@agents.test>'), /^250/)
  t.match(await dialog.say('RCPT TO:<alice@agents.test>'), /^250/)
})

const NAMES: Record<string, Found> = {
  'PTR 1.0.0.127.in-addr.arpa': ['mail.peer.test'],
  'A mail.peer.test': ['127.0.0.1'],
  'A client.peer.test': ['127.0.0.1'],
  'PTR 2.0.0.127.in-addr.arpa': ['mail.bank.test'],
  'A mail.bank.test': ['198.51.100.1'],
  'A 1.0.0.127.score.test': ['127.0.0.2'],
  'A 2.0.0.127.list.test': ['127.0.0.2'],
}
const resolver = () => fakeResolver((name, type) => NAMES[`${type} ${name}`] ?? 'not_found')

t.test('the name of a client is in the trace when it is its own, and the spam score hears of it', async (t) => {
  const heard: unknown[] = []
  const mx = await startReceiver({
    resolver: resolver(),
    dnsbl: { zones: ['score.test'], action: 'score' },
    spamScore: ({ client }) => {
      heard.push(client)
      return { score: 0, verdict: 'ham', reasons: [] }
    },
  })
  t.teardown(() => mx.close())
  t.match(await send(await greeted(mx.port)), /^250/)
  t.match(
    mx.world.delivered[0]?.raw.toString(),
    /Received: from client\.peer\.test \(mail\.peer\.test \[127\.0\.0\.1\]\)\r\n/,
  )
  t.match(mx.world.log.at(-1), { client_name: 'mail.peer.test', forward_confirmed: true, helo: 'match' })
  t.match(await send(await greeted(mx.port, '127.0.0.2')), /^250/)
  t.match(mx.world.delivered[1]?.raw.toString(), /Received: from client\.peer\.test \(\[127\.0\.0\.2\]\)\r\n/)
  t.same(heard, [
    {
      address: '127.0.0.1',
      name: 'mail.peer.test',
      confirmed: true,
      known: true,
      helo: 'client.peer.test',
      listed: ['score.test'],
    },
    {
      address: '127.0.0.2',
      name: 'mail.bank.test',
      confirmed: false,
      known: true,
      helo: 'client.peer.test',
      listed: [],
    },
  ])
})

t.test('a resolver that hangs holds up neither the greeting nor the message', async (t) => {
  const never = () => new Promise<string[]>(() => undefined)
  const mx = await startReceiver({
    resolver: { a: never, aaaa: never, ptr: never },
    dnsbl: { zones: ['list.test'], action: 'reject' },
    lookupMs: 20,
  })
  t.teardown(() => mx.close())
  t.match(await send(await greeted(mx.port)), /^250/)
  t.match(mx.world.delivered[0]?.raw.toString(), /Received: from client\.peer\.test \(\[127\.0\.0\.1\]\)/)
})

t.test('a client on a blocklist is refused by name of the list, and can write to postmaster', async (t) => {
  const mx = await startReceiver({
    resolver: resolver(),
    dnsbl: { zones: ['list.test', 'score.test'], action: 'reject' },
  })
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port, '127.0.0.2')
  await dialog.say('MAIL FROM:<carol@peer.test>')
  t.match(await dialog.say('RCPT TO:<alice@agents.test>'), /^550 5\.7\.1 .*127\.0\.0\.2 is listed by list\.test/)
  t.match(mx.world.log.at(-1), { reason: 'dnsbl' })
  t.match(await dialog.say('RCPT TO:<postmaster@agents.test>'), /^250/)
  const other = await greeted(mx.port, '127.0.0.3')
  t.match(await send(other), /^250/)
})
