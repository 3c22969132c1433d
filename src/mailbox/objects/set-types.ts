/** Settings of a mailbox: name, signature, label rules, allow and block lists. */
import type { Signature } from '../../mime/reply/signature.js'

/** A rule that labels incoming mail. All given conditions must match. */
export interface AutoLabel {
  from?: string | undefined
  /** One of its own addresses, or any other in To or Cc. */
  to?: string | undefined
  subjectContains?: string | undefined
  hasAttachment?: boolean | undefined
  labels: string[]
  markRead: boolean
}

export interface MailboxSettings {
  signature: Signature | null
  autoLabels: AutoLabel[]
  receiveOnlyAllowed: boolean
  sendOnlyAllowed: boolean
  /** Sends wait for the human's approval. */
  requiresApproval: boolean
  /** Days that a draft waits for it. */
  approvalDays: number
}

export interface SettingsChange {
  displayName?: string | undefined
  signature?: { text: string; html?: string | null | undefined } | null | undefined
  autoLabels?: AutoLabel[] | undefined
  receiveOnlyAllowed?: boolean | undefined
  sendOnlyAllowed?: boolean | undefined
  requiresApproval?: boolean | undefined
  approvalDays?: number | undefined
}

export const DIRECTIONS = ['receive', 'send'] as const
export const LIST_TYPES = ['allow', 'block'] as const
export type Direction = (typeof DIRECTIONS)[number]
export type ListType = (typeof LIST_TYPES)[number]

export interface WhichList {
  direction: Direction
  type: ListType
}

export interface ListEntry {
  entry: string
  reason: string | null
  createdAt: number
}

/** Claimed senders of a message. Each list is a subset of the one before. */
export interface Sender {
  /** Reverse-path and author, authenticated or not: enough to be blocked. */
  named: string[]
  /** Senders whose domain does not disown the message; undefined if not known yet. */
  believed?: string[]
  /** Senders authenticated by their domain. */
  proven?: string[]
}

/** `allowed`: authenticated and on the allow list; such mail skips spam checks. */
export type Admission = 'allowed' | 'usual' | 'refused'
