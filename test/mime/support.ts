/** Limits as the settings give them, and messages written line by line. */
import type { ParseLimits } from '../../src/mime/types.js'

export const limits: ParseLimits = { maxHeaderBytes: 262_144, maxParts: 1000, maxDepth: 30 }

/** A message from lines, with CRLF. */
export function lines(...text: string[]): Buffer {
  return Buffer.from(text.join('\r\n') + '\r\n', 'utf8')
}
