import { connect as connectTls } from 'node:tls'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { once } from 'node:events'
import t from 'tap'
import builtIn from 'smtp-server/lib/tls-options'
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
