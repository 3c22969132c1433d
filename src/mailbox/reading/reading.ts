/** Reading a mailbox: its lists, its threads and messages, their raw text and files, and what an owner sees of it. Nothing read is marked as read. */
import type { Asker } from '../../lib/thread-pool.js'
import type { GuardReason } from '../../guard/types.js'
import type { Message, MessagePart, Thread, ThreadWithMessages } from '../objects/objects.js'
import type { List } from '../objects/page.js'
import type { PartContent } from '../objects/parts.js'
import type { ListMessages, ThreadQuery } from '../search/message-filter.js'

/** Who waits for what is read; without it the mailbox stands for itself. */
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

/** Reads that an agent, its owner or a page asks for. */
export interface Reading {
  messages: ListMessages
  /** Without what is spam in it, unless `includeSpam` is set or all of it is. @throws ServiceError `not_found` */
  thread(mailboxId: string, threadId: string, options?: { includeSpam?: boolean }): Promise<ThreadWithMessages>
  /** With `safeHtml` it has `html_safe` too, which is made at each reading. */
  message(mailboxId: string, messageId: string, options?: ReadOptions & { safeHtml?: boolean }): Promise<Message>
  raw(mailboxId: string, messageId: string): Promise<Buffer>
  attachment(
    mailboxId: string,
    messageId: string,
    attachmentId: string,
    options?: ReadOptions,
  ): Promise<DownloadedAttachment>
  /** The text of an HTML file, without its links and images. */
  htmlText(mailboxId: string, content: Buffer, options?: ReadOptions): Promise<string>
  /** The MIME parts of the raw message, in order. */
  parts(mailboxId: string, messageId: string, options?: ReadOptions): Promise<MessagePart[]>
  /** @param part number of a part that is no container @throws ServiceError `not_found` */
  part(
    mailboxId: string,
    messageId: string,
    part: number,
    options?: ReadOptions,
  ): Promise<PartContent & { scan: 'clean' | 'unscanned' | null }>
  /** Newest first: by the last message, or by the newest one that matches where a filter is about messages. */
  threads(mailboxId: string, query: ThreadQuery): Promise<List<Thread>>
  /** Messages that wait for a human's review, the newest first; at most `limit`. Without their contents but for the subject. */
  held(mailboxId: string, limit: number): Promise<HeldMessage[]>
  /** How many there are, counted up to `atMost`. */
  countHeld(mailboxId: string, atMost: number): Promise<number>
  /** When something last happened in the mailbox; undefined when nothing has within the time that events are kept. */
  lastActivity(mailboxId: string): Promise<number | undefined>
}
