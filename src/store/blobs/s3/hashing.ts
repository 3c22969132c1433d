/** Hashes of large bodies, a piece at a time, so that others run in between. */
import { createHash, type Hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'

/** Hashed in one turn of the event loop: about a millisecond. */
const PIECE_BYTES = 1024 * 1024

export async function addTo(hash: Hash, data: Uint8Array): Promise<void> {
  for (let at = 0; at < data.length; at += PIECE_BYTES) {
    if (at > 0) await turn()
    hash.update(data.subarray(at, at + PIECE_BYTES))
  }
}

export async function digestOf(algorithm: 'md5' | 'sha256', data: Uint8Array): Promise<Buffer> {
  const hash = createHash(algorithm)
  await addTo(hash, data)
  return hash.digest()
}
