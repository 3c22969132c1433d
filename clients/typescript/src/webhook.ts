/** Checking that a webhook comes from the service (Standard Webhooks): signature, age, and nothing changed on its way. */
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'

export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

/** Either is enough. While a secret is rotated, both the old and the new one pass. */
export interface WebhookSecrets {
  /** `whsec_…` */
  secret?: string
  /** `whpk_…`; with it the receiver holds nothing that has to be kept secret. */
  publicKey?: string
}

export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

/** The DER head of an Ed25519 public key (RFC 8410 §4). */
const ED25519_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * @param body as it came over the network, byte by byte: parsed and written again it does not pass
 * @param toleranceSeconds how old it may be, or how far ahead its clock
 * @returns the event, parsed
 * @throws WebhookError when it is not from the service, or too old; answer 400 then and forget it
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: WebhookSecrets,
  toleranceSeconds = 300,
): unknown {
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature').split(' ')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('webhook-timestamp is no time')
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('The webhook is too old, or a clock is wrong')
  const bytes = Buffer.from(body)
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), bytes])
  const isGood = signatures.some((each) => {
    const [version, value] = each.split(',')
    const signature = Buffer.from(value ?? '', 'base64')
    if (version === 'v1' && secrets.secret !== undefined) return hasMac(signed, signature, secrets.secret)
    if (version === 'v1a' && secrets.publicKey !== undefined) return hasSignature(signed, signature, secrets.publicKey)
    return false
  })
  if (!isGood) throw new WebhookError('The webhook has no good signature')
  return JSON.parse(bytes.toString('utf8'))
}

function hasMac(signed: Buffer, signature: Buffer, secret: string): boolean {
  const mac = createHmac('sha256', keyOf(secret, 'whsec_')).update(signed).digest()
  return mac.length === signature.length && timingSafeEqual(mac, signature)
}

function hasSignature(signed: Buffer, signature: Buffer, publicKey: string): boolean {
  const der = Buffer.concat([ED25519_HEAD, keyOf(publicKey, 'whpk_')])
  return verify(null, signed, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature)
}

function keyOf(text: string, prefix: string): Buffer {
  if (!text.startsWith(prefix)) throw new TypeError(`A key that begins with ${prefix} is needed`)
  return Buffer.from(text.slice(prefix.length), 'base64')
}

function header(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  const text = Array.isArray(value) ? value[0] : value
  if (text === undefined || text === null) throw new WebhookError(`${name} is missing`)
  return text
}
