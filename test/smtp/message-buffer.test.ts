/** The memory of a message on its way in. */
import t from 'tap'
import fc from 'fast-check'
import { BLOCK_BYTES, createMemoryPool } from '../../src/smtp/memory-pool.js'
import { createMessageBuffer } from '../../src/smtp/message-buffer.js'
import { addTrace } from '../../src/mx/intake/trace-fields.js'

const MIB = 1024 * 1024

const TRACE = {
  envelopeFrom: 'carol@peer.test',
  helo: 'mail.peer.test',
  clientName: null,
  clientAddress: '192.0.2.1',
  hostname: 'mx.test',
  protocol: 'ESMTP',
  cipher: undefined,
  id: 'rcp_1',
  recipient: undefined,
  authenticationResults: 'mx.test; spf=pass',
  now: 0,
}

const newPool = (maxBytes: number) => createMemoryPool({ maxBytes, placeBytes: 4 * MIB })

t.test('what comes in pieces is one message, takes little more than its size, and all is given back', async (t) => {
  const sizes = fc.array(fc.oneof(fc.nat(200), fc.nat(70_000), fc.nat(400_000)), { minLength: 1, maxLength: 12 })
  const pool = newPool(32 * MIB)
  await fc.assert(
    fc.asyncProperty(fc.array(sizes, { minLength: 1, maxLength: 4 }), async (all) => {
      const messages = all.map((some, seed) => {
        const before = pool.left
        const buffer = createMessageBuffer(pool)
        const chunks = some.map((size, i) => Buffer.alloc(size, 7 * seed + i + 1))
        if (!chunks.every((chunk) => buffer.push(chunk))) throw new Error('there is memory left')
        const whole = Buffer.concat(chunks)
        if (before - pool.left > whole.length + BLOCK_BYTES) throw new Error('too much is held')
        return { buffer, whole }
      })
      // More than there are places: the others wait.
      const same = await Promise.all(
        messages.map(async ({ buffer, whole }) => {
          const { raw, close } = await buffer.open()
          const equal = raw.equals(whole)
          close()
          return equal
        }),
      )
      return same.every(Boolean) && pool.left === 32 * MIB
    }),
    { numRuns: 100 },
  )
  t.equal(pool.left, 32 * MIB)
})

t.test('without memory left nothing is kept, and nothing is lost of the memory', async (t) => {
  const pool = newPool(MIB)
  const [one, other, small] = [createMessageBuffer(pool), createMessageBuffer(pool), createMessageBuffer(pool)]
  t.ok(one.push(Buffer.alloc(700_000)))
  t.ok(other.push(Buffer.alloc(100_000)))
  t.notOk(other.push(Buffer.alloc(500_000)))
  t.equal(pool.left, MIB - 3 * BLOCK_BYTES)
  t.ok(small.push(Buffer.alloc(100_000)))
  t.ok(small.push(Buffer.alloc(20_000)))
  t.notOk(other.push(Buffer.alloc(200_000)))
  for (const buffer of [one, other, small]) {
    buffer.drop()
    buffer.drop()
  }
  t.equal(pool.left, MIB)
})

t.test('a large message gets its trace in the memory it stands in, and the same trace as any other', async (t) => {
  const text = `Subject: long\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(4000)}`
  for (const raw of [
    text,
    `Authentication-Results: mx.test; spf=fail\r\n${text}`,
    text.slice(0, 1000),
    'no header\r\n',
  ]) {
    const buffer = createMessageBuffer(newPool(8 * MIB))
    buffer.push(Buffer.from(raw))
    const { raw: received } = await buffer.open()
    const traced = addTrace(received, TRACE)
    t.ok(traced.equals(addTrace(Buffer.from(raw), TRACE)))
    t.equal(traced.buffer instanceof SharedArrayBuffer, raw === text, 'copied only where it has to be')
    t.equal(received.toString(), raw, 'and what was received is still the same')
  }
})

t.test('memory that nothing needed for a while is given back', async (t) => {
  // The pool's own timer keeps no process alive.
  const alive = setInterval(() => undefined, 1000)
  t.teardown(() => clearInterval(alive))
  let dropped = 0
  let onEmpty = (): void => undefined
  const pool = createMemoryPool({
    maxBytes: 32 * MIB,
    placeBytes: 4 * MIB,
    unusedMs: 20,
    onDropped(bytes) {
      dropped += bytes
      if (pool.kept === 0) onEmpty()
    },
  })
  const empty = (): Promise<void> => new Promise((resolve) => (onEmpty = resolve))
  const message = createMessageBuffer(pool)
  t.ok(message.push(Buffer.alloc(2 * MIB, 1)))
  const { close } = await message.open()
  const other = pool.takeBlock()
  t.equal(pool.left, 32 * MIB - BLOCK_BYTES, 'what is kept is free to use')
  close()
  const kept = pool.kept
  t.ok(kept >= 6 * MIB - BLOCK_BYTES, 'for now it is kept')
  await empty()
  t.equal(dropped, kept)
  if (!other) throw new Error('there is memory left')
  pool.giveBlock(other)
  await empty()
  t.equal(dropped, kept + BLOCK_BYTES, 'what was in use is given back later')
  t.equal(pool.left, 32 * MIB)

  const again = createMessageBuffer(pool)
  t.ok(again.push(Buffer.alloc(2 * MIB, 3)))
  const opened = await again.open()
  t.ok(opened.raw.equals(Buffer.alloc(2 * MIB, 3)), 'later messages get new memory')
  opened.close()
})
