import { ServiceError } from '../../lib/errors.js'

/** Somebody else changed the draft since it was read. */
export function draftChanged(): ServiceError {
  return new ServiceError(
    'unavailable',
    'The draft was changed while it was sent, so it is not.',
    'Look at it with GET /v1/drafts/{id}, and send it again.',
    { retryAfterSeconds: 1 },
  )
}
