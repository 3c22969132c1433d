/** Stored deletion of an account, in the account's partition, so that it begins and ends in the commit that changes the account. */
import { DAY } from '../../lib/clock.js'
import { encode, key } from '../../store/keys.js'
import type { Transaction, View } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import type { By, DeletionTask, PendingDeletion } from './types.js'

/** Days in which a deletion can be cancelled. */
export const GRACE_DAYS = 30
export const GRACE_PERIOD_MS = GRACE_DAYS * DAY

export const DELETION_KIND = 'deletion'

/** A repeated deletion has separate tasks, which cannot be confused with those of an earlier one. */
export function deletionTaskId(accountId: string, startedAt: number, step: DeletionTask['step']): string {
  return `${accountId}:${startedAt}:${step}`
}

export interface DeletionRecord {
  startedAt: number
  endsAt: number
  by: By
  /** The removal has begun and cannot be cancelled. */
  ending?: true
}

const RECORD = key('deletion')

export const readDeletion = (view: View): Promise<DeletionRecord | undefined> => readValue(view, RECORD)

export function putDeletion(tx: Transaction, record: DeletionRecord): void {
  tx.put(RECORD, encode(record))
}

export function removeDeletion(tx: Transaction): void {
  tx.delete(RECORD)
}

export function pendingOf({ startedAt, endsAt, by }: DeletionRecord): PendingDeletion {
  return { startedAt, endsAt, by }
}
