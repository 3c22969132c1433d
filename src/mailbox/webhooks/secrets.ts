/**
 * Secrets of webhooks: 32 bytes for HMAC-SHA256, and an Ed25519 key. Encrypted (AES-256-GCM), bound to their webhook, under a key derived from
 * `secrets/webhook_key`.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto'

const SECRET_BYTES = 32
const SEED_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
/** RFC 8410 §7: an Ed25519 private key is this prefix and 32 bytes. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export interface SealedSecret {
  /** IV, secret and seed, tag; base64. */
  sealed: string
  /** `whpk_…` */
  publicKey: string
  madeAt: number
  /** When it stops signing; null for the current one. */
  endsAt: number | null
}

export interface OpenedSecret {
  hmacKey: Buffer
  privateKey: KeyObject
}

export type SecretBox = ReturnType<typeof createSecretBox>

/** @param masterKey of the data folder */
export function createSecretBox(masterKey: Uint8Array) {
  const key = Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(0), 'webhook secrets', 32))
  return {
    /** @returns `text`: `whsec_…`, shown once */
    make(webhookId: string, now: number): { text: string; stored: SealedSecret } {
      const secret = randomBytes(SECRET_BYTES)
      const seed = randomBytes(SEED_BYTES)
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(webhookId))
      const sealed = Buffer.concat([iv, cipher.update(secret), cipher.update(seed), cipher.final()])
      return {
        text: `whsec_${secret.toString('base64')}`,
        stored: {
          sealed: Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64'),
          publicKey: `whpk_${rawPublicKey(privateKeyOf(seed)).toString('base64')}`,
          madeAt: now,
          endsAt: null,
        },
      }
    },

    /** Undefined if sealed with another key or for another webhook. */
    open(webhookId: string, { sealed }: SealedSecret): OpenedSecret | undefined {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes.length !== IV_BYTES + SECRET_BYTES + SEED_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(webhookId)).setAuthTag(bytes.subarray(-TAG_BYTES))
      const both = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
      try {
        decipher.final()
      } catch (error) {
        // final() throws a plain Error for a wrong tag.
        if (error instanceof Error) return undefined
        throw error
      }
      return { hmacKey: both.subarray(0, SECRET_BYTES), privateKey: privateKeyOf(both.subarray(SECRET_BYTES)) }
    },
  }
}

/**
 * `webhook-signature` of a request (standardwebhooks.com): HMAC-SHA256 (`v1`) and Ed25519 (`v1a`) for each secret, separated by spaces.
 *
 * @param id `webhook-id`
 * @param seconds `webhook-timestamp`
 */
export function signatureOf(secrets: readonly OpenedSecret[], id: string, seconds: number, body: Uint8Array): string {
  const signed = Buffer.concat([Buffer.from(`${id}.${seconds}.`), body])
  return [
    ...secrets.map(({ hmacKey }) => `v1,${createHmac('sha256', hmacKey).update(signed).digest('base64')}`),
    ...secrets.map(({ privateKey }) => `v1a,${sign(null, signed, privateKey).toString('base64')}`),
  ].join(' ')
}

function privateKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
}

/** The 32 bytes of RFC 8032 §5.1.5, at the end of the encoding of RFC 8410 §4. */
function rawPublicKey(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
}
