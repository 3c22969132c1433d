/** Ports for mail programs as the doctor finds them: those of a daemon, and those of servers that programs had better not use. */
import { createServer as createPlain, type Server, type Socket } from 'node:net'
import { createServer } from 'node:tls'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config/load.js'
import { probeProgram } from '../../../src/ops/doctor/program-probe.js'
import { checkPrograms } from '../../../src/ops/doctor/programs.js'
import { startDaemon } from '../../support/daemon.js'
import { createAuthority, opensslPeer, type Authority } from '../../support/peers/certificates.js'
import { fakeResolver } from '../../support/peers/fake-resolver.js'
import { freePort, listenAnywhere } from '../../support/ports.js'

const HOST = 'mx.agents.test'

/** Listeners for programs need a certificate. */
const ACME = { 'tls.acme': 'https://ca.example/dir', 'tls.acme_terms_agreed': 'true' }

const resolver = fakeResolver((name, type) => (name === HOST && type === 'A' ? ['127.0.0.1'] : 'not_found'))

function check(settings: Record<string, string>, ca?: string, isRunning = true) {
  const set = {
    'domains.names': 'agents.test',
    'domains.hostname': HOST,
    'relay.allow_private_addresses': 'true',
    ...ACME,
  }
  const config = loadConfig({ set: Object.entries({ ...set, ...settings }).map(([name, value]) => `${name}=${value}`) })
  return checkPrograms(config, {
    resolver,
    isRunning,
    probe: (service, address) => probeProgram(service, address, { timeoutMs: 2000, ...(ca !== undefined && { ca }) }),
  })
}

t.test('every port of a daemon is well, to those who trust its certificate', opensslPeer(), async (t) => {
  const authority = createAuthority(t.testdir({}))
  const { keyFile, certFile } = authority.issue([HOST])
  const ports = await Promise.all([1, 2, 3, 4].map(() => freePort()))
  const listeners = {
    'imap.listen_tls': `127.0.0.1:${ports[0]}`,
    'imap.listen': `127.0.0.1:${ports[1]}`,
    'submission.listen_tls': `127.0.0.1:${ports[2]}`,
    'submission.listen': `127.0.0.1:${ports[3]}`,
  }
  const certificate = { 'smtp.tls_key': keyFile, 'smtp.tls_cert': certFile }
  const daemon = await startDaemon({ 'domains.hostname': HOST, ...certificate, ...listeners })
  t.teardown(() => daemon.remove())
  t.match(await check(listeners, authority.ca), [
    {
      subject: `port ${ports[0]} at 127.0.0.1`,
      state: 'ok',
      finding: `reading (IMAP) answers with TLS and a certificate valid for ${HOST}`,
    },
    { subject: `port ${ports[1]} at 127.0.0.1`, state: 'ok', finding: /^reading \(IMAP\) answers with STARTTLS/ },
    { subject: `port ${ports[2]} at 127.0.0.1`, state: 'ok', finding: /^sending \(SMTP\) answers with TLS/ },
    { subject: `port ${ports[3]} at 127.0.0.1`, state: 'ok', finding: /^sending \(SMTP\) answers with STARTTLS/ },
  ])
  const untrusted = await check(listeners)
  t.equal(untrusted.length, 4)
  for (const finding of untrusted)
    t.match(finding, {
      state: 'failed',
      finding: /^mail programs refuse its certificate: /,
      remedy: [{ kind: 'command' }],
    })
})

t.test('without ports, a daemon or a public address there is nothing to ask', async (t) => {
  t.match(await check({}), [{ state: 'skipped', finding: /no port for mail programs/ }])
  const listeners = { 'imap.listen_tls': '127.0.0.1:993' }
  t.match(await check(listeners, undefined, false), [{ state: 'skipped', finding: 'no daemon is running' }])
  const inside = { ...listeners, 'relay.allow_private_addresses': 'false' }
  t.match(await check(inside), [{ state: 'skipped', finding: /no public address/ }])
})

t.test('a port that does not answer may be closed in a firewall', async (t) => {
  const port = await freePort()
  const [finding] = await check({ 'imap.listen_tls': `127.0.0.1:${port}` })
  t.match(finding, {
    state: 'warning',
    finding: /nothing listens there/,
    remedy: [{ text: new RegExp(`openssl s_client -connect ${HOST}:${port}`) }, { text: /firewall/ }],
  })
  const silent = await listening(
    t,
    createPlain(() => undefined),
  )
  t.match(await check({ 'submission.listen': `127.0.0.1:${silent}` }), [
    { state: 'warning', finding: /no answer within/, remedy: [{ text: /-starttls smtp/ }, {}] },
  ])
})

t.test('a certificate for another name, and another server, are told', opensslPeer(), async (t) => {
  const authority = createAuthority(t.testdir({}))
  const wrong = await tls(t, authority, 'other.test', `220 ${HOST} ESMTP\r\n`)
  t.match(await check({ 'submission.listen_tls': `127.0.0.1:${wrong}` }, authority.ca), [
    { state: 'failed', finding: /refuse its certificate/ },
  ])
  const other = await tls(t, authority, HOST, '220 mail.elsewhere.test ESMTP\r\n')
  t.match(await check({ 'submission.listen_tls': `127.0.0.1:${other}` }, authority.ca), [
    { state: 'failed', finding: 'another server answers: 220 mail.elsewhere.test ESMTP' },
  ])
})

t.test('a port that takes passwords in clear, or has no STARTTLS, fails', async (t) => {
  const ask = async (section: 'imap' | 'submission', greeting: string, reply: string) =>
    check({ [`${section}.listen`]: `127.0.0.1:${await talker(t, greeting, reply)}` })
  const open = { state: 'failed', finding: /takes passwords before TLS/ }
  const none = { state: 'failed', finding: /does not offer STARTTLS/, remedy: [{ text: /restante doctor/ }, {}] }
  const smtp = `220 ${HOST} ESMTP\r\n`
  t.match(await ask('submission', smtp, `250-${HOST}\r\n250-STARTTLS\r\n250 AUTH PLAIN\r\n`), [open])
  t.match(await ask('submission', smtp, `250-${HOST}\r\n250 8BITMIME\r\n`), [none])
  const imap = '* OK ready\r\n'
  t.match(await ask('imap', imap, '* CAPABILITY IMAP4rev1 STARTTLS\r\na OK done\r\n'), [open])
  t.match(await ask('imap', imap, '* CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED AUTH=PLAIN\r\na OK done\r\n'), [open])
  t.match(await ask('imap', imap, '* CAPABILITY IMAP4rev1 LOGINDISABLED\r\na OK done\r\n'), [none])
  t.match(await ask('imap', '* BYE busy\r\n', '* CAPABILITY LOGINDISABLED\r\na OK\r\n'), [
    { state: 'failed', finding: 'another server answers: * BYE busy' },
  ])
  t.match(await ask('imap', 'x'.repeat(20_000), ''), [{ state: 'warning', finding: /not answer like a mail server/ }])
})

async function listening(t: Test, server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => socket.destroy())))
  const port = await listenAnywhere(server)
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return port
}

function tls(t: Test, authority: Authority, name: string, greeting: string): Promise<number> {
  const { key, cert } = authority.issue([name])
  return listening(
    t,
    createServer({ key, cert }, (socket) => socket.on('error', () => socket.destroy()).write(greeting)),
  )
}

/** Says one thing at the beginning, and another to whatever it is asked. */
function talker(t: Test, greeting: string, reply: string): Promise<number> {
  return listening(
    t,
    createPlain((socket) => {
      socket.write(greeting)
      socket.on('data', () => socket.write(reply))
    }),
  )
}
