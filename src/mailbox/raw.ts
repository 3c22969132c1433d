/** Where the raw message is: in the commit that stores it when it is small, else in a blob of its own. */
import type { Blobs, Store } from '../store/types.js'
import { asBuffer } from '../store/keys.js'
import { isId } from '../lib/ids.js'
import { draftFileKey, mailboxPartition, RAW_INLINE_BYTES, rawKey } from './keys.js'
import type { MessageState } from './message.js'
import { readState } from './message.js'

export interface RawStore {
  /** Makes a large message durable as a blob. Returns what has to ride in the commit instead when it is small. */
  write(mailboxId: string, messageId: string, raw: Buffer): Promise<Buffer | undefined>
  read(mailboxId: string, state: MessageState): Promise<Buffer>
}

/** Whether a blob belongs to a message or a draft of its owner; what the sweep of blobs asks. */
export async function isRawReferenced(store: Store, mailboxId: string, id: string): Promise<boolean> {
  return store.read(mailboxPartition(mailboxId), async (view) => {
    if (isId('att', id)) return (await view.get(draftFileKey(id))) !== undefined
    return (await readState(view, id))?.rawIn === 'blob'
  })
}

interface BlobRef {
  owner: string
  id: string
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
      if (raw.length <= RAW_INLINE_BYTES) return raw
      const to = { owner: mailboxId, id: messageId }
      const earlier = written.get(raw)
      const writing = (async () => {
        const from = await earlier
        if (!(from && (await linked(from, to)))) await blobs.put(to.owner, to.id, raw)
        return to
      })()
      // Who comes next does not fail with this one, but writes the blob itself.
      written.set(
        raw,
        writing.catch(() => undefined),
      )
      await writing
      return undefined
    },

    async read(mailboxId, state) {
      if (state.rawIn === 'blob') return blobs.get(mailboxId, state.id)
      const bytes = await store.read(mailboxPartition(mailboxId), (view) => view.get(rawKey(state.id)))
      if (!bytes) throw new Error(`Message ${state.id} of ${mailboxId} has lost its raw text`)
      return asBuffer(bytes)
    },
  }
}
