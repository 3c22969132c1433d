/** JSON Web Signatures for ACME: flattened JSON (RFC 8555 §6.2), ES256 by the account's key, HS256 by the key of an external account binding. */
import { createHash, createHmac, createPublicKey, sign } from 'node:crypto'
import { z } from 'zod'

/** The public part of an account's key. Members in lexical order, for the thumbprint (RFC 7638 §3). */
export interface Jwk {
  crv: 'P-256'
  kty: 'EC'
  x: string
  y: string
}

export interface Jws {
  protected: string
  payload: string
  signature: string
}

const jwkSchema = z.object({ crv: z.literal('P-256'), kty: z.literal('EC'), x: z.string(), y: z.string() })

/** @param key PEM @throws Error when it is no EC key on P-256 */
export function jwkOf(key: string): Jwk {
  const { crv, kty, x, y } = jwkSchema.parse(createPublicKey(key).export({ format: 'jwk' }))
  return { crv, kty, x, y }
}

/** RFC 7638 §3.1, with SHA-256. @returns base64url */
export function thumbprint({ crv, kty, x, y }: Jwk): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}

/**
 * Signed with ES256 (RFC 7518 §3.4).
 *
 * @param key PEM
 * @param payload undefined for an empty one, which makes the request a POST-as-GET (RFC 8555 §6.3)
 */
export function signEs256(key: string, header: object, payload: object | undefined): Jws {
  return jws({ alg: 'ES256', ...header }, payload, (text) => sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' }))
}

/** Signed with HS256 (RFC 7518 §3.2). @param key base64url */
export function signHs256(key: string, header: object, payload: object): Jws {
  return jws({ alg: 'HS256', ...header }, payload, (text) =>
    createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest(),
  )
}

function jws(header: object, payload: object | undefined, signature: (text: Buffer) => Buffer): Jws {
  const [head, body] = [encoded(header), payload === undefined ? '' : encoded(payload)]
  return { protected: head, payload: body, signature: signature(Buffer.from(`${head}.${body}`)).toString('base64url') }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
