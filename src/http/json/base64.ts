/** Files within JSON: base64, RFC 4648 §4, the plain alphabet, padded, nothing else in between. */
import { asBuffer } from '../../store/keys.js'

/** The names under which a file's content stands, in objects of a list of this name. */
const LIST = 'attachments'
const CONTENT = ['content', 'base64']

/** A file of up to so many characters is decoded where the rest of the body is checked. */
const SHORT_CHARS = 64 * 1024
const MAX_DEPTH = 32
/** Text that no file has. */
const NO_BASE64 = '='

/** The file; undefined when it is not base64. What {@link withFilesDecoded} has decoded is taken as it is. */
export function decodeBase64(given: string | Uint8Array): Buffer | undefined {
  if (typeof given !== 'string') return asBuffer(given)
  // Decoding skips over what it does not know, so a length that fits means that there was nothing of that.
  const bytes = Buffer.from(given, 'base64')
  return given.length % 4 === 0 && bytes.length === decodedLength(given) && !/[-_]/.test(given) ? bytes : undefined
}

/**
 * For a thread: the same JSON value with its long files decoded in place, into memory that threads share, so that none of them costs the
 * thread that asked anything. One that is not base64 becomes a short text that is none either.
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
