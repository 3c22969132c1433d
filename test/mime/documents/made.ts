/** PDFs (ISO 32000-1) and pictures made for tests. */
import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import encodeQR from 'qr'

/** @param objects from number 1 on, the catalog first. @param trailer more of the trailer's entries */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\n', 'latin1')]
  const offsets: number[] = []
  let length = pieces[0]?.length ?? 0
  const add = (piece: string | Buffer): void => {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece
    pieces.push(bytes)
    length += bytes.length
  }
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    add(`${index + 1} 0 obj\n`)
    add(object)
    add('\nendobj\n')
  }
  const start = length
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`)
  for (const offset of offsets) add(`${String(offset).padStart(10, '0')} 00000 n \n`)
  add(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`)
  return Buffer.concat(pieces)
}

export function streamOf(dictionary: string, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream'),
  ])
}

interface Document {
  lines?: readonly string[]
  /** Addresses of link annotations. */
  links?: readonly string[]
  /** Entries of the catalog. */
  catalog?: string
  /** Entries of the page's resources, and operators of its content. */
  resources?: string
  drawing?: string
  pages?: number
  /** From number 6 on. */
  objects?: readonly (string | Buffer)[]
  trailer?: string
}

/** A document whose pages are all alike; its own further objects begin at number 6. */
export function documentOf({
  lines = [],
  links = [],
  catalog = '',
  resources = '',
  drawing = '',
  pages = 1,
  objects = [],
  trailer = '',
}: Document): Buffer {
  const text = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj 0 -16 Td`).join(' ')
  const annotations = links
    .map((link) => `<< /Type /Annot /Subtype /Link /Rect [0 0 99 99] /A << /S /URI /URI (${link}) >> >>`)
    .join(' ')
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Annots [${annotations}] /Resources << /Font << /F1 5 0 R >> ${resources} >> >>`
  const further = Array.from({ length: pages - 1 }, () => page)
  const kids = [3, ...further.map((_, index) => 6 + objects.length + index)].map((number) => `${number} 0 R`)
  return pdfOf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      `<< /Type /Pages /Count ${pages} /Kids [${kids.join(' ')}] >>`,
      page,
      streamOf('', Buffer.from(`BT /F1 12 Tf 72 760 Td ${text} ET ${drawing}`, 'latin1')),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...objects,
      ...further,
    ],
    trailer,
  )
}

/** Rows of a code's modules, true for dark ones, with the quiet zone around them. */
export const modulesOf = (text: string, scale: number): boolean[][] => encodeQR(text, 'raw', { scale })

/** A grayscale PNG (ISO/IEC 15948). @param pixels a byte each, a row after the other; may be less or more than the size says */
export function pngOf(width: number, height: number, pixels: Buffer): Buffer {
  const rows: Buffer[] = []
  for (let at = 0; at < pixels.length; at += width) rows.push(Buffer.from([0]), pixels.subarray(at, at + width))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

export function qrPixels(text: string, scale = 4): { side: number; pixels: Buffer } {
  const rows = modulesOf(text, scale)
  return { side: rows.length, pixels: Buffer.from(rows.flatMap((row) => row.map((dark) => (dark ? 0 : 255)))) }
}

export function qrPng(text: string, scale = 4): Buffer {
  const { side, pixels } = qrPixels(text, scale)
  return pngOf(side, side, pixels)
}

/** A document with a code as its picture: grayscale, or a mask of one bit a pixel. */
export function documentWithCode(text: string, lines: readonly string[] = [], isMask = false): Buffer {
  const { side, pixels } = qrPixels(text)
  const drawing = 'q 200 0 0 200 100 300 cm /I1 Do Q'
  const resources = '/XObject << /I1 6 0 R >>'
  const shape = `/Type /XObject /Subtype /Image /Width ${side} /Height ${side}`
  const kind = isMask ? '/ImageMask true /BitsPerComponent 1' : '/ColorSpace /DeviceGray /BitsPerComponent 8'
  const image = streamOf(`${shape} ${kind} /Filter /FlateDecode`, deflateSync(isMask ? bitsOf(pixels, side) : pixels))
  return documentOf({ lines, drawing, resources, objects: [image] })
}

function bitsOf(pixels: Buffer, side: number): Buffer {
  const row = Math.ceil(side / 8)
  const bits = Buffer.alloc(row * side)
  for (const [at, value] of pixels.entries()) {
    const [x, y] = [at % side, Math.floor(at / side)]
    const byte = y * row + (x >> 3)
    if (value > 0) bits[byte] = (bits[byte] ?? 0) | (0x80 >> (x & 7))
  }
  return bits
}

/** A BMP of 24 bits a pixel. @param pixels shades of grey */
export function bmpOf(side: number, pixels: Buffer): Buffer {
  const row = 4 * Math.ceil((3 * side) / 4)
  const bmp = Buffer.alloc(54 + row * side)
  bmp.write('BM')
  bmp.writeUInt32LE(bmp.length, 2)
  bmp.writeUInt32LE(54, 10)
  bmp.writeUInt32LE(40, 14)
  bmp.writeInt32LE(side, 18)
  bmp.writeInt32LE(side, 22)
  bmp.writeUInt16LE(1, 26)
  bmp.writeUInt16LE(24, 28)
  for (const [at, shade] of pixels.entries()) {
    const start = 54 + (side - 1 - Math.floor(at / side)) * row + 3 * (at % side)
    bmp.fill(shade, start, start + 3)
  }
  return bmp
}

/** By libwebp. @param pixels shades of grey, or red, green, blue and opacity */
export async function webpOf(side: number, pixels: Buffer, lossless = false): Promise<Buffer> {
  const { default: moduleOf } = await import('@jsquash/webp/codec/enc/webp_enc.js')
  const { defaultOptions } = await import('@jsquash/webp/meta.js')
  const wasmBinary = readFileSync(new URL(import.meta.resolve('@jsquash/webp/codec/enc/webp_enc.wasm')))
  const encoder = await moduleOf({ noInitialRun: true, wasmBinary })
  const colors =
    pixels.length === side * side ? Buffer.from([...pixels].flatMap((shade) => [shade, shade, shade, 255])) : pixels
  const made = encoder.encode(colors, side, side, { ...defaultOptions, lossless: lossless ? 1 : 0, exact: 1 })
  return Buffer.from(made ?? [])
}

export const TIFF_FORMS = ['plain', 'of one bit', 'by Deflate', 'by PackBits', 'on its second page'] as const

/** A TIFF (TIFF 6.0) of one strip. */
export function tiffOf(side: number, pixels: Buffer, form: (typeof TIFF_FORMS)[number]): Buffer {
  const isBits = form === 'of one bit'
  const shades = isBits ? bitsOf(pixels, side) : pixels
  const data = form === 'by Deflate' ? deflateSync(shades) : form === 'by PackBits' ? packBits(shades) : shades
  const compression = form === 'by Deflate' ? 8 : form === 'by PackBits' ? 32_773 : 1
  const page = (next: number, strip: number): Buffer => {
    const fields: [tag: number, value: number][] = [
      [256, side],
      [257, side],
      [258, isBits ? 1 : 8],
      [259, compression],
      [262, 1],
      [273, strip],
      [277, 1],
      [278, side],
      [279, data.length],
    ]
    const bytes = Buffer.alloc(2 + 12 * fields.length + 4)
    bytes.writeUInt16LE(fields.length)
    for (const [index, [tag, value]] of fields.entries()) {
      bytes.writeUInt16LE(tag, 2 + 12 * index)
      bytes.writeUInt16LE(4, 4 + 12 * index)
      bytes.writeUInt32LE(1, 6 + 12 * index)
      bytes.writeUInt32LE(value, 10 + 12 * index)
    }
    bytes.writeUInt32LE(next, bytes.length - 4)
    return bytes
  }
  const pageBytes = page(0, 0).length
  const isSecond = form === 'on its second page'
  const dataAt = 8 + 2 * pageBytes
  const blank = Buffer.alloc(data.length, 255)
  return Buffer.concat([
    Buffer.from('II*\0\x08\0\0\0', 'latin1'),
    page(isSecond ? 8 + pageBytes : 0, isSecond ? dataAt + data.length : dataAt),
    page(0, dataAt),
    data,
    blank,
  ])
}

/** TIFF 6.0 §9, without runs. */
function packBits(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 128) {
    const piece = bytes.subarray(at, at + 128)
    pieces.push(Buffer.from([piece.length - 1]), piece)
  }
  return Buffer.concat(pieces)
}
