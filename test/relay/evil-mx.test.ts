/** The deliverer against servers that mean no good, or do no good. */
import t, { type Test } from 'tap'
import { Deliverer, type Attempt, type DelivererOptions } from '../../src/relay/delivery/delivery.js'
import type { Target } from '../../src/relay/routing/route.js'
import type { Security } from '../../src/relay/tls/security.js'
import { startEvilMx, type EvilMx, type EvilSession } from '../support/peers/evil-mx.js'
import { startPeer, type PeerBehaviour } from '../support/peers/peer-server.js'

const MAIL = {
  from: 'a@agents.test',
  recipients: ['b@peer.test', 'c@peer.test'],
  raw: Buffer.from('Subject: x\r\n\r\ny\r\n'),
}

function deliverer(t: Test, change: Partial<DelivererOptions> = {}): Deliverer {
  const made = new Deliverer({
    hostname: 'mx.agents.test',
    connectTimeoutMs: 2000,
    responseTimeoutMs: 2000,
    ...change,
  })
  t.teardown(() => made.destroy())
  return made
}

function target(port: number, security: Security = { tls: 'opportunistic' }): Target {
  return { host: 'mx.peer.test', address: '127.0.0.1', port, preference: 0, security }
}

async function evil(t: Test, onLine: (line: string | undefined, session: EvilSession) => void): Promise<EvilMx> {
  const server = await startEvilMx(onLine)
  t.teardown(() => server.close())
  return server
}

const peer = async (t: Test, behaviour: PeerBehaviour) => {
  const made = await startPeer(behaviour)
  t.teardown(() => made.close())
  return made
}

const outcome = (attempt: Attempt, address = 'b@peer.test') => attempt.outcomes.get(address)

/** A willing server but for what `special` answers. */
function willing(special: (line: string | undefined, session: EvilSession) => boolean) {
  const inData = new Set<number>()
  return (line: string | undefined, session: EvilSession): void => {
    if (special(line, session)) return
    if (line === undefined) return session.write('220 evil.test\r\n')
    if (inData.has(session.connection)) {
      if (line !== '.') return
      inData.delete(session.connection)
      return session.write('250 2.0.0 taken\r\n')
    }
    const verb = line.slice(0, 4)
    if (verb === 'DATA') inData.add(session.connection)
    session.write(
      verb === 'EHLO' ? '250-evil.test\r\n250 PIPELINING\r\n' : verb === 'DATA' ? '354 go\r\n' : '250 ok\r\n',
    )
  }
}

t.test('what is said in the clear behind the answer to STARTTLS counts for nothing (CVE-2011-0411)', async (t) => {
  const server = await evil(
    t,
    willing((line, session) => {
      if (line === 'STARTTLS') {
        // All in one packet: the second answer would be taken for that to EHLO, and its SIZE would refuse the message.
        session.write('220 go ahead\r\n250-injected.test\r\n250-SIZE 1\r\n250 AUTH PLAIN\r\n250-half a reply')
        session.startTls()
        return true
      }
      if (line?.startsWith('EHLO') && !session.socket.listenerCount('secure') && server.lines.at(-1) === line) {
        session.write('250-evil.test\r\n250 STARTTLS\r\n')
        return true
      }
      return false
    }),
  )
  const attempt = await deliverer(t).attempt([target(server.port)], MAIL)
  t.match(outcome(attempt), { kind: 'delivered', detail: '250 2.0.0 taken' })
  t.equal(attempt.encrypted, true)
  t.equal(server.connections, 1, 'the session went on, without what was injected')
  t.ok(server.lines.includes('tls EHLO mx.agents.test'), 'the server is asked anew what it can')
  t.ok(server.lines.includes('tls MAIL FROM:<a@agents.test>'), 'no SIZE, which only the injected answer had')
})

t.test('a handshake that fails is followed by one try in the clear, and no more', async (t) => {
  const results: unknown[] = []
  const server = await peer(t, { starttls: 'broken' })
  const relay = deliverer(t, { tlsResults: { record: ({ outcome, mxHost }) => results.push([outcome, mxHost]) } })
  const none = { domain: 'peer.test', policy: { type: 'no-policy-found' as const, strings: [], mxHosts: [] } }
  const first = await relay.attempt([{ ...target(server.port), policy: none }], MAIL)
  t.match([outcome(first)?.kind, first.encrypted, server.connections], ['delivered', false, 2])
  t.same(results, [['validation-failure', 'mx.peer.test']], 'counted once')
  await relay.attempt([{ ...target(server.port), policy: none }], MAIL)
  t.equal(server.connections, 2, 'the session in the clear is kept for the next message')

  const dead = await evil(t, (line, session) => {
    if (line === undefined) session.write('220 evil.test\r\n')
    else if (line.startsWith('EHLO') && session.connection === 1) session.write('250-evil.test\r\n250 STARTTLS\r\n')
    else if (line === 'STARTTLS') session.write('220 go\r\nwhat is TLS?\r\n')
    else session.socket.destroy()
  })
  const second = await relay.attempt([target(dead.port)], MAIL)
  t.match([outcome(second)?.kind, second.destination, dead.connections], ['deferred', 'unreachable', 2])
})

t.test('where TLS is required nothing goes in the clear, whatever the server does', async (t) => {
  for (const tls of ['encrypted', 'required'] as const) {
    for (const starttls of [undefined, 'refused', 'broken', 'works'] as const) {
      if (tls === 'encrypted' && starttls === 'works') continue
      const lacking: PeerBehaviour = { command: (line) => (line === 'STARTTLS' ? '502 5.5.1 what?' : undefined) }
      const server = await peer(t, starttls === undefined ? lacking : { starttls })
      const security: Security = { tls, because: 'the MTA-STS policy of peer.test' }
      const attempt = await deliverer(t).attempt([target(server.port, security)], MAIL)
      const detail = outcome(attempt)?.detail ?? ''
      t.equal(outcome(attempt)?.kind, 'deferred', `${tls} ${starttls}`)
      t.match(detail, starttls === 'works' || starttls === 'broken' ? /^4\.7\.5 / : /^4\.7\.4 /)
      t.match(detail, /TLS is required by the MTA-STS policy of peer\.test/)
      t.equal(server.connections, 1)
      t.notOk(server.commands.some((line) => /^(?:MAIL|RCPT|AUTH)/.test(line)))
    }
  }
})

t.test('a session opened under a weaker policy carries no mail that asks for more', async (t) => {
  const server = await peer(t, { starttls: 'works' })
  const relay = deliverer(t)
  t.equal(outcome(await relay.attempt([target(server.port)], MAIL))?.kind, 'delivered')
  t.equal(outcome(await relay.attempt([target(server.port, { tls: 'required' })], MAIL))?.kind, 'deferred')
  t.equal(outcome(await relay.attempt([target(server.port, { tls: 'encrypted' })], MAIL))?.kind, 'delivered')
  t.equal(server.connections, 3)
  t.equal(outcome(await relay.attempt([target(server.port)], MAIL))?.kind, 'delivered')
  t.equal(server.connections, 3, 'and the same again goes over the session that is open')
})

t.test('the whole envelope goes at once where the server can take it', async (t) => {
  const server = await evil(
    t,
    willing(() => false),
  )
  t.equal(outcome(await deliverer(t).attempt([target(server.port)], MAIL))?.kind, 'delivered')
  const envelope = 'MAIL FROM:<a@agents.test>\r\nRCPT TO:<b@peer.test>\r\nRCPT TO:<c@peer.test>\r\nDATA\r\n'
  t.ok(server.chunks.join('|').includes(envelope), 'no answer was waited for')
})

t.test('421 after RCPT ends the session, and the destination asks to be left alone', async (t) => {
  const server = await evil(
    t,
    willing((line, session) => {
      if (line !== 'RCPT TO:<c@peer.test>') return false
      session.write('421 4.3.2 shutting down\r\n')
      session.socket.end()
      return true
    }),
  )
  const attempt = await deliverer(t).attempt([target(server.port)], MAIL)
  t.match(outcome(attempt), { kind: 'deferred', smtpCode: 421, detail: /shutting down/ })
  t.match(outcome(attempt, 'c@peer.test'), { kind: 'deferred', smtpCode: 421 })
  t.equal(attempt.destination, 'busy')
})

t.test(
  'what the server says to connection, EHLO and MAIL tells how busy it is; what it says of a recipient does not',
  async (t) => {
    const says = async (behaviour: PeerBehaviour) => {
      const server = await peer(t, behaviour)
      return (await deliverer(t).attempt([target(server.port)], MAIL)).destination
    }
    t.equal(await says({}), 'fine')
    t.equal(await says({ greeting: () => '421 4.7.0 too many connections' }), 'busy')
    t.equal(await says({ greeting: () => '450 4.7.1 later' }), 'busy')
    t.equal(await says({ greeting: () => '554 5.7.1 no' }), 'unreachable')
    t.equal(await says({ mail: () => '450 4.7.1 slow down' }), 'busy')
    t.equal(await says({ mail: () => '452 4.3.1 no room' }), 'busy')
    t.equal(await says({ mail: () => '550 5.7.1 not you' }), 'fine')
    t.equal(await says({ rcpt: () => '450 4.2.1 greylisted' }), 'fine')
    t.equal(await says({ data: () => '451 4.3.0 scanner is down' }), 'fine')
    t.equal(await says({ data: () => '421 4.3.0 shutting down' }), 'busy')
  },
)

t.test('a host that greets with an error is passed over for the next', async (t) => {
  for (const greeting of ['554 5.7.1 no', '450 4.7.1 later', '220', 'HTTP/1.1 400 Bad Request\r\n\r\n<html>']) {
    const bad = await evil(t, (line, session) => {
      if (line === undefined) session.write(`${greeting}\r\n`)
      else session.socket.destroy()
    })
    const good = await peer(t, {})
    const attempt = await deliverer(t).attempt([target(bad.port), { ...target(good.port), host: 'good.test' }], MAIL)
    t.match([outcome(attempt)?.kind, attempt.host, attempt.destination], ['delivered', 'good.test', 'fine'], greeting)
  }
})

t.test('a message whose server hangs up after DATA is deferred, and given to no other', async (t) => {
  const bad = await evil(
    t,
    willing((line, session) => {
      if (line !== '.') return false
      session.socket.destroy()
      return true
    }),
  )
  const good = await peer(t, {})
  const attempt = await deliverer(t).attempt([target(bad.port), target(good.port)], MAIL)
  t.match(outcome(attempt), { kind: 'deferred', smtpCode: null, detail: /closed/i })
  t.equal(good.connections, 0)
})

t.test('a refused message is the answer for whom it was taken; who was refused before keeps his own', async (t) => {
  const server = await peer(t, {
    rcpt: (address) => (address === 'c@peer.test' ? '550 5.1.1 nobody' : undefined),
    data: () => '451 4.6.0 try later',
  })
  const attempt = await deliverer(t).attempt([target(server.port)], MAIL)
  t.match(outcome(attempt), { kind: 'deferred', smtpCode: 451 })
  t.match(outcome(attempt, 'c@peer.test'), { kind: 'failed', smtpCode: 550 })
})

t.test('an answer without end is cut off', async (t) => {
  const endless = (start: string) => (session: EvilSession) => {
    session.write(start)
    const more = (): void => {
      while (!session.socket.destroyed && session.socket.write('220-and more and more and more\r\n'.repeat(100)))
        continue
    }
    session.socket.on('drain', more)
    more()
  }
  const banner = await evil(t, (line, session) => {
    if (line === undefined) endless('220-hello\r\n')(session)
  })
  const attempt = await deliverer(t).attempt([target(banner.port)], MAIL)
  t.match(outcome(attempt), { kind: 'deferred', detail: /maximum allowed size/ })
})

t.test('a server that answers a byte at a time is left when the attempt has taken long enough', async (t) => {
  const drip = (session: EvilSession): void => {
    const timer = setInterval(() => session.write('2'), 20)
    session.socket.on('close', () => clearInterval(timer))
  }
  const atGreeting = await evil(t, (line, session) => {
    if (line === undefined) drip(session)
  })
  const atEhlo = await evil(t, (line, session) =>
    line === undefined ? session.write('220 evil.test\r\n') : drip(session),
  )
  const atMail = await evil(
    t,
    willing((line, session) => {
      if (!line?.startsWith('MAIL')) return false
      drip(session)
      return true
    }),
  )
  for (const server of [atGreeting, atEhlo, atMail]) {
    const relay = deliverer(t, { connectTimeoutMs: 60_000, responseTimeoutMs: 60_000, attemptMs: 200 })
    t.match(outcome(await relay.attempt([target(server.port)], MAIL)), { kind: 'deferred', smtpCode: null })
    t.equal(server.connections, 1)
  }
})

t.test('an 8-bit message to a server that takes none comes back, and to one that does it goes', async (t) => {
  const raw = Buffer.from('Subject: x\r\n\r\ngrün\r\n')
  const old = await peer(t, { extensions: ['PIPELINING'] })
  const attempt = await deliverer(t).attempt([target(old.port)], { ...MAIL, raw })
  t.match(outcome(attempt), { kind: 'failed', detail: /^5\.6\.3 / })
  t.notOk(old.commands.some((line) => line.startsWith('MAIL')))
  const able = await peer(t, { extensions: ['PIPELINING', '8BITMIME'] })
  t.equal(
    outcome(await deliverer(t).attempt([target(old.port), target(able.port)], { ...MAIL, raw }))?.kind,
    'delivered',
  )
  t.ok(able.commands.some((line) => line.startsWith('MAIL') && line.endsWith('BODY=8BITMIME')))
})

t.test('a sender who asks for TLS on the whole way gets it, or the message back', async (t) => {
  const mail = { ...MAIL, requireTls: true }
  const plain = await peer(t, { command: (line) => (line === 'STARTTLS' ? '502 5.5.1 what?' : undefined) })
  const first = await deliverer(t).attempt([target(plain.port, { tls: 'required' })], mail)
  t.match(outcome(first), { kind: 'failed', detail: /^5\.7\.10 / })
  const forgetful = await peer(t, { starttls: 'works', extensions: ['PIPELINING'] })
  const second = await deliverer(t).attempt([target(forgetful.port, { tls: 'encrypted' })], mail)
  t.match(outcome(second), { kind: 'failed', detail: /^5\.7\.30 .*REQUIRETLS/ })
  const able = await peer(t, { starttls: 'works', extensions: ['PIPELINING', 'REQUIRETLS'] })
  const third = await deliverer(t).attempt([target(able.port, { tls: 'encrypted' })], mail)
  t.equal(outcome(third)?.kind, 'delivered')
  t.ok(able.commands.some((line) => line.startsWith('MAIL') && line.endsWith(' REQUIRETLS')))
})

t.test('a session is ended after so many messages', async (t) => {
  const server = await peer(t, {})
  const relay = deliverer(t, { maxMessages: 2 })
  for (let i = 0; i < 4; i++) await relay.attempt([target(server.port)], MAIL)
  t.equal(server.connections, 2)
})

t.test('what is no answer to its command ends the session, and nobody bounces or counts as delivered', async (t) => {
  const positions: [string, RegExp, string[]][] = [
    ['the connection', /^$/, ['250 ok', '354 go', '221 bye', '2', 'welcome', '220-a\r\n250 b', '\r\n220 late']],
    ['EHLO', /^EHLO/, ['220 ok', '354 go', '221 bye', '2', 'hello', '250-a\r\n220 b']],
    ['MAIL', /^MAIL/, ['221 bye', '220 mx', '354 go', '334 ', '2', 'ok', '250-a\r\n550 b']],
    ['RCPT', /^RCPT TO:<b/, ['221 bye', '220 mx', '354 go', '2', 'no such user', '550-a\r\n250 b', '55 5.1.1 no']],
    ['DATA', /^DATA/, ['250 ok', '200 ok', '221 bye', '334 go', '3', 'go', '354-go\r\n250 ok', '350 go']],
    ['the message', /^\.$/, ['221 bye', '220 mx', '354 go', '2', 'queued', '250-a\r\n550 b', '2500 ok']],
  ]
  for (const [name, line, answers] of positions) {
    for (const pipelining of [true, false]) {
      for (const answer of answers) {
        let inData = false
        const server = await evil(t, (said, session) => {
          if (inData && said !== '.') return
          if (line.test(said ?? '')) return session.write(`${answer}\r\n`)
          if (said === undefined) return session.write('220 evil.test\r\n')
          if (said === 'DATA') inData = true
          const offer = pipelining ? '250-evil.test\r\n250 PIPELINING\r\n' : '250 evil.test\r\n'
          session.write(said.startsWith('EHLO') ? offer : said === 'DATA' ? '354 go\r\n' : '250 ok\r\n')
        })
        const attempt = await deliverer(t).attempt([target(server.port, { tls: 'none' })], MAIL)
        const what = `${JSON.stringify(answer)} to ${name}${pipelining ? ', pipelined' : ''}`
        for (const address of MAIL.recipients)
          t.match(
            outcome(attempt, address),
            { kind: 'deferred', smtpCode: null, detail: /^4\.5\.0 .*protocol error: / },
            what,
          )
        if (name !== 'the message') t.notOk(server.lines.includes('Subject: x'), `${what}: no data`)
      }
    }
  }
})

t.test('a reply that nobody waits for ends the session', async (t) => {
  const twice = (verb: string, extra: string) =>
    willing((line, session) => {
      if (!line?.startsWith(verb)) return false
      session.write(`${verb === 'DATA' ? '354 go' : '250 ok'}\r\n${extra}\r\n`)
      return true
    })
  for (const [verb, extra] of [
    ['MAIL', '250 ok'],
    ['RCPT TO:<c', '250 ok'],
    ['DATA', '250 taken before it was sent'],
  ] as const) {
    const server = await evil(t, twice(verb, extra))
    const attempt = await deliverer(t).attempt([target(server.port)], MAIL)
    t.match(outcome(attempt), { kind: 'deferred', detail: /^4\.5\.0 / }, verb)
  }
  const chatty = await evil(
    t,
    willing((line, session) => {
      if (line !== 'RSET') return false
      session.write('250 ok\r\n')
      return true
    }),
  )
  const relay = deliverer(t)
  t.equal(outcome(await relay.attempt([target(chatty.port)], MAIL))?.kind, 'delivered')
})

t.test('a refusal in the middle of the message is its answer, anything else there is not', async (t) => {
  const raw = Buffer.from(`Subject: x\r\n\r\n${'y'.repeat(70).concat('\r\n').repeat(100_000)}`)
  const early = (answer: string) => {
    let said = false
    return willing((line, session) => {
      if (!line?.startsWith('yyy') || said) return false
      said = true
      session.write(`${answer}\r\n`)
      return true
    })
  }
  const tooLarge = await evil(t, early('552 5.3.4 too large'))
  const first = await deliverer(t).attempt([target(tooLarge.port)], { ...MAIL, raw })
  t.match(outcome(first), { kind: 'failed', smtpCode: 552 })
  const eager = await evil(t, early('250 2.0.0 taken'))
  const second = await deliverer(t).attempt([target(eager.port)], { ...MAIL, raw })
  t.match(outcome(second), { kind: 'deferred', smtpCode: null, detail: /^4\.5\.0 / })
})

t.test('a reply that is cut off with the connection is none', async (t) => {
  for (const cut of ['550 5.1.1 no such us', '250 ok', '250-ok\r\n']) {
    const server = await evil(
      t,
      willing((line, session) => {
        if (line !== '.') return false
        session.socket.end(cut)
        return true
      }),
    )
    const attempt = await deliverer(t).attempt([target(server.port)], MAIL)
    t.match(outcome(attempt), {
      kind: 'deferred',
      smtpCode: null,
      detail: /closed after "(?:550 5\.1\.1 no such us|250.ok)"/,
    })
  }
})
