/** A mailbox with very many messages: stored by the domain's own code, some hundreds a commit, without the receiver and its checks. */
import { join } from 'node:path'
import { newId } from '../../src/lib/ids.js'
import { appendEvent } from '../../src/mailbox/events.js'
import { insertMessage } from '../../src/mailbox/delivery/insert.js'
import { mailboxIds } from '../../src/mailbox/all-mailboxes.js'
import { contentOf } from '../../src/mailbox/message.js'
import { RAW_INLINE_BYTES } from '../../src/mailbox/keys.js'
import { changeMailbox } from '../../src/mailbox/record.js'
import { createIndexer } from '../../src/mailbox/search/indexer.js'
import { parseMessage } from '../../src/mime/parse/parse.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { pick, randomFrom } from '../../test/support/random.js'
import { createWriter } from './messages.js'

const A_COMMIT = 250
/** Different bodies; the subject, the author and the words of its number make each message another one. */
const BODIES = 400
const BODY_BYTES = 300
const AUTHORS = 500
const ROOM = { storageBytes: 1e15, pendingStorageBytes: 1e15 }
const LIMITS = { maxHeaderBytes: 65_536, maxParts: 10, maxDepth: 5 }

export interface Filler {
  /** Adds messages until there are so many. */
  fillTo(count: number): Promise<void>
}

/** Max size of a message whose raw form is in the store (mailbox/keys.ts). */
const MAX_RAW_BYTES = RAW_INLINE_BYTES

/** A message as it came, to be stored. */
export interface RawMail {
  raw: Buffer
  isSeen: boolean
}

/** Stores messages of at most 128 KB, and their index. */
export async function fillWith(store: Store, mailboxId: string, mails: readonly RawMail[]): Promise<void> {
  let now = Date.UTC(2026, 0, 1)
  for (let at = 0; at < mails.length; at += A_COMMIT) {
    await changeMailbox(store, mailboxId, async (tx, mailbox) => {
      for (const { raw, isSeen } of mails.slice(at, at + A_COMMIT)) {
        if (raw.length > MAX_RAW_BYTES) throw new Error(`too long to be in the store: ${raw.length} bytes`)
        now += 60_000
        const content = contentOf(await parseMessage(raw, LIMITS), now)
        const state = { ...receivedState(now, raw), labels: ['inbox'], unread: !isSeen }
        const { id, threadId } = await insertMessage(tx, mailbox, { state, content, raw }, ROOM)
        appendEvent(mailbox, now, 'message.received', { message_id: id, thread_id: threadId })
      }
    })
  }
  const indexer = createIndexer({ store })
  await indexer.indexMailbox(mailboxId)
  await indexer.mergeIndex(mailboxId)
}

const receivedState = (now: number, raw: Buffer) => ({
  id: newId('msg', now),
  direction: 'inbound' as const,
  status: 'received' as const,
  rawBytes: raw.length,
  rawIn: 'store' as const,
  recipients: [],
  check: null,
  holdReasons: [],
  newRecipientCount: 0,
  sentAt: null,
  createdAt: now,
  updatedAt: now,
})

/** Message 7 alone says `needle`; one in 100 is labelled `todo`, one in 10 is unread, one in 20 has a file. */
export async function createFiller(store: Store, mailboxId: string, seed = 1): Promise<Filler> {
  const writer = createWriter(seed)
  const random = randomFrom(seed)
  const bodies = await Promise.all(
    Array.from({ length: BODIES }, (_, n) => {
      const raw = Buffer.from(writer.message(`body${n}`, 'agent@agents.example', BODY_BYTES))
      return parseMessage(raw, LIMITS)
    }),
  )
  const raw = Buffer.from('Subject: filled\r\n\r\n')
  const file = { id: '', filename: 'figures.pdf', content_type: 'application/pdf', size_bytes: 1, sha256: '' }
  let now = Date.UTC(2026, 0, 1)
  let filled = 0

  const add = (count: number): Promise<void> =>
    changeMailbox(store, mailboxId, async (tx, mailbox) => {
      for (let i = 0; i < count; i++) {
        const n = filled + i
        const parsed = pick(random, bodies)
        const author = { address: `author${n % AUTHORS}@peer.example`, name: `Author ${n % AUTHORS}` }
        const content = contentOf(
          { ...parsed, from: author, messageId: `${n}@peer.example`, subject: `${parsed.subject} ${n}` },
          now,
        )
        if (n === 7) content.text += ' needle'
        if (n % 20 === 0) {
          const id = newId('att', now)
          content.attachments = [{ ...file, id, disposition: 'attachment', content_id: null, scan: 'clean', risk: [] }]
          content.parts = [0]
        }
        now += 60_000
        const labels = n % 100 === 0 ? ['inbox', 'todo'] : ['inbox']
        const state = await insertMessage(
          tx,
          mailbox,
          {
            state: { ...receivedState(now, raw), labels, unread: n % 10 === 0 },
            content,
            raw,
          },
          ROOM,
        )
        appendEvent(mailbox, now, 'message.received', { message_id: state.id, thread_id: state.threadId })
      }
    })

  return {
    async fillTo(count) {
      while (filled < count) {
        const step = Math.min(A_COMMIT, count - filled)
        await add(step)
        filled += step
      }
    },
  }
}

/** Fills the mailbox of a data folder that was made last: the operator's was there before. */
export async function fillNewest(dataDir: string, messages: number): Promise<void> {
  const store = createStore(openLmdb({ path: join(dataDir, 'store') }))
  try {
    let mailboxId = ''
    for await (const id of mailboxIds(store)) mailboxId = id
    await (await createFiller(store, mailboxId)).fillTo(messages)
  } finally {
    await store.close()
  }
}
