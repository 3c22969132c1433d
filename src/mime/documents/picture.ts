/** Codes in a picture: QR (ISO/IEC 18004), Aztec (ISO/IEC 24778) and Data Matrix (ISO/IEC 16022). */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader'
import type { FileFacts } from '../types.js'

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

/** @param picture PNG, JPEG or GIF as in its file, or its pixels. @returns what its codes say */
export async function codesIn(picture: Uint8Array | Pixels): Promise<string[]> {
  const found = await readBarcodes(picture as Uint8Array, OPTIONS)
  return found.flatMap(({ isValid, text }) => (isValid && text !== '' ? [text.slice(0, MAX_CODE_CHARS)] : []))
}

export async function readPicture(content: Uint8Array): Promise<FileFacts> {
  const codes = await codesIn(content)
  return { signs: [], links: linksOf(codes), ...(codes.length > 0 ? { codes } : {}) }
}

/** Codes that a telephone opens as pages. */
export function linksOf(codes: readonly string[]): string[] {
  return codes.flatMap((code) => {
    const [, scheme, rest = ''] = /^\s*(?:url:\s*)?(https?:\/\/|www\.)(\S{3,2000})/i.exec(code) ?? []
    if (scheme === undefined) return []
    return [scheme.toLowerCase() === 'www.' ? `http://www.${rest}` : `${scheme.toLowerCase()}${rest}`]
  })
}
