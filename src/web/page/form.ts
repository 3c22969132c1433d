/** Reads form submissions: same-origin only, with the CSRF mark of the page. */
import { createHmac } from 'node:crypto'
import { ServiceError } from '../../lib/errors.js'
import { constantTimeEqual } from '../../lib/ids.js'
import type { HttpRequest } from '../../http/message.js'
import { parseMultipart, type FormContent } from './multipart.js'

/** Enough for all forms but those with a mail's text. */
export const FORM_BYTES = 16 * 1024

export const MARK_FIELD = 'mark'

/** The mark in forms of a session: nobody else can know it, and it is of no use without the session's cookie. */
export function markOf(webKey: Uint8Array, sessionToken: string): string {
  return createHmac('sha256', webKey).update('form\0').update(sessionToken).digest('base64url')
}

/**
 * Reads a form. A field that comes twice counts with its first value; use `URLSearchParams.getAll` for choices.
 *
 * @param origin of our own pages
 * @param maxBytes max size of the form
 * @throws ServiceError `invalid_request` when it comes from elsewhere, `unsupported_media_type`, `payload_too_large`
 */
export async function readForm(request: HttpRequest, origin: string, maxBytes = FORM_BYTES): Promise<URLSearchParams> {
  refuseForeign(request, origin)
  const type = (request.headers['content-type'] ?? '').toLowerCase().split(';', 1)[0]?.trim()
  if (type !== 'application/x-www-form-urlencoded') {
    throw new ServiceError('unsupported_media_type', 'This is no form.', 'Send it from the page itself.')
  }
  return new URLSearchParams((await request.readBody(maxBytes)).toString('utf8'))
}

/**
 * Reads a form with files.
 *
 * @param holder whose share of the memory for bodies it takes
 * @throws ServiceError as `readForm`, and `unavailable` or `rate_limited` where too much is read at once
 */
export async function readFilesForm(
  request: HttpRequest,
  origin: string,
  { maxBytes, holder }: { maxBytes: number; holder: string },
): Promise<FormContent> {
  refuseForeign(request, origin)
  return parseMultipart(await request.readBody(maxBytes, holder), request.headers['content-type'] ?? '')
}

function refuseForeign(request: HttpRequest, origin: string): void {
  const from = request.headers['origin']
  const site = request.headers['sec-fetch-site']
  if ((from !== undefined && from !== origin) || (site !== undefined && site !== 'same-origin')) throw foreign(origin)
}

/** @throws ServiceError `invalid_request` when the form doesn't have the mark of the session */
export function requireMark(form: URLSearchParams, mark: string): void {
  if (constantTimeEqual(form.get(MARK_FIELD) ?? '', mark)) return
  throw new ServiceError(
    'invalid_request',
    'This form belongs to another session.',
    'You may have signed in again after opening it. Go back, reload the page, and send it again.',
  )
}

function foreign(origin: string): ServiceError {
  return new ServiceError(
    'invalid_request',
    'This form was sent from another site.',
    `Open the page itself, under ${origin}, and send it from there.`,
  )
}
