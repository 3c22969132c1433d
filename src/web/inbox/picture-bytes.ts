/** Pictures known by their first bytes, whatever they are called: those that a browser draws and that hold no scripts. */

/** PNG (RFC 2083 §12.11), JPEG, GIF, WebP (RFC 9649 §2.3) and BMP. SVG is a document, and may have scripts. */
const PICTURES: readonly [type: string, is: (bytes: Buffer) => boolean][] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))],
  ['image/webp', (bytes) => /^RIFF.{4}WEBP/s.test(bytes.toString('latin1', 0, 12))],
  ['image/bmp', (bytes) => bytes.toString('latin1', 0, 2) === 'BM'],
]

/** The media type of a picture; undefined for anything else. */
export const pictureType = (bytes: Buffer): string | undefined => PICTURES.find(([, is]) => is(bytes))?.[0]
