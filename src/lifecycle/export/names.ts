/** Names of files in the archive, safe wherever it is unpacked. */
import { createHash } from 'node:crypto'

const MAX_BYTES = 180
/** Device names on Windows, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** The address itself, with unsafe octets as %XX. Different addresses get different names. */
export function fileNameOf(address: string): string {
  const plain = [...Buffer.from(address)]
    .map((octet) => {
      const char = String.fromCharCode(octet)
      return /[A-Za-z0-9@+=_.-]/.test(char) ? char : escaped(octet)
    })
    .join('')
  const name = DEVICE.test(plain) || /^[.-]/.test(plain) ? escaped(plain.charCodeAt(0)) + plain.slice(1) : plain
  const ended = name.endsWith('.') ? `${name.slice(0, -1)}%2E` : name
  if (ended.length <= MAX_BYTES) return ended
  return `${ended.slice(0, MAX_BYTES - 33)}~${createHash('sha256').update(address).digest('hex').slice(0, 32)}`
}

function escaped(octet: number): string {
  return `%${octet.toString(16).toUpperCase().padStart(2, '0')}`
}
