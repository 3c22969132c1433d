/** Pictures on a page of a PDF as pixels, as pdf.js unpacks them for drawing. */
import { setTimeout } from 'node:timers/promises'
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { OPS } from './pdf-library.js'
import type { Pixels } from './picture.js'

/** `ImageKind` of pdf.js. */
const GRAYSCALE_1BPP = 1
const RGB_24BPP = 2
const RGBA_32BPP = 3
const MIN_SIDE = 21
const OBJECT_MS = 500
/** Pictures that may be parts of a drawing: all of them, and their pixels. */
const MAX_TILES = 64
const MAX_TILE_PIXELS = 90_000
const TILES_MS = 1000

export interface Operators {
  fnArray: readonly number[]
  argsArray: readonly unknown[]
}

interface Unpacked {
  width: number
  height: number
  kind: number
  data: Uint8Array | Uint8ClampedArray
}

/** @returns at most `most`; those too small for a code, or too large, are left out */
export async function picturesOn(
  page: PDFPageProxy,
  operators: Operators,
  codes: typeof OPS,
  most: number,
): Promise<Pixels[]> {
  const pictures: Pixels[] = []
  for (const { given, isMask } of paintedOn(operators, codes)) {
    if (pictures.length >= most) break
    const unpacked = await unpackedOf(page, given)
    const isLarge = isUnpacked(unpacked) && Math.min(unpacked.width, unpacked.height) >= MIN_SIDE
    const pixels = isLarge ? pixelsOf(unpacked, isMask) : undefined
    if (pixels) pictures.push(pixels)
  }
  return pictures
}

/** @returns the pixels of each small picture, by what its operator is given */
export async function tilesOn(
  page: PDFPageProxy,
  operators: Operators,
  codes: typeof OPS,
): Promise<(given: unknown) => Pixels | undefined> {
  const tiles = new Map<unknown, Pixels>()
  const begunAt = performance.now()
  let count = 0
  for (const { given, isMask } of paintedOn(operators, codes)) {
    if (++count > MAX_TILES || performance.now() - begunAt > TILES_MS) break
    const unpacked = await unpackedOf(page, given)
    const isSmall = isUnpacked(unpacked) && unpacked.width * unpacked.height <= MAX_TILE_PIXELS
    const pixels = isSmall ? pixelsOf(unpacked, isMask) : undefined
    if (pixels) tiles.set(idOf(given) ?? given, pixels)
  }
  return (given) => tiles.get(idOf(given) ?? given)
}

/** What operators that paint pictures are given, each picture once. */
function* paintedOn(
  { fnArray, argsArray }: Operators,
  codes: typeof OPS,
): Generator<{ given: unknown; isMask: boolean }> {
  const seen = new Set<string>()
  for (const [index, operator] of fnArray.entries()) {
    const isMask = operator === codes.paintImageMaskXObject
    if (!isMask && operator !== codes.paintImageXObject && operator !== codes.paintInlineImageXObject) continue
    const args = argsArray[index]
    const given: unknown = Array.isArray(args) ? args[0] : undefined
    const id = idOf(given)
    if (id !== undefined && seen.has(id)) continue
    if (id !== undefined) seen.add(id)
    yield { given, isMask }
  }
}

async function unpackedOf(page: PDFPageProxy, given: unknown): Promise<unknown> {
  const id = idOf(given)
  return id === undefined ? given : objectOf(page, id)
}

/** A mask is given by an object that names where its data is. */
function idOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given
  const data: unknown = typeof given === 'object' && given !== null && 'data' in given ? given.data : undefined
  return typeof data === 'string' ? data : undefined
}

/** Objects come after the list of operators, each by itself; one that is too large comes as null, a broken one perhaps never. */
async function objectOf(page: PDFPageProxy, id: string): Promise<unknown> {
  const objects = (id.startsWith('g_') ? page.commonObjs : page.objs) as {
    get(id: string, callback: (object: unknown) => void): unknown
  }
  const over = new AbortController()
  try {
    return await Promise.race([
      new Promise((resolve) => void objects.get(id, resolve)),
      setTimeout(OBJECT_MS, undefined, { signal: over.signal }),
    ])
  } finally {
    over.abort()
  }
}

function isUnpacked(object: unknown): object is Unpacked {
  if (typeof object !== 'object' || object === null) return false
  const { width, height, data } = object as Partial<Unpacked>
  return (
    typeof width === 'number' &&
    typeof height === 'number' &&
    Math.min(width, height) > 0 &&
    (data instanceof Uint8Array || data instanceof Uint8ClampedArray)
  )
}

function pixelsOf({ width, height, kind, data: from }: Unpacked, isMask: boolean): Pixels | undefined {
  const data = new Uint8ClampedArray(4 * width * height)
  const set = (at: number, red: number, green: number, blue: number): void => {
    data[4 * at] = red
    data[4 * at + 1] = green
    data[4 * at + 2] = blue
    data[4 * at + 3] = 255
  }
  if (isMask || kind === GRAYSCALE_1BPP) {
    const row = (width + 7) >> 3
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const bit = ((from[y * row + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
        // A mask is painted where its bits are 0.
        set(y * width + x, 255 * bit, 255 * bit, 255 * bit)
      }
    return { data, width, height }
  }
  const step = kind === RGB_24BPP ? 3 : kind === RGBA_32BPP ? 4 : 0
  if (step === 0) return undefined
  for (let at = 0; at < width * height; at++)
    set(at, from[step * at] ?? 0, from[step * at + 1] ?? 0, from[step * at + 2] ?? 0)
  return { data, width, height }
}
