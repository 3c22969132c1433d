/** Files of messages over a real socket: in parts, gone on with, and only looked at. */
import t from 'tap'
import { sha256Hex } from '../../src/lib/ids.js'
import { downloadHeaders } from '../../src/http/answers/disposition.js'
import { startApi } from './support/api-server.js'
import { ATTACHMENT, MESSAGE } from './support/fakes.js'

const FILES = [
  [`/v1/messages/${MESSAGE}/attachments/${ATTACHMENT}`, 'application/pdf'],
  [`/v1/messages/${MESSAGE}/raw`, 'message/rfc822'],
  [`/v1/messages/${MESSAGE}/parts/0`, 'application/pdf'],
] as const

t.test('a file comes whole or in parts, and HEAD tells what there is', async (t) => {
  const api = await startApi(t)
  api.fakes.file.content = Buffer.from('0123456789'.repeat(10_000))
  for (const [path, type] of FILES) {
    const get = (headers: Record<string, string> = {}, method = 'GET') => api.call(method, path, { headers })
    const whole = await get()
    const size = whole.body.length
    const { etag = '' } = whole.headers
    t.match([whole.status, whole.headers['accept-ranges'], whole.headers['content-type']], [200, 'bytes', type])
    t.match(etag, /^"[\w.]+"$/)
    const part = await get({ Range: 'bytes=3-7' })
    t.match([part.status, part.headers['content-range'], part.headers.etag], [206, `bytes 3-7/${size}`, etag])
    t.equal(part.headers['content-length'], '5')
    t.match(part.headers['content-disposition'], /^attachment/)
    t.same(part.body, whole.body.subarray(3, 8))
    const end = await get({ Range: 'bytes=-4', 'If-Range': etag })
    t.same([end.status, end.body], [206, whole.body.subarray(-4)])
    const changed = await get({ Range: 'bytes=-4', 'If-Range': '"other"' })
    t.same([changed.status, changed.body], [200, whole.body])
    const beyond = await get({ Range: `bytes=${size}-` })
    t.match([beyond.status, beyond.headers['content-range']], [416, `bytes */${size}`])
    t.match(beyond.json, { error: { code: 'range_not_satisfiable', hint: /HEAD/ } })
    const head = await get({ Range: 'bytes=3-7' }, 'HEAD')
    t.match([head.status, head.headers['content-length'], head.headers.etag], [200, String(size), etag])
    t.equal(head.body.length, 0)
    t.equal((await get({ Range: 'bytes=0-0, -1' })).status, 200)
  }
  const attachment = await api.call('GET', FILES[0][0])
  t.equal(attachment.headers.etag, `"${sha256Hex(api.fakes.file.content)}"`)
  t.same(api.errors, [])
})

t.test('a part that no message has is not found', async (t) => {
  const api = await startApi(t)
  for (const part of ['1', '-1', '0x0', '1e3', 'a', '0000000', '99999999999999999999']) {
    const answer = await api.call('GET', `/v1/messages/${MESSAGE}/parts/${part}`)
    t.match([answer.status, answer.json], [404, { error: { code: 'not_found' } }], part)
  }
})

t.test('the charset of text is told where it is a name, and only there', async (t) => {
  const type = (contentType: string, charset: string) => downloadHeaders('x', contentType, charset)['Content-Type']
  t.equal(type('text/plain', 'ISO-8859-1'), 'text/plain; charset="ISO-8859-1"')
  t.equal(type('text/plain', ''), 'text/plain')
  t.equal(type('text/plain', 'x"\r\ny: z'), 'text/plain')
  t.equal(type('image/png', 'utf-8'), 'image/png')
  t.equal(type('x\r\ny', 'utf-8'), 'application/octet-stream')
})
