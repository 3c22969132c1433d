/** Errors that a caller can fix. Any other error is a fault of ours and crashes its task. */

/** Every code with its HTTP status. The error list of the API description is generated from this table. */
export const ERROR_STATUS = {
  invalid_request: 400,
  proof_invalid: 400,
  unauthorized: 401,
  claim_pending: 403,
  claim_declined: 403,
  claim_expired: 403,
  insufficient_scope: 403,
  account_suspended: 403,
  account_deletion_pending: 403,
  mailbox_paused: 403,
  sending_stopped: 403,
  recipient_suppressed: 403,
  recipient_blocked: 403,
  recipient_not_allowed: 403,
  draft_of_human: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  name_taken: 409,
  name_reserved: 409,
  challenge_expired: 409,
  challenge_used: 409,
  difficulty_raised: 409,
  idempotency_mismatch: 409,
  secret_shown_once: 409,
  too_late: 409,
  invite_limit: 409,
  limit_reached: 409,
  last_mailbox: 409,
  domain_taken: 409,
  domain_in_use: 409,
  message_on_its_way: 409,
  events_expired: 410,
  length_required: 411,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  rate_limited: 429,
  new_recipient_limit: 429,
  internal: 500,
  unavailable: 503,
  quota_exceeded: 507,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

export interface FieldProblem {
  /** A dotted path into the body, query or path (`to.0.address`). */
  field: string
  /** The problem and the remedy. */
  problem: string
}

export interface ErrorDetails {
  fields?: FieldProblem[]
  /** Whole seconds; sent as `Retry-After`. Every `rate_limited`, `new_recipient_limit` and `unavailable` has one. */
  retryAfterSeconds?: number
  /** For `events_expired`: the oldest event that can be read. */
  oldestSeq?: number
  cause?: unknown
}

/**
 * An error that the caller can fix.
 *
 * @param code stable and machine-readable
 * @param message the problem
 * @param hint the next step; names the next call if there is one
 */
export class ServiceError extends Error {
  readonly fields: FieldProblem[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly oldestSeq: number | undefined

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly hint: string,
    details: ErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ServiceError'
    this.fields = details.fields
    this.retryAfterSeconds = details.retryAfterSeconds
    this.oldestSeq = details.oldestSeq
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

/** One error for "does not exist" and "is not yours", so that ids can't be probed. */
export function notFound(what: string): ServiceError {
  return new ServiceError(
    'not_found',
    `There is no such ${what}.`,
    `Check the id; list what exists with GET /v1/threads.`,
  )
}

export function invalidRequest(problem: string, hint: string, fields?: FieldProblem[]): ServiceError {
  return new ServiceError('invalid_request', problem, hint, fields ? { fields } : {})
}

/** True if an error is about fields, so that it can be combined with others. */
function isOfFields(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.code === 'invalid_request' || error.fields !== undefined)
}

/**
 * Runs all checks, so that one error lists everything that they find.
 *
 * @throws ServiceError that of the only failed check, or `invalid_request` with the fields of all; errors not about fields at once
 */
export function checkAll(...checks: (() => void)[]): void {
  const found: ServiceError[] = []
  for (const check of checks) {
    try {
      check()
    } catch (error) {
      if (!isOfFields(error)) throw error
      found.push(error)
    }
  }
  throwAll(found)
}

/** The same for asynchronous checks, one after the other. */
export async function checkAllInTurn(...checks: (() => void | Promise<void>)[]): Promise<void> {
  const found: ServiceError[] = []
  for (const check of checks) {
    try {
      await check()
    } catch (error) {
      if (!isOfFields(error)) throw error
      found.push(error)
    }
  }
  throwAll(found)
}

/** Combines an error with what a further check finds. @param more errors not about fields are dropped: they matter once the fields are right */
export async function withMore(wrong: ServiceError, more: () => unknown): Promise<ServiceError> {
  try {
    await more()
  } catch (error) {
    if (isOfFields(error)) return merged([wrong, error])
    if (!(error instanceof ServiceError)) throw error
  }
  return wrong
}

function throwAll(found: readonly ServiceError[]): void {
  const [first, ...more] = found
  if (first) throw more.length === 0 ? first : merged(found)
}

function merged(found: readonly ServiceError[]): ServiceError {
  const all = found.flatMap((each) => each.fields ?? [{ field: 'request', problem: each.message }])
  // Two checks may find the same problem.
  const fields = [...new Map(all.map((each) => [`${each.field} ${each.problem}`, each])).values()]
  const names = [...new Set(fields.map(({ field }) => field))].slice(0, 5).join(', ')
  return invalidRequest(
    `The request can't be used: ${names}.`,
    'Correct what `fields` lists and send the request again.',
    fields,
  )
}
