/** Reading one thread, one message, its raw text and its attachments. Reading never marks anything as read. */
import { notFound } from '../lib/errors.js'
import type { Asker } from '../lib/thread-pool.js'
import { MessageFormatError, type ParseLimits } from '../mime/types.js'
import { decode, keyParts } from '../store/keys.js'
import type { Store, View } from '../store/types.js'
import { contentKey, mailboxPartition, messageKey, threadMessagesRange } from './keys.js'
import type { MessageContent, MessageState, StoredMessage } from './message.js'
import { inTrash, mustReadStored, toMessage, verdictsOf } from './message.js'
import type { MailWork } from './mail-work.js'
import type { Message } from './objects.js'
import type { RawStore } from './raw.js'
import { readThread, toThread } from './thread.js'
import type { Mailboxes, ReadOptions } from './types.js'

/** Messages of a thread that are shown with it, newest counted first, and what they may weigh together. */
const MAX_SHOWN_MESSAGES = 100
const MAX_SHOWN_BYTES = 8 * 1024 * 1024
/** Messages read at once while their weight is summed up. */
const READ_STEP = 10

export interface ReadingDeps {
  store: Store
  raws: RawStore
  parseLimits: ParseLimits
  work: MailWork
}

type Reading = Pick<
  Mailboxes,
  'getThread' | 'getMessage' | 'getRaw' | 'getAttachment' | 'htmlText' | 'listParts' | 'getPart'
>

export function createReading({ store, raws, parseLimits, work }: ReadingDeps): Reading {
  const stored = (mailboxId: string, messageId: string): Promise<StoredMessage> =>
    store.read(mailboxPartition(mailboxId), (view) => mustReadStored(view, messageId))
  const askerOf = (mailboxId: string, options?: ReadOptions): Asker => options?.asker ?? { owner: mailboxId }
  const rawOf = async (mailboxId: string, state: MessageState): Promise<Buffer> => {
    try {
      return await raws.read(mailboxId, state)
    } catch (error) {
      // It may have been deleted for good between the two reads: then this says so.
      await stored(mailboxId, state.id)
      throw error
    }
  }

  return {
    getThread: (mailboxId, threadId) =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const thread = await readThread(view, threadId)
        if (!thread) throw notFound('thread')
        if (thread.messageCount === 0) throw inTrash('thread', threadId)
        return { ...toThread(mailboxId, thread), messages: await newestMessages(view, mailboxId, threadId) }
      }),

    async getMessage(mailboxId, messageId, options) {
      const { state, content } = await stored(mailboxId, messageId)
      const message = toMessage(mailboxId, state, content)
      if (!options?.safeHtml) return message
      return { ...message, html_safe: content.html && (await work.safeHtml(content.html, askerOf(mailboxId, options))) }
    },

    async getRaw(mailboxId, messageId) {
      const { state } = await stored(mailboxId, messageId)
      return rawOf(mailboxId, state)
    },

    async getAttachment(mailboxId, messageId, attachmentId, options) {
      const { state, content } = await stored(mailboxId, messageId)
      const index = content.attachments.findIndex(({ id }) => id === attachmentId)
      const attachment = content.attachments[index]
      const part = content.parts[index]
      if (!attachment || part === undefined) throw notFound('attachment')
      const found = await work.part(await rawOf(mailboxId, state), part, parseLimits, askerOf(mailboxId, options))
      if (!found) throw new MessageFormatError(`message has no part ${part}`)
      return {
        filename: attachment.filename,
        contentType: attachment.content_type,
        sha256: attachment.sha256,
        ...verdictsOf(attachment),
        content: found.content,
      }
    },

    htmlText: (mailboxId, content, options) => work.htmlText(content, askerOf(mailboxId, options)),

    async listParts(mailboxId, messageId, options) {
      const { state } = await stored(mailboxId, messageId)
      return work.parts(await rawOf(mailboxId, state), parseLimits, askerOf(mailboxId, options))
    },

    async getPart(mailboxId, messageId, part, options) {
      const { state, content } = await stored(mailboxId, messageId)
      const scan = content.scan === null ? null : content.scan.virus === 'clean' ? 'clean' : 'unscanned'
      const found = await work.part(await rawOf(mailboxId, state), part, parseLimits, askerOf(mailboxId, options))
      if (!found) throw notFound('part')
      return { ...found, scan }
    },
  }
}

/** Oldest first; at least the newest one. */
async function newestMessages(view: View, mailboxId: string, threadId: string): Promise<Message[]> {
  const entries = await view.range({ ...threadMessagesRange(threadId), limit: MAX_SHOWN_MESSAGES, reverse: true })
  const ids = entries.map(([entry]) => String(keyParts(entry)[3]))
  const shown: Message[] = []
  let bytes = 0
  for (let at = 0; at < ids.length; at += READ_STEP) {
    const step = ids.slice(at, at + READ_STEP)
    const states = await view.getMany(step.map(messageKey))
    const contents = await view.getMany(step.map(contentKey))
    for (const [i, state] of states.entries()) {
      const content = contents[i]
      if (!state || !content) continue
      bytes += content.length
      if (bytes > MAX_SHOWN_BYTES && shown.length > 0) return shown.reverse()
      shown.push(toMessage(mailboxId, decode<MessageState>(state), decode<MessageContent>(content)))
    }
  }
  return shown.reverse()
}
