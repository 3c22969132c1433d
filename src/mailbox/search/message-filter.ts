import type { List, MessageStatus, MessageSummary, Page, Thread } from '../objects/objects.js'

/** All conditions must match. */
export interface MessageFilter {
  /** An address, `@` and a domain, or words of a name or address; `to` includes Cc and Bcc. */
  from?: string | undefined
  to?: string | undefined
  /** Words in sequence in the subject. */
  subject?: string | undefined
  label?: string | undefined
  direction?: 'inbound' | 'outbound' | undefined
  status?: MessageStatus | undefined
  hasAttachment?: boolean | undefined
  unread?: boolean | undefined
  /** Inclusive; milliseconds since the epoch. */
  after?: number | undefined
  /** Exclusive. */
  before?: number | undefined
  threadId?: string | undefined
  /** Words, phrases and operators (mailbox/search/query.ts). */
  q?: string | undefined
  /** Spam is excluded by default, unless the label `spam` or a conversation of spam is requested. */
  includeSpam?: boolean | undefined
}

export interface MessageQuery extends Page, MessageFilter {}

/** Matches conversations with a matching message. */
export interface ThreadQuery extends Page, MessageFilter {}

/** Newest first. @throws ServiceError `invalid_request` for an invalid `q` */
export type ListMessages = (mailboxId: string, query: MessageQuery) => Promise<List<MessageSummary>>

/** Newest first: by last message, or by newest matching message if the filter is about messages. */
export type ListThreads = (mailboxId: string, query: ThreadQuery) => Promise<List<Thread>>
