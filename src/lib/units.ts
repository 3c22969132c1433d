/** The characters of a text as numbers, for loops over all of them: an array is read several times as fast as a string. */

let kept = new ArrayBuffer(1 << 17)

/** UTF-16 code units. @returns an array that is valid until the next call */
export function unitsOf(text: string): Uint16Array {
  const bytes = 2 * text.length
  if (bytes > kept.byteLength) kept = new ArrayBuffer(2 * bytes)
  Buffer.from(kept, 0, bytes).write(text, 'utf16le')
  return new Uint16Array(kept, 0, text.length)
}
