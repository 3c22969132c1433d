/** The interface of the classifier: its input and verdict. */

import type { AuthenticationResults } from '../authentication/types.js'
import type { Displayed } from './reading/displayed.js'
import type { Address, AttachmentInside } from '../mime/types.js'

export type Category = 'legitimate' | 'bulk' | 'spam' | 'phishing' | 'scam' | 'malware'
export type Decision = 'send' | 'hold' | 'block'

export interface GuardReason {
  /** Stable and machine-readable, such as `link_text_mismatch`. */
  code: string
  /** The evidence as a phrase. */
  detail: string
  /** What the abuse is after; missing where the sign fits any, and in verdicts of earlier versions. */
  class?: string | undefined
}

export interface GuardAttachment extends AttachmentInside {
  filename: string
  contentType: string
  sizeBytes: number
}

/**
 * How a message departs from what its account has sent before, and when; what is as usual is missing. From counts and hashes only
 * (accounts/story.ts).
 */
export interface Story {
  /** Much more than the account usually sends. */
  burst?: {
    of: 'new recipients' | 'messages'
    count: number
    within: 'hours' | 'day'
    /** As many times as can be expected of it. */
    times: number
    /** What it usually sends in a week. */
    perWeek: number
    /** Days without mail before. */
    silentDays: number
  }
  /** Domains in its links that no earlier message linked to, at most three. */
  newHosts?: string[]
  /** It is a first contact with a link: the share of such ones among the earlier messages, where that is small. */
  firstContacts?: { share: number }
  newLanguage?: { language: string; usual: string }
  /** Recipients of a message, as usual: a few, where this one has many. */
  fewRecipients?: { usual: number }
}

export interface GuardSubject {
  kind: 'outbound' | 'inbound' | 'invite'
  subject: string
  text: string
  /** `extractedText` of its parser (mime/types.ts): the text without history and signature. Computed when missing. */
  newText?: string | undefined
  /** `hiddenWords` of the original text (mime/types.ts). */
  hiddenWords?: number | undefined
  html: string | null
  /** What is displayed of text and HTML. Computed when missing; given where more is known of the message, or all of it instead of its beginning. */
  displayed?: Displayed | undefined
  /**
   * Text of the stored message that it replies to, '' if there is none: quoted text that is not in it is new. Undefined where the caller can't know; then
   * marks of quotes decide.
   */
  parentText?: string | undefined
  links: { target: string; text: string }[]
  recipientCount: number
  /** Domains of the recipients that are shown, where they are known. */
  recipientDomains?: string[] | undefined
  newRecipientCount: number
  attachments: GuardAttachment[]
  /** Trust level of the sending account, 0 to 6. */
  trust: number
  /** The author as shown to readers, and the reply address if it differs. */
  from?: Address | null | undefined
  replyTo?: Address[] | undefined
  /** True if it replies to a message from its only recipient. */
  isAnswer?: boolean | undefined
  /** Nearly identical messages of the account in the last day. */
  similar?: { messages: number; newRecipients: number } | undefined
  /** Missing when all is as usual, and while the account has hardly a past. */
  story?: Story | undefined
  /** Present for incoming mail only. */
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

export interface SpamOpinion {
  /** From 0. */
  score: number
  /** Below both thresholds, from the spam threshold, or from the reject threshold. */
  verdict: 'ham' | 'spam' | 'reject'
  /** Everything that changed the score; may be empty. */
  reasons: SpamReason[]
}

export interface SpamReason extends GuardReason {
  /** Its points; negative when it speaks for the message. */
  score: number
}

/** An outgoing message in its final form, for advisers that read all of it. */
export interface RawMessage {
  id: string
  /** The address of the mailbox that sends it. */
  from: string
  read(): Promise<Buffer>
}

export interface Guard {
  /** The verdict of the embedded classifier; takes about a millisecond. */
  check(subject: GuardSubject): Promise<GuardVerdict>
  /** True if second opinions are needed before the verdict is final; missing where there are no advisers. */
  isDoubtful?: ((verdict: GuardVerdict) => boolean) | undefined
  /** The verdict after second opinions: the same, or stricter with their reasons. Takes seconds. */
  ask?: ((subject: GuardSubject, verdict: GuardVerdict, message?: RawMessage) => Promise<GuardVerdict>) | undefined
}
