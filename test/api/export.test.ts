/** Exports over HTTP: asking for one, looking at it, and the download behind its link. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import t from 'tap'
import { downloadResponse } from '../../src/http/answers/download.js'
import { ServiceError } from '../../src/lib/errors.js'
import { startApi } from './support/api-server.js'

const LINK = '/export/link'

t.test('an agent asks for an export, and sees where it is downloaded once it is ready', async (t) => {
  const api = await startApi(t)
  const asked = await api.call('POST', '/v1/account/export', { json: {} })
  t.equal(asked.status, 202)
  t.match(asked.json, { id: 'exp_1', object: 'export', state: 'queued', download_url: null, expires_at: null })
  const seen = await api.call('GET', '/v1/account/exports/exp_1')
  const url = `http://127.0.0.1:${api.server.port}${LINK}`
  t.match(seen.json, { state: 'ready', download_url: url, size_bytes: 100_000, progress: { messages_total: 1 } })
  t.match((await api.call('GET', '/v1/account/exports')).json, { data: [{ id: 'exp_1' }], has_more: false })
  t.match((await api.call('GET', '/v1/account/exports/exp_2')).json, { error: { code: 'not_found' } })
})

t.test('a refusal says when to come back; keys that may not get nothing', async (t) => {
  const api = await startApi(t)
  api.fakes.fail(new ServiceError('rate_limited', 'Too soon.', 'Later.', { retryAfterSeconds: 1800 }))
  const soon = await api.call('POST', '/v1/account/export', { json: {} })
  t.match([soon.status, soon.headers['retry-after']], [429, '1800'])
  for (const [key, status] of [
    [null, 401],
    ['pending', 403],
    ['suspended', 403],
    ['deleted', 403],
  ] as const) {
    t.equal((await api.call('POST', '/v1/account/export', { key, json: {} })).status, status, String(key))
    t.equal((await api.call('GET', '/v1/account/exports', { key })).status, status, String(key))
  }
})

t.test(
  'an export that is asked for again under its key gets the first answer, and nothing is asked for twice',
  async (t) => {
    const api = await startApi(t)
    const headers = { 'Idempotency-Key': 'once' }
    const asked = (): number => api.fakes.calls.filter(({ name }) => name === 'requestExport').length
    api.fakes.fail(new ServiceError('rate_limited', 'Too soon.', 'Later.', { retryAfterSeconds: 1800 }))
    t.equal((await api.call('POST', '/v1/account/export', { headers, json: {} })).status, 429)
    const first = await api.call('POST', '/v1/account/export', { headers, json: {} })
    const count = asked()
    const [second, third] = await Promise.all([
      api.call('POST', '/v1/account/export', { headers, json: {} }),
      api.call('POST', '/v1/account/export', { headers, json: {} }),
    ])
    t.match([first.status, second.status, third.status], [202, 202, 202], 'a refusal is none that is repeated')
    t.same([second.json, third.json], [first.json, first.json])
    t.equal(asked(), count)
    const wrong = await api.call('POST', '/v1/account/export', { headers: { 'Idempotency-Key': 'é' }, json: {} })
    t.match([wrong.status, wrong.json], [400, { error: { fields: [{ field: 'Idempotency-Key' }] } }])
  },
)

t.test('whoever has the link downloads the whole file, by a name, and no cache keeps it', async (t) => {
  const api = await startApi(t)
  const whole = await api.call('GET', LINK, { key: null })
  t.equal(whole.status, 200)
  t.ok(whole.body.equals(api.fakes.archive))
  t.match(whole.headers, {
    'content-length': String(api.fakes.archive.length),
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="restante-export-2026-01-01.zip"',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    'referrer-policy': 'no-referrer',
    etag: /^"[0-9a-f]{32}"$/,
  })
  t.notOk(whole.headers['transfer-encoding'])
  const head = await api.call('HEAD', LINK, { key: null })
  t.match([head.status, head.headers['content-length'], head.body.length], [200, String(whole.body.length), 0])
})

t.test('a download that broke off goes on where it ended', async (t) => {
  const api = await startApi(t)
  const { archive } = api.fakes
  const size = archive.length
  const part = (range: string, more: Record<string, string> = {}) =>
    api.call('GET', LINK, { key: null, headers: { Range: range, ...more } })
  for (const [range, start, end] of [
    ['bytes=0-0', 0, 0],
    ['bytes=70000-140000', 70_000, 140_000],
    [`bytes=${size - 10}-`, size - 10, size - 1],
    ['bytes=-5', size - 5, size - 1],
    [`bytes=1-${size * 2}`, 1, size - 1],
    [`bytes=-${size * 2}`, 0, size - 1],
  ] as const) {
    const answer = await part(range)
    t.equal(answer.status, 206, range)
    t.equal(answer.headers['content-range'], `bytes ${start}-${end}/${size}`)
    t.equal(answer.headers['content-length'], String(end - start + 1))
    t.ok(answer.body.equals(archive.subarray(start, end + 1)), range)
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0']) {
    const answer = await part(range)
    t.match([answer.status, answer.headers['content-range'], answer.body.length], [416, `bytes */${size}`, 0])
  }
  for (const range of ['bytes=0-1,5-6', 'bytes=5-4', 'bytes=-', 'bytes=', 'lines=1-2', 'bytes=0x1-2', 'bytes=1 -2'])
    t.match([(await part(range)).status, (await part(range)).body.length], [200, size], range)
  const { etag = '' } = (await part('bytes=0-0')).headers
  t.equal((await part('bytes=0-0', { 'If-Range': etag })).status, 206)
  for (const other of ['"other"', `W/${etag}`, 'Thu, 01 Jan 2026 00:00:00 GMT'])
    t.equal((await part('bytes=0-0', { 'If-Range': other })).status, 200, other)
})

t.test('a link whose archive was made again has another ETag, so that no two are mixed', async (t) => {
  const api = await startApi(t)
  const { etag = '' } = (await api.call('HEAD', LINK, { key: null })).headers
  const { download } = api.fakes.exports
  api.fakes.exports.download = async (link) => {
    const found = await download(link)
    return found && { ...found, version: '2' }
  }
  const headers = { Range: 'bytes=5-9', 'If-Range': etag }
  const again = await api.call('GET', LINK, { key: null, headers })
  t.equal(again.status, 200)
  t.not(again.headers.etag, etag)
})

t.test('a wrong link and one that has ended lead to the same plain page', async (t) => {
  const api = await startApi(t)
  const pages = await Promise.all(
    ['/export/wrong', `/export/${'x'.repeat(5000)}`, '/export/%2e%2e%2f', '/export/link%00'].map((path) =>
      api.call('GET', path, { key: null }),
    ),
  )
  for (const page of pages) {
    t.equal(page.status, 404)
    t.match(page.headers['content-type'], 'text/html')
    t.equal(page.text.replace(/req_\w+/, ''), pages[0]?.text.replace(/req_\w+/, ''))
  }
  t.equal((await api.call('POST', LINK, { key: null, json: {} })).status, 405)
})

t.test('who reads slowly makes the server read slowly, and gets everything in the end', async (t) => {
  const api = await startApi(t)
  let taken = 0
  const piece = Buffer.alloc(65_536, 7)
  const total = 500
  async function* source() {
    for (; taken < total; taken++) yield piece
  }
  api.fakes.exports.download = async () => ({
    accountId: 'acc_1',
    exportId: 'exp_1',
    filename: 'x.zip',
    sizeBytes: total * piece.length,
    version: '1',
    // Only what is iterated is used of it.
    open: () => Readable.from(source(), { objectMode: false, highWaterMark: 65_536 }),
  })
  const socket = connect(api.server.port, '127.0.0.1')
  socket.write('GET /export/link HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'readable')
  // Nobody reads: what the kernel's buffers hold is taken, and no more than that.
  let before = -1
  while (before !== taken) {
    before = taken
    for (let i = 0; i < 2_000; i++) await new Promise((resolve) => setImmediate(resolve))
  }
  t.ok(taken < total, `${taken} of ${total} pieces`)
  let received = 0
  socket.on('data', (chunk: Buffer) => (received += chunk.length))
  while (received < total * piece.length) await once(socket, 'data')
  t.equal(taken, total)
  socket.destroy()
})

t.test('a file that is shorter than it should be cuts the connection, and the next request works', async (t) => {
  const api = await startApi(t)
  const { download } = api.fakes.exports
  api.fakes.exports.download = async (link) => {
    const found = await download(link)
    return found && { ...found, sizeBytes: found.sizeBytes + 1 }
  }
  await t.rejects(api.call('GET', LINK, { key: null }))
  t.match(String(api.errors[0]), /has 300001 bytes and not its 300002/)
  api.fakes.exports.download = download
  t.equal((await api.call('GET', LINK, { key: null })).status, 200)
})

t.test('downloads of one link are counted while they run, and no longer', async (t) => {
  const api = await startApi(t)
  const { download } = api.fakes.exports
  // Larger than what the kernel holds for a client that doesn't read.
  async function* endless() {
    for (;;) yield Buffer.alloc(65_536)
  }
  api.fakes.exports.download = async () => ({
    accountId: 'acc_1',
    exportId: 'exp_1',
    filename: 'x.zip',
    sizeBytes: 1e12,
    version: '1',
    open: () => Readable.from(endless(), { objectMode: false }),
  })
  const sockets = Array.from({ length: 8 }, () => connect(api.server.port, '127.0.0.1'))
  for (const socket of sockets) {
    socket.write('GET /export/link HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'readable')
  }
  const refused = await api.call('GET', LINK, { key: null })
  t.match([refused.status, refused.headers['retry-after']], [503, '60'])
  for (const socket of sockets) socket.destroy()
  while (api.server.openRequests > 0) await new Promise((resolve) => setImmediate(resolve))
  api.fakes.exports.download = download
  t.equal((await api.call('GET', LINK, { key: null })).status, 200)
})

t.test('a range means nothing to HEAD', async (t) => {
  const open = () => t.fail('nobody reads it')
  const answer = downloadResponse(
    { sizeBytes: 10, etag: '"x"', headers: {}, open: () => (open(), nobody()) },
    { method: 'HEAD', headers: { range: 'bytes=0-1' } },
  )
  t.match(answer, { status: 200, length: 10 })
})

async function* nobody(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(0)
}
