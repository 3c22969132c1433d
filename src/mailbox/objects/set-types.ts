/** The shapes of what can be set of a mailbox: name, signature, label rules, allow and block lists. */
import type { Signature } from '../../mime/reply/signature.js'

/** Labels mail as it comes in. All conditions that are given have to hold. */
export interface AutoLabel {
  from?: string | undefined
  /** One of its own addresses, or another in To or Cc. */
  to?: string | undefined
  subjectContains?: string | undefined
  hasAttachment?: boolean | undefined
  labels: string[]
  markRead: boolean
}

export interface MailboxSettings {
  signature: Signature | null
  autoLabels: AutoLabel[]
  /** Mail from others than those on the allow list is refused. */
  receiveOnlyAllowed: boolean
  /** Mail to others than those on the allow list is not sent. */
  sendOnlyAllowed: boolean
}

export interface SettingsChange {
  displayName?: string | undefined
  signature?: { text: string; html?: string | null | undefined } | null | undefined
  autoLabels?: AutoLabel[] | undefined
  receiveOnlyAllowed?: boolean | undefined
  sendOnlyAllowed?: boolean | undefined
}

export const DIRECTIONS = ['receive', 'send'] as const
export const LIST_TYPES = ['allow', 'block'] as const
export type Direction = (typeof DIRECTIONS)[number]
export type ListType = (typeof LIST_TYPES)[number]

/** Which of the four lists of a mailbox. */
export interface WhichList {
  direction: Direction
  type: ListType
}

export interface ListEntry {
  entry: string
  reason: string | null
  createdAt: number
}

/** Who a message says that it is from. Each is part of the one before. */
export interface Sender {
  /** Reverse-path and author, whoever wrote them there: enough to be blocked. */
  named: string[]
  /** Those whose domain does not disown the message; undefined when that is not known yet. */
  believed?: string[]
  /** Those whose domain stands for it. */
  proven?: string[]
}

/** `allowed`: somebody on the allow list, proven, whose mail is not judged for spam. */
export type Admission = 'allowed' | 'usual' | 'refused'
