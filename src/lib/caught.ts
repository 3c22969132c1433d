/** What was caught, of which nothing is known but that somebody threw it. */

/** Tells system errors apart (`ENOENT`, `ECONNREFUSED`). */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** What it says, for a log or a message. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
