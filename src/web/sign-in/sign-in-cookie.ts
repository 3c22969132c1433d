/**
 * A sign-in under way, as the browser carries it: which provider, what ties the answer to this browser, and where to go then. Encrypted and
 * authenticated (AES-256-GCM), so that nothing is stored for those who only begin.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { SignInSecrets } from '../../identity/types.js'

const IV_BYTES = 12
const TAG_BYTES = 16

const schema = z.strictObject({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  endsAt: z.int(),
})

export interface SignInUnderWay extends SignInSecrets {
  provider: string
  /** A checked path of ours. */
  next: string
  endsAt: number
}

const keyOf = (webKey: Uint8Array): Buffer => createHmac('sha256', webKey).update('sign-in cookie\0').digest()

export function sealSignIn(webKey: Uint8Array, signIn: SignInUnderWay): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(webKey), iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(signIn), 'utf8'), cipher.final()])
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url')
}

/** Undefined for what was not sealed with this key. Says nothing of its end. */
export function openSignIn(webKey: Uint8Array, value: string): SignInUnderWay | undefined {
  const bytes = Buffer.from(value, 'base64url')
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyOf(webKey), bytes.subarray(0, IV_BYTES), {
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
