/**
 * The names in a tar (POSIX.1-2017, pax, "ustar Interchange Format"; GNU and pax long names), read as its bytes arrive. File contents are skipped.
 */
import { hasChecksum, numberAt, TAR_BLOCK_BYTES, textAt } from '../../lib/tar-header.js'

export type TarReader = ReturnType<typeof tarReader>

/** Max length of a long name; no archive that can be unpacked has longer ones. */
const MAX_LONG_NAME_BYTES = 8192
const MAX_NAME_CHARS = 255
const NUL = 0
/** Type flags of entries without content, whatever their size field: links, devices, folders. */
const WITHOUT_CONTENT = '123456'

export function tarReader(maxNames: number) {
  const block = Buffer.alloc(TAR_BLOCK_BYTES)
  let filled = 0
  /** Bytes before the next header. */
  let skip = 0
  /** Content of an entry with the name of the next one; `bytes` excludes the padding. */
  let long: { kind: 'gnu' | 'pax'; bytes: number; pieces: Buffer[] } | undefined
  let longName: string | undefined
  const names: string[] = []
  let isTar = false
  let partial = false
  let done = false

  function stop(): void {
    partial = true
    done = true
  }

  function header(): void {
    if (block.every((octet) => octet === NUL)) return
    const size = numberAt(block, 124, 12)
    if (!hasChecksum(block) || size === undefined) return stop()
    isTar = true
    const type = String.fromCharCode(block[156] ?? NUL)
    skip = WITHOUT_CONTENT.includes(type) ? 0 : Math.ceil(size / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES
    if (type === 'g') return
    if (type === 'L' || type === 'x') {
      if (size > MAX_LONG_NAME_BYTES) return stop()
      long = size === 0 ? undefined : { kind: type === 'L' ? 'gnu' : 'pax', bytes: size, pieces: [] }
      return
    }
    const prefix = block.toString('latin1', 257, 262) === 'ustar' ? textAt(block, 345, 155) : ''
    const name = longName ?? (prefix === '' ? textAt(block, 0, 100) : `${prefix}/${textAt(block, 0, 100)}`)
    longName = undefined
    if (type === '5') return
    if (names.length === maxNames) return stop()
    names.push(name.slice(-MAX_NAME_CHARS))
  }

  function learnName(): void {
    if (!long) return
    const content = Buffer.concat(long.pieces).subarray(0, long.bytes)
    if (long.kind === 'gnu') longName = textAt(content, 0, content.length)
    // Records are `length path=name` and a line feed; other keys are not needed.
    else longName = /^\d+ path=(.*)$/m.exec(content.toString('utf8'))?.[1] ?? longName
    long = undefined
  }

  return {
    /** @returns false when no further input can change the result */
    push(piece: Buffer): boolean {
      for (let at = 0; at < piece.length && !done;) {
        if (skip > 0) {
          const passed = Math.min(skip, piece.length - at)
          if (long) long.pieces.push(Buffer.from(piece.subarray(at, at + passed)))
          skip -= passed
          at += passed
          if (skip === 0) learnName()
          continue
        }
        const taken = piece.copy(block, filled, at)
        filled += taken
        at += taken
        if (filled < TAR_BLOCK_BYTES) continue
        filled = 0
        header()
      }
      return !done
    },
    /** Undefined when it is no tar. */
    end: (): { names: string[]; partial: boolean } | undefined =>
      isTar ? { names, partial: partial || skip > 0 || filled > 0 } : undefined,
  }
}
