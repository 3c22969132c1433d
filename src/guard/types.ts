/** The one interface of the classifier: what it is told, and what it answers. */

import type { AuthenticationResults } from '../authentication/types.js'
import type { Address, ArchiveContents } from '../mime/types.js'

export type Category = 'legitimate' | 'bulk' | 'spam' | 'phishing' | 'scam' | 'malware'
export type Decision = 'send' | 'hold' | 'block'

export interface GuardReason {
  /** Stable and machine-readable, such as `link_text_mismatch`. */
  code: string
  /** The evidence, in words. */
  detail: string
}

export interface GuardSubject {
  kind: 'outbound' | 'inbound' | 'invite'
  subject: string
  text: string
  /** `extractedText` of its parser (mime/types.ts): the text without history and signature. Where it is missing, both are looked for. */
  newText?: string | undefined
  /** `hiddenWords` of the text as it was written (mime/types.ts). */
  hiddenWords?: number | undefined
  html: string | null
  links: { target: string; text: string }[]
  recipientCount: number
  newRecipientCount: number
  attachments: { filename: string; contentType: string; sizeBytes: number; archive?: ArchiveContents | undefined }[]
  /** Trust level of the sending account, 0 to 6. */
  trust: number
  /** The author as readers are shown it, and where answers go when that is elsewhere. */
  from?: Address | null | undefined
  replyTo?: Address[] | undefined
  /** Whether it answers a message that its only recipient wrote. */
  isAnswer?: boolean | undefined
  /** What the account sent in the last day that reads nearly the same. */
  similar?: { messages: number; newRecipients: number } | undefined
  /** Of mail from outside. */
  auth?: AuthenticationResults | undefined
}

export interface GuardVerdict {
  category: Category
  /** Each category's share, 0 to 1. */
  scores: Partial<Record<Category, number>>
  decision: Decision
  /** Never empty. */
  reasons: GuardReason[]
}

/** What is thought of a message from outside. */
export interface SpamOpinion {
  /** From 0. */
  score: number
  /** On which side of the two lines the score lies: under both, over the spam line, over the reject line. */
  verdict: 'ham' | 'spam' | 'reject'
  /** What changed the score; empty when nothing did. */
  reasons: SpamReason[]
}

export interface SpamReason extends GuardReason {
  /** The points it brings; below 0 when it speaks for the message. */
  score: number
}

/** A message as it will leave, for those who read it whole. */
export interface RawMessage {
  id: string
  /** The address of the mailbox that sends it. */
  from: string
  read(): Promise<Buffer>
}

export interface Guard {
  /** What the classifier within the daemon says; takes about a millisecond. */
  check(subject: GuardSubject): Promise<GuardVerdict>
  /** Whether others are to be asked before the verdict stands; missing where there are none. */
  isDoubtful?: ((verdict: GuardVerdict) => boolean) | undefined
  /** The verdict after others were asked: as it was, or stricter, with reasons for what was said. Takes seconds. */
  ask?: ((subject: GuardSubject, verdict: GuardVerdict, message?: RawMessage) => Promise<GuardVerdict>) | undefined
}
