/** The record of a mailbox: identity, contents, counters. */
import type { Pause } from '../accounts/types.js'

export interface Alias {
  address: string
  createdAt: number
}

export interface MailboxRecord {
  id: string
  address: string
  status: 'pending' | 'claimed'
  /** Time of the decline. Until its day is over, the mailbox exists for its key only, without an address. */
  declinedAt?: number
  accountId: string | null
  claimId: string | null
  /** Further addresses; missing if none. */
  aliases?: Alias[]
  /** Missing while nobody has paused it. */
  paused?: Pause
  agentName: string | null
  displayName: string
  createdAt: number
  claimedAt: number | null
  usedBytes: number
  messageCount: number
  /** Scheduled messages; may be missing. */
  scheduledCount?: number
  /** Missing if there never was a draft. */
  draftCount?: number
  sentCount: number
  receivedCount: number
  /** Counts of one UTC day (`YYYY-MM-DD`); meaningless on other days. */
  today: { date: string; sent: number; received: number }
  /** Number of the newest event; 0 for none. After a restore, the number it continues from. */
  seq: number
  /** Numbers skipped by restores, after `from` up to `to`, oldest first (mailbox/retention/continue-numbering.ts). */
  jumps?: { from: number; to: number }[]
}
