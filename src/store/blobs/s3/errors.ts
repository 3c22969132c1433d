/** Failed requests to S3: the refusal of the server or the failure of the connection, with the remedy. */
import { messageOf, causesOf } from '../../../lib/thrown.js'
import { StorageError } from '../../errors.js'

export interface Refusal {
  /** HTTP status; 0 if there was no answer. */
  status: number
  /** S3's name for it, such as `NoSuchBucket`; '' if none was sent. */
  code: string
}

/** A request that an S3 server refused, or did not answer. The store is unchanged. */
export class S3Error extends StorageError {
  override name = 'S3Error'

  /** Of the response; its status is 0 without one. */
  readonly refusal: Refusal
  /** True if the same request may succeed in a moment. */
  readonly mayPass: boolean

  constructor(
    message: string,
    { refusal = NO_ANSWER, mayPass = false, cause }: { refusal?: Refusal; mayPass?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.refusal = refusal
    this.mayPass = mayPass
  }
}

const NO_ANSWER: Refusal = { status: 0, code: '' }

/** A place that cannot be used as it is; the message says why and what to do. */
export class BucketError extends Error {
  override name = 'BucketError'
}

/** True if the error says that there is no such object. */
export function isNoObject(error: unknown): boolean {
  return error instanceof S3Error && error.refusal.status === 404 && ['NoSuchKey', ''].includes(error.refusal.code)
}

const PASSING_STATUS = [429, 500, 502, 503, 504]
/** The last two: the bytes were changed on their way. */
const PASSING_CODES = [
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'RequestTimeout',
  'OperationAborted',
  'BadDigest',
  'XAmzContentSHA256Mismatch',
]

/** True if the same request may succeed in a moment. */
export function isPassing({ status, code }: Refusal): boolean {
  return PASSING_STATUS.includes(status) || PASSING_CODES.includes(code)
}

/** Failures of a connection that stay however often one connects. */
const LASTING =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|HOSTNAME_MISMATCH|ERR_SSL_|EPROTO|ERR_INVALID_|UND_ERR_INVALID_ARG)/

/** True if another connection may bring the answer. */
export function isPassingFailure(error: unknown): boolean {
  return !causesOf(error).some(
    (each) => each instanceof Error && 'code' in each && typeof each.code === 'string' && LASTING.test(each.code),
  )
}

const REMEDIES: Record<string, string> = {
  NoSuchBucket: 'There is no such bucket: create it, or correct blobs.url',
  InvalidBucketName: 'This is not the name of a bucket: correct blobs.url',
  AccessDenied:
    'The credentials have no right to do this: give them the rights to list the bucket, and to read, write and delete its objects (docs/blobs.md)',
  AllAccessDisabled: 'The bucket is disabled: ask its provider',
  InvalidAccessKeyId: 'The server does not know the access key: correct blobs.credentials_file or AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch:
    'The secret key is not the one of the access key: correct blobs.credentials_file or AWS_SECRET_ACCESS_KEY. If it is right, check blobs.region',
  ExpiredToken: 'The session token has expired: provide new credentials',
  InvalidToken: 'The session token is not valid: correct or remove it',
  RequestTimeTooSkewed: 'The clocks of this machine and of the server differ: synchronise them, such as with NTP',
  PermanentRedirect: 'The bucket is at another endpoint: correct blobs.endpoint, blobs.region and blobs.path_style',
  TemporaryRedirect: 'The bucket is at another endpoint: correct blobs.endpoint, blobs.region and blobs.path_style',
  QuotaExceeded: 'The quota is used up: raise it',
  InsufficientStorage: 'The server has no room left',
  MethodNotAllowed: 'This server does not speak S3 at this address: correct blobs.endpoint',
  NotImplemented: 'This server lacks a part of S3 that is needed',
}

/** The remedy for a refusal, as a sentence; '' for a code that needs no more than the server's message. */
export function remedyOf({ status, code }: Refusal, region: string | undefined): string {
  const wrongRegion = ['AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'].includes(code)
  if (wrongRegion || (region !== undefined && status >= 300 && status < 400))
    return region === undefined
      ? 'The region is not the one of the bucket: correct blobs.region'
      : `The bucket is in another region: set blobs.region = ${JSON.stringify(region)}`
  const known = REMEDIES[code]
  if (known !== undefined) return known
  if (status >= 300 && status < 400)
    return 'Redirects are not followed: set blobs.endpoint, blobs.region and blobs.path_style so that they lead to the bucket'
  if (status === 403) return REMEDIES.AccessDenied ?? ''
  if (status === 404)
    return 'Nothing is there: correct blobs.endpoint, blobs.path_style and blobs.url, or create the bucket'
  return ''
}

/** An unanswered request in words. */
export function failureInWords(error: unknown): string {
  const deepest = causesOf(error).at(-1) ?? error
  return messageOf(error) === '' ? messageOf(deepest) : messageOf(error)
}
