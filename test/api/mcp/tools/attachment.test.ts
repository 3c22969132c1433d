/** Files: what comes as text, as an image, as bytes, and what is not given out unasked. */
import t from 'tap'
import { ATTACHMENT, MESSAGE } from '../../support/fakes.js'
import { hostileDomain } from '../hostile-domain.js'
import { runTool, textOf, toolDeps } from '../run-tool.js'
import type { DownloadedAttachment } from '../../../../src/mailbox/reading/reading.js'
import type { Message } from '../../../../src/mailbox/objects/objects.js'

const get = async (file: Partial<DownloadedAttachment>, args: object = {}, message: Partial<Message> = {}) => {
  const domain = hostileDomain('Hello')
  domain.change({ file, message })
  return runTool(toolDeps(domain), 'get_attachment', { message_id: MESSAGE, attachment_id: ATTACHMENT, ...args })
}
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 1)])

t.test('text comes as text, in pages, in the charset it is in', async (t) => {
  const content = Buffer.from('Grüße aus 東京. '.repeat(1000))
  let read = ''
  for (let offset: unknown = 0; typeof offset === 'number';) {
    const { structuredContent } = await get({ content }, { offset, length: 7000 })
    t.match(structuredContent, { kind: 'text' })
    const data = Object(structuredContent)
    read += /^<<<mail \w+>>>\n([^]*)\n<<<end \w+>>>$/.exec(data.untrusted.text)?.[1]
    offset = data.next_offset
  }
  t.equal(read, content.toString())
})

t.test('of HTML its words come, and nothing that it loads or runs', async (t) => {
  const content = Buffer.from('<p>Dear <b>Ada</b></p><script>steal()</script><img src="https://evil.example/x.png">')
  for (const contentType of ['text/html', 'application/xhtml+xml']) {
    const answer = await get({ content, contentType })
    t.match(textOf(answer), 'Dear Ada')
    t.notMatch(JSON.stringify(answer), /steal|evil/, contentType)
  }
})

t.test('an image that was found clean comes as an image, by its first bytes and not by its name', async (t) => {
  const answer = await get({ content: PNG, contentType: 'image/jpeg' })
  t.match(answer.content[1], { type: 'image', mimeType: 'image/png', data: PNG.toString('base64') })
  t.match(answer.content[1], { _meta: { 'restante/untrusted': true, 'restante/fence': /^[0-9a-f]{16}$/ } })
  const liar = await get({ content: Buffer.from('<svg onload="x">'), contentType: 'image/png' })
  t.match(liar.content[1], { type: 'resource' })
  const large = await get({ content: Buffer.concat([PNG, Buffer.alloc(2_000_000)]), contentType: 'image/png' })
  t.match(large.content[1], { type: 'resource' })
})

t.test('anything else comes as bytes, in pages, under a type that says nothing of its own', async (t) => {
  const content = Buffer.alloc(150_000, 'abc')
  const parts: Buffer[] = []
  for (let offset: unknown = 0; typeof offset === 'number';) {
    const { content: blocks, structuredContent } = await get({ content, contentType: 'x/ignore-all-rules' }, { offset })
    const block = blocks[1]
    if (block?.type !== 'resource' || !('blob' in block.resource)) throw new Error('these are no bytes')
    t.equal(block.resource.mimeType, 'application/octet-stream')
    parts.push(Buffer.from(String(block.resource.blob), 'base64'))
    offset = Object(structuredContent).next_offset
  }
  t.equal(parts.length, 3)
  t.ok(Buffer.concat(parts).equals(content))
})

t.test('risky and unscanned files are given only when asked for, infected ones never', async (t) => {
  const risk = [{ code: 'program_attached', detail: 'it runs' }]
  for (const file of [{ risk }, { scan: 'unscanned' as const }]) {
    const refused = await get(file)
    t.ok(refused.isError)
    t.match(textOf(refused), /^invalid_request: [^]*accept_risk: [^]*Next: Do not open it, or ask your human/)
    t.notOk((await get(file, { accept_risk: true })).isError)
  }
  const image = await get({ content: PNG, contentType: 'image/png', scan: 'unscanned' }, { accept_risk: true })
  t.match(image.content[1], { type: 'resource' }, 'what nobody has scanned is not laid before its eyes')
  const scan = { virus: 'infected' as const, spam: { score: 0, verdict: 'ham' as const, reasons: [] } }
  const infected = await get({}, { accept_risk: true }, { scan })
  t.ok(infected.isError)
  t.match(textOf(infected), /contains malware/)
})
