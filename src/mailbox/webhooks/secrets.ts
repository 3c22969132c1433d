/** Secrets of webhooks: 32 bytes for HMAC-SHA256, and an Ed25519 key. Sealed, bound to their webhook, under a key derived from `secrets/webhook_key`. */
import { createHmac, createPrivateKey, createPublicKey, randomBytes, sign, type KeyObject } from 'node:crypto'
import { createSealer } from '../../lib/sealing.js'

const SECRET_BYTES = 32
const SEED_BYTES = 32
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

/** @param masterKey the secret `webhook_key` */
export function createSecretBox(masterKey: Uint8Array) {
  const sealer = createSealer(masterKey, 'webhook secrets')
  return {
    /** @returns `text`: `whsec_…`, shown once */
    make(webhookId: string, now: number): { text: string; stored: SealedSecret } {
      const secret = randomBytes(SECRET_BYTES)
      const seed = randomBytes(SEED_BYTES)
      return {
        text: `whsec_${secret.toString('base64')}`,
        stored: {
          sealed: sealer.seal(webhookId, Buffer.concat([secret, seed])).toString('base64'),
          publicKey: `whpk_${rawPublicKey(privateKeyOf(seed)).toString('base64')}`,
          madeAt: now,
          endsAt: null,
        },
      }
    },

    /** Undefined if sealed with another key or for another webhook. */
    open(webhookId: string, { sealed }: SealedSecret): OpenedSecret | undefined {
      const both = sealer.open(webhookId, Buffer.from(sealed, 'base64'))
      if (both?.length !== SECRET_BYTES + SEED_BYTES) return undefined
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
