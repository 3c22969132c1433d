/** The record of a mailbox: who it is, what it holds, and how it is counted. */
export interface Alias {
  address: string
  createdAt: number
}

/** The record of a mailbox, as stored under its partition. */
export interface MailboxRecord {
  id: string
  address: string
  status: 'pending' | 'claimed'
  /** When its claim was declined; missing while it was not. Until its day is over it is there for its key alone, without an address. */
  declinedAt?: number
  accountId: string | null
  claimId: string | null
  /** Further addresses that lead here; missing while there are none. */
  aliases?: Alias[]
  agentName: string | null
  displayName: string
  createdAt: number
  claimedAt: number | null
  /** Bytes of raw mail and of drafts it holds. */
  usedBytes: number
  messageCount: number
  /** Messages that wait for their time; missing where there never was one. */
  scheduledCount?: number
  /** Missing in one that never had a draft. */
  draftCount?: number
  sentCount: number
  receivedCount: number
  /** Counts of one UTC day (`YYYY-MM-DD`); of no meaning on another day. */
  today: { date: string; sent: number; received: number }
  /** Sequence number of its newest event; 0 when it has none. After a restore the number from which it goes on. */
  seq: number
  /** Numbers that restores passed over, those after `from` up to `to`, oldest first (mailbox/retention/continue-numbering.ts). Missing where nothing was restored. */
  jumps?: { from: number; to: number }[]
}
