/** What the service says when it refuses a call. */

interface FieldProblem {
  field: string
  problem: string
}

/** `code` is stable and for programs; `hint` says what to do next. */
export class RestanteError extends Error {
  override readonly name = 'RestanteError'
  readonly code: string
  readonly hint: string
  readonly fields: FieldProblem[]

  constructor(
    readonly status: number,
    error: { code?: unknown; message?: unknown; hint?: unknown; fields?: unknown },
    /** Of the answer; name it to the operator when `code` is `internal`. */
    readonly requestId: string | null,
    /** What the service asks to wait for; null when it says nothing of that. */
    readonly retryAfterSeconds: number | null,
  ) {
    const hint = text(error.hint) ?? ''
    const fields: FieldProblem[] = Array.isArray(error.fields) ? error.fields.filter(isFieldProblem) : []
    const problems = fields.map(({ field, problem }) => sentence(`${field}: ${problem}`))
    super([text(error.message) ?? `HTTP ${status}`, ...problems, hint].join(' ').trim())
    this.code = text(error.code) ?? 'unknown'
    this.hint = hint
    this.fields = fields
  }
}

/** The error of an answer, whatever its body is: a proxy in between answers with pages. */
export async function errorOf(response: Response): Promise<RestanteError> {
  const body = await response.text()
  const wait = Number(response.headers.get('retry-after') ?? NaN)
  return new RestanteError(
    response.status,
    errorIn(body) ?? { message: `HTTP ${response.status}: ${body.slice(0, 200)}` },
    response.headers.get('x-request-id'),
    Number.isFinite(wait) && wait >= 0 ? wait : null,
  )
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`
}

function errorIn(body: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    const error = isObject(parsed) ? parsed['error'] : undefined
    return isObject(error) ? error : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isFieldProblem(value: unknown): value is FieldProblem {
  return isObject(value) && typeof value['field'] === 'string' && typeof value['problem'] === 'string'
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
