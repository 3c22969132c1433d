/** Encryption of small values that are stored: AES-256-GCM with a random IV of 96 bits (NIST SP 800-38D §8.2.2), bound to their names. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16
/** A sealed value is longer than its plain text by so much. */
export const SEAL_BYTES = IV_BYTES + TAG_BYTES

/** @param purpose different ones get different keys of one master key (HKDF-SHA256, RFC 5869) */
export function createSealer(masterKey: Uint8Array, purpose: string) {
  const key = Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(0), purpose, 32))
  return {
    /** @returns IV, ciphertext and tag */
    seal(name: string, value: Uint8Array): Buffer {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name))
      return Buffer.concat([iv, cipher.update(value), cipher.final(), cipher.getAuthTag()])
    },

    /** Undefined if it was sealed with another key, under another name, or changed since. */
    open(name: string, sealed: Uint8Array): Buffer | undefined {
      if (sealed.length < SEAL_BYTES) return undefined
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(-TAG_BYTES))
      const value = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES))
      try {
        return Buffer.concat([value, decipher.final()])
      } catch (error) {
        // final() throws a plain Error for a wrong tag.
        if (error instanceof Error) return undefined
        throw error
      }
    },
  }
}
