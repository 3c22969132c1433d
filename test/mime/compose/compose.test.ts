import t from 'tap'
import { composeMessage } from '../../../src/mime/compose/compose.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { readPart } from '../../../src/mime/part.js'
import type { OutgoingMessage } from '../../../src/mime/types.js'
import { limits, lines } from '../support.js'

const plain: OutgoingMessage = {
  messageId: 'id@agents.localhost',
  date: Date.UTC(2026, 0, 2, 3, 4, 5),
  from: { address: 'bot@agents.localhost', name: 'Bot' },
  to: [{ address: 'ada@example.com', name: '' }],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  text: 'Hi',
  html: null,
  inReplyTo: null,
  references: [],
  attachments: [],
}

t.test('a message has the fields it was given and no others', async (t) => {
  const raw = await composeMessage({ ...plain, inReplyTo: 'b@x', references: ['a@x', 'b@x'] })
  const [header = '', body] = raw.toString().split('\r\n\r\n')
  t.strictSame(header.split('\r\n').sort(), [
    'Content-Transfer-Encoding: 7bit',
    'Content-Type: text/plain; charset=utf-8',
    'Date: Fri, 02 Jan 2026 03:04:05 +0000',
    'From: Bot <bot@agents.localhost>',
    'In-Reply-To: <b@x>',
    'MIME-Version: 1.0',
    'Message-ID: <id@agents.localhost>',
    'References: <a@x> <b@x>',
    'Subject: Hello',
    'To: ada@example.com',
  ])
  t.equal(body, 'Hi\r\n')
})

t.test('what was written arrives as it was written', async (t) => {
  const text = 'Zeile eins: äöü €\n\n> zitiert\n.\nFrom here\n' + 'lang '.repeat(400) + '\n日本語'
  const html = `<p>${'x'.repeat(3000)}</p><img src="cid:pic">`
  const raw = await composeMessage({
    ...plain,
    from: { address: 'bot@agents.localhost', name: 'Müller, "Bot"' },
    subject: `Grüße 🎉 ${'x'.repeat(1500)}`,
    text,
    html,
    attachments: [
      { filename: 'résumé 日本.pdf', contentType: 'application/pdf', content: Buffer.from([0, 13, 10, 255]) },
      { filename: 'pic.png', contentType: 'image/png', content: Buffer.from('png'), contentId: 'pic' },
    ],
  })
  const parsed = await parseMessage(raw, limits)
  t.strictSame(parsed.from, { address: 'bot@agents.localhost', name: 'Müller, "Bot"' })
  t.equal(parsed.subject, `Grüße 🎉 ${'x'.repeat(1500)}`)
  t.equal(parsed.text, text)
  t.equal(parsed.html, html)
  t.strictSame(
    parsed.attachments.map(({ filename, disposition, contentId }) => ({ filename, disposition, contentId })),
    [
      { filename: 'pic.png', disposition: 'inline', contentId: 'pic' },
      { filename: 'résumé 日本.pdf', disposition: 'attachment', contentId: null },
    ],
  )
  t.strictSame(await readPart(raw, parsed.attachments[1]?.part ?? -1, limits), Buffer.from([0, 13, 10, 255]))
  const wire = raw.toString('latin1')
  t.notMatch(wire, /[^\r]\n|\r(?!\n)/, 'CRLF throughout')
  t.ok(wire.split('\r\n').every((line) => line.length <= 998))
})

t.test('no field can be made to hold another', async (t) => {
  const evil = 'x\r\nBcc: victim@example.com\r\n\r\nbody\0'
  const raw = await composeMessage({
    ...plain,
    from: { address: 'bot@agents.localhost', name: evil },
    to: [{ address: 'ada@example.com', name: `"${evil}" <other@example.com>,` }],
    subject: evil,
    inReplyTo: evil,
    references: [evil, '<a@x> <b@x>', 'ok@x'],
    attachments: [
      { filename: evil, contentType: `text/plain; x="${evil}"`, content: Buffer.from('a'), contentId: evil },
    ],
  })
  const parsed = await parseMessage(raw, limits)
  t.strictSame(parsed.bcc, [])
  t.strictSame(
    parsed.to.map(({ address }) => address),
    ['ada@example.com'],
  )
  t.equal(parsed.inReplyTo, null)
  t.strictSame(parsed.references, ['ok@x'])
  t.equal(parsed.text.trim(), 'Hi')
  t.notMatch(raw.toString(), /^bcc/im)
  t.equal(parsed.attachments.length, 1)
})

t.test('a forwarded message goes along unchanged', async (t) => {
  const original = lines('From: a@x.example', 'Subject: inner', '', 'grüße', '', '--x')
  const raw = await composeMessage({ ...plain, forwarded: { filename: 'inner.eml', raw: original } })
  const { attachments } = await parseMessage(raw, limits)
  t.equal(attachments[0]?.contentType, 'message/rfc822')
  t.equal(attachments[0]?.filename, 'inner.eml')
  t.strictSame(await readPart(raw, attachments[0]?.part ?? -1, limits), original)
})

t.test('a forwarded message that SMTP would not carry goes as a file', async (t) => {
  const original = Buffer.from(`Subject: x\r\n\r\n${'y'.repeat(2000)}\r\n`)
  const raw = await composeMessage({ ...plain, forwarded: { filename: 'inner.eml', raw: original } })
  const { attachments } = await parseMessage(raw, limits)
  t.equal(attachments[0]?.contentType, 'application/octet-stream')
  t.strictSame(await readPart(raw, attachments[0]?.part ?? -1, limits), original)
})

t.test('a forwarded message has CRLF wherever a line ended, and is 8bit when it has to be', async (t) => {
  const form = async (text: string) => {
    const raw = await composeMessage({ ...plain, forwarded: { filename: 'a.eml', raw: Buffer.from(text) } })
    const { attachments } = await parseMessage(raw, limits)
    const encoding = /message\/rfc822[^]*?Content-Transfer-Encoding: (\w+)/.exec(raw.toString())?.[1]
    return [(await readPart(raw, attachments[0]?.part ?? -1, limits)).toString(), encoding]
  }
  t.strictSame(await form('\na\rb\r\nc\r\r\n\n\r'), ['\r\na\r\nb\r\nc\r\n\r\n\r\n\r\n', '7bit'])
  t.strictSame(await form('A: é\r\n\r\nü'), ['A: é\r\n\r\nü', '8bit'])
  const longest = `${'x'.repeat(998)}\n`
  t.strictSame(await form(longest.repeat(3)), [longest.repeat(3).replaceAll('\n', '\r\n'), '7bit'])
})

t.test('an attachment cannot pretend to be a structure', async (t) => {
  const attachments = ['multipart/mixed; boundary=x', 'message/partial', 'nonsense', 'text/html\r\nX: y'].map(
    (contentType) => ({
      filename: 'a.bin',
      contentType,
      content: Buffer.from('x'),
    }),
  )
  const parsed = await parseMessage(await composeMessage({ ...plain, attachments }), limits)
  t.strictSame(
    parsed.attachments.map(({ contentType }) => contentType),
    Array.from({ length: 4 }, () => 'application/octet-stream'),
  )
})

t.test('a file is never read and an address never fetched for an attachment', async (t) => {
  const raw = await composeMessage({
    ...plain,
    attachments: [{ filename: '/etc/passwd', contentType: 'text/plain', content: Buffer.from('https://example.com/') }],
  })
  const { attachments } = await parseMessage(raw, limits)
  t.equal((await readPart(raw, attachments[0]?.part ?? -1, limits)).toString(), 'https://example.com/')
})
