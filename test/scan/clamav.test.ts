import t, { type Test } from 'tap'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClamavScanner } from '../../src/scan/clamav.js'
import { scannerOff } from '../../src/scan/no-scanner.js'
import { EICAR, startClamd } from '../support/peers/clamd.js'
import { captureLog } from '../support/log.js'
import { peer } from '../support/peers/peers.js'
import { listenAnywhere } from '../support/ports.js'

const MESSAGE = Buffer.from('Subject: hello\r\n\r\nthis is a message\r\n')
const MIB = 1024 * 1024

interface Fake {
  address: string
  /** Everything that was sent, of each connection. */
  received: Buffer[]
  /** Resolves when a connection has been closed by the scanner. */
  closed: Promise<void>
}

/** A clamd that does what the test says with each connection once its first octets are there. */
async function fakeClamd(t: Test, behave: (socket: Socket, received: () => Buffer) => void): Promise<Fake> {
  const received: Buffer[] = []
  const sockets = new Set<Socket>()
  let gone = (): void => undefined
  const closed = new Promise<void>((resolve) => (gone = resolve))
  const server = createServer((socket) => {
    const index = received.push(Buffer.alloc(0)) - 1
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => gone())
    socket.on('data', (chunk) => (received[index] = Buffer.concat([received[index] ?? Buffer.alloc(0), chunk])))
    socket.once('data', () => behave(socket, () => received[index] ?? Buffer.alloc(0)))
  })
  const port = await listenAnywhere(server)
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { address: `127.0.0.1:${port}`, received, closed }
}

/** Answers when the chunk of length 0 has come. */
const answering = (reply: string) => (socket: Socket, received: () => Buffer) => {
  const look = (): void => {
    if (received().subarray(-4).equals(Buffer.alloc(4))) socket.end(reply)
  }
  socket.on('data', look)
  look()
}

const scan = (address: string, raw = MESSAGE, timeoutMs = 5000) =>
  createClamavScanner({ address, timeoutMs, maxBytes: 8 * MIB }).scan(raw)

t.test('the message arrives at clamd whole, in chunks with their lengths', async (t) => {
  const fake = await fakeClamd(t, answering('stream: OK\0'))
  const long = Buffer.alloc(200_000, 'abc')
  t.same(await scan(fake.address, long), { virus: 'clean' })
  const sent = fake.received[0] ?? Buffer.alloc(0)
  t.equal(sent.subarray(0, 10).toString(), 'zINSTREAM\0')
  const chunks: Buffer[] = []
  let at = 10
  for (let length = sent.readUInt32BE(at); length > 0; length = sent.readUInt32BE(at)) {
    chunks.push(sent.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  t.ok(Buffer.concat(chunks).equals(long))
  t.equal(at + 4, sent.length)
})

t.test('what clamd found is named', async (t) => {
  const fake = await fakeClamd(t, answering('stream: Win.Test.EICAR_HDB-1 FOUND\0'))
  t.same(await scan(fake.address), { virus: 'infected', signature: 'Win.Test.EICAR_HDB-1' })
})

t.test('only an explicit clean is clean', async (t) => {
  const answers = [
    'stream: OK',
    'stream: OK\n',
    'xstream: OK\0',
    'OK\0',
    'stream: OK and more\0',
    'INSTREAM size limit exceeded. ERROR\0',
    'COMMAND READ TIMED OUT\0',
    'stream: FOUND\0',
    '\0',
    '',
  ]
  for (const answer of answers) {
    const fake = await fakeClamd(t, answering(answer))
    t.match(await scan(fake.address), { virus: 'unscanned', reason: /clamd/ }, JSON.stringify(answer))
  }
})

t.test('a clamd that hangs costs its deadline and no more, and the connection is closed', async (t) => {
  const fake = await fakeClamd(t, () => undefined)
  t.same(await scan(fake.address, MESSAGE, 50), { virus: 'unscanned', reason: 'no response within 50 ms' })
  await fake.closed
})

t.test('a clamd that drips an answer does not move the deadline', async (t) => {
  const fake = await fakeClamd(t, (socket) => {
    const drip = setInterval(() => socket.write('s'), 5)
    socket.on('close', () => clearInterval(drip))
  })
  t.same(await scan(fake.address, MESSAGE, 100), { virus: 'unscanned', reason: 'no response within 100 ms' })
  await fake.closed
})

t.test('a clamd that stops reading does not hold a large message past the deadline', async (t) => {
  const fake = await fakeClamd(t, (socket) => socket.pause())
  t.match(await scan(fake.address, Buffer.alloc(8 * MIB), 100), { virus: 'unscanned', reason: /within 100 ms/ })
})

t.test('a clamd that talks without end is cut off', async (t) => {
  const fake = await fakeClamd(t, (socket) => socket.write('x'.repeat(10_000)))
  t.match(await scan(fake.address), { virus: 'unscanned', reason: /does not end/ })
  await fake.closed
})

t.test('a clamd that hangs up in the middle, or refuses early, leaves the message unscanned', async (t) => {
  const gone = await fakeClamd(t, (socket) => socket.destroy())
  t.match(await scan(gone.address, Buffer.alloc(4 * MIB)), { virus: 'unscanned' })
  const early = await fakeClamd(t, (socket) => socket.write('INSTREAM size limit exceeded. ERROR\0'))
  t.match(await scan(early.address, Buffer.alloc(4 * MIB)), { virus: 'unscanned', reason: /StreamMaxLength/ })
})

t.test('an absent clamd leaves the message unscanned, with the reason', async (t) => {
  t.match(await scan('127.0.0.1:1'), { virus: 'unscanned', reason: /ECONNREFUSED/ })
  // A short path: one over 107 octets is cut off, and may name something else.
  const dir = mkdtempSync(join(tmpdir(), 'restante-clamd-'))
  t.teardown(() => rmSync(dir, { recursive: true }))
  t.match(await scan(join(dir, 'none.sock')), { virus: 'unscanned', reason: /ENOENT/ })
})

t.test('a message over the limit is not sent', async (t) => {
  const fake = await fakeClamd(t, answering('stream: OK\0'))
  t.match(await scan(fake.address, Buffer.alloc(8 * MIB + 1)), { virus: 'unscanned', reason: /more than/ })
  t.equal(fake.received.length, 0)
})

t.test('an address that cannot be read is refused with what would be right', async (t) => {
  for (const address of ['', 'clamd', 'host:0', 'host:99999', '::1:3310']) {
    t.throws(() => createClamavScanner({ address, timeoutMs: 1, maxBytes: 1 }), /Not an address of clamd/, address)
  }
  t.ok(createClamavScanner({ address: '[::1]:3310', timeoutMs: 1, maxBytes: 1 }).enabled)
})

t.test('without ClamAV nothing is called clean', async (t) => {
  t.equal(scannerOff.enabled, false)
  t.same(await scannerOff.scan(MESSAGE), { virus: 'unscanned', reason: 'scanning is off' })
})

t.test('the real clamd finds what its signatures name', peer('clamd', '/usr/sbin/clamd'), async (t) => {
  // The path of a socket has room for about 100 bytes, and a checkout may stand deep.
  const dir = mkdtempSync(join(tmpdir(), 'restante-clamd-'))
  const socketPath = join(dir, 'clamd.sock')
  const marker = 'restante-test-marker-7d1f'
  for (const folder of ['db', 'tmp']) mkdirSync(join(dir, folder))
  writeFileSync(join(dir, 'db', 'test.ndb'), `Restante.Test.Marker:0:*:${Buffer.from(marker).toString('hex')}\n`)
  const config = ['Foreground yes', `LocalSocket ${socketPath}`, `DatabaseDirectory ${join(dir, 'db')}`]
  config.push(
    `TemporaryDirectory ${join(dir, 'tmp')}`,
    'StreamMaxLength 1M',
    'LogVerbose yes',
    `LogFile ${join(dir, 'log')}`,
  )
  writeFileSync(join(dir, 'clamd.conf'), `${config.join('\n')}\n`)
  const clamd = spawn('/usr/sbin/clamd', ['--config-file', join(dir, 'clamd.conf')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(clamd, 'exit')
  t.teardown(async () => {
    clamd.kill()
    await ended
    rmSync(dir, { recursive: true, force: true })
  })
  // It says so on its output when it listens.
  for await (const line of createInterface({ input: clamd.stdout }))
    if (/listening daemon|Self checking/i.test(line)) break

  t.same(await scan(socketPath), { virus: 'clean' })
  const infected = Buffer.from(`Subject: x\r\n\r\n${marker}\r\n`)
  t.match(await scan(socketPath, infected), { virus: 'infected', signature: /^Restante\.Test\.Marker/ })
  t.match(await scan(socketPath, Buffer.alloc(3 * MIB, 'a')), { virus: 'unscanned' }, 'over its StreamMaxLength')
})

t.test('EICAR is found wherever it hides, over a socket and over TCP', peer('clamd', '/usr/sbin/clamd'), async (t) => {
  const clamd = await startClamd(['StreamMaxLength 1M'])
  t.teardown(() => clamd.stop())
  const attached = (type: string, encoding: string, body: string): string =>
    [
      'From: a@a.example',
      'Subject: files',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'See the file.',
      '--b',
      `Content-Type: ${type}`,
      `Content-Transfer-Encoding: ${encoding}`,
      'Content-Disposition: attachment; filename=file',
      '',
      body,
      '--b--',
      '',
    ].join('\r\n')
  const base64 = (content: Buffer): string => content.toString('base64').replace(/.{76}/g, '$&\r\n')
  const file = attached('application/octet-stream', 'base64', base64(Buffer.from(EICAR)))
  const messages: [string, string][] = [
    ['in base64', file],
    ['in a ZIP', attached('application/zip', 'base64', base64(zipOf('eicar.com', Buffer.from(EICAR))))],
    ['in a message within the message', attached('message/rfc822', '7bit', file)],
  ]
  for (const address of [clamd.socket, clamd.tcp]) {
    const { log, lines } = captureLog()
    const scanner = createClamavScanner({ address, timeoutMs: 20_000, maxBytes: 8 * MIB, log })
    t.teardown(() => scanner.close())
    await scanner.greet()
    t.match(lines, [{ level: 'info', version: /^ClamAV/ }])
    for (const [where, message] of messages)
      t.match(await scanner.scan(Buffer.from(message)), { virus: 'infected', signature: /Test\.Eicar/ }, where)
    // The connection that is kept has answered four times: none of its answers may be taken for another's.
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        scanner.scan(Buffer.from(i % 2 === 0 ? file : 'Subject: x\r\n\r\nnothing\r\n')),
      ),
    )
    t.same(
      all.map(({ virus }) => virus),
      all.map((_, i) => (i % 2 === 0 ? 'infected' : 'clean')),
    )
    t.match(await scanner.scan(Buffer.alloc(3 * MIB, 'abc\r\n')), { virus: 'unscanned' }, 'over its StreamMaxLength')
    t.match(await scanner.scan(MESSAGE), { virus: 'clean' }, 'and the next one is scanned')
  }
})

t.test('a connection that clamd closed while it lay idle costs no message its scan', async (t) => {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => socket.destroy())
    let number = 0
    socket.on('data', (chunk) => {
      if (chunk.includes('zVERSION')) return socket.write('1: ClamAV 1\0')
      if (!chunk.subarray(-4).equals(Buffer.alloc(4))) return
      if (++number === 2) return socket.destroy()
      socket.write(`${number}: stream: OK\0`)
    })
  })
  const port = await listenAnywhere(server)
  t.teardown(() => void server.close())
  const scanner = createClamavScanner({ address: `127.0.0.1:${port}`, timeoutMs: 5000, maxBytes: MIB })
  t.teardown(() => scanner.close())
  await scanner.greet()
  t.same(await scanner.scan(MESSAGE), { virus: 'clean' })
  t.same(await scanner.scan(MESSAGE), { virus: 'clean' })
  t.equal(connections, 3, 'the greeting, the first session, and one in its place')
})

t.test('an answer with another request’s number is no verdict', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      if (chunk.includes('zVERSION')) return socket.write('1: ClamAV 1\0')
      if (chunk.subarray(-4).equals(Buffer.alloc(4))) socket.write('2: stream: OK\0')
    })
  })
  const port = await listenAnywhere(server)
  t.teardown(() => void server.close())
  const scanner = createClamavScanner({ address: `127.0.0.1:${port}`, timeoutMs: 5000, maxBytes: MIB })
  await scanner.greet()
  t.match(await scanner.scan(MESSAGE), { virus: 'unscanned', reason: /another request/ })
})

/** One stored file (APPNOTE §4.3). */
function zipOf(name: string, content: Buffer): Buffer {
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt32LE(crc32(content), 10)
  common.writeUInt32LE(content.length, 14)
  common.writeUInt32LE(content.length, 18)
  common.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), content])
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, Buffer.alloc(14), Buffer.from(name)])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, entry, end])
}

function crc32(content: Buffer): number {
  let crc = ~0
  for (const byte of content) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1))
  }
  return ~crc >>> 0
}
