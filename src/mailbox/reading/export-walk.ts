/** Everything in a mailbox as of the start of the walk, for exports; read in pages, so that neither memory nor the event loop depends on its size. */
import type { Readable } from 'node:stream'
import { setImmediate as tick } from 'node:timers/promises'
import { decode } from '../../store/keys.js'
import { DamagedBlobError } from '../../store/errors.js'
import type { Blobs, Store } from '../../store/types.js'
import { pagesOf } from '../../store/pages.js'
import { readDraftFiles } from '../sending/draft-files.js'
import { type DraftRecord, readDraft, toDraft } from '../draft.js'
import { rawIn } from '../body-row.js'
import { lastOfRow, unpackEvents } from '../event-rows.js'
import { bodyKey, draftsRange, eventsRange, mailboxPartition, messagesRange, threadsRange } from '../keys.js'
import { type MessageState, toMessage } from '../message.js'
import { readContentOf, unpackMessage } from '../message-rows.js'
import { writtenBlob } from '../raw.js'
import { unpackThread } from '../threads/thread-rows.js'
import { toThread } from '../threads/thread.js'
import type { SendAttachment } from '../sending/requests.js'

/** Rows per page; states are small, large contents are read one at a time. */
const PAGE = 50

export interface WalkedMessage {
  direction: 'inbound' | 'outbound'
  /** When it was stored or sent; milliseconds since the epoch. */
  at: number
  rawBytes: number
  raw: Buffer | Readable
}

export type Walk = ReturnType<typeof walkMailbox>

/**
 * @param upTo number of the last event to include
 * @param signal ends each walk with its reason
 */
export function walkMailbox(
  { store, blobs }: { store: Store; blobs: Pick<Blobs, 'stream'> },
  mailboxId: string,
  upTo: number,
  signal: AbortSignal,
) {
  const partition = mailboxPartition(mailboxId)

  async function* rows(range: { gte: Uint8Array; lt: Uint8Array }): AsyncGenerator<[Uint8Array, Uint8Array]> {
    for await (const page of pagesOf(store, partition, { ...range, limit: PAGE })) {
      for (const row of page) {
        // Reads may complete within the tick.
        await tick()
        signal.throwIfAborted()
        yield row
      }
    }
  }

  async function* states(): AsyncGenerator<MessageState> {
    for await (const [, row] of rows(messagesRange)) {
      const state = unpackMessage(row)
      if (state.seq > upTo) return
      yield state
    }
  }

  async function raw(state: MessageState): Promise<Buffer | Readable | undefined> {
    if (state.rawIn === 'store') {
      const body = await store.read(partition, (view) => view.get(bodyKey(state.seq)))
      return body && rawIn(body)
    }
    try {
      return await blobs.stream(mailboxId, state.id, writtenBlob(state))
    } catch (error) {
      // One damaged file must not fail the whole export.
      if (error instanceof DamagedBlobError) return placeholder(state)
      throw error
    }
  }

  async function files(draft: DraftRecord): Promise<SendAttachment[] | 'damaged' | undefined> {
    try {
      return await readDraftFiles({ store, blobs }, mailboxId, draft)
    } catch (error) {
      if (error instanceof DamagedBlobError) return 'damaged'
      throw error
    }
  }

  return {
    async *raws(): AsyncGenerator<WalkedMessage> {
      for await (const state of states()) {
        const found = await raw(state)
        // Deleted between the two reads.
        if (!found) continue
        const { direction, sentAt, createdAt, rawBytes } = state
        yield { direction, at: sentAt ?? createdAt, rawBytes, raw: found }
      }
    },
    async *messages() {
      for await (const state of states()) {
        const found = await store.read(partition, (view) => readContentOf(view, state))
        if (found) yield toMessage(mailboxId, state, found)
      }
    },
    async *threads() {
      for await (const [, row] of rows(threadsRange)) yield toThread(mailboxId, unpackThread(row), 'all')
    },
    async *events() {
      for await (const [key, row] of rows(eventsRange))
        for (const event of unpackEvents(row, lastOfRow(key), mailboxId)) if (event.seq <= upTo) yield event
    },
    /** Files are in base64. */
    async *drafts() {
      for await (const [, row] of rows(draftsRange)) {
        const { id } = decode<DraftRecord>(row)
        const stored = await store.read(partition, (view) => readDraft(view, id))
        const found = stored && (await files(stored.draft))
        // Sent or deleted between the reads.
        if (!stored || !found) continue
        const draft = toDraft(mailboxId, stored.draft, stored.words)
        const attachments = draft.attachments.map((attachment, i) => ({
          ...attachment,
          // Null if the file is damaged on disk.
          content: found === 'damaged' ? null : found[i]?.content.toString('base64'),
        }))
        yield { ...draft, attachments }
      }
    },
  }
}

function placeholder({ id, rawBytes, createdAt }: MessageState): Buffer {
  return Buffer.from(
    [
      `Date: ${new Date(createdAt).toUTCString().replace('GMT', '+0000')}`,
      'From: MAILER-DAEMON',
      'Subject: [this message is damaged on the server]',
      `X-Restante-Damaged: ${id}`,
      '',
      `The file of message ${id} (${rawBytes} bytes) is damaged on the disk of the server, so`,
      'its text is not in this archive. What is known of it is in messages.json. The',
      'operator of the server can restore it from a backup.',
      '',
    ].join('\r\n'),
  )
}
