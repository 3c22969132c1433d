/** Files in JSON: base64, RFC 4648 §4, standard alphabet, padded, strict. */
import { asBuffer } from '../../store/keys.js'

/** Names of content fields, in objects of a list of this name. */
const LIST = 'attachments'
const CONTENT = ['content', 'base64']

/** Shorter files are decoded where the body is validated. */
const SHORT_CHARS = 64 * 1024
const MAX_DEPTH = 32
/** Text that is never valid base64. */
const NO_BASE64 = '='

/** Undefined for invalid base64. Content decoded by {@link withFilesDecoded} is returned as is. */
export function decodeBase64(given: string | Uint8Array): Buffer | undefined {
  if (typeof given !== 'string') return asBuffer(given)
  // Decoding skips unknown characters, so a matching length means there were none.
  const bytes = Buffer.from(given, 'base64')
  return given.length % 4 === 0 && bytes.length === decodedLength(given) && !/[-_]/.test(given) ? bytes : undefined
}

/**
 * Runs in a thread: decodes long files of a JSON value in place, into shared memory, at no cost for the calling thread. Invalid ones become a short invalid
 * text.
 */
export function withFilesDecoded(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  for (const [name, inner] of Object.entries(value)) {
    if (name === LIST && Array.isArray(inner)) for (const file of inner) decodeFile(file)
    else withFilesDecoded(inner, depth + 1)
  }
  return value
}

function decodeFile(file: unknown): void {
  if (typeof file !== 'object' || file === null) return
  for (const [name, text] of Object.entries(file)) {
    if (!CONTENT.includes(name) || typeof text !== 'string' || text.length <= SHORT_CHARS) continue
    const bytes = decodeBase64(text)
    Reflect.set(file, name, bytes ? shared(bytes) : NO_BASE64)
  }
}

function shared(bytes: Buffer): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}

function decodedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return (text.length / 4) * 3 - padding
}
