/** Telling system errors apart (`ENOENT`, `ECONNREFUSED`). */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
