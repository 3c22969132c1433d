/** Proof key for code exchange (RFC 7636). Only S256: with `plain` the challenge is the secret. */
import { createHash } from 'node:crypto'
import { constantTimeEqual } from '../lib/ids.js'

/** SHA-256 in base64url without padding. */
const CHALLENGE = /^[\w-]{43}$/
const VERIFIER = /^[\w.~-]{43,128}$/

export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text)
}

export function isVerifier(text: string): boolean {
  return VERIFIER.test(text)
}

export function fits(challenge: string, verifier: string): boolean {
  return constantTimeEqual(createHash('sha256').update(verifier).digest('base64url'), challenge)
}
