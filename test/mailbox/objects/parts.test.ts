import t from 'tap'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { makeWorld } from '../world.js'

const RAW = [
  'From: Ada <ada@example.org>',
  'To: agent@agents.example',
  'Subject: Parts',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=outer',
  '',
  'Preamble',
  '--outer',
  'Content-Type: multipart/alternative; boundary=inner',
  '',
  '--inner',
  'Content-Type: text/plain; charset=ISO-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=FC=DFe',
  '--inner',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<b>Hi</b>',
  '--inner--',
  '--outer',
  'Content-Type: application/pdf; name="../../a\u202e.pdf"',
  'Content-Disposition: attachment',
  'Content-ID: <p@x.example>',
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERi0xLjc=',
  '--outer--',
  '',
].join('\r\n')

t.test('the parts of a message are listed as IMAP counts them, and each can be had decoded', async (t) => {
  const world = await makeWorld(t, createStore(memoryEngine()))
  const { mailboxes, id } = world
  const message = await world.deliver({ raw: Buffer.from(RAW) })
  const parts = await mailboxes.reading.parts(id, message.id)
  t.same(
    parts.map(({ path, part, content_type, charset }) => [path, part, content_type, charset]),
    [
      ['', null, 'multipart/mixed', null],
      ['1', null, 'multipart/alternative', null],
      ['1.1', 0, 'text/plain', 'iso-8859-1'],
      ['1.2', 1, 'text/html', 'utf-8'],
      ['2', 2, 'application/pdf', null],
    ],
  )
  t.match(parts[4], {
    filename: 'a.pdf',
    disposition: 'attachment',
    content_id: 'p@x.example',
    encoding: 'base64',
    encoded_bytes: 12,
  })
  const get = (part: number) => mailboxes.reading.part(id, message.id, part)
  t.match(await get(0), {
    charset: 'ISO-8859-1',
    contentType: 'text/plain',
    content: Buffer.from('Gr\xfc\xdfe', 'latin1'),
  })
  t.same((await get(2)).content, Buffer.from('%PDF-1.7'))
  t.match(await get(2), { filename: 'a.pdf', scan: 'clean' })
  t.equal((await mailboxes.reading.attachment(id, message.id, message.attachments[0]?.id ?? '')).filename, 'a.pdf')
  await t.rejects(get(3), { code: 'not_found' })
  const other = await world.addMailbox('other')
  await t.rejects(mailboxes.reading.part(other, message.id, 0), { code: 'not_found' })
  await t.rejects(mailboxes.reading.parts(other, message.id), { code: 'not_found' })
})

t.test('a message that is no multipart is one part', async (t) => {
  const world = await makeWorld(t, createStore(memoryEngine()))
  const message = await world.deliver({ text: 'Hello.' })
  t.match(await world.mailboxes.reading.parts(world.id, message.id), [
    { path: '1', part: 0, content_type: 'text/plain', charset: 'utf-8', filename: null },
  ])
  t.match((await world.mailboxes.reading.part(world.id, message.id, 0)).content.toString(), /^Hello\./)
})
