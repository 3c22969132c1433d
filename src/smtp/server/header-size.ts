/** Finds the end of a message's header while data arrives, so that an oversized header is not buffered. */
import { hasHeader, HEADER_START_BYTES } from '../../mime/headers.js'

const HEADER_END = Buffer.from('\r\n\r\n')

/** @param maxBytes header with its final empty line (RFC 5322 §2.1), as the parser counts */
export function createHeaderCheck(maxBytes: number) {
  let bytes = 0
  let hasEnded = false
  let start = Buffer.alloc(0)
  /** As after a line end: an empty first line ends an empty header. */
  let tail = Buffer.from('\r\n')

  return {
    /** True from the chunk on that exceeds the limit. */
    push(chunk: Buffer): boolean {
      if (hasEnded || chunk.length === 0) return false
      if (start.length < HEADER_START_BYTES)
        start = Buffer.concat([start, chunk.subarray(0, HEADER_START_BYTES - start.length)])
      const seam = Buffer.concat([tail, chunk.subarray(0, 3)])
      const atSeam = seam.indexOf(HEADER_END)
      const inChunk = atSeam === -1 ? chunk.indexOf(HEADER_END) : atSeam - tail.length
      if (atSeam === -1 && inChunk === -1) {
        bytes += chunk.length
        tail = Buffer.from(Buffer.concat([tail, chunk.subarray(-3)]).subarray(-3))
        // The last three bytes may belong to the end, and at least one more follows.
        if (bytes + 1 <= maxBytes) return false
        // A message that starts with text has no header, however long its first paragraph.
        hasEnded = !hasHeader(start)
        return !hasEnded
      }
      hasEnded = true
      return bytes + inChunk + HEADER_END.length > maxBytes && hasHeader(start)
    },
  }
}
