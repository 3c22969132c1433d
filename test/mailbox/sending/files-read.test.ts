/** PDFs and pictures of outgoing mail are read before the guard decides, sent now or at a time. */
import { MINUTE } from '../../../src/lib/clock.js'
import { documentOf, qrPng } from '../../mime/documents/made.js'
import { onEveryEngine } from '../world.js'

const LINK = 'https://portal-check.example/login'
const ATTACHMENTS = [
  {
    filename: 'notice.pdf',
    contentType: 'application/pdf',
    content: documentOf({
      lines: ['Your account is limited'],
      links: [LINK],
      catalog: '/OpenAction << /S /JavaScript /JS (x) >>',
    }),
  },
  { filename: 'code.png', contentType: 'image/png', content: qrPng(LINK) },
]
const HTML = `<p>Hello</p><img src="data:image/png;base64,${qrPng('https://in-the-page.example/').toString('base64')}">`
const READ = {
  attachments: [
    { filename: 'notice.pdf', file: { kind: 'pdf', text: 'Your account is limited', links: [LINK] } },
    { filename: 'code.png', file: { kind: 'picture', codes: [LINK], links: [LINK] } },
  ],
  displayed: { pictures: [{ codes: ['https://in-the-page.example/'] }] },
}

onEveryEngine('the guard is told what the files of a message say', async (t, w) => {
  const { id } = await w.send({ attachments: ATTACHMENTS, html: HTML })
  t.match(w.guard.asked.at(-1), READ)
  const { attachments } = await w.mailboxes.reading.message(w.id, id)
  t.match(attachments[0]?.risk, [{ code: 'document_script' }])
  t.same(attachments[1]?.risk, [])
})

onEveryEngine('a scheduled message is read again when its time comes', async (t, w) => {
  const sendAt = w.clock.now() + 10 * MINUTE
  const { id } = await w.send({ attachments: ATTACHMENTS, html: HTML, sendAt })
  w.guard.asked.length = 0
  w.clock.advance(10 * MINUTE)
  t.equal(await w.mailboxes.outbound.runScheduled(w.id, id), 'done')
  t.match(w.guard.asked.at(-1), READ)
})
