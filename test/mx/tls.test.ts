import { connect as connectTls } from 'node:tls'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import t from 'tap'
import builtIn from 'smtp-server/lib/tls-options'
import { createAuthority, opensslPeer } from '../support/peers/certificates.js'
import { greeted, MESSAGE, startReceiver } from './receiver.js'

// Any certificate does; the library's own is at hand.
const { key, cert } = builtIn()
const certificate = { key: String(key), cert: String(cert) }

async function offers(port: number): Promise<string> {
  const dialog = await greeted(port)
  return dialog.say('EHLO again.peer.test')
}

t.test('STARTTLS protects a session, and the trace says so', async (t) => {
  const mx = await startReceiver({ tls: certificate })
  t.teardown(() => mx.close())
  t.match(await offers(mx.port), /250-STARTTLS/)
  const socket = connect(mx.port, '127.0.0.1')
  await once(socket, 'data')
  socket.write('STARTTLS\r\n')
  await once(socket, 'data')
  const tls = connectTls({ socket, rejectUnauthorized: false })
  await once(tls, 'secureConnect')
  let said = ''
  tls.on('data', (chunk) => (said += String(chunk)))
  tls.write('EHLO client.peer.test\r\nMAIL FROM:<>\r\nRCPT TO:<alice@agents.test>\r\nDATA\r\n')
  while (!said.includes('354')) await once(tls, 'data')
  t.notMatch(said, /STARTTLS/)
  tls.write(`${MESSAGE}.\r\nQUIT\r\n`)
  await once(tls, 'end')
  t.match(said, /250 2\.0\.0 accepted/)
  const raw = mx.world.delivered[0]?.raw.toString()
  t.match(raw, /with ESMTPS id rcp_\w+ \(TLSv1\.3 TLS_\w+\)/)
  t.ok(raw?.startsWith('Return-Path: <>\r\n'))
})

t.test('STARTTLS behind a MAIL in one packet is answered after it, and the handshake follows', async (t) => {
  const mx = await startReceiver({ tls: certificate })
  t.teardown(() => mx.close())
  const socket = await admitted(mx.port)
  socket.write('EHLO client.peer.test\r\nMAIL FROM:<carol@peer.test>\r\nRSET\r\nSTARTTLS\r\n')
  let said = ''
  const hear = (chunk: Buffer): void => void (said += String(chunk))
  socket.on('data', hear)
  while (!/^220 /m.test(said)) await once(socket, 'data')
  socket.off('data', hear)
  t.match(said, /^250 2\.1\.0 [^]*^250 2\.0\.0 [^]*^220 /m)
  const tls = connectTls({ socket, rejectUnauthorized: false })
  await once(tls, 'secureConnect')
  tls.write('EHLO client.peer.test\r\nQUIT\r\n')
  tls.resume()
  await once(tls, 'close')
})

t.test('a connection that used TLS is counted off when it ends', async (t) => {
  const limits = {
    maxMessageBytes: 9999,
    maxRecipients: 9,
    maxConnections: 1,
    maxConnectionsPerAddress: 1,
    maxReceived: 50,
  }
  const mx = await startReceiver({ tls: certificate, limits })
  t.teardown(() => mx.close())
  for (let i = 0; i < 3; i++) {
    const socket = await admitted(mx.port)
    socket.write('STARTTLS\r\n')
    await once(socket, 'data')
    const tls = connectTls({ socket, rejectUnauthorized: false })
    await once(tls, 'secureConnect')
    tls.write('QUIT\r\n')
    tls.resume()
    await once(tls, 'close')
  }
  t.pass('three sessions, one after the other, where one is allowed')
})

/** The server learns of an end a moment after the client, so it may take more than one try. */
async function admitted(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const [greeting] = await once(socket, 'data')
    if (String(greeting).startsWith('220 ')) return socket
    socket.destroy()
  }
}

t.test('a certificate can come and go while the server runs', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  t.notMatch(await offers(mx.port), /STARTTLS/)
  mx.server.setCertificate(certificate)
  t.match(await offers(mx.port), /STARTTLS/)
  t.throws(() => mx.server.setCertificate({ key: 'nonsense', cert: 'nonsense' }))
  t.match(await offers(mx.port), /STARTTLS/, 'the old one stays')
  mx.server.setCertificate(undefined)
  t.notMatch(await offers(mx.port), /STARTTLS/)
})

t.test('a client that asks for another name of ours is shown the certificate for that', opensslPeer(), async (t) => {
  const authority = createAuthority(t.testdir())
  const [main, other] = [authority.issue(['mx.agents.test']), authority.issue(['mail.agents.test'])]
  const mx = await startReceiver({ tls: { ...main, byName: new Map([['mail.agents.test', other]]) } })
  t.teardown(() => mx.close())
  const shown = async (servername: string): Promise<string | undefined> => {
    const socket = await admitted(mx.port)
    socket.write('STARTTLS\r\n')
    await once(socket, 'data')
    const tls = connectTls({ socket, servername, rejectUnauthorized: false })
    await once(tls, 'secureConnect')
    const name = tls.getPeerX509Certificate()?.subjectAltName
    tls.destroy()
    return name
  }
  t.equal(await shown('mail.agents.test'), 'DNS:mail.agents.test')
  t.equal(await shown('Mail.Agents.Test'), 'DNS:mail.agents.test')
  t.equal(await shown('unknown.test'), 'DNS:mx.agents.test')
  t.throws(() =>
    mx.server.setCertificate({ ...main, byName: new Map([['x.test', { key: main.key, cert: 'nonsense' }]]) }),
  )
  t.equal(await shown('mail.agents.test'), 'DNS:mail.agents.test', 'the old ones stay')
  mx.server.setCertificate(other)
  t.equal(await shown('mx.agents.test'), 'DNS:mail.agents.test')
})

t.test('TLS 1.0 and 1.1 are refused (RFC 8996)', async (t) => {
  const mx = await startReceiver({ tls: certificate })
  t.teardown(() => mx.close())
  const handshake = async (maxVersion: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2'): Promise<string> => {
    const socket = connect(mx.port, '127.0.0.1')
    await once(socket, 'data')
    socket.write('STARTTLS\r\n')
    await once(socket, 'data')
    // The client itself would be too strict otherwise.
    const tls = connectTls({
      socket,
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
      maxVersion,
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    const ended = await Promise.race([
      once(tls, 'secureConnect').then(() => String(tls.getProtocol())),
      once(tls, 'error').then(([error]: unknown[]) => (error instanceof Error ? error.message : 'refused')),
    ]).catch((error: unknown) => (error instanceof Error ? error.message : 'refused'))
    tls.destroy()
    return ended
  }
  t.match(await handshake('TLSv1'), /alert protocol version/)
  t.match(await handshake('TLSv1.1'), /alert protocol version/)
  t.equal(await handshake('TLSv1.2'), 'TLSv1.2')
})

t.test('a message that was to travel under TLS alone is marked so', async (t) => {
  const mx = await startReceiver({ tls: certificate })
  t.teardown(() => mx.close())
  const socket = connect(mx.port, '127.0.0.1')
  await once(socket, 'data')
  socket.write('STARTTLS\r\n')
  await once(socket, 'data')
  const tls = connectTls({ socket, rejectUnauthorized: false })
  await once(tls, 'secureConnect')
  tls.resume()
  tls.write('EHLO client.peer.test\r\nMAIL FROM:<carol@peer.test> REQUIRETLS\r\n')
  tls.write(`RCPT TO:<alice@agents.test>\r\nDATA\r\n${MESSAGE}.\r\nQUIT\r\n`)
  await once(tls, 'end')
  t.equal(mx.world.delivered.length, 1)
  t.match(mx.world.log.at(-1), { requires_tls: true, reply: '250 2.0.0' })
})
