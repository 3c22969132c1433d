import { DAY, timestamp } from '../lib/clock.js'

export const TRASH_MS = 7 * DAY

export interface Trashed {
  at: number
  /** Number of the deletion's event: its place in the trash. */
  seq: number
}

/** Times of deletion and purge. */
export function trashTimes({ at }: Pick<Trashed, 'at'>): { deleted_at: string; purge_at: string } {
  return { deleted_at: timestamp(at), purge_at: timestamp(at + TRASH_MS) }
}
