/**
 * Event numbers of a mailbox: each is one more than the one before, but where a backup was restored (mailbox/retention/continue-numbering.ts). Which numbers restores passed over stands
 * in the mailbox's record.
 */
import type { MailboxRecord } from './mailbox-record.js'

/**
 * The number of the first event after `after`, whether there is one yet or not.
 *
 * @param after a number of an event, or one that a restore passed over
 */
export function nextSeq({ jumps = [] }: Pick<MailboxRecord, 'jumps'>, after: number): number {
  const jump = jumps.find(({ from, to }) => from <= after && after < to)
  return (jump?.to ?? after) + 1
}

/** Whether a restore passed over this number: an event that had it is lost. The last of them is the cursor from which to go on. */
export function isPassedOver({ jumps = [] }: Pick<MailboxRecord, 'jumps'>, seq: number): boolean {
  return jumps.some(({ from, to }) => from < seq && seq < to)
}
