/** DKIM signatures as a test wants them, good or bad (RFC 6376 §3.5), with simple canonicalization. */
import { createHash, generateKeyPairSync, sign as signOctets, type KeyObject } from 'node:crypto'

export interface KeyPair {
  publicKey: KeyObject
  privateKey: KeyObject
}

export const rsa2048 = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const rsa1024 = generateKeyPairSync('rsa', { modulusLength: 1024 })
export const rsa768 = generateKeyPairSync('rsa', { modulusLength: 768 })
export const ed25519 = generateKeyPairSync('ed25519')

/** `p=` of a key record (RFC 6376 §3.6.1, RFC 8463 §4). */
export function publicKeyText({ publicKey }: KeyPair): string {
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return (publicKey.asymmetricKeyType === 'ed25519' ? der.subarray(-32) : der).toString('base64')
}

export interface SignatureOptions {
  key?: KeyPair
  hash?: 'sha256' | 'sha1'
  /** Names for `h=`; the last of several fields first, and names past what there is cover what isn't there. */
  fields?: string[]
  /** Replace or add tags; undefined takes one out. */
  tags?: Record<string, string | undefined>
  /** Put behind the tags as it is. */
  more?: string
  /** What is hashed in place of the body. */
  body?: string
}

/** @returns the message with a DKIM-Signature on top */
export function signMessage(message: string, options: SignatureOptions = {}): string {
  const { key = rsa2048, hash = 'sha256', fields = ['from', 'subject'], more = '' } = options
  const split = message.indexOf('\r\n\r\n')
  const body = options.body ?? message.slice(split + 4)
  const isEd25519 = key.privateKey.asymmetricKeyType === 'ed25519'
  const tags: Record<string, string | undefined> = {
    v: '1',
    a: `${isEd25519 ? 'ed25519' : 'rsa'}-${hash}`,
    c: 'simple/simple',
    d: 'example.com',
    s: 's',
    h: fields.join(':'),
    bh: createHash(hash).update(body).digest('base64'),
    ...options.tags,
  }
  const list = Object.entries(tags).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  const field = `DKIM-Signature: ${list.join('; ')};${more} b=`

  const lines = message.slice(0, split).split('\r\n').reverse()
  const signed = fields.flatMap((name) => {
    const at = lines.findIndex((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    return at === -1 ? [] : [`${lines.splice(at, 1)[0]}\r\n`]
  })
  const octets = Buffer.from(signed.join('') + field)
  const value = isEd25519
    ? signOctets(null, createHash('sha256').update(octets).digest(), key.privateKey)
    : signOctets(hash, octets, key.privateKey)
  return `${field}${value.toString('base64')}\r\n${message}`
}
