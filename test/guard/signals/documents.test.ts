/** What the guard finds in PDFs and pictures, from the raw message on. */
import t from 'tap'
import { MINUTE } from '../../../src/lib/clock.js'
import { loadModel } from '../../../src/guard/model/model.js'
import { readingOf } from '../../../src/guard/text/text.js'
import type { GuardSubject } from '../../../src/guard/types.js'
import { findingsOf } from '../../../src/guard/verdict/findings.js'
import { createGuard } from '../../../src/guard/verdict/guard.js'
import { subjectOfParsed } from '../../../src/guard/verdict/spam.js'
import { createFileReader, withFilesRead } from '../../../src/mime/documents/reader.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { documentOf, documentWithCode, pngOf, qrPng } from '../../mime/documents/made.js'
import { withFiles, type Part } from './with-files.js'

const LIMITS = { maxHeaderBytes: 64 * 1024, maxParts: 100, maxDepth: 10 }
const reader = createFileReader({ stepMs: MINUTE, messageMs: MINUTE })
t.teardown(() => reader.close())

const pdf = (content: Buffer, name = 'notice.pdf'): Part => ({ name, type: 'application/pdf', content })
const png = (content: Buffer, name = 'code.png'): Part => ({ name, type: 'image/png', content })

const HONEST = 'Hello Bob, here is the file that we talked about on Tuesday. Ana'

async function subjectOf(text: string, parts: readonly Part[], type = 'text/plain'): Promise<GuardSubject> {
  const raw = withFiles(text, parts, type)
  const parsed = await parseMessage(raw, LIMITS)
  const read = await withFilesRead(reader, { raw, parsed, limits: LIMITS }, { owner: 'a' })
  return { ...subjectOfParsed(read), kind: 'outbound' }
}

const codesOf = async (...message: Parameters<typeof subjectOf>): Promise<string[]> =>
  findingsOf(await subjectOf(...message)).map(({ code }) => code)

t.test("links of a PDF are judged as the message's own are", async (t) => {
  const links = async (...links: string[]) => codesOf(HONEST, [pdf(documentOf({ lines: ['See below.'], links }))])
  t.ok((await links('https://paypa1-login.example/')).includes('lookalike_host'))
  t.ok((await links('https://files.example/invoice.exe')).includes('program_link'))
  t.ok((await links('https://bit.ly/3abcdef')).includes('shortened_link'))
  t.same(await links('https://sender.example/terms'), [])
})

t.test('the text of a PDF is judged as new text, by rules and by the text model', async (t) => {
  const lines = [
    'Dear customer, your account has been limited.',
    'Please verify your account and your password within 24 hours',
    'or it will be closed permanently. Click below to sign in.',
  ]
  const lure = pdf(documentOf({ lines, links: ['https://portal.example/'] }))
  const found = await codesOf(HONEST, [lure])
  t.ok(found.includes('account_threat'), found.join())
  const guard = createGuard({ model: loadModel() })
  const alone = guard.evidence(await subjectOf(HONEST, []))
  const withPdf = guard.evidence(await subjectOf(HONEST, [lure]))
  t.ok((withPdf.unwanted ?? 0) > (alone.unwanted ?? 1) + 0.3, `${alone.unwanted} and ${withPdf.unwanted}`)
  const { excerpt } = withPdf.findings.find(({ code }) => code === 'account_threat') ?? {}
  t.match(excerpt, /account has been limited/i, 'evidence is in its original spelling')
  const honest = pdf(documentOf({ lines: ['Minutes of the meeting', 'Present: Ana, Bob', 'The budget was agreed.'] }))
  t.same(await codesOf(HONEST, [honest]), [])
})

t.test('what a PDF does, and that it was not read', async (t) => {
  const script = documentOf({ catalog: '/OpenAction << /S /JavaScript /JS (x) >>' })
  const launch = documentOf({ catalog: '/OpenAction << /S /Launch /F (cmd.exe) >>' })
  t.same(await codesOf(HONEST, [pdf(script)]), ['document_script'])
  t.same(await codesOf(HONEST, [pdf(launch)]), ['document_launches'])
  t.same(await codesOf(HONEST, [pdf(Buffer.from('%PDF-1.7 damaged'))]), ['attachment_not_read'])
  t.same(await codesOf(HONEST, [pdf(Buffer.from('a text with the name of a PDF'))]), [])
  const many = Array.from({ length: 6 }, (_, n) => pdf(documentOf({ lines: ['a'] }), `${n}.pdf`))
  t.same(await codesOf(HONEST, many), ['attachment_not_read'])
})

const SCAN = 'Please scan the QR code below with your phone.'
const DEMAND = 'Your account has been suspended. Verify your account and your password now.'
const FOREIGN = qrPng('https://portal-check.example/login')

t.test('a code that leads elsewhere counts where the text asks to scan or makes demands', async (t) => {
  const weightOf = async (...message: Parameters<typeof subjectOf>): Promise<number> =>
    findingsOf(await subjectOf(...message)).find(({ code }) => code === 'qr_code')?.weight ?? 0
  t.equal(await weightOf(`${SCAN} ${DEMAND}`, [png(FOREIGN)]), 0.6)
  t.equal(await weightOf(DEMAND, [png(FOREIGN)]), 0.4)
  t.ok((await weightOf(SCAN, [png(FOREIGN)])) > 0)
  t.equal(await weightOf(HONEST, [png(FOREIGN)]), 0)
  t.equal(await weightOf(HONEST, [pdf(documentWithCode('https://portal-check.example/', [SCAN, DEMAND]))]), 0.6)
  const data = `<p>${SCAN} ${DEMAND}</p><img src="data:image/png;base64,${FOREIGN.toString('base64')}">`
  t.equal(await weightOf(data, [], 'text/html'), 0.6)
})

t.test('honest codes count for nothing, and the address in a code is judged as a link', async (t) => {
  for (const text of [
    'https://www.sender.example/ticket/123',
    'BCD\n002\n1\nSCT\n\nAna\nDE89370400440532013000\nEUR12',
    'WIFI:T:WPA;S:net;P:secret;;',
    'BEGIN:VCARD\nVERSION:3.0\nFN:Ana\nEND:VCARD',
  ])
    t.notOk((await codesOf(`${SCAN} ${DEMAND}`, [png(qrPng(text))])).includes('qr_code'), text)
  t.ok((await codesOf(HONEST, [png(qrPng('https://paypa1-login.example/'))])).includes('lookalike_host'))
})

t.test('pictures beyond the limits are told, small ones and photos without codes are nothing', async (t) => {
  const huge = pngOf(60_000, 60_000, Buffer.alloc(100))
  t.same(await codesOf(HONEST, [png(huge)]), ['attachment_not_read'])
  t.same(await codesOf(HONEST, [png(pngOf(1, 1, Buffer.alloc(1)))]), [])
  t.same(await codesOf(HONEST, [png(pngOf(300, 200, Buffer.alloc(60_000, 120)))]), [])
})

t.test('a message without PDFs and pictures is the same object, and no thread is started', async (t) => {
  const raw = Buffer.from('From: a@b.example\r\nSubject: Hi\r\n\r\nHello\r\n')
  const parsed = await parseMessage(raw, LIMITS)
  const none = {
    read: async () => {
      throw new Error('nothing is to be read')
    },
  }
  t.equal(await withFilesRead(none, { raw, parsed, limits: LIMITS }, { owner: 'a' }), parsed)
})

t.test('the beginning of a long PDF is judged', async (t) => {
  const lines = Array.from({ length: 40 }, (_, n) => `Line ${n} of a page with many words on it`)
  const long = await subjectOf(HONEST, [pdf(documentOf({ lines, pages: 20 }))])
  const { files, others } = readingOf(long)
  t.ok(files.length > 10_000 && files.length <= 16 * 1024, `${files.length}`)
  t.ok((others.at(-1) ?? '').length <= 4096)
})

t.test('a PDF and a code in a forwarded message are read, beside its own words', async (t) => {
  const lure = documentOf({ lines: ['Your account has been suspended.'], links: ['https://paypa1-login.example/'] })
  const inner = withFiles(HONEST, [pdf(lure), png(qrPng('https://files.example/run.exe'))])
  const raw = Buffer.from(
    `Subject: Fwd\r\nContent-Type: multipart/mixed; boundary=outer\r\n\r\n--outer\r\nContent-Type: message/rfc822\r\n\r\n${inner.toString('latin1')}\r\n--outer--\r\n`,
    'latin1',
  )
  const parsed = await parseMessage(raw, LIMITS)
  const read = await withFilesRead(reader, { raw, parsed, limits: LIMITS }, { owner: 'a' })
  const subject = subjectOfParsed(read)
  const codes = findingsOf(subject).map(({ code }) => code)
  for (const code of ['account_threat', 'lookalike_host', 'program_link']) t.ok(codes.includes(code), code)
  t.match(readingOf(subject).files, /^the file hello bob.*your account has been suspended/)
})

t.test('files in messages deeper than those that are read are not looked for', async (t) => {
  const wrapped = (inner: Buffer, n: number): Buffer =>
    Buffer.from(
      `Subject: Fwd\r\nContent-Type: multipart/mixed; boundary=o${n}\r\n\r\n--o${n}\r\nContent-Type: image/png; name=a.png\r\n\r\nx\r\n--o${n}\r\nContent-Type: message/rfc822\r\n\r\n${inner.toString('latin1')}\r\n--o${n}--\r\n`,
      'latin1',
    )
  const inner = withFiles(HONEST, [png(qrPng('https://files.example/run.exe'))])
  const links = async (depth: number): Promise<number> => {
    const raw = Array.from({ length: depth }).reduce((message: Buffer, _, n) => wrapped(message, n), inner)
    const parsed = await parseMessage(raw, LIMITS)
    const read = await withFilesRead(reader, { raw, parsed, limits: LIMITS }, { owner: 'a' })
    return read.attachments.flatMap(({ file }) => file?.codes ?? []).length
  }
  t.same([await links(1), await links(3), await links(4), await links(40)], [1, 1, 0, 0])
})
