import t from 'tap'
import type { Delivery } from '../../../src/mailbox/delivery/deliver.js'
import { follow, openDialog } from '../../support/peers/smtp-dialog.js'
import { greeted, MESSAGE, RESULTS, send, startReceiver } from '../receiver.js'

t.test('a message for a mailbox is acknowledged and delivered with its trace', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await follow(
    mx.port,
    `S: 220 mx.test ESMTP
     C: EHLO client.peer.test
     S: 250 SIZE 100000
     C: MAIL FROM:<carol@peer.test> SIZE=100
     S: 250 2.1.0
     C: RCPT TO:<Alice+news@agents.test>
     S: 250 2.1.5
     C: DATA
     S: 354`,
  )
  dialog.write(
    `Authentication-Results: MX.test; spf=pass\r\nAuthentication-Results: other.test; dkim=pass\r\n${MESSAGE}..dot\r\n`,
  )
  t.match(await dialog.say('.'), /^250 2\.0\.0 accepted as rcp_/)
  const [delivery] = mx.world.delivered
  const raw = delivery?.raw.toString() ?? ''
  t.equal(delivery?.mailboxId, 'mbx_alice')
  t.equal(delivery?.envelopeFrom, 'carol@peer.test')
  t.ok(
    raw.startsWith(
      'Return-Path: <carol@peer.test>\r\nAuthentication-Results: mx.test;\r\n spf=pass\r\nReceived: from ',
    ),
  )
  t.match(
    raw,
    /Received: from client\.peer\.test \(\[127\.0\.0\.1\]\)\r\n\tby mx\.test with ESMTP id rcp_\w+\r\n\tfor <Alice\+news@agents\.test>;\r\n\tThu, 01 Jan 2026 00:00:00 \+0000\r\n/,
  )
  t.notMatch(raw, /MX\.test; spf/, 'a forged result in our name is gone')
  t.match(raw, /other\.test; dkim=pass/, 'those of others stay')
  t.ok(raw.endsWith('Good morning.\r\n.dot\r\n'), 'dots are un-stuffed')
  t.equal(delivery?.parsed.subject, 'hello')
  t.equal(await dialog.say('QUIT'), '221 2.0.0 Bye')
})

t.test('the server offers what it keeps: no AUTH, no STARTTLS without a certificate, no DSN', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await openDialog(mx.port)
  await dialog.reply()
  const ehlo = await dialog.say('EHLO client.peer.test')
  t.same(
    ehlo.split('\r\n').map((line) => line.slice(4)),
    ['mx.test', 'PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES', 'SIZE 100000'],
  )
  for (const command of ['AUTH PLAIN AGEAYg==', 'STARTTLS']) t.match(await dialog.say(command), /^502 5\.5\.1/, command)
  for (const command of ['WIZ', 'XCLIENT ADDR=10.0.0.1']) t.match(await dialog.say(command), /^500 5\.5\.1/, command)
})

t.test('recipients are refused for their own reason', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  mx.world.full.add('mbx_bob')
  const dialog = await greeted(mx.port)
  await dialog.say('MAIL FROM:<>')
  t.match(await dialog.say('RCPT TO:<nobody@agents.test>'), /^550 5\.1\.1 /, 'no such mailbox')
  t.match(await dialog.say('RCPT TO:<alice@elsewhere.test>'), /^550 5\.7\.1 relaying denied/)
  t.match(await dialog.say('RCPT TO:<alice@[127.0.0.1]>'), /^550 5\.7\.1 relaying denied/)
  t.match(await dialog.say('RCPT TO:<alice%elsewhere.test@agents.test>'), /^550 5\.1\.1 /, 'no percent hack')
  t.match(await dialog.say('RCPT TO:<@agents.test:alice@elsewhere.test>'), /^550 5\.7\.1 /, 'no source route')
  t.match(await dialog.say('RCPT TO:<bob@agents.test>'), /^452 4\.2\.2 /, 'over its quota')
  t.match(await dialog.say('RCPT TO:<nonsense>'), /^501 5\.1\.3 /)
  t.match(await dialog.say('DATA'), /^503 5\.5\.1 /, 'nobody to deliver to')
  t.match(await dialog.say('RCPT TO:<alice@xn--bcher-kva.test>'), /^250 2\.1\.5 /, 'a domain beyond ASCII')
  t.match(await dialog.say('RCPT TO:<alice@bücher.test>'), /^553 5\.6\.7 /, 'written in Unicode it needs SMTPUTF8')
  t.match(await dialog.say('RCPT TO:<postmaster>'), /^250 2\.1\.5 /, 'RFC 5321 §4.5.1')
  mx.world.names.clear()
})

t.test('a message larger than a mailbox has room for is refused at RCPT when its size is told', async (t) => {
  const mx = await startReceiver({
    limits: {
      maxMessageBytes: 10_000_000,
      maxRecipients: 100,
      maxConnections: 9,
      maxConnectionsPerAddress: 9,
      maxReceived: 50,
    },
  })
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  await dialog.say('MAIL FROM:<carol@peer.test> SIZE=6000000')
  t.match(await dialog.say('RCPT TO:<alice@agents.test>'), /^452 4\.2\.2 /)
})

t.test('of 2,000 recipients a hundred are taken now, and each mailbox gets the message once', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  await dialog.say('MAIL FROM:<carol@peer.test>')
  const recipients = Array.from({ length: 2000 }, (_, i) => `RCPT TO:<${i % 2 ? 'alice' : 'bob'}+${i}@agents.test>\r\n`)
  dialog.write(recipients.join(''))
  const replies = new Map<string, number>()
  for (let i = 0; i < 2000; i++) {
    const code = (await dialog.reply()).slice(0, 9)
    replies.set(code, (replies.get(code) ?? 0) + 1)
  }
  t.same(Object.fromEntries(replies), { '250 2.1.5': 100, '452 4.5.3': 1900 })
  await dialog.say('DATA')
  dialog.write(MESSAGE)
  t.match(await dialog.say('.'), /^250 2\.0\.0/)
  t.same(mx.world.delivered.map((d) => d.mailboxId).sort(), ['mbx_alice', 'mbx_bob'])
  t.notMatch(mx.world.delivered[0]?.raw.toString(), /for </, 'the recipients do not learn of each other')
})

t.test('two addresses of one mailbox get one copy', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  t.match(await send(dialog, MESSAGE, ['alice@agents.test', 'alias@agents.test', 'ALICE@agents.test']), /^250/)
  t.equal(mx.world.delivered.length, 1)
})

t.test('250 comes only after every mailbox has the message', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  let commit: (() => void) | undefined
  const asked = new Promise<void>((resolve) => {
    mx.world.deliver = (delivery) =>
      delivery.mailboxId === 'mbx_alice'
        ? Promise.resolve()
        : new Promise((done) => {
            commit = done
            resolve()
          })
  })
  const dialog = await greeted(mx.port)
  let answered = false
  const reply = send(dialog, MESSAGE, ['alice@agents.test', 'bob@agents.test']).finally(() => {
    answered = true
  })
  await asked
  const other = await greeted(mx.port)
  await other.say('NOOP')
  t.equal(answered, false, 'one of two commits is not enough')
  commit?.()
  t.match(await reply, /^250 2\.0\.0/)
})

t.test('a store that fails, hangs or is full never leads to a 250', async (t) => {
  const mx = await startReceiver({ deadlines: { handlerMs: 50 } })
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  mx.world.deliver = () => Promise.reject(new Error('disk on fire'))
  t.match(await send(dialog), /^452 4\.3\.1 /)
  t.match(mx.world.log.at(-2), { level: 'error', receipt_id: /^rcp_/, err: { message: 'disk on fire' } })
  t.match(mx.world.log.at(-1), { level: 'info', reply: '452 4.3.1' })
  await dialog.say('MAIL FROM:<carol@peer.test>')
  await dialog.say('RCPT TO:<alice@agents.test>')
  await dialog.say('RCPT TO:<bob@agents.test>')
  mx.world.deliver = () => Promise.resolve()
  mx.world.full.add('mbx_bob')
  await dialog.say('DATA')
  dialog.write(MESSAGE)
  t.match(await dialog.say('.'), /^452 4\.2\.2 /)
  t.same(mx.world.delivered, [], 'nobody gets what another has no room for')
  mx.world.deliver = () => new Promise(() => undefined)
  t.match(await send(dialog), /^451 4\.3\.0 /, 'the client has an answer before it loses patience')
  mx.world.deliver = () => Promise.resolve()
  t.match(await send(dialog), /^250 2\.0\.0/, 'the session goes on')
})

t.test('verdicts become replies and labels', async (t) => {
  const mx = await startReceiver({
    spamScore: ({ parsed }) => {
      const verdict = parsed.subject === 'BUY' ? 'reject' : parsed.subject === 'offer' ? 'spam' : 'ham'
      return { score: 7, verdict, reasons: [{ code: 'subject', score: 5, detail: 'the subject' }] }
    },
  })
  t.teardown(() => mx.close())
  const { world } = mx
  const dialog = await greeted(mx.port)
  const said = (pattern: RegExp, why: string, data = MESSAGE): Promise<void> =>
    send(dialog, data).then((reply) => void t.match(reply, pattern, why))
  const dmarc = (result: 'pass' | 'fail', policy: 'none' | 'quarantine' | 'reject', temporary = false): void => {
    world.verification = {
      ...world.verification,
      temporary,
      results: { ...RESULTS, dmarc: { ...RESULTS.dmarc, result, policy } },
    }
  }

  dmarc('fail', 'reject')
  await said(/^550 5\.7\.1 .*DMARC/, 'DMARC fails with p=reject')
  dmarc('fail', 'none', true)
  await said(/^451 4\.7\.1 /, 'DNS gives a temporary error')
  t.same(world.delivered, [])
  dmarc('fail', 'quarantine')
  await said(/^250/, 'DMARC fails with p=quarantine')
  t.same(world.delivered.at(-1)?.labels, ['spam'])
  dmarc('fail', 'none')
  await said(/^250/, 'DMARC fails with p=none')
  t.same(world.delivered.at(-1)?.labels, [])
  dmarc('pass', 'reject')

  world.delivered.length = 0
  world.scan.enabled = true
  world.scan.verdict = async () => ({ virus: 'infected', signature: 'Eicar-Test' })
  await said(/^550 5\.7\.1 .*malware/, 'a virus is found')
  world.scan.verdict = async () => ({ virus: 'unscanned', reason: 'timed out' })
  await said(/^451 4\.7\.1 /, 'the scanner does not answer')
  t.same(world.delivered, [])
  world.scan.verdict = async () => ({ virus: 'clean' })
  await said(/^250/, 'clean')
  t.equal(world.delivered.at(-1)?.virus, 'clean')

  await said(/^550 5\.7\.1 .*spam/, 'over the reject line', MESSAGE.replace('hello', 'BUY'))
  await said(/^250/, 'over the spam line', MESSAGE.replace('hello', 'offer'))
  t.match(world.delivered.at(-1), { labels: ['spam'], spam: { score: 7, verdict: 'spam' } })
})

t.test('the operator can let mail through that was not scanned, and decide what DMARC means', async (t) => {
  const mx = await startReceiver({ scanOnError: 'accept', dmarcReject: 'quarantine' })
  t.teardown(() => mx.close())
  mx.world.scan = { enabled: true, verdict: async () => ({ virus: 'unscanned', reason: 'away' }) }
  mx.world.verification.results.dmarc = { result: 'fail', domain: 'peer.test', policy: 'reject' }
  const dialog = await greeted(mx.port)
  t.match(await send(dialog), /^250/)
  t.match(mx.world.delivered[0], { virus: 'unscanned', labels: ['spam'] })
})

t.test('malformed messages are refused with a reason', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  const cases: [name: string, body: string][] = [
    ['bare LF', 'a\nb\r\n'],
    ['bare CR', 'a\rb\r\n'],
    ['LF . LF', 'a\n.\nMAIL FROM:<x@y.test>\r\n'],
    ['LF . CRLF', 'a\n.\r\nMAIL FROM:<x@y.test>\r\n'],
    ['CRLF . LF', 'a\r\n.\nMAIL FROM:<x@y.test>\r\n'],
    ['CR . CR', 'a\r.\rMAIL FROM:<x@y.test>\r\n'],
    ['CR . CRLF', 'a\r.\r\nMAIL FROM:<x@y.test>\r\n'],
    ['CRLF . CR', 'a\r\n.\rMAIL FROM:<x@y.test>\r\n'],
    ['CRLF NUL . CRLF', 'a\r\n\0.\r\n'],
    ['a stuffed dot after a bare LF', 'a\n..\r\n'],
    ['a line of 999', `${'x'.repeat(999)}\r\n`],
  ]
  for (const [name, body] of cases) t.match(await send(dialog, MESSAGE + body), /^550 5\.6\.0 /, name)
  t.match(await send(dialog, `X: ${'y\r\n '.repeat(3000)}\r\n${MESSAGE}`), /^550 5\.6\.0 .*header/)
  t.match(await send(dialog, 'Received: x\r\n'.repeat(51) + MESSAGE), /^554 5\.4\.6 /, 'too many hops')
  const own = 'Received: from a\r\n by mx.test with ESMTP; Thu, 01 Jan 2026 00:00:00 +0000\r\n'
  t.match(await send(dialog, own.repeat(4) + MESSAGE), /^554 5\.4\.6 /, 'our own trace again and again')
  t.same(mx.world.delivered, [], 'nothing of it is kept')
  t.match(await send(dialog, own + MESSAGE), /^250/, 'it may have been here once')
  t.match(await send(dialog, `${MESSAGE}${'x'.repeat(998)}\r\n`), /^250/, 'a line of 998 is allowed')
})

t.test('a message over the announced size is refused, and one that does not end is cut', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const line = `${'x'.repeat(98)}\r\n`
  const dialog = await greeted(mx.port)
  t.match(await dialog.say('MAIL FROM:<carol@peer.test> SIZE=100001'), /^552 5\.3\.4 /)
  t.match(await send(dialog, MESSAGE + line.repeat(1000)), /^552 5\.3\.4 /)
  t.match(await send(dialog), /^250/, 'the session goes on')
  await dialog.say('MAIL FROM:<carol@peer.test>')
  await dialog.say('RCPT TO:<alice@agents.test>')
  await dialog.say('DATA')
  dialog.write(MESSAGE + line.repeat(2100))
  await dialog.closed
  t.equal(mx.world.delivered.length, 1)
  t.match(mx.world.log.at(-1), { reply: '552 5.3.4' })
})

t.test('messages on their way in have one memory budget', async (t) => {
  const limits = {
    maxMessageBytes: 100_000,
    maxRecipients: 100,
    maxConnections: 9,
    maxConnectionsPerAddress: 9,
    maxReceived: 50,
  }
  const mx = await startReceiver({ limits: { ...limits, maxBufferedBytes: 20_000 } })
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  t.match(await send(dialog, MESSAGE + 'x\r\n'.repeat(7000)), /^452 4\.3\.1 /)
  for (let i = 0; i < 20; i++) t.match(await send(dialog), /^250/, 'what is done with is given back')
})

t.test('a connection that ends within the data stores nothing', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  await dialog.say('MAIL FROM:<carol@peer.test>')
  await dialog.say('RCPT TO:<alice@agents.test>')
  await dialog.say('DATA')
  dialog.write(`${MESSAGE}.\r`)
  dialog.drop()
  await mx.close()
  t.same(mx.world.delivered, [])
  t.match(mx.world.log.at(-1), { msg: 'client went away within the data' })
})

t.test('pipelined transactions are answered in order', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  const one = `MAIL FROM:<carol@peer.test>\r\nRCPT TO:<nobody@agents.test>\r\nRCPT TO:<alice@agents.test>\r\nDATA\r\n`
  dialog.write(`${one}${MESSAGE}.\r\n${one}${MESSAGE}.\r\nQUIT\r\n`)
  const replies: string[] = []
  for (let i = 0; i < 11; i++) replies.push((await dialog.reply()).slice(0, 3))
  t.same(replies.join(' '), '250 550 250 354 250 250 550 250 354 250 221')
  t.equal(mx.world.delivered.length, 2)
})

t.test('too many connections are turned away, from one address and in all', async (t) => {
  const limits = {
    maxMessageBytes: 100_000,
    maxRecipients: 100,
    maxConnections: 3,
    maxConnectionsPerAddress: 2,
    maxReceived: 50,
  }
  const mx = await startReceiver({ limits })
  t.teardown(() => mx.close())
  const first = await greeted(mx.port)
  const second = await greeted(mx.port)
  const third = await openDialog(mx.port)
  t.match(await third.reply(), /^421 4\.7\.0 /)
  await third.closed
  await second.say('QUIT')
  second.drop()
  await second.closed
  await first.say('NOOP')
  const fourth = await openDialog(mx.port)
  t.match(await fourth.reply(), /^220 /, 'there is room again')
})

t.test('a session or transaction that lasts too long is ended', async (t) => {
  const mx = await startReceiver({ deadlines: { transactionMs: 1000, sessionMs: 5000, sweepMs: 5 } })
  t.teardown(() => mx.close())
  const slow = await greeted(mx.port)
  await slow.say('MAIL FROM:<carol@peer.test>')
  await slow.say('RCPT TO:<alice@agents.test>')
  await slow.say('DATA')
  const idle = await greeted(mx.port)
  mx.world.clock.advance(1001)
  t.match(await slow.reply(), /^421 4\.4\.2 /)
  await slow.closed
  t.match(await idle.say('NOOP'), /^250/)
  mx.world.clock.advance(4000)
  t.match(await idle.reply(), /^421 4\.4\.2 /)
  await idle.closed
  t.same(mx.world.delivered, [])
})

t.test('closing lets a message at work be answered and ends the rest', async (t) => {
  const mx = await startReceiver()
  let commit: (() => void) | undefined
  const asked = new Promise<void>((resolve) => {
    mx.world.deliver = () =>
      new Promise((done) => {
        commit = done
        resolve()
      })
  })
  const idle = await greeted(mx.port)
  const busy = await greeted(mx.port)
  const reply = send(busy)
  await asked
  const closing = mx.server.close(60_000)
  t.match(await idle.reply(), /^421 4\.3\.2 /)
  await idle.closed
  commit?.()
  t.match(await reply, /^250 2\.0\.0/)
  t.match(await busy.reply(), /^421 4\.3\.2 /)
  await closing
  t.equal(mx.world.delivered.length, 1)
})

t.test('closing does not wait for ever', async (t) => {
  const mx = await startReceiver()
  const asked = new Promise<void>((resolve) => {
    mx.world.deliver = (_delivery: Delivery) => {
      resolve()
      return new Promise(() => undefined)
    }
  })
  const busy = await greeted(mx.port)
  const reply = send(busy)
  await asked
  await mx.server.close(10)
  await t.rejects(reply)
})

t.test(
  'the log tells of each message and each refused recipient: addresses, verdicts, the reply, and no content',
  async (t) => {
    const mx = await startReceiver()
    t.teardown(() => mx.close())
    const dialog = await greeted(mx.port)
    const many = Array.from({ length: 12 }, (_, i) => `alice+${i}@agents.test`)
    await send(dialog, MESSAGE, many)
    const line = mx.world.log.at(-1)
    t.match(line, { client: '127.0.0.1', recipients: 12, mailboxes: 1, spf: 'pass', dmarc: 'pass', reply: '250 2.0.0' })
    t.match(line, { from: 'carol@peer.test', to: many.slice(0, 10) })
    t.same(line?.to, many.slice(0, 10), 'ten of them')
    await dialog.say('MAIL FROM:<carol@peer.test>')
    await dialog.say('RCPT TO:<nobody@agents.test>')
    const refused = { client: '127.0.0.1', from: 'carol@peer.test', to: ['nobody@agents.test'], reply: '550 5.1.1' }
    t.match(mx.world.log.at(-1), refused)
    t.notMatch(JSON.stringify(mx.world.log), /Good morning|hello/)
  },
)
