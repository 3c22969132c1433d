import fc from 'fast-check'
import t from 'tap'
import { parseAddress } from '../../src/mime/address.js'
import { composeMessage } from '../../src/mime/compose/compose.js'
import { parseMessage } from '../../src/mime/parse/parse.js'
import { readPart } from '../../src/mime/part.js'
import { MessageFormatError, type ParsedMessage } from '../../src/mime/types.js'

const limits = { maxHeaderBytes: 4096, maxParts: 20, maxDepth: 5 }

async function tryParse(raw: Buffer): Promise<ParsedMessage | undefined> {
  try {
    return await parseMessage(raw, limits)
  } catch (error) {
    if (error instanceof MessageFormatError) return undefined
    throw error
  }
}

/** Pieces that messages are made of, in any order. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      '\r\n',
      '\n',
      '\r',
      '\r\n\r\n',
      ' ',
      '\t',
      '--',
      '--b',
      '--b--',
      '--c',
      'Content-Type: ',
      'multipart/mixed; boundary=b',
      'message/rfc822',
    ],
    ...[
      'multipart/alternative; boundary="c"',
      'text/html',
      'text/plain; format=flowed; charset=',
      'Content-Transfer-Encoding: ',
      'base64',
    ],
    ...[
      'quoted-printable',
      'Content-Disposition: attachment; filename="',
      "filename*0*=utf-8''%",
      '=?utf-8?B?',
      '=?iso-2022-jp?Q?',
      '?=',
      '=',
      '=3D',
    ],
    ...[
      'From: ',
      'To: ',
      'References: ',
      '<',
      '>',
      '@',
      ',',
      ';',
      '"',
      '(',
      ')',
      'Subject: ',
      'Date: ',
      '<a href="http://',
      '<!--',
      '<style>',
      '</',
    ],
    ...[
      'utf-7',
      'gb18030',
      '> ',
      'On 1 Jan 2026 x@y wrote:',
      '-- ',
      '\0',
      '\x1b$B',
      'code: 123456',
      'Sent from my',
      '__proto__: ',
    ],
  ),
  fc.string({ maxLength: 20 }),
)
const mimeLike = fc.array(piece, { maxLength: 60 }).map((pieces) => Buffer.from(pieces.join(''), 'utf8'))
const anyBytes = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes))

t.test('whatever the bytes, a message is parsed or refused, and its parts can be read', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(mimeLike, anyBytes), async (raw) => {
      const message = await tryParse(raw)
      if (message === undefined) return
      for (const { part, sizeBytes, filename } of message.attachments) {
        if ((await readPart(raw, part, limits)).length !== sizeBytes) throw new Error('part and attachment differ')
        if (filename === '' || Buffer.byteLength(filename) > 255 || /[/\\\p{Cc}]/u.test(filename))
          throw new Error('unsafe file name')
      }
      if (message.preview.length > 200 || /[\p{Cc}\p{Cf}]/u.test(message.preview)) throw new Error('unsafe preview')
      if (/[\r\n]/.test(message.subject)) throw new Error('a subject of two lines')
    }),
    { numRuns: 1500 },
  )
  t.pass()
})

/** A header and a body whose lines end as they like; what the type says besides is left open. */
const onePart = fc
  .record({
    fields: fc.array(
      fc.constantFrom(
        'From: a@b.example',
        'Subject: =?utf-8?Q?caf=C3=A9?=',
        'Content-Transfer-Encoding: base64',
        'Content-Transfer-Encoding: Quoted-Printable',
        'Content-Disposition: attachment; filename="a.bin"',
        'Content-ID: <x@y>',
        'Folded: one\r\n\ttwo',
        'no field',
      ),
      { maxLength: 6 },
    ),
    type: fc.constantFrom('text/plain', 'text/html; charset=latin1', 'text/plain; format=flowed', 'image/png', 'x'),
    lineEnd: fc.constantFrom('\r\n', '\n'),
    body: fc.oneof(fc.string(), mimeLike.map(String)),
  })
  // A CR at its end would become part of the line end in front of a delimiter.
  .filter(({ body }) => !body.endsWith('\r'))
  .map(({ fields, type, lineEnd, body }) => {
    const message = [...fields, `Content-Type: ${type}`, '', body]
    const wrapped = [
      'Content-Type: multipart/mixed; boundary=nowhere-in-it',
      '',
      '--nowhere-in-it',
      ...message,
      '--nowhere-in-it--',
      '',
    ]
    return { alone: Buffer.from(message.join(lineEnd)), wrapped: Buffer.from(wrapped.join(lineEnd)) }
  })

t.test('a message reads as it does when it is a part of another', async (t) => {
  await fc.assert(
    fc.asyncProperty(onePart, async ({ alone, wrapped }) => {
      const plain = await tryParse(alone)
      const searched = await tryParse(wrapped)
      if (!plain || !searched) throw new Error('refused')
      const content = ({ text, html, attachments }: ParsedMessage) => ({ text, html, attachments })
      t.same(content(plain), content(searched))
    }),
    { numRuns: 300 },
  )
})

t.test('whatever the text, an address is whole or none', async (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.emailAddress()), (text) => {
      const parsed = parseAddress(text)
      return parsed === undefined || (/^[^\r\n\0]+@[a-z0-9.-]+$/.test(parsed.address) && parsed.address.length <= 254)
    }),
    { numRuns: 2000 },
  )
  t.pass()
})

t.test('whatever an agent writes, what is composed is what is parsed, in lines that SMTP carries', async (t) => {
  const text = fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: 'binary', maxLength: 300 }))
  await fc.assert(
    fc.asyncProperty(text, text, text, fc.uint8Array({ maxLength: 500 }), async (subject, body, filename, content) => {
      const raw = await composeMessage({
        messageId: 'id@example.com',
        date: 0,
        from: { address: 'a@example.com', name: subject },
        to: [{ address: 'b@example.com', name: filename }],
        cc: [],
        replyTo: [],
        subject,
        text: body,
        html: body,
        inReplyTo: subject,
        references: [subject, filename],
        attachments: [{ filename, contentType: filename, content: Buffer.from(content), contentId: filename }],
      })
      const wire = raw.toString('latin1')
      if (/[^\r]\n|\r(?!\n)/.test(wire)) throw new Error('bare CR or LF')
      if (wire.split('\r\n').some((line) => line.length > 998)) throw new Error('line too long')
      const message = await parseMessage(raw, { maxHeaderBytes: 262_144, maxParts: 1000, maxDepth: 30 })
      const fields = Object.keys(message.headers).sort().join()
      if (!/^content-type,date,from(,in-reply-to)?,message-id,mime-version(,references)?(,subject)?,to$/.test(fields))
        throw new Error(fields)
      if (message.fromCount !== 1 || message.to.length !== 1 || message.attachments.length !== 1)
        throw new Error('wrong structure')
      if (!(await readPart(raw, message.attachments[0]?.part ?? -1, limits)).equals(content))
        throw new Error('content differs')
    }),
    { numRuns: 400 },
  )
  t.pass()
})
