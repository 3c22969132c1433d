/** Frames between two processes, however the stream is cut. */
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import t from 'tap'
import { createFrameReader, createFrameWriter } from '../../../src/mx/fronts/frames.js'
import { HEADROOM_BYTES, LARGE_BYTES } from '../../../src/smtp/message-buffer.js'

interface Frame {
  head: unknown
  body: Buffer | undefined
}

/** What a reader makes of the octets that a writer makes of the frames. */
async function written(frames: Frame[]): Promise<Buffer> {
  const stream = new PassThrough()
  const write = createFrameWriter(stream)
  for (const [i, { head, body }] of frames.entries()) write(head, { body, isUrgent: i % 2 === 0 })
  await new Promise((resolve) => setImmediate(resolve))
  stream.end()
  return Buffer.concat((await stream.toArray()) as Buffer[])
}

function readIn(pieces: Buffer[], maxBodyBytes = 1_000_000): Frame[] {
  const frames: Frame[] = []
  const reader = createFrameReader(maxBodyBytes, (head, body) => frames.push({ head, body: body && Buffer.from(body) }))
  for (const piece of pieces) reader.push(piece)
  return frames
}

t.test('frames are read as they were written, wherever the stream is cut', async (t) => {
  const frame = fc.record(
    {
      head: fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(undefined), fc.boolean())),
      body: fc.option(
        fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
        { nil: undefined },
      ),
    },
    { noNullPrototype: true },
  )
  const cuts = fc.array(fc.nat(2000))
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 6 }), cuts, async (frames, cuts) => {
      const octets = await written(frames)
      const places = [0, ...cuts.filter((cut) => cut < octets.length).sort((a, b) => a - b), octets.length]
      const pieces = places.slice(1).map((end, i) => octets.subarray(places[i], end))
      t.strictSame(readIn(pieces), frames)
    }),
    { numRuns: 300, seed: 21 },
  )
})

t.test('a large message arrives with room in front for its trace fields', async (t) => {
  const body = Buffer.alloc(LARGE_BYTES, 'x')
  const octets = await written([{ head: ['large'], body }])
  let place: Buffer | undefined
  const reader = createFrameReader(body.length, (_head, octets) => (place = octets))
  for (let at = 0; at < octets.length; at += 65_536) reader.push(octets.subarray(at, at + 65_536))
  t.ok(place?.equals(body))
  t.ok(place?.buffer instanceof SharedArrayBuffer)
  t.equal(place?.byteOffset, HEADROOM_BYTES)
})

t.test('what is no frame, or larger than any message, is refused before memory is taken for it', async (t) => {
  t.throws(() => readIn([Buffer.from('GET / HTTP/1.1\r\n\r\n')]), /larger than any message/)
  const octets = await written([{ head: [1], body: Buffer.alloc(200_000) }])
  t.throws(() => readIn([octets.subarray(0, 100)], 100_000), /larger than any message/)
  t.throws(() => readIn([Buffer.alloc(8), Buffer.alloc(1)]), /empty/)
})
