/** The memory of a message on its way in. */
import t from 'tap'
import fc from 'fast-check'
import { createBudget } from '../../src/mx/budget.js'
import { createMessageBuffer } from '../../src/mx/message-buffer.js'
import { addTrace } from '../../src/mx/trace.js'

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

t.test('what comes in pieces is one message, and takes no more than twice its size', (t) => {
  const pieces = fc.array(fc.nat(40_000), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(pieces, (sizes) => {
      const budget = createBudget(2_000_000)
      const buffer = createMessageBuffer(budget, 1_000_000)
      const chunks = sizes.map((size, i) => Buffer.alloc(size, i + 1))
      const taken = chunks.every((chunk) => buffer.push(chunk))
      const whole = Buffer.concat(chunks)
      const held = 2_000_000 - budget.left
      const same = buffer.message().equals(whole)
      buffer.release()
      buffer.release()
      return taken && same && held <= Math.max(16 * 1024, 2 * whole.length) && budget.left === 2_000_000
    }),
    { numRuns: 200 },
  )
  t.end()
})

t.test('without memory left nothing is kept', (t) => {
  const budget = createBudget(100_000)
  const [one, other] = [createMessageBuffer(budget, 90_000), createMessageBuffer(budget, 90_000)]
  t.ok(one.push(Buffer.alloc(60_000)))
  t.ok(other.push(Buffer.alloc(10_000)))
  t.notOk(other.push(Buffer.alloc(50_000)))
  t.equal(budget.left, 40_000)
  one.release()
  t.equal(budget.left, 100_000)
  t.end()
})

t.test('a large message gets its trace in the memory it stands in, and the same trace as any other', (t) => {
  const text = `Subject: long\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(4000)}`
  for (const raw of [
    text,
    `Authentication-Results: mx.test; spf=fail\r\n${text}`,
    text.slice(0, 1000),
    'no header\r\n',
  ]) {
    const buffer = createMessageBuffer(createBudget(1_000_000), 1_000_000)
    buffer.push(Buffer.from(raw))
    const received = buffer.message()
    const traced = addTrace(received, TRACE)
    t.ok(traced.equals(addTrace(Buffer.from(raw), TRACE)))
    t.equal(traced.buffer === received.buffer, raw === text, 'copied only where it has to be')
    t.equal(received.toString(), raw, 'and what was received is still the same')
  }
  t.end()
})
