/** Reading a mailbox: lists, threads, messages, raw text, files, and the owner's overview. Nothing is marked as read. */
import type { Asker } from '../../lib/thread-pool.js'
import type { GuardReason } from '../../guard/types.js'
import type { Message } from '../objects/objects.js'

/** `asker` waits for the result; the mailbox by default. */
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
