/** Codes that a PDF draws instead of showing them as a picture, and drawings that are no codes. */
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { MINUTE } from '../../../src/lib/clock.js'
import { createFileReader } from '../../../src/mime/documents/reader.js'
import type { FileFacts } from '../../../src/mime/types.js'
import { browserPeer, startBrowser } from '../../support/peers/browser.js'
import { documentOf, modulesOf, pdfOf, streamOf } from './made.js'

/** Limits of time are those of a slow machine. */
const reader = createFileReader({ stepMs: MINUTE, messageMs: MINUTE })
t.teardown(() => reader.close())

async function factsOf(content: Buffer, by = reader): Promise<FileFacts> {
  const read = await by.read([{ kind: 'pdf', attachment: 0, content: new Uint8Array(content) }], { owner: 'a' })
  const facts = read.attached.get(0)
  if (!facts) throw new Error('nothing was read')
  return facts
}

const LINK = 'https://portal-login.example/a?b=1'
/** The code's rows from the top, and its size. */
const ROWS = modulesOf(LINK, 1)
const SIDE = ROWS.length

interface Run {
  x: number
  y: number
  length: number
}

/** Dark modules, y upwards; those next to each other in a row as one. */
function runs(joined: boolean, isDark = true): Run[] {
  return ROWS.flatMap((row, down) => {
    const found: Run[] = []
    for (const [x, dark] of row.entries()) {
      const last = found.at(-1)
      if (dark !== isDark) continue
      if (joined && last && last.x + last.length === x) last.length++
      else found.push({ x, y: SIDE - 1 - down, length: 1 })
    }
    return found
  })
}

const rectangles = (all: readonly Run[]): string[] => all.map(({ x, y, length }) => `${x} ${y} ${length} 1 re`)
const outlines = (all: readonly Run[]): string[] =>
  all.map(({ x, y, length }) => `${x} ${y} m ${x + length} ${y} l ${x + length} ${y + 1} l ${x} ${y + 1} l h`)

/** A code of 150 points a side in the middle of the page. */
const placed = (drawing: string): string => `q 5 0 0 5 200 400 cm 0 g ${drawing} Q`

function dots(all: readonly Run[]): string[] {
  const [r, k] = [0.5, 0.28]
  return all.map(({ x, y }) => {
    const [cx, cy] = [x + r, y + r]
    return [
      `${cx + r} ${cy} m ${cx + r} ${cy + k} ${cx + k} ${cy + r} ${cx} ${cy + r} c`,
      `${cx - k} ${cy + r} ${cx - r} ${cy + k} ${cx - r} ${cy} c ${cx - r} ${cy - k} ${cx - k} ${cy - r} ${cx} ${cy - r} c`,
      `${cx + k} ${cy - r} ${cx + r} ${cy - k} ${cx + r} ${cy} c h`,
    ].join(' ')
  })
}

t.test('a code of filled paths, however they are written', async (t) => {
  const ways: [name: string, drawing: string][] = [
    ['one path of rectangles', placed(`${rectangles(runs(false)).join(' ')} f`)],
    ['a path a module', placed(rectangles(runs(false)).join(' f ') + ' f')],
    ['rows joined', placed(`${rectangles(runs(true)).join(' ')} f*`)],
    ['lines and curves closed', placed(`${outlines(runs(true)).join(' ')} f`)],
    ['dots', placed(`${dots(runs(false)).join(' ')} f`)],
    ['turned by 90°', `q 0 5 -5 0 400 400 cm ${rectangles(runs(false)).join(' ')} f Q`],
    ['turned by 30°', `q 4.33 2.5 -2.5 4.33 250 300 cm ${rectangles(runs(false)).join(' ')} f Q`],
    ['small, in dark blue', `q 1.2 0 0 1.2 500 40 cm 0.1 0.1 0.5 rg ${rectangles(runs(false)).join(' ')} f Q`],
    [
      'thick lines',
      placed(
        runs(true)
          .map(({ x, y, length }) => `${x} ${y + 0.5} m ${x + length} ${y + 0.5} l S`)
          .join(' '),
      ),
    ],
    [
      'light modules on a dark page',
      `0 g 0 0 595 842 re f ${placed(`1 g ${rectangles(runs(false, false)).join(' ')} f`)}`,
    ],
    [
      'under a clipped and a moved cover',
      `${placed(`${rectangles(runs(true)).join(' ')} f`)} q 0 0 1 1 re W n 1 g 0 0 595 842 re f Q 1 g 2000 0 595 842 re f`,
    ],
    [
      'a module each by a matrix',
      runs(false)
        .map(({ x, y }) => `q 5 0 0 5 ${200 + 5 * x} ${400 + 5 * y} cm 0 0 1 1 re f Q`)
        .join(' '),
    ],
  ]
  for (const [name, drawing] of ways) {
    const facts = await factsOf(documentOf({ lines: ['Please scan this', 'with your phone'], drawing }))
    t.same([facts.codes, facts.links, facts.signs], [[LINK], [LINK], []], name)
  }
})

t.test('a code beside bars, rules and small print', async (t) => {
  const chart = Array.from({ length: 60 }, (_, n) => `${40 + 8 * n} 60 6 ${20 + ((n * 37) % 90)} re f`).join(' ')
  const rules = Array.from({ length: 40 }, (_, n) => `40 ${200 + 4 * n} m 160 ${200 + 4 * n} l S`).join(' ')
  const code = placed(`${rectangles(runs(true)).join(' ')} f`)
  t.same((await factsOf(documentOf({ drawing: `${chart} ${rules} ${code}` }))).codes, [LINK])
})

t.test('a code as a form, in an annotation, and through half-seen layers', async (t) => {
  const drawing = `${rectangles(runs(true)).join(' ')} f`
  const form = streamOf(
    '/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Matrix [5 0 0 5 200 400]',
    Buffer.from(drawing),
  )
  const resources = '/XObject << /F 6 0 R >> /ExtGState << /G << /ca 0 >> >>'
  const cover = 'q /G gs 1 g 0 0 595 842 re f Q'
  t.same((await factsOf(documentOf({ drawing: `/F Do ${cover}`, resources, objects: [form] }))).codes, [LINK])
})

t.test('a code of the glyphs of a Type 3 font, or of one glyph that is a bitmap', async (t) => {
  const font = (glyph: string): string[] => [
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /m 7 0 R /s 8 0 R >> /Encoding << /Type /Encoding /Differences [97 /m /s] >> /FirstChar 97 /LastChar 98 /Widths [1 1] /Resources << >> >>',
    `<< /Length ${glyph.length} >>\nstream\n${glyph}\nendstream`,
    '<< /Length 18 >>\nstream\n1 0 0 0 1 1 d1    \nendstream',
  ]
  const resources = '/Font << /F1 5 0 R /C 6 0 R >>'
  const text = ROWS.map((row) => `(${row.map((dark) => (dark ? 'a' : 'b')).join('')}) Tj 0 -5 Td`).join(' ')
  const squares = documentOf({
    drawing: `BT /C 5 Tf 200 600 Td ${text} ET`,
    resources,
    objects: font('1 0 0 0 1 1 d1 0 0 1 1 re f'),
  })
  t.same((await factsOf(squares)).codes, [LINK], 'squares')
  const bytes = Math.ceil(SIDE / 8)
  const bits = ROWS.map((row) =>
    Array.from({ length: bytes }, (_, at) =>
      Array.from({ length: 8 }, (_, bit) => (row[8 * at + bit] === true ? 0 : 0x80 >> bit))
        .reduce((a, b) => a | b, 0)
        .toString(16)
        .padStart(2, '0'),
    ).join(''),
  ).join('')
  const bitmap = documentOf({
    drawing: 'BT /C 150 Tf 200 400 Td (a) Tj ET',
    resources,
    objects: font(`1 0 0 0 1 1 d1 BI /W ${SIDE} /H ${SIDE} /IM true /BPC 1 /F /AHx ID ${bits}> EI`),
  })
  t.same((await factsOf(bitmap)).codes, [LINK], 'a bitmap')
})

t.test('a code of pictures of a pixel, and of strips', async (t) => {
  const pixel = streamOf(
    '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
    Buffer.from([0]),
  )
  const mask = streamOf(
    '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ImageMask true /BitsPerComponent 1',
    Buffer.from([0]),
  )
  const resources = '/XObject << /I 6 0 R >>'
  const drawing = placed(
    runs(true)
      .map(({ x, y, length }) => `q ${length} 0 0 1 ${x} ${y} cm /I Do Q`)
      .join(' '),
  )
  for (const image of [pixel, mask])
    t.same((await factsOf(documentOf({ drawing, resources, objects: [image] }))).codes, [LINK])
  const strips = ROWS.map((row) =>
    streamOf(
      `/Type /XObject /Subtype /Image /Width ${SIDE} /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8`,
      Buffer.from(row.map((dark) => (dark ? 0 : 255))),
    ),
  )
  const inStrips = documentOf({
    drawing: placed(ROWS.map((_, n) => `q ${SIDE} 0 0 1 0 ${SIDE - 1 - n} cm /S${n} Do Q`).join(' ')),
    resources: `/XObject << ${ROWS.map((_, n) => `/S${n} ${6 + n} 0 R`).join(' ')} >>`,
    objects: strips,
  })
  t.same((await factsOf(inStrips)).codes, [LINK], 'strips')
})

t.test('codes as Chromium prints them: SVG, a table, and blocks of text', browserPeer(), async (t) => {
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  const dark = (x: number, y: number): boolean => ROWS[y]?.[x] === true
  const path = runs(true)
    .map(({ x, y, length }) => `M${x} ${SIDE - 1 - y}h${length}v1h-${length}z`)
    .join('')
  const svg = `<svg width=160 viewBox="0 0 ${SIDE} ${SIDE}"><path d="${path}"/></svg>`
  const table = `<table style="border-collapse:collapse">${ROWS.map((row) => `<tr>${row.map((is) => `<td style="width:4px;height:4px;padding:0;background:${is ? '#000' : '#fff'}"></td>`).join('')}</tr>`).join('')}</table>`
  const lines = Array.from({ length: Math.ceil(SIDE / 2) }, (_, n) =>
    Array.from({ length: SIDE }, (_, x) => ' ▀▄█'[(dark(x, 2 * n) ? 1 : 0) + (dark(x, 2 * n + 1) ? 2 : 0)]).join(''),
  )
  const blocks = `<pre style="font:10px/1 'DejaVu Sans Mono',monospace">${lines.join('\n')}</pre>`
  for (const [name, html] of Object.entries({ svg, table, blocks })) {
    await page.setContent(`<p>Scan the code to keep your account.</p>${html}`)
    t.same((await factsOf(await page.pdf({ printBackground: true }))).codes, [LINK], name)
  }
})

t.test('charts, tables, maps and text are no codes', async (t) => {
  const chart = Array.from({ length: 300 }, (_, n) => `${40 + 1.6 * n} 60 1.2 ${20 + ((n * 37) % 90)} re f`).join(' ')
  const table = Array.from(
    { length: 400 },
    (_, n) => `${40 + 25 * (n % 20)} ${100 + 20 * Math.floor(n / 20)} 25 20 re S`,
  ).join(' ')
  const cells = Array.from(
    { length: 900 },
    (_, n) => `${(n % 7) / 7} g ${40 + 6 * (n % 30)} ${100 + 6 * Math.floor(n / 30)} 5 5 re f`,
  ).join(' ')
  const map = Array.from(
    { length: 5000 },
    (_, n) => `${(n * 7919) % 595} ${(n * 104_729) % 842} m ${(n * 31) % 595} ${(n * 17) % 842} l S`,
  ).join(' ')
  const text = Array.from({ length: 60 }, () => 'Illinois till ill. - Ill lily; Lil | Ill. - I. - l.l.l. Ill lily till')
  for (const [name, drawing] of Object.entries({ chart, table, cells, map })) {
    // On a busy machine it is told that not all was looked at.
    const { codes, links, text: read } = await factsOf(documentOf({ lines: text, drawing }))
    t.same({ codes, links }, { codes: [], links: [] }, name)
    t.match(read, 'Illinois till ill.', name)
  }
})

t.test('a million shapes end within the limits, are told, and the next file is read', async (t) => {
  const limited = createFileReader()
  t.teardown(() => limited.close())
  const millions = {
    'a path each': (n: number) => `${n % 595} ${n % 842} 2 2 re f\n`,
    saves: () => 'q 1 0 0 1 1 1 cm 0 0 2 2 re f\n',
  }
  for (const [name, line] of Object.entries(millions)) {
    let drawing = ''
    for (let n = 0; n < 1_000_000; n++) drawing += line(n)
    const content = streamOf('/Filter /FlateDecode', deflateSync(drawing))
    const file = pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
      content,
    ])
    const begunAt = performance.now()
    const { signs } = await factsOf(file, limited)
    t.comment(`${name}: ${Math.round(performance.now() - begunAt)} ms`)
    t.same(
      signs.map(({ code }) => code),
      ['not_read'],
      name,
    )
  }
  const many = `${'q 500 0 0 500 0 0 cm 0 0 1 1 re f Q '.repeat(20_000)}${placed(`${rectangles(runs(true)).join(' ')} f`)}`
  const covered = await factsOf(documentOf({ drawing: many }))
  t.ok(
    covered.codes?.includes(LINK) === true || covered.signs.some(({ code }) => code === 'not_read'),
    'many large ones',
  )
  t.same((await factsOf(documentOf({ drawing: placed(`${rectangles(runs(true)).join(' ')} f`) }))).codes, [LINK])
})
