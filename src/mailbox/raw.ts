/** Where the raw message is: in the commit that stores it when it is small, else in a blob of its own. */
import { createHash } from 'node:crypto'
import { setImmediate as tick } from 'node:timers/promises'
import type { Blobs, Store, WrittenBlob } from '../store/types.js'
import { isId } from '../lib/ids.js'
import { rawIn } from './body-row.js'
import { bodyKey, draftFileKey, mailboxPartition, RAW_INLINE_BYTES } from './keys.js'
import type { MessageState } from './message.js'
import { readState } from './message-rows.js'

/** Where it is to be found, for the message's state; and what has to ride in the commit when it is small. */
export interface WrittenRaw {
  place: Pick<MessageState, 'rawIn' | 'rawSha256'>
  inline: Buffer | undefined
}

export interface RawStore {
  /** Makes a large message durable as a blob; a small one is for the commit. */
  write(mailboxId: string, messageId: string, raw: Buffer): Promise<WrittenRaw>
  /** @param body its row, where the caller has that */
  read(mailboxId: string, state: MessageState, body?: Uint8Array): Promise<Buffer>
}

/** Whether a blob belongs to a message or a draft of its owner; what the sweep of blobs asks. */
export async function isRawReferenced(store: Store, mailboxId: string, id: string): Promise<boolean> {
  return store.read(mailboxPartition(mailboxId), async (view) => {
    if (isId('att', id)) return (await view.get(draftFileKey(id))) !== undefined
    return (await readState(view, id))?.rawIn === 'blob'
  })
}

/** What the blob of a message was when it was written. */
export function writtenBlob({ rawBytes, rawSha256 }: Pick<MessageState, 'rawBytes' | 'rawSha256'>): WrittenBlob {
  return { bytes: rawBytes, sha256: rawSha256 }
}

interface BlobRef {
  owner: string
  id: string
  sha256: string
}

/** Hashed between two turns of the event loop: about a millisecond. */
const HASHED_AT_ONCE = 1024 * 1024

/** Hexadecimal. In turns, and not in a thread: raw messages are in shared memory, which Web Crypto does not take without a copy. */
export async function sha256InTurns(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE))
    await tick()
  }
  return hash.digest('hex')
}

export function createRawStore(deps: { store: Store; blobs: Blobs }): RawStore {
  const { store, blobs } = deps
  // One buffer that is delivered to several mailboxes is written once and linked after that; each delivery waits for the one before it.
  const written = new WeakMap<Buffer, Promise<BlobRef | undefined>>()

  const linked = (from: BlobRef, to: BlobRef): Promise<boolean> =>
    blobs.link(from, to).then(
      () => true,
      // The earlier mailbox may have lost its copy meanwhile; then this one gets its own.
      () => false,
    )

  return {
    async write(mailboxId, messageId, raw) {
      if (raw.length <= RAW_INLINE_BYTES) return { place: { rawIn: 'store' }, inline: raw }
      const earlier = written.get(raw)
      const writing = (async (): Promise<BlobRef> => {
        const from = await earlier
        const to = { owner: mailboxId, id: messageId, sha256: from?.sha256 ?? (await sha256InTurns(raw)) }
        if (!(from && (await linked(from, to)))) await blobs.put(to.owner, to.id, raw)
        return to
      })()
      // Who comes next does not fail with this one, but writes the blob itself.
      written.set(
        raw,
        writing.catch(() => undefined),
      )
      const { sha256 } = await writing
      return { place: { rawIn: 'blob', rawSha256: sha256 }, inline: undefined }
    },

    async read(mailboxId, state, body) {
      if (state.rawIn === 'blob') return blobs.get(mailboxId, state.id, writtenBlob(state))
      const bytes = body ?? (await store.read(mailboxPartition(mailboxId), (view) => view.get(bodyKey(state.seq))))
      if (!bytes) throw new Error(`Message ${state.id} of ${mailboxId} has lost its raw text`)
      return rawIn(bytes)
    },
  }
}
