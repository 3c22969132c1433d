import t from 'tap'
import { eventStream } from '../../src/api/v1/mail/event-stream.js'
import type { Event } from '../../src/mailbox/objects/objects.js'
import type { EventPage } from '../../src/mailbox/events.js'

const event = (seq: number): Event => ({
  seq,
  id: `evt_${seq}`,
  object: 'event',
  type: 'message.received',
  timestamp: '2026-01-01T00:00:00.000Z',
  mailbox_id: 'mbx_1',
  data: { subject: 'two\nlines' },
})
const page = (seqs: number[], next_after: number): EventPage => ({ data: seqs.map(event), has_more: false, next_after })
const never = new AbortController().signal
const accessEnded = (): boolean => false

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of stream) pieces.push(Buffer.from(piece).toString())
  return pieces
}

t.test('a page is a block for each event, and a beat when there is none', async (t) => {
  const over = new AbortController()
  const asked: number[] = []
  const pages = [page([], 2), page([5], 5), page([6], 9), page([], 12)]
  const stream = eventStream({
    first: page([1, 2], 2),
    async read(after) {
      asked.push(after)
      const next = pages.shift()
      if (next) return next
      over.abort()
      return page([13], 13)
    },
    heartbeatMs: 1000,
    endsAfterMs: 60_000,
    signal: over.signal,
    accessEnded,
  })
  const block = (seq: number): string => `id: ${seq}\nevent: message.received\ndata: ${JSON.stringify(event(seq))}\n\n`
  t.same(await textOf(stream), [
    `retry: 2000\n${block(1)}${block(2)}`,
    ': nothing new\n\n',
    block(5),
    `${block(6)}id: 9\n\n`,
    'id: 12\n\n',
  ])
  t.same(asked, [2, 2, 5, 9, 12])
})

t.test('nothing is read for a client that has not taken what came before', async (t) => {
  let reads = 0
  const stream = eventStream({
    first: page([1], 1),
    read: async (after) => (reads++, page([after + 1], after + 1)),
    heartbeatMs: 1000,
    endsAfterMs: 60_000,
    signal: never,
    accessEnded,
  })
  await stream.next()
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(reads, 0)
  await stream.next()
  t.equal(reads, 1)
  await stream.return(undefined)
})

t.test('a stream ends when its time is over', async (t) => {
  const read = async (after: number): Promise<EventPage> => page([after + 1], after + 1)
  const pieces = await textOf(
    eventStream({ first: page([1], 1), read, heartbeatMs: 5, endsAfterMs: 0, signal: never, accessEnded }),
  )
  t.equal(pieces.length, 1)
})
