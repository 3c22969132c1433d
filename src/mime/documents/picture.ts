/** Codes in a picture: QR (ISO/IEC 18004), Aztec (ISO/IEC 24778) and Data Matrix (ISO/IEC 16022). */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader'
import type { FileFacts, FileSign } from '../types.js'
import { MAX_TIFF_PAGES, pictureFormat, pictureSize } from '../files/picture-size.js'

const MAX_CODES = 4
const MAX_CODE_CHARS = 2048

const OPTIONS: ReaderOptions = {
  formats: ['QRCode', 'MicroQRCode', 'Aztec', 'DataMatrix'],
  tryHarder: true,
  maxNumberOfSymbols: MAX_CODES,
}

// From the package's own file: without this the library fetches it from a server.
prepareZXingModule({
  overrides: { wasmBinary: readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))) },
})

/** RGBA, as a canvas has it. */
export interface Pixels {
  data: Uint8ClampedArray
  width: number
  height: number
}

/** @param picture PNG, JPEG, GIF or BMP as in its file, or its pixels. @returns what its codes say */
export async function codesIn(picture: Uint8Array | Pixels): Promise<string[]> {
  const found = await readBarcodes(picture as Uint8Array, OPTIONS)
  return found.flatMap(({ isValid, text }) => (isValid && text !== '' ? [text.slice(0, MAX_CODE_CHARS)] : []))
}

export async function readPicture(content: Uint8Array): Promise<FileFacts> {
  const format = pictureFormat(content)
  const signs: FileSign[] = []
  const codes: string[] = []
  try {
    if (format !== undefined && pictureSize(content) === undefined) throw new Error('no decoder, or no header')
    const pictures = format === 'webp' ? await webp(content) : format === 'tiff' ? await tiff(content) : [content]
    for (const picture of pictures) codes.push(...(await codesIn(picture)))
  } catch (error) {
    if (format === undefined) throw error
    signs.push({ code: 'not_read', detail: 'a picture that is damaged, or of a format that is not read' })
  }
  return { signs, links: linksOf(codes), ...(codes.length > 0 ? { codes } : {}) }
}

async function webp(content: Uint8Array): Promise<Pixels[]> {
  const { decodeWebp } = await import('./webp-library.js')
  const picture = decodeWebp(content)
  if (!picture) throw new Error('no picture, or an animation')
  return [onWhite(picture)]
}

/** Its first pages, decoded one after the other. */
async function tiff(content: Uint8Array): Promise<Pixels[]> {
  const { decode, decodeImage, toRGBA8 } = await import('./tiff-library.js')
  const file = Buffer.from(content)
  const pages = decode(file).slice(0, MAX_TIFF_PAGES)
  const pictures = pages.map((page) => {
    if (isCut(page, file.length)) throw new Error('the file ends too early')
    decodeImage(file, page)
    const { width, height } = page
    return { width, height, data: Uint8ClampedArray.from(toRGBA8(page)) }
  })
  if (
    pictures.length === 0 ||
    pictures.some(({ width, height, data }) => data.length !== 4 * width * height || data.length === 0)
  )
    throw new Error('no picture in it')
  return pictures.map(onWhite)
}

/** TIFF 6.0 §8, §15: places and lengths of strips, and of tiles. */
function isCut(page: Record<string, unknown>, fileBytes: number): boolean {
  const valuesOf = (tag: number): unknown[] => (Array.isArray(page[`t${tag}`]) ? (page[`t${tag}`] as unknown[]) : [])
  return [
    [273, 279],
    [324, 325],
  ].some(([places = 0, lengths = 0]) => {
    const bytes = valuesOf(lengths)
    return valuesOf(places).some((at, index) => Number(at) + Number(bytes[index] ?? 0) > fileBytes)
  })
}

/** What is transparent is seen on a light ground. */
function onWhite({ width, height, data: from }: Pixels): Pixels {
  const data = new Uint8ClampedArray(from.length)
  for (let at = 0; at < from.length; at += 4) {
    const alpha = from[at + 3] ?? 255
    for (let color = at; color < at + 3; color++) data[color] = 255 + ((from[color] ?? 255) - 255) * (alpha / 255)
    data[at + 3] = 255
  }
  return { width, height, data }
}

/** Codes that a telephone opens as pages. */
export function linksOf(codes: readonly string[]): string[] {
  return codes.flatMap((code) => {
    const [, scheme, rest = ''] = /^\s*(?:url:\s*)?(https?:\/\/|www\.)(\S{3,2000})/i.exec(code) ?? []
    if (scheme === undefined) return []
    return [scheme.toLowerCase() === 'www.' ? `http://www.${rest}` : `${scheme.toLowerCase()}${rest}`]
  })
}
