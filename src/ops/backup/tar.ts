/**
 * Tar (POSIX.1-2017, pax, "ustar Interchange Format"), written and read as a stream. Long names, and sizes over
 * 8 GiB, are in a pax header before it; GNU tar and bsdtar unpack both.
 */
import { checksumOf, hasChecksum, numberAt, TAR_BLOCK_BYTES, textAt } from '../../lib/tar-header.js'

const MAX_PAX_BYTES = 64 * 1024
const MAX_NAME_BYTES = 100
const MAX_OCTAL_SIZE = 0o77777777777

export interface TarFile {
  name: string
  bytes: number
}

/** Header before the content of a file. */
export function tarHeader({ name, bytes }: TarFile, at: number): Buffer {
  const mtime = Math.floor(at / 1000)
  const records: [string, string][] = []
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) records.push(['path', name])
  if (bytes > MAX_OCTAL_SIZE) records.push(['size', String(bytes)])
  const plain = block({ name: cutName(name), bytes: bytes > MAX_OCTAL_SIZE ? 0 : bytes, mtime, type: '0' })
  if (records.length === 0) return plain
  const content = Buffer.from(records.map(([key, value]) => paxRecord(key, value)).join(''))
  return Buffer.concat([
    block({ name: 'pax', bytes: content.length, mtime, type: 'x' }),
    content,
    tarPadding(content.length),
    plain,
  ])
}

/** Padding after the content of a file. */
export function tarPadding(bytes: number): Buffer {
  return Buffer.alloc((TAR_BLOCK_BYTES - (bytes % TAR_BLOCK_BYTES)) % TAR_BLOCK_BYTES)
}

export const TAR_END = Buffer.alloc(2 * TAR_BLOCK_BYTES)

export interface TarEntry extends TarFile {
  /** Has to be read to its end before the next entry is asked for. */
  content: AsyncIterable<Buffer>
}

/**
 * The files of a tar.
 *
 * @throws TarError when it ends before its end, or is none
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = createReader(source)
  let pax = new Map<string, string>()
  for (;;) {
    const header = await bytes.take(TAR_BLOCK_BYTES)
    if (header.every((octet) => octet === 0)) {
      for await (const rest of bytes.rest())
        if (rest.some((octet) => octet !== 0)) throw new TarError('something stands behind its end')
      return
    }
    const { name, size, type } = parseHeader(header)
    if (type === 'x') {
      if (size > MAX_PAX_BYTES) throw new TarError('it has a header beyond all measure')
      pax = parsePax((await bytes.take(size)).toString('utf8'))
      await bytes.take(tarPadding(size).length)
      continue
    }
    if (type !== '0') throw new TarError(`it holds something that is no file: ${JSON.stringify(name)}`)
    const length = pax.has('size') ? Number(pax.get('size')) : size
    if (!Number.isSafeInteger(length) || length < 0) throw new TarError('it has a file of no size')
    const content = bytes.pieces(length)
    yield { name: pax.get('path') ?? name, bytes: length, content }
    // Whatever the caller left unread.
    for await (const _ of content);
    await bytes.take(tarPadding(length).length)
    pax = new Map()
  }
}

export class TarError extends Error {}

interface Header {
  name: string
  bytes: number
  mtime: number
  type: '0' | 'x'
}

function block({ name, bytes, mtime, type }: Header): Buffer {
  const header = Buffer.alloc(TAR_BLOCK_BYTES)
  header.write(name, 0, MAX_NAME_BYTES)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${octal(bytes, 11)}\0`, 124)
  header.write(`${octal(mtime, 11)}\0`, 136)
  header.write(type, 156)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(`${octal(checksumOf(header), 6)}\0 `, 148)
  return header
}

function parseHeader(header: Buffer): { name: string; size: number; type: string } {
  const size = numberAt(header, 124, 12)
  if (size === undefined || !hasChecksum(header)) throw new TarError('it is damaged')
  return { name: textAt(header, 0, MAX_NAME_BYTES), size, type: textAt(header, 156, 1) || '0' }
}

function octal(number: number, digits: number): string {
  return number.toString(8).padStart(digits, '0')
}

function cutName(name: string): string {
  return Buffer.from(name).subarray(0, MAX_NAME_BYTES).toString('utf8').replaceAll('\u{FFFD}', '')
}

/** `length key=value\n`, where the length counts its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes + String(bytes).length
  if (bytes + String(length).length !== length) length = bytes + String(length).length
  return `${length}${rest}`
}

function parsePax(records: string): Map<string, string> {
  return new Map([...records.matchAll(/^\d+ ([^=\n]+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]))
}

/** Bytes in the lengths in which they are asked for. */
function createReader(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  const more = async (): Promise<void> => {
    const next = await iterator.next()
    if (next.done) throw new TarError('it ends too early')
    held = next.value
  }

  return {
    async take(length: number): Promise<Buffer> {
      const parts: Buffer[] = []
      for (let left = length; left > 0;) {
        if (held.length === 0) await more()
        const part = held.subarray(0, left)
        held = held.subarray(part.length)
        left -= part.length
        parts.push(part)
      }
      return Buffer.concat(parts)
    },
    /** Begun more than once, it goes on where it was. */
    pieces(length: number): AsyncIterable<Buffer> {
      let left = length
      return {
        async *[Symbol.asyncIterator]() {
          while (left > 0) {
            if (held.length === 0) await more()
            const part = held.subarray(0, left)
            held = held.subarray(part.length)
            left -= part.length
            yield part
          }
        },
      }
    },
    async *rest(): AsyncGenerator<Buffer> {
      if (held.length > 0) yield held
      for (;;) {
        const next = await iterator.next()
        if (next.done) return
        yield next.value
      }
    },
  }
}
