/** Which messages or conversations a list is asked for. */
import type { MessageStatus, MessageSummary } from '../objects/objects.js'
import type { List, Page } from '../objects/page.js'

/** Which messages are meant: those that are all of it. */
export interface MessageFilter {
  /** A whole address, `@` and a domain, or words of a name or an address; `to` is Cc and Bcc too. */
  from?: string | undefined
  to?: string | undefined
  /** Words that stand in a row in the subject. */
  subject?: string | undefined
  label?: string | undefined
  direction?: 'inbound' | 'outbound' | undefined
  status?: MessageStatus | undefined
  hasAttachment?: boolean | undefined
  unread?: boolean | undefined
  /** Milliseconds since the epoch; at that time or after it. */
  after?: number | undefined
  /** Before that time. */
  before?: number | undefined
  threadId?: string | undefined
  /** Words, phrases and operators (mailbox/search/query.ts). */
  q?: string | undefined
  /** Spam is left out otherwise, unless the label `spam` is asked for, or a conversation of spam alone. */
  includeSpam?: boolean | undefined
}

export interface MessageQuery extends Page, MessageFilter {}

/** A conversation is meant when one of its messages is. */
export interface ThreadQuery extends Page, MessageFilter {}

/** Newest first. @throws ServiceError `invalid_request` when `q` can't be understood */
export type ListMessages = (mailboxId: string, query: MessageQuery) => Promise<List<MessageSummary>>
