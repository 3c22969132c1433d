/** Reads of one thread, message, raw text or attachment. Reading never marks anything as read. */
import { notFound } from '../../lib/errors.js'
import type { Asker } from '../../lib/thread-pool.js'
import { MessageFormatError, type ParseLimits } from '../../mime/types.js'
import type { Store, View } from '../../store/types.js'
import { bodyKey, mailboxPartition } from '../keys.js'
import { isSpam } from '../labels.js'
import { type MessageState, type StoredMessage, inTrash, toMessage, verdictsOf } from '../message.js'
import { mustReadStored, readRows, readState, readStates, storedFrom, type MessageRows } from '../message-rows.js'
import type { MailWork } from '../mail-work/mail-work.js'
import type { Message, ThreadWithMessages } from '../objects/objects.js'
import type { RawStore } from '../raw.js'
import { mustReadThread } from '../threads/thread-rows.js'
import { MAX_THREAD_MESSAGES, toThread, type ThreadRecord } from '../threads/thread.js'
import type { DownloadedAttachment, ReadOptions } from './reading.js'

/** Max messages shown with a thread, newest first, and their total size. */
const MAX_SHOWN_MESSAGES = 100
/** A megabyte takes 25 ms to read and serialize. */
const MAX_SHOWN_BYTES = 1024 * 1024
/** Messages read at once while their sizes are summed. */
const READ_STEP = 10

export interface ReadingDeps {
  store: Store
  raws: RawStore
  parseLimits: ParseLimits
  work: MailWork
}

export function createReading({ store, raws, parseLimits, work }: ReadingDeps) {
  const stored = (mailboxId: string, messageId: string): Promise<StoredMessage> =>
    store.read(mailboxPartition(mailboxId), (view) => mustReadStored(view, messageId))
  const askerOf = (mailboxId: string, options?: ReadOptions): Asker => options?.asker ?? { owner: mailboxId }
  const rows = (mailboxId: string, messageId: string): Promise<MessageRows> =>
    store.read(mailboxPartition(mailboxId), async (view) => {
      const found = await readRows(view, messageId)
      if (!found) throw notFound('message')
      return found
    })
  const rawOf = async (mailboxId: string, { state, body }: MessageRows): Promise<Buffer> => {
    try {
      return await raws.read(mailboxId, state, body)
    } catch (error) {
      // It may have been purged before its file was read; then this throws `not_found`.
      await rows(mailboxId, state.id)
      throw error
    }
  }

  return {
    /** Excludes spam, unless `includeSpam` is set or all of it is spam. @throws ServiceError `not_found` */
    thread: (mailboxId: string, threadId: string, options?: { includeSpam?: boolean }): Promise<ThreadWithMessages> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const thread = await mustReadThread(view, threadId, 'thread')
        if (thread.places.length === 0) throw inTrash('thread', threadId)
        const isWhole = options?.includeSpam === true || thread.messageCount === 0
        return {
          ...toThread(mailboxId, thread, isWhole ? 'all' : 'mail'),
          messages: await newestMessages(view, mailboxId, thread, isWhole || !thread.spam),
        }
      }),

    /**
     * The same with all spam, or the messages before one of them; `older`: how many come before these.
     *
     * @param before id of a message of the conversation
     * @throws ServiceError `not_found`, also when nothing comes before it
     */
    stretch: (
      mailboxId: string,
      threadId: string,
      { before }: { before?: string | undefined },
    ): Promise<ThreadWithMessages & { older: number }> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const thread = await mustReadThread(view, threadId, 'thread')
        if (thread.places.length === 0) throw inTrash('thread', threadId)
        const end = before === undefined ? undefined : (await mustReadStateOf(view, threadId, before)).seq
        const places = end === undefined ? thread.places : thread.places.filter((seq) => seq < end)
        if (places.length === 0) throw notFound('message')
        const messages = await newestMessages(view, mailboxId, { places }, true)
        return { ...toThread(mailboxId, thread, 'all'), messages, older: places.length - messages.length }
      }),

    /** With `safeHtml`, adds `html_safe`, generated on each read. */
    async message(
      mailboxId: string,
      messageId: string,
      options?: ReadOptions & { safeHtml?: boolean | 'with remote pictures' },
    ): Promise<Message> {
      const { state, content } = await stored(mailboxId, messageId)
      const message = toMessage(mailboxId, state, content)
      if (!options?.safeHtml) return message
      if (content.html === null) return { ...message, html_safe: null }
      const given = { html: content.html, hasRemotePictures: options.safeHtml === 'with remote pictures' }
      return { ...message, html_safe: await work.safeHtml(given, askerOf(mailboxId, options)) }
    },

    async raw(mailboxId: string, messageId: string) {
      return rawOf(mailboxId, await rows(mailboxId, messageId))
    },

    async attachment(
      mailboxId: string,
      messageId: string,
      attachmentId: string,
      options?: ReadOptions,
    ): Promise<DownloadedAttachment> {
      const message = await rows(mailboxId, messageId)
      const { content } = storedFrom(message.state, message.body)
      const index = content.attachments.findIndex(({ id }) => id === attachmentId)
      const attachment = content.attachments[index]
      const part = content.parts[index]
      if (!attachment || part === undefined) throw notFound('attachment')
      const found = await work.part(await rawOf(mailboxId, message), part, parseLimits, askerOf(mailboxId, options))
      if (!found) throw new MessageFormatError(`message has no part ${part}`)
      return {
        filename: attachment.filename,
        contentType: attachment.content_type,
        sha256: attachment.sha256,
        ...verdictsOf(attachment),
        content: found.content,
      }
    },

    /** Text of an HTML file, without links and images. */
    htmlText: (mailboxId: string, content: Buffer, options?: ReadOptions) =>
      work.htmlText(content, askerOf(mailboxId, options)),

    /** MIME parts of the raw message, in order. */
    async parts(mailboxId: string, messageId: string, options?: ReadOptions) {
      const raw = await rawOf(mailboxId, await rows(mailboxId, messageId))
      return work.parts(raw, parseLimits, askerOf(mailboxId, options))
    },

    /** @param part number of a leaf @throws ServiceError `not_found` */
    async part(mailboxId: string, messageId: string, part: number, options?: ReadOptions) {
      const message = await rows(mailboxId, messageId)
      const { content } = storedFrom(message.state, message.body)
      const clean = content.scan?.virus === 'clean' ? ('clean' as const) : ('unscanned' as const)
      const scan = content.scan === null ? null : clean
      const found = await work.part(await rawOf(mailboxId, message), part, parseLimits, askerOf(mailboxId, options))
      if (!found) throw notFound('part')
      return { ...found, scan }
    },
  }
}

/** @throws ServiceError `not_found` */
async function mustReadStateOf(view: View, threadId: string, messageId: string): Promise<MessageState> {
  const state = await readState(view, messageId)
  if (state?.threadId !== threadId) throw notFound('message')
  return state
}

/** Oldest first; at least the newest one. @param withSpam includes spam */
async function newestMessages(
  view: View,
  mailboxId: string,
  { places }: Pick<ThreadRecord, 'places'>,
  withSpam: boolean,
): Promise<Message[]> {
  const limit = withSpam ? MAX_SHOWN_MESSAGES : MAX_THREAD_MESSAGES
  const states = (await readStates(view, places.slice(-limit).reverse()))
    .filter((state) => withSpam || !isSpam(state))
    .slice(0, MAX_SHOWN_MESSAGES)
  const shown: Message[] = []
  let bytes = 0
  for (let at = 0; at < states.length; at += READ_STEP) {
    const step = states.slice(at, at + READ_STEP)
    const bodies = await view.getMany(step.map(({ seq }) => bodyKey(seq)))
    for (const [i, state] of step.entries()) {
      const body = bodies[i]
      if (!body) continue
      bytes += body.length
      if (bytes > MAX_SHOWN_BYTES && shown.length > 0) return shown.reverse()
      shown.push(toMessage(mailboxId, state, storedFrom(state, body).content))
    }
  }
  return shown.reverse()
}
