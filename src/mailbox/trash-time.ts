/** How long the trash of a mailbox keeps a message. */
import { DAY, timestamp } from '../lib/clock.js'

export const TRASH_MS = 7 * DAY

/** Where a message stands in the trash. */
export interface Trashed {
  /** When it was deleted; milliseconds since the epoch. */
  at: number
  /** Number of the event that told of it: its place in the list of the trash. */
  seq: number
}

/** When it was deleted, and when it will be gone for good. */
export function trashTimes({ at }: Pick<Trashed, 'at'>): { deleted_at: string; purge_at: string } {
  return { deleted_at: timestamp(at), purge_at: timestamp(at + TRASH_MS) }
}
