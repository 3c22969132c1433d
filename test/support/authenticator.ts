/** An authenticator in software: one discoverable ES256 credential, with attestation "none" (WebAuthn §6, §8.7). What it claims can be changed, to lie. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

export interface Claims {
  origin: string
  rpId: string
  isVerified: boolean
  counter: number
}

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()
const text = (data: Uint8Array): string => Buffer.from(data).toString('base64url')

export function softAuthenticator(usual: Claims) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  // COSE_Key (RFC 9053 §7.1.1): EC2, ES256, P-256.
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])

  function authenticatorData({ rpId, isVerified, counter }: Claims, credential?: Buffer): Buffer {
    const head = Buffer.alloc(5)
    head[0] = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (credential ? HAS_CREDENTIAL : 0)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), head, credential ?? Buffer.alloc(0)])
  }

  const clientData = (type: string, challenge: string, { origin }: Claims): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  return {
    id: text(id),
    create(challenge: string, lies: Partial<Claims> = {}): RegistrationResponseJSON {
      const claims = { ...usual, ...lies }
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = authenticatorData(claims, Buffer.concat([Buffer.alloc(16), length, id, coseKey]))
      const size = Buffer.alloc(2)
      size.writeUInt16BE(data.length)
      // {"fmt": "none", "attStmt": {}, "authData": …} in CBOR.
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
        size,
        data,
      ])
      return {
        id: text(id),
        rawId: text(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(clientData('webauthn.create', challenge, claims)),
          attestationObject: text(attestation),
        },
      }
    },
    get(challenge: string, userHandle: string, lies: Partial<Claims> = {}): AuthenticationResponseJSON {
      const claims = { ...usual, ...lies }
      const client = clientData('webauthn.get', challenge, claims)
      const data = authenticatorData(claims)
      return {
        id: text(id),
        rawId: text(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
          userHandle: text(Buffer.from(userHandle)),
        },
      }
    },
  }
}
