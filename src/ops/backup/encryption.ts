/**
 * Authenticated encryption of a stream, in chunks, so that it is written and read with little memory: the STREAM construction (Hoang, Reyhanitabar,
 * Rogaway, Vizár 2015), as the age file format has it.
 *
 * A file is `RSTBKP1\n`, one octet for the kind of key (0: a key, 1: a passphrase), 32 random octets, then chunks of 64 KiB of content, each followed
 * by its tag of 16 octets; the last one may be shorter. Each is AES-256-GCM under the key of this file alone (HKDF-SHA-256 of the given key with the
 * random octets), its nonce the chunk's number in 11 octets and one that is 1 in the last chunk. So a chunk that was changed, moved, left out or cut
 * off shows.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { BackupError } from './format.js'

const MAGIC = Buffer.from('RSTBKP1\n')
const SALT_BYTES = 32
const HEAD_BYTES = MAGIC.length + 1 + SALT_BYTES
const CHUNK_BYTES = 64 * 1024
const TAG_BYTES = 16
const KEY_BYTES = 32
const MIN_PASSPHRASE = 16
/** RFC 7914 with the parameters of OWASP: 128 MiB of memory and about half a second. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

export type BackupKey = { kind: 'key'; key: Buffer } | { kind: 'passphrase'; passphrase: string }

/**
 * The key in a file: 32 octets, 64 hexadecimal digits, or else its first line as a passphrase.
 *
 * @throws BackupError when it can't be read or holds none
 */
export async function readBackupKey(file: string): Promise<BackupKey> {
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (error) {
    throw new BackupError(`The key of backups can't be read from ${file}`, error)
  }
  // Printable octets are a passphrase, whatever their number.
  if (bytes.length === KEY_BYTES && bytes.some((octet) => octet < 0x20 || octet > 0x7e))
    return { kind: 'key', key: bytes }
  const [line = ''] = bytes.toString('utf8').split(/\r?\n/, 1)
  if (/^[0-9a-f]{64}$/i.test(line)) return { kind: 'key', key: Buffer.from(line, 'hex') }
  if (line.length >= MIN_PASSPHRASE) return { kind: 'passphrase', passphrase: line }
  throw new BackupError(
    `${file} holds no key for backups. Make one with: openssl rand -hex 32 > ${file}; a passphrase of at least ${MIN_PASSPHRASE} characters will do too`,
  )
}

/** True if a file with this beginning is encrypted. */
export function isSealed(beginning: Buffer): boolean {
  return beginning.subarray(0, MAGIC.length).equals(MAGIC)
}

/** For a pipeline: takes the content, gives the file. */
export function seal(key: BackupKey) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const salt = randomBytes(SALT_BYTES)
    const fileKey = await keyOf(key, salt)
    yield Buffer.concat([MAGIC, Buffer.of(key.kind === 'key' ? 0 : 1), salt])
    let number = 0
    for await (const { chunk, isLast } of chunksOf(source, CHUNK_BYTES)) {
      const cipher = createCipheriv('aes-256-gcm', fileKey, nonceOf(number++, isLast))
      yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    }
  }
}

/** For a pipeline: takes the file, gives the content. Releases only authenticated content. @throws BackupError */
export function unseal(key: BackupKey) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let fileKey: Buffer | undefined
    let number = 0
    for await (const { chunk, isLast } of chunksOf(source, CHUNK_BYTES + TAG_BYTES, HEAD_BYTES)) {
      if (!fileKey) {
        if (!isSealed(chunk) || chunk.length < HEAD_BYTES || isLast) throw cutOff()
        const isKey = chunk[MAGIC.length] === 0
        if (isKey !== (key.kind === 'key'))
          throw new BackupError(`The backup was encrypted with ${isKey ? 'a key' : 'a passphrase'}; this is the other`)
        fileKey = await keyOf(key, chunk.subarray(MAGIC.length + 1))
        continue
      }
      yield open(fileKey, chunk, number++, isLast)
    }
  }
}

function open(key: Buffer, chunk: Buffer, number: number, isLast: boolean): Buffer {
  if (chunk.length < TAG_BYTES) throw cutOff()
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(chunk.subarray(-TAG_BYTES))
  const content = decipher.update(chunk.subarray(0, -TAG_BYTES))
  try {
    decipher.final()
  } catch (error) {
    throw new BackupError(
      number === 0
        ? 'The key is not the one with which this backup was encrypted, or the file is damaged at its beginning'
        : 'The backup is damaged or cut off',
      error,
    )
  }
  return content
}

function cutOff(): BackupError {
  return new BackupError('The backup was cut off: its end is missing')
}

async function keyOf(key: BackupKey, salt: Buffer): Promise<Buffer> {
  const secret = key.kind === 'key' ? key.key : await stretched(key.passphrase, salt)
  return Buffer.from(hkdfSync('sha256', secret, salt, 'restante backup 1', KEY_BYTES))
}

function stretched(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES, SCRYPT, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Pieces of one length, except the first if given another and the last; at least one. */
async function* chunksOf(
  source: AsyncIterable<Buffer>,
  length: number,
  first = length,
): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  let held: Buffer[] = []
  let bytes = 0
  let wanted = first
  for await (const piece of source) {
    held.push(piece)
    bytes += piece.length
    // One octet more than a chunk: only then it is known that it is not the last.
    while (bytes > wanted) {
      const all = Buffer.concat(held)
      yield { chunk: all.subarray(0, wanted), isLast: false }
      held = [all.subarray(wanted)]
      bytes -= wanted
      wanted = length
    }
  }
  yield { chunk: Buffer.concat(held), isLast: true }
}
