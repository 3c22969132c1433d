/** Each cap of the receiver at its border: the limit itself is taken, one more is refused. */
import t from 'tap'
import { createHeaderCheck } from '../../src/smtp/server/header-size.js'
import { headerLength } from '../../src/mime/headers.js'
import { greeted, MESSAGE, send, startReceiver } from './receiver.js'

const LIMITS = {
  maxMessageBytes: 100_000,
  maxRecipients: 100,
  maxConnections: 20,
  maxConnectionsPerAddress: 10,
  maxReceived: 50,
}
const PARSE = { maxHeaderBytes: 8192, maxParts: 10, maxDepth: 5 }

/** A message whose header has so many bytes, with the empty line. */
function withHeader(bytes: number): string {
  const start = 'From: carol@peer.test\r\n'
  const lines = [start]
  let left = bytes - start.length - 2
  while (left > 0) {
    // Never so short a rest that no field fits.
    const line = Math.min(left, left < 120 ? left : 80)
    lines.push(`X: ${'y'.repeat(line - 5)}\r\n`)
    left -= line
  }
  return `${lines.join('')}\r\nbody\r\n`
}

function withParts(leaves: number): string {
  const part = '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'
  return `From: carol@peer.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(leaves)}--b--\r\n`
}

function nested(depth: number): string {
  let body = 'Content-Type: text/plain\r\n\r\nx\r\n'
  for (let level = depth; level > 0; level--) {
    body = `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n${body}\r\n--b${level}--\r\n`
  }
  return `From: carol@peer.test\r\n${body}`
}

t.test('the size of the header', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  t.match(await send(dialog, withHeader(8192)), /^250/)
  t.match(await send(dialog, withHeader(8193)), /^550 5\.6\.0 .*header/)
})

t.test('Received fields', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  t.match(await send(dialog, 'Received: x\r\n'.repeat(50) + MESSAGE), /^250/)
  t.match(await send(dialog, 'Received: x\r\n'.repeat(51) + MESSAGE), /^554 5\.4\.6 /)
})

t.test('the length of a line', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  t.match(await send(dialog, `${MESSAGE}${'x'.repeat(998)}\r\n`), /^250/)
  t.match(await send(dialog, `${MESSAGE}${'x'.repeat(999)}\r\n`), /^550 5\.6\.0 /)
})

t.test('parts and their depth', async (t) => {
  const mx = await startReceiver({ parseLimits: PARSE })
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  const border = async (make: (size: number) => string, what: string): Promise<number> => {
    let size = 1
    while (size < 50 && (await send(dialog, make(size))).startsWith('250')) size++
    t.match(await send(dialog, make(size)), /^550 5\.6\.0 /, `${what} ${size} is refused`)
    t.match(await send(dialog, make(size - 1)), /^250/, `${what} ${size - 1} is taken`)
    return size - 1
  }
  // The whole message is a part too, and the outermost level.
  t.equal(await border(withParts, 'parts:'), PARSE.maxParts - 1)
  t.equal(await border(nested, 'levels:'), PARSE.maxDepth - 1)
})

t.test('recipients of a message', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  await dialog.say('MAIL FROM:<carol@peer.test>')
  for (let i = 0; i < 100; i++) t.match(await dialog.say(`RCPT TO:<alice+${i}@agents.test>`), /^250/)
  t.match(await dialog.say('RCPT TO:<bob@agents.test>'), /^452 4\.5\.3 /)
  t.match(await dialog.say('DATA'), /^354/)
})

t.test('the size of a message, and the cut past twice of it', async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  const filled = (bytes: number): string => {
    const lines = MESSAGE + `${'x'.repeat(98)}\r\n`.repeat(Math.floor((bytes - MESSAGE.length) / 100))
    const rest = bytes - lines.length
    return rest === 0 ? lines : `${lines.slice(0, -2)}${'x'.repeat(rest)}\r\n`
  }
  t.match(await dialog.say('MAIL FROM:<carol@peer.test> SIZE=100001'), /^552 5\.3\.4 /)
  t.match(await dialog.say('MAIL FROM:<carol@peer.test> SIZE=100000'), /^250/)
  await dialog.say('RSET')
  t.match(await send(dialog, filled(100_000)), /^250/)
  t.match(await send(dialog, filled(100_001)), /^552 5\.3\.4 /)
  t.match(await send(dialog, filled(200_000)), /^552 5\.3\.4 /, 'twice the limit is read to its end')
  await dialog.say('MAIL FROM:<carol@peer.test>')
  await dialog.say('RCPT TO:<alice@agents.test>')
  await dialog.say('DATA')
  dialog.write(filled(200_100))
  t.match(await dialog.reply(), /^552 5\.3\.4 /, 'past it nobody waits for the end')
  await dialog.closed
})

t.test('a header over its cap is noticed while it comes, wherever the chunks are cut', async (t) => {
  for (const size of [1, 2, 3, 5, 64, 5000]) {
    for (const bytes of [100, 101]) {
      const raw = Buffer.from(withHeader(bytes))
      t.equal(headerLength(raw), bytes)
      const check = createHeaderCheck(100)
      let over = false
      for (let at = 0; at < raw.length; at += size) over ||= check.push(raw.subarray(at, at + size))
      t.equal(over, bytes > 100, `${bytes} bytes in chunks of ${size}`)
    }
  }
  t.equal(createHeaderCheck(2).push(Buffer.from('\r\nbody\r\n\r\n')), false, 'a message without a header')
  for (const size of [1, 7, 300, 5000]) {
    const text = Buffer.from(`Hello, these are words. ${'More of them: many. '.repeat(100)}\r\n\r\nEnd.\r\n`)
    const check = createHeaderCheck(300)
    let over = false
    for (let at = 0; at < text.length; at += size) over ||= check.push(text.subarray(at, at + size))
    t.equal(over, false, `a first paragraph longer than the cap is text, in chunks of ${size}`)
  }
  const endless = createHeaderCheck(100)
  t.equal(endless.push(Buffer.from('X:'.padEnd(99, 'x'))), false)
  t.equal(endless.push(Buffer.from('x')), true, 'before any end has come')
})

t.test('of a header without end nothing is kept past its cap', async (t) => {
  const mx = await startReceiver({ limits: { ...LIMITS, maxMessageBytes: 10_000_000, maxBufferedBytes: 100_000 } })
  t.teardown(() => mx.close())
  const dialog = await greeted(mx.port)
  // The budget for messages on their way in would give another reply.
  t.match(await send(dialog, `X: ${'y'.repeat(90)}\r\n`.repeat(10_000) + MESSAGE), /^550 5\.6\.0 .*header/)
})
