import t from 'tap'
import { bytesAnswer, rangeOf } from '../../../src/http/answers/ranges.js'

const ETAG = '"abc"'
const ask = (range: string | undefined, headers: Record<string, string> = {}, method = 'GET', sizeBytes = 10) =>
  rangeOf({ method, headers: { ...(range !== undefined && { range }), ...headers } }, { sizeBytes, etag: ETAG })

t.test('RFC 9110 §14.1.2: what a range means', async (t) => {
  const cases: [range: string, meant: ReturnType<typeof rangeOf>][] = [
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=2-5', { start: 2, end: 5 }],
    ['bytes=2-', { start: 2, end: 9 }],
    ['bytes=9-9', { start: 9, end: 9 }],
    ['bytes=9-99999999999999999999999999', { start: 9, end: 9 }],
    ['bytes=-1', { start: 9, end: 9 }],
    ['bytes=-10', { start: 0, end: 9 }],
    ['bytes=-11', { start: 0, end: 9 }],
    [`bytes=-${'9'.repeat(400)}`, { start: 0, end: 9 }],
    ['Bytes=2-5', { start: 2, end: 5 }],
    ['BYTES=2-5', { start: 2, end: 5 }],
    [' bytes= \t2-5\t ', { start: 2, end: 5 }],
    ['bytes=,2-5', { start: 2, end: 5 }],
    ['bytes= , 2-5 , ,', { start: 2, end: 5 }],
    ['bytes=007-0008', { start: 7, end: 8 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-10', 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', 'all'],
    ['bytes=0-1,5-6', 'all'],
    ['bytes=0-1, -1', 'all'],
    ['bytes=', 'all'],
    ['bytes=,', 'all'],
    ['bytes=-', 'all'],
    ['bytes=--1', 'all'],
    ['bytes=1--1', 'all'],
    ['bytes=+1-2', 'all'],
    ['bytes=0x1-2', 'all'],
    ['bytes=1 -2', 'all'],
    ['bytes=1.0-2', 'all'],
    ['bytes=٣-٤', 'all'],
    ['bytes 1-2', 'all'],
    ['bytes', 'all'],
    ['octets=1-2', 'all'],
    ['', 'all'],
  ]
  for (const [range, meant] of cases) t.same(ask(range), meant, range)
  t.equal(ask(undefined), 'all')
})

t.test('a file without octets has no range', async (t) => {
  t.equal(ask('bytes=0-', {}, 'GET', 0), 'unsatisfiable')
  t.equal(ask('bytes=-5', {}, 'GET', 0), 'all', 'its last five are all of it, and cannot be named')
  t.equal(ask('bytes=-0', {}, 'GET', 0), 'unsatisfiable')
})

t.test('§14.2: a range means nothing to HEAD', async (t) => {
  for (const method of ['HEAD', 'POST']) t.equal(ask('bytes=0-1', {}, method), 'all')
})

t.test('§13.1.5: If-Range takes the very tag, and nothing else', async (t) => {
  t.same(ask('bytes=0-1', { 'if-range': ETAG }), { start: 0, end: 1 })
  t.same(ask('bytes=0-1', { 'if-range': ` ${ETAG} ` }), { start: 0, end: 1 })
  for (const other of [`W/${ETAG}`, '"x"', 'abc', '*', `${ETAG}, "x"`, 'Thu, 01 Jan 2026 00:00:00 GMT', '']) {
    t.equal(ask('bytes=0-1', { 'if-range': other }), 'all', other)
    t.equal(ask('bytes=99-', { 'if-range': other }), 'all', `${other}: nor is it refused`)
  }
  t.equal(ask(undefined, { 'if-range': ETAG }), 'all')
})

t.test('the answer has the part, or all, or says how much there is', async (t) => {
  const content = Buffer.from('0123456789')
  const answer = (range?: string) =>
    bytesAnswer(
      { method: 'GET', headers: range === undefined ? {} : { range } },
      { content, etag: ETAG, headers: { 'Content-Type': 'text/plain' } },
    )
  const always = { 'Content-Type': 'text/plain', ETag: ETAG, 'Accept-Ranges': 'bytes' }
  t.same(answer(), { status: 200, headers: always, body: content })
  t.same(answer('bytes=0-1,3-4'), { status: 200, headers: always, body: content })
  t.same(answer('bytes=3-4'), {
    status: 206,
    headers: { ...always, 'Content-Range': 'bytes 3-4/10' },
    body: Buffer.from('34'),
  })
  t.throws(() => answer('bytes=10-'), { code: 'range_not_satisfiable', status: 416, sizeBytes: 10 })
  t.throws(() => answer('bytes=-0'), { status: 416, name: 'ServiceError' })
  // Any part, put together from its halves, is the whole.
  for (let cut = 1; cut < content.length; cut++) {
    const halves = [answer(`bytes=0-${cut - 1}`).body, answer(`bytes=${cut}-`).body]
    t.same(Buffer.concat(halves), content)
  }
})
