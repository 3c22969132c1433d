/** What the guard finds in forwarded messages, from the raw message on. */
import t from 'tap'
import { readingOf } from '../../../src/guard/text/text.js'
import type { GuardSubject } from '../../../src/guard/types.js'
import { findingsOf } from '../../../src/guard/verdict/findings.js'
import { subjectOfParsed } from '../../../src/guard/verdict/spam.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { withFiles, type Part } from './with-files.js'

const LIMITS = { maxHeaderBytes: 64 * 1024, maxParts: 100, maxDepth: 10 }
const HONEST = 'Hello Bob, here is the mail that we talked about on Tuesday. Ana'
const LURE =
  '<p>Dear customer, your account has been suspended. Please verify your account at <a href="https://paypa1-login.example/">our page</a> within 24 hours.</p>'

const mail = (type: string, body: string): Buffer =>
  Buffer.from(`From: Service <s@x.example>\r\nSubject: A notice\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`)

let boundaries = 0

/** As programs write it: without encoding. */
function forwarding(message: Buffer): Buffer {
  const boundary = `f${boundaries++}`
  const lines = ['Subject: Fwd', `Content-Type: multipart/mixed; boundary=${boundary}`, '', `--${boundary}`, '', HONEST]
  const part = [`--${boundary}`, 'Content-Type: message/rfc822', '', message.toString('latin1'), `--${boundary}--`, '']
  return Buffer.from([...lines, ...part].join('\r\n'), 'latin1')
}

async function subjectOf(raw: Buffer, more: Partial<GuardSubject> = {}): Promise<GuardSubject> {
  return { ...subjectOfParsed(await parseMessage(raw, LIMITS)), kind: 'outbound', ...more }
}
const codesOf = async (raw: Buffer, more: Partial<GuardSubject> = {}): Promise<string[]> =>
  findingsOf(await subjectOf(raw, more)).map(({ code }) => code)

t.test('a lure in a forwarded message is judged as new text, with its links', async (t) => {
  const raw = forwarding(mail('text/html', LURE))
  const codes = await codesOf(raw)
  for (const code of ['account_threat', 'credential_request', 'lookalike_host']) t.ok(codes.includes(code), code)
  t.match(readingOf(await subjectOf(raw)).files, /^a notice dear customer, your account has been suspended/)
  t.same(await codesOf(forwarding(mail('text/plain', 'The minutes of Tuesday are below. The budget was agreed.'))), [])
  const { excerpt } = findingsOf(await subjectOf(raw)).find(({ code }) => code === 'account_threat') ?? {}
  t.match(excerpt, /account has been suspended/)
})

t.test('encoded against RFC 2046 and forwarded twice, it is read too', async (t) => {
  const encoded: Part = { name: 'notice.eml', type: 'message/rfc822', content: mail('text/html', LURE) }
  t.ok((await codesOf(withFiles(HONEST, [encoded]))).includes('account_threat'))
  t.ok((await codesOf(forwarding(forwarding(mail('text/html', LURE))))).includes('account_threat'))
})

t.test('what is beyond the limits is told as not read', async (t) => {
  const deep = [1, 2, 3, 4].reduce((inner) => forwarding(inner), mail('text/html', LURE))
  const codes = await codesOf(deep)
  t.ok(codes.includes('attachment_not_read'))
  t.notOk(codes.includes('account_threat'))
  const part: Part = { name: 'a.eml', type: 'message/rfc822', content: mail('text/plain', 'Hello') }
  const many = Array.from({ length: 9 }, () => part)
  t.ok((await codesOf(withFiles(HONEST, many))).includes('attachment_not_read'))
  t.notOk((await codesOf(withFiles(HONEST, many.slice(1)))).includes('attachment_not_read'))
  const large = Buffer.concat([mail('text/html', LURE), Buffer.alloc(1024 * 1024, 'x ')])
  const cut = await codesOf(withFiles(HONEST, [{ name: 'a.eml', type: 'message/rfc822', content: large }]))
  for (const code of ['attachment_not_read', 'account_threat']) t.ok(cut.includes(code), code)
  const parts = `--p\r\n\r\nx\r\n`.repeat(101)
  const broken = mail('multipart/mixed; boundary=p', `${parts}--p--`)
  t.ok((await codesOf(forwarding(broken))).includes('attachment_not_read'))
})

t.test('programs and pages attached to it are found', async (t) => {
  const program: Part = { name: 'update.exe', type: 'application/octet-stream', content: Buffer.from('MZ program') }
  t.ok((await codesOf(forwarding(withFiles(HONEST, [program])))).includes('program_in_archive'))
  const page: Part = { name: 'a.html', type: 'text/html', content: Buffer.from('<form><input type=password></form>') }
  const signs = (await parseMessage(forwarding(withFiles(HONEST, [page])), LIMITS)).attachments[0]?.file?.signs
  t.same(
    signs?.map(({ code }) => code),
    ['asks_password'],
  )
})

t.test('what stands in the stored parent is history', async (t) => {
  const raw = forwarding(mail('text/html', LURE))
  const { history, files } = readingOf(await subjectOf(raw, { parentText: LURE.replace(/<[^>]*>/g, '') }))
  t.match(history, /your account has been suspended/)
  t.equal(files, 'a notice')
})

t.test('a report is not judged by what it returns', async (t) => {
  const returned = mail('text/html', LURE).toString('latin1')
  const raw = Buffer.from(
    [
      'From: postmaster@mx.example',
      'To: ana@agents.example',
      'Subject: Undelivered',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=r',
      '',
      '--r',
      '',
      'Your message could not be delivered.',
      '--r',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      'Final-Recipient: rfc822; bob@example.org',
      'Action: failed',
      'Status: 5.1.1',
      '',
      '--r',
      'Content-Type: message/rfc822',
      '',
      returned,
      '--r--',
      '',
    ].join('\r\n'),
  )
  const parsed = await parseMessage(raw, LIMITS)
  t.equal(parsed.report?.kind, 'delivery')
  t.same(
    findingsOf(subjectOfParsed(parsed)).map(({ code }) => code),
    [],
  )
})
