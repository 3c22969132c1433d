/** Composing and reading mail off the main thread: the same results as in place, within bounds, while others get their turns. */
import t from 'tap'
import { subjectWith } from '../../guard/subject.js'
import { readingOf } from '../../../src/guard/text/text.js'
import type { GuardSubject } from '../../../src/guard/types.js'
import { createMailWork, mailWorkInPlace } from '../../../src/mailbox/mail-work/mail-work.js'
import { MessageFormatError } from '../../../src/mime/types.js'
import { PARSE_LIMITS } from '../world.js'

const message = {
  messageId: 'x@agents.example',
  date: Date.UTC(2026, 0, 1),
  from: { address: 'agent@agents.example', name: 'Agent' },
  to: [{ address: 'ada@example.org', name: 'Ada' }],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  text: '',
  html: null,
  inReplyTo: null,
  references: [],
  attachments: [],
}
const SUBJECT = subjectWith({ subject: 'Hello' })
const SHORT = 'Good morning, this is a letter of more than a dozen words, which is enough for its print.'
const asker = { owner: 'a' }
const limits = PARSE_LIMITS

/** How often the event loop went round until the work was done. */
async function turnsDuring<T>(work: Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0
  let done = false
  const turn = (): void => {
    turns++
    if (!done) setImmediate(turn)
  }
  setImmediate(turn)
  const result = await work.finally(() => (done = true))
  return { result, turns }
}

function threads(test: Tap, deadlineMs = 100_000) {
  const work = createMailWork({ threads: 2, deadlineMs })
  test.teardown(() => work.close())
  return work
}
type Tap = { teardown(fn: () => Promise<void>): void }

t.test('a long message is composed in a thread, and is the same as in place', async (t) => {
  const html = '<table><tr><td>a</td><td>b</td></tr></table>'.repeat(8000)
  const attachments = [
    { filename: 'a.bin', contentType: 'application/octet-stream', content: Buffer.alloc(200_000, 7) },
  ]
  const given = {
    message: { ...message, text: SHORT.repeat(3000), html, attachments },
    bcc: [],
    maxBytes: 1e8,
    now: 0,
    limits,
  }
  let charged = 0
  const threaded = threads(t)
  const { result, turns } = await turnsDuring(
    threaded.compose(given, { owner: 'a', charge: (ms) => void (charged += ms) }),
  )
  const inPlace = await mailWorkInPlace().compose(given, asker)
  if (!('raw' in result) || !('raw' in inPlace)) throw new Error('it was too large')
  t.ok(charged > 0, 'it was in a thread')
  t.ok(turns > 10, `others had ${turns} turns`)
  t.ok(Buffer.isBuffer(result.raw))
  // Boundaries and ids are random.
  t.equal(result.raw.length, inPlace.raw.length)
  const { attachments: files, headers: _headers, ...content } = result.content
  const { attachments: sameFiles, headers: _same, ...same } = inPlace.content
  t.same(content, same)
  t.same(
    files.map(({ sha256 }) => sha256),
    sameFiles.map(({ sha256 }) => sha256),
  )
  t.same(result.print, inPlace.print)
})

t.test('a short message never leaves the thread that asks', async (t) => {
  const given = { message: { ...message, text: SHORT }, bcc: [], maxBytes: 1e6, now: 0, limits }
  let charged = false
  const composed = await threads(t).compose(given, { owner: 'a', charge: () => void (charged = true) })
  t.ok('raw' in composed && composed.print)
  t.notOk(charged)
})

t.test('a message over the size is not read', async (t) => {
  const given = { message: { ...message, text: SHORT.repeat(3000) }, bcc: [], maxBytes: 1000, now: 0, limits }
  const composed = await threads(t).compose(given, asker)
  t.ok('bytes' in composed && composed.bytes > 200_000)
})

const part = (n: number): string =>
  `--b1\r\nContent-Type: application/x-n; name=${n}\r\nContent-Disposition: attachment\r\n\r\nfile ${n}\r\n`
const many = (count: number): Buffer =>
  Buffer.from(
    `From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b1\r\n\r\n${Array.from({ length: count }, (_, n) => part(n)).join('')}--b1--\r\n`,
  )

t.test('the parts of a large message are read in a thread, as in place', async (t) => {
  const work = threads(t)
  const here = mailWorkInPlace()
  const raw = many(900)
  const { result: parts, turns } = await turnsDuring(work.parts(raw, limits, asker))
  t.same(parts, await here.parts(raw, limits, asker))
  t.ok(turns > 10)
  t.same(await work.part(raw, 7, limits, asker), await here.part(raw, 7, limits, asker))
  t.equal((await work.part(raw, 7, limits, asker))?.content.toString(), 'file 7')
  t.equal(await work.part(raw, 900, limits, asker), undefined)
  const files = await work.files(raw, [3, 899, 1000], limits, asker)
  t.same(
    [...files].map(([n, content]) => [n, content.toString()]),
    [
      [3, 'file 3'],
      [899, 'file 899'],
    ],
  )
  t.same(await work.parse(raw, limits, asker), await here.parse(raw, limits, asker))
  await t.rejects(work.parse(many(1200), limits, asker), new MessageFormatError('message has more than 1000 parts'))
})

t.test('a part of a buffer goes to a thread without the rest of it', async (t) => {
  const raw = many(900)
  const large = Buffer.concat([Buffer.alloc(1_000_000), raw, Buffer.alloc(1_000_000)])
  const view = large.subarray(1_000_000, 1_000_000 + raw.length)
  t.equal((await threads(t).parts(view, limits, asker)).length, 901)
  t.equal(large.length, 2_000_000 + raw.length, 'and its memory stays where it is')
})

t.test('very long and very deep HTML is cut, and made safe in a thread', async (t) => {
  const work = threads(t)
  const read = (html: string): Promise<string | null> => work.safeHtml({ html, hasRemotePictures: false }, asker)
  t.equal(await read('<p>short<script>x</script></p>'), '<p>short</p>')
  const deep = await read('<div>'.repeat(50_000) + 'inside')
  t.ok(deep !== null && (deep.match(/<div>/g)?.length ?? 0) <= 64)
  const [long] = await Promise.all([
    read('<p>words</p>'.repeat(50_000)),
    read('<b>'.repeat(5000)),
    read('<i>x'.repeat(5000)),
  ])
  t.ok(long !== null && long.length > 200_000 && long.length <= 256 * 1024 + 20)
})

t.test(
  'HTML that cannot be made safe in time is not shown; a message that cannot be read in time is refused',
  async (t) => {
    const work = threads(t, 1)
    t.equal(await work.safeHtml({ html: '<p>words</p>'.repeat(1000), hasRemotePictures: false }, asker), null)
    await t.rejects(work.parts(many(900), limits, asker), { code: 'unavailable', retryAfterSeconds: 60 })
  },
)

t.test('the words of a long text for the index are the same in a thread', async (t) => {
  const parsed = await mailWorkInPlace().compose(
    { message: { ...message, text: '漢字仮名交じり文 '.repeat(3000) }, bcc: [], maxBytes: 1e7, now: 0, limits },
    asker,
  )
  if (!('content' in parsed)) throw new Error('it was too large')
  const given = { direction: 'outbound' as const, content: parsed.content }
  let charged = false
  const words = await threads(t).words(given, { owner: 'a', charge: () => void (charged = true) })
  t.same(words, await mailWorkInPlace().words(given, asker))
  t.ok(charged)
})

t.test(
  'a long message is read for the guard in a thread, with the same reading; a short one when it is judged',
  async (t) => {
    const work = threads(t)
    const read = (parts: Partial<GuardSubject>): GuardSubject => ({ ...SUBJECT, ...parts })
    const html = '<p style="color:red">Please verify your account</p>'.repeat(4000)
    const long = [{ html }, { text: SHORT.repeat(2000) }, { parentText: SHORT.repeat(1000), text: 'Yes' }]
    for (const parts of long) {
      const subject = read(parts)
      await work.read(subject)
      t.same(readingOf(subject), readingOf(read(parts)))
    }
    await work.close()
    for (const parts of long) await t.rejects(work.read(read(parts)), 'no thread is left')
    await work.read(read({ text: SHORT }))
  },
)
