/** The record of an empty mailbox, for tests of what stands above the mailbox domain. */
import type { MailboxRecord } from '../../../src/mailbox/mailbox-record.js'

export function mailboxRecord(change: Partial<MailboxRecord> = {}): MailboxRecord {
  return {
    id: 'mbx_1',
    address: 'agent@agents.test',
    status: 'pending',
    accountId: null,
    claimId: null,
    agentName: null,
    displayName: '',
    createdAt: 0,
    claimedAt: null,
    usedBytes: 0,
    messageCount: 0,
    sentCount: 0,
    receivedCount: 0,
    today: { date: '2026-01-01', sent: 0, received: 0 },
    seq: 0,
    ...change,
  }
}
