/** The header field that makes retries safe. */
import { z } from 'zod'
import { invalidRequest } from '../../lib/errors.js'

/** For the description of a route that takes it. */
export const IDEMPOTENCY_HEADER = {
  'Idempotency-Key': {
    description:
      'A fresh UUID for each request. The same request with the same key gets the first answer again for 24 hours',
    schema: z.string().min(1).max(255),
  },
}

/** @throws ServiceError `invalid_request` */
export function idempotencyKeyOf(headers: Readonly<Record<string, string>>): string | undefined {
  const idempotencyKey = headers['idempotency-key']
  if (idempotencyKey === undefined || /^[\x20-\x7e]{1,255}$/.test(idempotencyKey)) return idempotencyKey
  throw invalidRequest(
    "The Idempotency-Key can't be used.",
    'Send a fresh UUID for each request, and the same one when you retry it.',
    [{ field: 'Idempotency-Key', problem: 'It must have 1 to 255 printable ASCII characters.' }],
  )
}
