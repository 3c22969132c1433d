/** File names of attachments: a stranger's text that becomes a file name and a header parameter. */
import { toUSVString } from 'node:util'
import libmime from 'libmime'

const MAX_NAME_BYTES = 255
/** Device names of Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** A name without path, control characters, invisible or bidirectional marks, of at most 255 bytes, never empty. */
export function safeFilename(name: string, contentType: string, part: number): string {
  const base = toUSVString(name).split(/[/\\]/).pop()
  const plain = (base ?? '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  if (plain === '')
    return `part-${part}.${/^message\/(?:rfc822|global)$/.test(contentType) ? 'eml' : libmime.detectExtension(contentType)}`
  return shorten(DEVICE.test(plain) ? `_${plain}` : plain)
}

/** Cuts before the extension, between characters. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : ''
  const room = MAX_NAME_BYTES - Buffer.byteLength(extension)
  const stem = Buffer.from(name.slice(0, name.length - extension.length)).subarray(0, room)
  return stem.toString('utf8').replace(/\ufffd+$/, '') + extension
}
