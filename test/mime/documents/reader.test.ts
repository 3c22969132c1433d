/** What is read in PDFs and pictures, and that no file takes more than its share. */
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { MINUTE } from '../../../src/lib/clock.js'
import { createFileReader } from '../../../src/mime/documents/reader.js'
import type { FileFacts } from '../../../src/mime/types.js'
import { browserPeer, startBrowser } from '../../support/peers/browser.js'
import { windowsProgram } from '../files/made.js'
import {
  bmpOf,
  documentOf,
  documentWithCode,
  pdfOf,
  pngOf,
  qrPixels,
  qrPng,
  streamOf,
  TIFF_FORMS,
  tiffOf,
  webpOf,
} from './made.js'

/** Limits of time are those of a slow machine; two tests have their own. */
const reader = createFileReader({ stepMs: MINUTE, messageMs: MINUTE })
t.teardown(() => reader.close())

async function factsOf(kind: 'pdf' | 'picture', content: Buffer, by = reader): Promise<FileFacts> {
  const read = await by.read([{ kind, attachment: 0, content: new Uint8Array(content) }], { owner: 'a' })
  const facts = read.attached.get(0)
  if (!facts) throw new Error('nothing was read')
  return facts
}

function createLimited(t: { teardown(end: () => Promise<void>): void }): typeof reader {
  const limited = createFileReader({ stepMs: 2000 })
  t.teardown(() => limited.close())
  return limited
}

const codesOf = ({ signs }: FileFacts): string[] => signs.map(({ code }) => code)
const LINK = 'https://portal-login.example/a?b=1'

t.test("a PDF's text and links", async (t) => {
  const facts = await factsOf(
    'pdf',
    documentOf({ lines: ['Your invoice (2)', 'Pay now'], links: [LINK, LINK], pages: 3 }),
  )
  t.match(facts.text, /^Your invoice \(2\)\nPay now/)
  t.same(facts.links, [LINK])
  t.same(facts.signs, [])
})

t.test('a PDF as Chromium prints it, with a picture in it', browserPeer(), async (t) => {
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  const code = qrPng('https://in-a-picture.example/').toString('base64')
  await page.setContent(
    `<h1>Notice</h1><p>Please <a href="${LINK}">sign in</a> today.</p><img src="data:image/png;base64,${code}">`,
  )
  const facts = await factsOf('pdf', await page.pdf())
  t.match(facts.text, /Notice\s+Please sign in today\./)
  t.same([...facts.links].sort(), ['https://in-a-picture.example/', LINK])
  t.same(facts.codes, ['https://in-a-picture.example/'])
  t.same(facts.signs, [])
})

t.test('the code in a picture of a PDF, grayscale or a mask', async (t) => {
  for (const isMask of [false, true]) {
    const facts = await factsOf('pdf', documentWithCode(LINK, ['Scan me'], isMask))
    t.same(facts.codes, [LINK])
    t.same(facts.links, [LINK])
  }
})

t.test('what a PDF does', async (t) => {
  const script = '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'
  const hidden = '/OpenAction << /S /J#61vaScript /JS 6 0 R >>'
  const launch = '/OpenAction << /S /Launch /F (cmd.exe) /Win << /F (cmd.exe) /P (/c calc) >> >>'
  t.same(codesOf(await factsOf('pdf', documentOf({ catalog: script }))), ['script'])
  t.same(codesOf(await factsOf('pdf', documentOf({ catalog: hidden, objects: [streamOf('', Buffer.from('x()'))] }))), [
    'script',
  ])
  for (const written of [launch, launch.replace('/Launch', '/L#61unch')])
    t.match((await factsOf('pdf', documentOf({ catalog: written }))).signs, [{ code: 'launches', detail: 'cmd.exe' }])
})

t.test('actions in packed objects, and addresses on pages that are not read', async (t) => {
  const packed =
    '6 0 7 60 << /S /Launch /F (evil.bat) >>                             << /S /URI /URI (https://deep.example/x\\)y) >>'
  const stream = streamOf('/Type /ObjStm /N 2 /First 9 /Filter /FlateDecode', deflateSync(packed))
  const facts = await factsOf('pdf', documentOf({ lines: ['a'], objects: [stream] }))
  t.same(codesOf(facts), ['launches'])
  t.same(facts.links, ['https://deep.example/x)y'])
})

t.test('files in a PDF: programs and archives are told, the data of an invoice is not', async (t) => {
  const withFile = (name: string, content: Buffer): Buffer =>
    documentOf({
      catalog: '/Names << /EmbeddedFiles << /Names [(a) 6 0 R] >> >>',
      objects: [
        `<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F 7 0 R >> >>`,
        streamOf('/Type /EmbeddedFile', content),
      ],
    })
  const signsOf = async (name: string, content: string | Buffer): Promise<FileFacts['signs']> =>
    (await factsOf('pdf', withFile(name, Buffer.from(content)))).signs
  t.same(await signsOf('factur-x.xml', '<xml/>'), [])
  t.same(await signsOf('run.js', 'x'), [{ code: 'embedded_program', detail: 'run.js' }])
  t.same(await signsOf('notes.txt', windowsProgram()), [{ code: 'embedded_program', detail: 'notes.txt' }])
  t.same(await signsOf('more.zip', 'x'), [{ code: 'embedded_object', detail: 'more.zip' }])
})

t.test('a PDF that opens with a password, and one that is damaged', async (t) => {
  const locked = documentOf({
    lines: ['secret'],
    objects: [`<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>`],
    trailer: `/Encrypt 6 0 R /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>]`,
  })
  t.same(codesOf(await factsOf('pdf', locked)), ['encrypted'])
  t.same(codesOf(await factsOf('pdf', Buffer.from('%PDF-1.7\nnothing of the kind'))), ['not_read'])
})

t.test('codes in pictures: links, and what is none', async (t) => {
  t.same(await factsOf('picture', qrPng(LINK)), { signs: [], links: [LINK], codes: [LINK] })
  const inCapitals = await factsOf('picture', qrPng('HTTPS://PORTAL.EXAMPLE/A'))
  t.same(inCapitals.links, ['https://PORTAL.EXAMPLE/A'])
  for (const text of [
    'BCD\n002\n1\nSCT\n\nAna\nDE89370400440532013000\nEUR12',
    'WIFI:T:WPA;S:net;P:secret;;',
    'MATMSG:TO:a@b.example;;',
  ]) {
    const facts = await factsOf('picture', qrPng(text))
    t.same([facts.codes, facts.links], [[text], []])
  }
  t.same(await factsOf('picture', pngOf(100, 100, Buffer.alloc(10_000, 200))), { signs: [], links: [] })
  t.same(await factsOf('picture', Buffer.from('no picture at all')), { signs: [], links: [] })
})

t.test('codes in BMP, WebP and TIFF, and what is of another format or damaged', async (t) => {
  const { side, pixels } = qrPixels(LINK)
  const transparent = Buffer.from([...pixels].flatMap((shade) => [0, 0, 0, 255 - shade]))
  const files: [name: string, content: Buffer][] = [
    ['BMP', bmpOf(side, pixels)],
    ['WebP', await webpOf(side, pixels)],
    ['WebP without loss', await webpOf(side, pixels, true)],
    ...TIFF_FORMS.map((form): [string, Buffer] => [`TIFF ${form}`, tiffOf(side, pixels, form)]),
    ['black on transparent', await webpOf(side, transparent, true)],
  ]
  for (const [name, content] of files) {
    const facts = await factsOf('picture', content)
    t.same([facts.codes, facts.links, facts.signs], [[LINK], [LINK], []], name)
    if (name === 'BMP') continue
    const cut = await factsOf('picture', content.subarray(0, 60))
    t.same([codesOf(cut), cut.links], [['not_read'], []], `${name}, cut`)
  }
  const avif = Buffer.concat([Buffer.from('\0\0\0\x20ftypavif\0\0\0\0avifmif1', 'latin1'), Buffer.alloc(200)])
  t.same(codesOf(await factsOf('picture', avif)), ['not_read'])
  const circle = tiffOf(side, pixels, 'plain')
  circle.writeUInt32LE(8, 8 + 2 + 12 * circle.readUInt16LE(8))
  t.same(codesOf(await factsOf('picture', circle, createLimited(t))), ['not_read'], 'pages in a circle')
  t.same((await factsOf('picture', qrPng(LINK))).links, [LINK], 'and the next file is read')
})

t.test('bombs end within the limits, and the next file is read', async (t) => {
  const content = streamOf('/Filter /FlateDecode', deflateSync(Buffer.alloc(2 ** 27, ' ')))
  const endless = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
    content,
  ])
  const before = process.memoryUsage.rss()
  t.same(codesOf(await factsOf('pdf', endless)), ['not_read'])
  const picture = pngOf(4096, 100, Buffer.alloc(2 ** 28))
  t.same(codesOf(await factsOf('picture', picture)), ['not_read'])
  t.ok(process.memoryUsage.rss() - before < 900 * 1024 * 1024, 'memory is bounded')
  const many = documentOf({ lines: ['page'], links: [LINK], pages: 5000 })
  const long = await factsOf('pdf', many)
  t.same(long.signs, [])
  t.same(long.links, [LINK])
  t.ok((long.text ?? '').length <= 16 * 1024)
  const nested = pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 1 /Kids [2 0 R] >>'])
  t.same(codesOf(await factsOf('pdf', nested)), ['not_read'])
  t.same((await factsOf('picture', qrPng(LINK))).links, [LINK])
})

t.test('a file that takes too long is told as not read, and the next one is read', async (t) => {
  const quick = createFileReader({ code: new URL('./children/slow-thread.js', import.meta.url), stepMs: 500 })
  t.teardown(() => quick.close())
  const files = ['never', 'die', 'fine', 'slow pictures'].map((text, attachment) => ({
    ...{ kind: 'pdf' as const, attachment, content: new Uint8Array(Buffer.from(text)) },
  }))
  const { attached } = await quick.read(files, { owner: 'a' })
  t.match(attached.get(0), { signs: [{ code: 'not_read', detail: /longer than 500 ms/ }] })
  t.match(attached.get(1), { signs: [{ code: 'not_read' }] })
  t.match(attached.get(2), { signs: [], text: 'fine' })
  t.match(attached.get(3), { signs: [{ code: 'not_read' }], text: 'slow pictures' }, 'what was read before counts')
})

t.test('all files of a message have a limit of time together', async (t) => {
  const quick = createFileReader({ code: new URL('./children/slow-thread.js', import.meta.url), messageMs: 300 })
  t.teardown(() => quick.close())
  const content = new Uint8Array(Buffer.from('never'))
  const files = [0, 1, 2].map((attachment) => ({ kind: 'pdf' as const, attachment, content }))
  const { attached } = await quick.read(files, { owner: 'a' })
  for (const attachment of [0, 1, 2])
    t.match(attached.get(attachment), { signs: [{ code: 'not_read', detail: 'no time was left' }] })
})
