/** Media types of files: as declared if harmless, by first bytes where it matters. */

const TEXT = new Set([
  'application/json',
  'application/xml',
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/javascript',
  'application/sql',
  'application/pgp-signature',
  'message/rfc822',
  'message/delivery-status',
])
const HTML = new Set(['text/html', 'application/xhtml+xml', 'image/svg+xml'])
/** Types that a host may handle; all others are given as bytes. */
const KNOWN = new Set([
  'application/pdf',
  'application/zip',
  'application/gzip',
  'application/rtf',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'audio/mpeg',
  'audio/wav',
  'image/bmp',
  'image/gif',
  'image/heic',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'video/mp4',
])

const essence = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase()

export function isHtml(contentType: string): boolean {
  return HTML.has(essence(contentType))
}

/** Text by its type, without zero bytes. */
export function isText(contentType: string, content: Buffer): boolean {
  const type = essence(contentType)
  const isSaid = (type.startsWith('text/') || TEXT.has(type) || /\+(?:json|xml)$/.test(type)) && !HTML.has(type)
  return isSaid && !content.subarray(0, 65_536).includes(0)
}

export function plainType(contentType: string): string {
  const type = essence(contentType)
  return KNOWN.has(type) ? type : 'application/octet-stream'
}

/** Type of a raster image by its signature; undefined for anything else, whatever its declared type. */
export function imageType(content: Buffer): string | undefined {
  const begins = (hex: string, at = 0) => content.subarray(at, at + hex.length / 2).toString('hex') === hex
  if (begins('89504e470d0a1a0a')) return 'image/png'
  if (begins('ffd8ff')) return 'image/jpeg'
  if (begins('474946383761') || begins('474946383961')) return 'image/gif'
  return begins('52494646') && begins('57454250', 8) ? 'image/webp' : undefined
}
