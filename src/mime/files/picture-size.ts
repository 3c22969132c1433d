/**
 * Width and height of a PNG (ISO/IEC 15948 §11.2.2), a GIF (GIF89a §18), a JPEG (ISO/IEC 10918-1 §B.2.2), a BMP, a WebP (RFC 9649 §2) or a TIFF (TIFF 6.0 §2),
 * from its header alone.
 */

interface Size {
  width: number
  height: number
}

export function pictureSize(bytes: Uint8Array): Size | undefined {
  const picture = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (picture.length < 24) return undefined
  if (picture.readUInt32BE(0) === 0x89504e47)
    return { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) }
  if (picture.toString('latin1', 0, 4) === 'GIF8')
    return { width: picture.readUInt16LE(6), height: picture.readUInt16LE(8) }
  if (picture.readUInt16BE(0) === 0xffd8) return sizeOfJpeg(picture)
  const format = pictureFormat(picture)
  if (format === 'bmp') return sizeOfBmp(picture)
  if (format === 'webp') return sizeOfWebp(picture)
  return format === 'tiff' ? sizeOfTiff(picture) : undefined
}

/** Formats that have a decoder of their own, or none: `other` is AVIF, HEIC, JPEG 2000, JPEG XL and BigTIFF. */
export type PictureFormat = 'bmp' | 'webp' | 'tiff' | 'other'

const OTHER_BRANDS = /^ftyp(?:avif|avis|hei[cfmsx]|hev[cmsx]|mif1|msf1)/

export function pictureFormat(bytes: Uint8Array): PictureFormat | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 32)).toString('latin1')
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'webp'
  if (start.startsWith('II*\0') || start.startsWith('MM\0*')) return 'tiff'
  // Two reserved fields, and the size of the header that follows.
  if (
    start.startsWith('BM') &&
    start.startsWith('\0\0\0\0', 6) &&
    /^[\x0c\x28\x34\x38\x40\x6c\x7c]\0\0\0/.test(start.slice(14))
  )
    return 'bmp'
  const isOther =
    OTHER_BRANDS.test(start.slice(4, 12)) || /^\0\0\0\x0c(?:jP {2}|JXL )|^II\+\0|^MM\0\+/.test(start.slice(0, 8))
  return isOther ? 'other' : undefined
}

function sizeOfBmp(picture: Buffer): Size | undefined {
  if (picture.length < 26) return undefined
  if (picture.readUInt32LE(14) === 12) return { width: picture.readUInt16LE(18), height: picture.readUInt16LE(20) }
  // Rows from the top have a negative height.
  return { width: Math.abs(picture.readInt32LE(18)), height: Math.abs(picture.readInt32LE(22)) }
}

function sizeOfWebp(picture: Buffer): Size | undefined {
  if (picture.length < 30) return undefined
  const chunk = picture.toString('latin1', 12, 16)
  if (chunk === 'VP8X') return { width: picture.readUIntLE(24, 3) + 1, height: picture.readUIntLE(27, 3) + 1 }
  if (chunk === 'VP8 ') return { width: picture.readUInt16LE(26) & 0x3fff, height: picture.readUInt16LE(28) & 0x3fff }
  if (chunk !== 'VP8L') return undefined
  const bits = picture.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** Pages that are looked at. */
export const MAX_TIFF_PAGES = 4
const [TIFF_WIDTH, TIFF_HEIGHT] = [256, 257]
const MAX_TIFF_FIELDS = 200

/** The size that all first pages fit in. */
function sizeOfTiff(picture: Buffer): Size | undefined {
  const isLittle = picture[0] === 0x49
  const short = (at: number): number => (isLittle ? picture.readUInt16LE(at) : picture.readUInt16BE(at))
  const long = (at: number): number => (isLittle ? picture.readUInt32LE(at) : picture.readUInt32BE(at))
  const all = { width: 0, height: 0 }
  let at = long(4)
  for (let page = 0; page < MAX_TIFF_PAGES && at !== 0 && at + 2 <= picture.length; page++) {
    const end = at + 2 + 12 * short(at)
    if (end + 4 > picture.length || short(at) > MAX_TIFF_FIELDS) return undefined
    for (let field = at + 2; field < end; field += 12) {
      const value = short(field + 2) === 3 ? short(field + 8) : long(field + 8)
      if (short(field) === TIFF_WIDTH) all.width = Math.max(all.width, value)
      if (short(field) === TIFF_HEIGHT) all.height = Math.max(all.height, value)
    }
    at = long(end)
  }
  return all.width > 0 && all.height > 0 ? all : undefined
}

function sizeOfJpeg(picture: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= picture.length;) {
    const marker = picture[at + 1] ?? 0
    if (picture[at] !== 0xff) return undefined
    // Fill bytes.
    if (marker === 0xff) at++
    // SOF0 to SOF15, without DHT, JPG and DAC among them.
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: picture.readUInt16BE(at + 5), width: picture.readUInt16BE(at + 7) }
    else at += 2 + picture.readUInt16BE(at + 2)
  }
  return undefined
}
