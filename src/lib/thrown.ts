/** What was caught, of which nothing is known but that somebody threw it. */

/** Tells system errors apart (`ENOENT`, `ECONNREFUSED`). Looks at this error alone; see `causesOf`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** What it says, for a log or a message. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Causes that anybody follows; a chain that is longer, or leads back to itself, ends here. */
const MAX_CAUSES = 10

/** The error, what caused it, what caused that, and so on. */
export function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let each = error; each !== undefined && chain.length < MAX_CAUSES;) {
    chain.push(each)
    each = each instanceof Error ? each.cause : undefined
  }
  return chain
}
