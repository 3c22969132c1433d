/** Values of cookies that only this server can read and make: encrypted and authenticated (AES-256-GCM), so that nothing is stored for those who only begin. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { z } from 'zod'

const IV_BYTES = 12
const TAG_BYTES = 16

/** @param purpose of the cookie: a value that was sealed for another one cannot be opened */
const keyOf = (webKey: Uint8Array, purpose: string): Buffer =>
  createHmac('sha256', webKey).update(`${purpose}\0`).digest()

export function sealCookie(webKey: Uint8Array, purpose: string, value: object): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(webKey, purpose), iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url')
}

/** Undefined for what was not sealed with this key for this purpose. */
export function openCookie<T>(
  webKey: Uint8Array,
  purpose: string,
  value: string | undefined,
  schema: z.ZodType<T>,
): T | undefined {
  const bytes = Buffer.from(value ?? '', 'base64url')
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyOf(webKey, purpose), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const sealed = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
  try {
    return schema.parse(JSON.parse(Buffer.concat([sealed, decipher.final()]).toString('utf8')))
  } catch (error) {
    // final() throws a plain Error for a wrong tag: a forgery, or a cookie of an older key.
    if (error instanceof Error) return undefined
    throw error
  }
}
