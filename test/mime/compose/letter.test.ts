import t from 'tap'
import { composeLetter, type LetterContent, type LetterPart } from '../../../src/mime/compose/letter.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import type { ParsedMessage } from '../../../src/mime/types.js'

const LIMITS = { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 }

async function letter(parts: LetterPart[], change: Partial<LetterContent> = {}) {
  const raw = await composeLetter({
    from: { address: 'restante@agents.test', name: 'Restante at agents.test' },
    to: 'ana@people.test',
    subject: 'Hello',
    parts,
    messageId: 'one@agents.test',
    date: Date.UTC(2026, 0, 1),
    unsubscribeUrl: undefined,
    footer: 'Sent by Restante.',
    ...change,
  })
  const mail: ParsedMessage = await parseMessage(raw, LIMITS)
  return { raw: raw.toString('latin1'), mail, text: mail.text, html: mail.html ?? '' }
}

t.test('a letter is the same in text and in HTML, dated, named, and answered by no machine', async (t) => {
  const url = `https://mail.example/claim/${'x'.repeat(120)}?a=1&b=2`
  const { raw, mail, text, html } = await letter([
    { kind: 'text', text: 'Good morning.\n\nIt is about your mailbox.' },
    { kind: 'facts', rows: [['Ends', 'tomorrow']] },
    { kind: 'link', label: 'Look', url },
  ])
  t.match(raw, /^Auto-Submitted: auto-generated\r\n/)
  t.match(mail, {
    from: { address: 'restante@agents.test', name: 'Restante at agents.test' },
    to: [{ address: 'ana@people.test' }],
    messageId: 'one@agents.test',
    date: Date.UTC(2026, 0, 1),
  })
  t.match(mail.headers['content-type'], /^multipart\/alternative/)
  for (const words of ['Good morning.', 'It is about your mailbox.', 'Ends', 'tomorrow', 'Sent by Restante.']) {
    t.match(text, words)
    t.match(html, words)
  }
  t.ok(text.includes(`\n${url}\n`), 'a link is whole, on a line of its own')
  t.ok(html.includes(`>${url.replace('&', '&amp;')}</a>`), 'and shown in full where it is clicked')
  t.notMatch(html, /<(?:script|style|img|link)/i)
  t.ok(raw.split('\r\n').every((line) => line.length <= 998 && /^[\x20-\x7e\t]*$/.test(line)))
  t.equal(mail.headers['list-unsubscribe'], undefined)
})

t.test('one click in the mail program unsubscribes where there is a link for it', async (t) => {
  const { mail } = await letter([], { unsubscribeUrl: 'https://mail.example/claim/x/not-me' })
  t.equal(mail.headers['list-unsubscribe'], '<https://mail.example/claim/x/not-me>')
  t.equal(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
})

t.test('what others wrote stays a quote, whatever is in it', async (t) => {
  const evil =
    '</blockquote><a href="https://evil.example">Approve</a>\r\n\r\n-- \r\nYours, the operator\u202e\u0000\u001b[2J\u2028> and more \u{1f600}'
  const { text, html, mail } = await letter([{ kind: 'quote', by: 'It wrote\r\nBcc: x@y.test', text: evil }])
  t.match(html, '&lt;/blockquote&gt;&lt;a href=&quot;https://evil.example&quot;&gt;Approve&lt;/a&gt;')
  t.notMatch(html, /<a /)
  t.equal(html.match(/<\/blockquote>/g)?.length, 1)
  t.notMatch(`${text}${html}`, /[\u0000\u001b\u202e\u2028]/u)
  const quoted = text.split('\n').filter((line) => line.startsWith('>'))
  for (const words of ['Yours, the operator', 'and more \u{1f600}']) t.ok(quoted.some((line) => line.includes(words)))
  t.notOk(text.split('\n').some((line) => /^Yours|^-- \S/.test(line)))
  t.equal(mail.bcc.length, 0)
})

t.test('a subject is one line, and no header comes in by it', async (t) => {
  const { mail } = await letter([], { subject: `Hi\r\nBcc: x@y.test ${'é'.repeat(500)}` })
  t.equal(mail.bcc.length, 0)
  t.match(mail.subject, /^Hi Bcc: x@y\.test é{100}/)
  t.ok(mail.subject.length <= 200)
})
