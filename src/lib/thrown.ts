/** Helpers for caught values, which may be anything. */

/** Tests for a system error (`ENOENT`, `ECONNREFUSED`). Checks this error alone; see `causesOf`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** The text of an error, for a log or a message. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The error itself; another value becomes the cause of one. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error })
}

/** Max causes; longer chains, and cycles, end here. */
const MAX_CAUSES = 10

/** The error, its cause, the cause of that, and so on. */
export function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let each = error; each !== undefined && chain.length < MAX_CAUSES;) {
    chain.push(each)
    each = each instanceof Error ? each.cause : undefined
  }
  return chain
}
