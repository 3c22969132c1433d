/** Reading a mailbox: lists, threads, messages, raw text, files, and the owner's overview. Nothing is marked as read. */
import type { Asker } from '../../lib/thread-pool.js'
import type { GuardReason } from '../../guard/types.js'
import type { Message, MessagePart, Thread, ThreadWithMessages } from '../objects/objects.js'
import type { List } from '../objects/page.js'
import type { PartContent } from '../objects/parts.js'
import type { ListMessages, ThreadQuery } from '../search/message-filter.js'

/** `asker`: waits for the result; the mailbox itself by default. */
export interface ReadOptions {
  asker?: Asker | undefined
}

export interface DownloadedAttachment extends Pick<Message['attachments'][number], 'scan' | 'risk'> {
  filename: string
  contentType: string
  sha256: string
  content: Buffer
}

export interface HeldMessage {
  id: string
  threadId: string
  to: string[]
  subject: string
  heldAt: number
  reasons: GuardReason[]
}

export interface Reading {
  messages: ListMessages
  /** Excludes spam, unless `includeSpam` is set or all of it is spam. @throws ServiceError `not_found` */
  thread(mailboxId: string, threadId: string, options?: { includeSpam?: boolean }): Promise<ThreadWithMessages>
  /** With `safeHtml`, adds `html_safe`, generated on each read. */
  message(mailboxId: string, messageId: string, options?: ReadOptions & { safeHtml?: boolean }): Promise<Message>
  raw(mailboxId: string, messageId: string): Promise<Buffer>
  attachment(
    mailboxId: string,
    messageId: string,
    attachmentId: string,
    options?: ReadOptions,
  ): Promise<DownloadedAttachment>
  /** Text of an HTML file, without links and images. */
  htmlText(mailboxId: string, content: Buffer, options?: ReadOptions): Promise<string>
  /** MIME parts of the raw message, in order. */
  parts(mailboxId: string, messageId: string, options?: ReadOptions): Promise<MessagePart[]>
  /** @param part number of a leaf @throws ServiceError `not_found` */
  part(
    mailboxId: string,
    messageId: string,
    part: number,
    options?: ReadOptions,
  ): Promise<PartContent & { scan: 'clean' | 'unscanned' | null }>
  /** Newest first: by last message, or by newest matching message if the filter is about messages. */
  threads(mailboxId: string, query: ThreadQuery): Promise<List<Thread>>
  /** Messages waiting for review, newest first, at most `limit`, with subjects only. */
  held(mailboxId: string, limit: number): Promise<HeldMessage[]>
  /** Counts at most `atMost`. */
  countHeld(mailboxId: string, atMost: number): Promise<number>
  /** Time of the last activity; undefined if older than kept events. */
  lastActivity(mailboxId: string): Promise<number | undefined>
}
