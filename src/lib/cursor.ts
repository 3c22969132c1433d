/** Cursors of lists: opaque to callers, checked on use. */
import { z } from 'zod'
import { invalidRequest } from './errors.js'

/** Longer cursors are forged. */
const MAX_CURSOR_CHARS = 1000

/** A position in a list: the number of an event, or 0; small enough to add one. */
export const place = z
  .int()
  .nonnegative()
  .max(Number.MAX_SAFE_INTEGER - 1)

export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/**
 * @param isOfList false for a position in another list
 * @returns undefined for none
 * @throws ServiceError `invalid_request` when it is no cursor of this list
 */
export function decodeCursor<T>(
  cursor: string | undefined,
  schema: z.ZodType<T>,
  isOfList: (position: T) => boolean = () => true,
): T | undefined {
  if (cursor === undefined) return undefined
  const parsed = schema.safeParse(cursor.length > MAX_CURSOR_CHARS ? undefined : json(cursor))
  if (parsed.success && isOfList(parsed.data)) return parsed.data
  throw invalidRequest('The cursor does not belong to this list.', 'Leave it out to begin at the first page.', [
    { field: 'cursor', problem: 'must be a next_cursor of this list with the same filters' },
  ])
}

function json(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
