/** ACME HTTP challenges (RFC 8555 §8.3). Public and over plain HTTP: nothing in them is secret. */
import type { HttpChallenges } from '../../certificates/types.js'
import { ServiceError } from '../../lib/errors.js'
import type { HttpResponse } from '../message.js'
import type { Page } from './router.js'

export const CHALLENGE_PREFIX = '/.well-known/acme-challenge/'

/** RFC 8555 §8.3: base64url; those of authorities have 43 characters. */
const TOKEN = /^[A-Za-z0-9_-]{1,128}$/

/** For the router. Certificate authorities are not rate-limited: their addresses are unknown, and the challenges are read once, however many ask. */
export function challengePage(challenges: HttpChallenges): Page {
  return {
    method: 'GET',
    path: `${CHALLENGE_PREFIX}{token}`,
    rateLimited: false,
    answer: async ({ token = '' }) => answerChallenge(challenges, token),
  }
}

/** @throws ServiceError `not_found` without such an order */
export async function answerChallenge(challenges: HttpChallenges, token: string): Promise<HttpResponse> {
  const text = TOKEN.test(token) ? await challenges.answerOf(token) : undefined
  if (text === undefined)
    throw new ServiceError(
      'not_found',
      'No certificate is being ordered with this token.',
      'Only a certificate authority with an open order has one: see `restante certificate list`.',
    )
  return {
    status: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
    body: text,
  }
}
