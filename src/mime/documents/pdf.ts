/** Text, links, codes, scripts and embedded files of a PDF (ISO 32000-1), as pdf.js reads them. */
import { fileURLToPath } from 'node:url'
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { kindOf } from '../files/kind.js'
import { MAX_FILE_TEXT_CHARS, type FileFacts, type FileSign } from '../types.js'
import { picturesOfDrawings } from './drawn-codes.js'
import { drawnOn } from './pdf-drawings.js'
import { picturesOn, tilesOn } from './pdf-pictures.js'
import { codesIn, linksOf } from './picture.js'

const MAX_PAGES = 20
/** Codes are searched for on the first pages only: unpacking a page's pictures is slow. */
const MAX_PICTURE_PAGES = 3
const MAX_LINKS = 100
const MAX_CODES = 8
/** Of one page. */
const MAX_PICTURES = 8
const MAX_EMBEDDED = 20
const MAX_IMAGE_PIXELS = 4_000_000
/** Of the drawings on all pages. */
const PAINT_BUDGET = { crossings: 3_000_000, pixels: 40_000_000 }
/** No further page is begun after this; the thread's own limit is longer. */
const ENOUGH_MS = 3000

const RUNS =
  /\.(?:exe|scr|com|pif|cpl|msi|hta|jse?|vb[es]?|wsf|wsh|bat|cmd|ps1|lnk|jar|reg|chm|dll|iso|img|vhdx?|one|url|settingcontent-ms)$/i
const OPENS = /\.(?:zip|rar|7z|cab|x?html?|svg|(?:doc|dot|xls|xlt|ppt)[mb]?|(?:doc|xls|ppt)x)$/i

/** Its text, the links on its pages, scripts and embedded files. */
export function readPages(content: Uint8Array): Promise<FileFacts> {
  const begunAt = performance.now()
  const facts = { signs: [] as FileSign[], links: [] as string[], text: '' }
  return reading(content, facts, async (document) => {
    facts.signs.push(...(await signsOf(document)))
    const last = Math.min(document.numPages, MAX_PAGES)
    for (let number = 1; number <= last; number++) {
      if (performance.now() - begunAt > ENOUGH_MS) {
        facts.signs.push({ code: 'not_read', detail: `${number - 1} of ${document.numPages} pages were read` })
        break
      }
      await readPage(await document.getPage(number), facts)
    }
  })
}

/** Codes in the pictures and drawings of its first pages. */
export function readPictures(content: Uint8Array): Promise<FileFacts> {
  const codes: string[] = []
  const facts: FileFacts = { signs: [], links: [], codes }
  const begunAt = performance.now()
  const budget = { ...PAINT_BUDGET }
  const add = (found: readonly string[]): void => {
    for (const code of found) if (codes.length < MAX_CODES && !codes.includes(code)) codes.push(code)
  }
  return reading(content, facts, async (document) => {
    const { OPS } = await library()
    const last = Math.min(document.numPages, MAX_PICTURE_PAGES)
    for (let number = 1; number <= last; number++) {
      const page = await document.getPage(number)
      const operators = await page.getOperatorList()
      for (const picture of await picturesOn(page, operators, OPS, MAX_PICTURES)) add(await codesIn(picture))
      const tiles = await tilesOn(page, operators, OPS)
      const lookup = (id: string): unknown => (page.commonObjs.has(id) ? page.commonObjs.get(id) : undefined)
      const drawn = drawnOn(page, operators, OPS, lookup, tiles)
      let isWhole = drawn.isWhole
      for (const painted of picturesOfDrawings(drawn.shapes, budget)) {
        isWhole &&= painted !== undefined && performance.now() - begunAt < ENOUGH_MS
        if (!painted || !isWhole) break
        add(await codesIn(painted))
      }
      if (!isWhole && !facts.signs.some(({ code }) => code === 'not_read'))
        facts.signs.push({ code: 'not_read', detail: 'its drawings are beyond the limits' })
    }
    facts.links.push(...linksOf(codes))
  })
}

/** @returns the facts, with the reason where the document could not be read to its end */
async function reading<Facts extends FileFacts>(
  content: Uint8Array,
  facts: Facts,
  read: (document: PDFDocumentProxy) => Promise<void>,
): Promise<Facts> {
  const { getDocument, VerbosityLevel } = await library()
  const opening = getDocument({
    data: content,
    // For Chinese, Japanese and Korean texts.
    cMapUrl: fileURLToPath(import.meta.resolve('pdfjs-dist/cmaps/')),
    cMapPacked: true,
    maxImageSize: MAX_IMAGE_PIXELS,
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    enableXfa: false,
    useSystemFonts: false,
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    useWasm: false,
    useWorkerFetch: false,
  })
  try {
    await read(await opening.promise)
  } catch (error) {
    const needsPassword = error instanceof Error && error.name === 'PasswordException'
    facts.signs.push(
      needsPassword
        ? { code: 'encrypted', detail: 'it opens with a password' }
        : { code: 'not_read', detail: 'it is damaged' },
    )
  } finally {
    await opening.destroy()
  }
  return facts
}

async function signsOf(document: PDFDocumentProxy): Promise<FileSign[]> {
  const embedded: unknown = await document.getAttachments()
  return [
    ...((await document.hasJSActions()) ? [{ code: 'script' as const, detail: '' }] : []),
    ...Object.values(embedded ?? {})
      .slice(0, MAX_EMBEDDED)
      .flatMap((file: unknown) => signOf(file as { filename?: unknown; content?: unknown }) ?? []),
  ]
}

/** Data and pictures beside the text are common: invoices carry themselves as XML. */
function signOf({ filename, content }: { filename?: unknown; content?: unknown }): FileSign | undefined {
  const name = typeof filename === 'string' ? filename.slice(-80) : ''
  const kind = content instanceof Uint8Array ? kindOf(Buffer.from(content)) : undefined
  if (RUNS.test(name) || (kind !== undefined && PROGRAMS.has(kind))) return { code: 'embedded_program', detail: name }
  return OPENS.test(name) || kind === 'zip' || kind === 'ole' ? { code: 'embedded_object', detail: name } : undefined
}

const PROGRAMS: ReadonlySet<string> = new Set(['program', 'shortcut', 'script', 'onenote', 'image'])

async function readPage(page: PDFPageProxy, facts: FileFacts & { text: string }): Promise<void> {
  if (facts.text.length < MAX_FILE_TEXT_CHARS) {
    const { items } = await page.getTextContent()
    const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
    // Glyphs without a known letter come as NUL.
    const plain = text.replaceAll('\0', ' ').trim()
    facts.text = `${facts.text}${facts.text === '' ? '' : '\n'}${plain}`.slice(0, MAX_FILE_TEXT_CHARS)
  }
  for (const annotation of await page.getAnnotations()) {
    const { url, unsafeUrl } = annotation as { url?: unknown; unsafeUrl?: unknown }
    const target = url ?? unsafeUrl
    if (typeof target === 'string' && facts.links.length < MAX_LINKS) facts.links.push(target.slice(0, 2048))
  }
}

let loading: ReturnType<typeof load> | undefined
const library = (): ReturnType<typeof load> => (loading ??= load())

/** Without the library's remark that it can't draw. */
async function load() {
  const { warn } = console
  console.warn = () => undefined
  try {
    return await import('./pdf-library.js')
  } finally {
    console.warn = warn
  }
}
