/** Event numbers are consecutive, except after restores (mailbox/retention/continue-numbering.ts), whose gaps are in the mailbox's record. */
import type { MailboxRecord } from './mailbox-record.js'

/**
 * Number of the first event after `after`, existing or not.
 *
 * @param after number of an event, or one skipped by a restore
 */
export function nextSeq({ jumps = [] }: Pick<MailboxRecord, 'jumps'>, after: number): number {
  const jump = jumps.find(({ from, to }) => from <= after && after < to)
  return (jump?.to ?? after) + 1
}

/** True if a restore skipped this number: its event is lost. The last number of a gap is a valid cursor. */
export function isPassedOver({ jumps = [] }: Pick<MailboxRecord, 'jumps'>, seq: number): boolean {
  return jumps.some(({ from, to }) => from < seq && seq < to)
}
