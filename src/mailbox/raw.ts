/** Storage of raw messages: in the commit if small, else in a blob. */
import { createHash } from 'node:crypto'
import { setImmediate as tick } from 'node:timers/promises'
import type { Blobs, Store, WrittenBlob } from '../store/types.js'
import { headerLength } from '../mime/headers.js'
import { isId } from '../lib/ids.js'
import { rawIn } from './body-row.js'
import { bodyKey, draftFileKey, mailboxPartition, RAW_INLINE_BYTES } from './keys.js'
import type { MessageState } from './message.js'
import { readState } from './message-rows.js'

/** Place of a written raw message, and the bytes to store in the commit. */
export interface WrittenRaw {
  place: Pick<MessageState, 'rawIn' | 'rawSha256'>
  inline: Buffer | undefined
}

/** True if a message or draft of the owner references the blob; for the sweep of blobs. */
export async function isRawReferenced(store: Store, mailboxId: string, id: string): Promise<boolean> {
  return store.read(mailboxPartition(mailboxId), async (view) => {
    if (isId('att', id)) return (await view.get(draftFileKey(id))) !== undefined
    return (await readState(view, id))?.rawIn === 'blob'
  })
}

export function writtenBlob({ rawBytes, rawSha256 }: Pick<MessageState, 'rawBytes' | 'rawSha256'>): WrittenBlob {
  return { bytes: rawBytes, sha256: rawSha256 }
}

interface BlobRef {
  owner: string
  id: string
  sha256: string
}

/** Octets that are read for a header: nearly all end there. */
const HEADER_BYTES = 64 * 1024
/** Bytes hashed per turn of the event loop: about 1 ms. */
const HASHED_AT_ONCE = 1024 * 1024

/** Hexadecimal. Hashed in turns on this thread: raw messages are in shared memory, which Web Crypto would copy. */
export async function sha256InTurns(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE))
    await tick()
  }
  return hash.digest('hex')
}

export type RawStore = ReturnType<typeof createRawStore>

export function createRawStore({ store, blobs }: { store: Store; blobs: Blobs }) {
  // A buffer delivered to several mailboxes is written once and then linked; each delivery waits for the previous one.
  const written = new WeakMap<Buffer, Promise<BlobRef | undefined>>()

  const linked = (from: BlobRef, to: BlobRef): Promise<boolean> =>
    blobs.link(from, to).then(
      () => true,
      // The earlier mailbox may have deleted its copy meanwhile; then this one writes its own.
      () => false,
    )

  /** @param body the body row, if already read */
  async function read(mailboxId: string, state: MessageState, body?: Uint8Array): Promise<Buffer> {
    if (state.rawIn === 'blob') return blobs.get(mailboxId, state.id, writtenBlob(state))
    const bytes = body ?? (await store.read(mailboxPartition(mailboxId), (view) => view.get(bodyKey(state.seq))))
    if (!bytes) throw new Error(`Message ${state.id} of ${mailboxId} has lost its raw text`)
    return rawIn(bytes)
  }

  return {
    /** Writes a large message as a durable blob; a small one is left for the commit. */
    async write(mailboxId: string, messageId: string, raw: Buffer): Promise<WrittenRaw> {
      if (raw.length <= RAW_INLINE_BYTES) return { place: { rawIn: 'store' }, inline: raw }
      const earlier = written.get(raw)
      const writing = (async (): Promise<BlobRef> => {
        const from = await earlier
        const to = { owner: mailboxId, id: messageId, sha256: from?.sha256 ?? (await sha256InTurns(raw)) }
        if (!(from && (await linked(from, to)))) await blobs.put(to.owner, to.id, raw)
        return to
      })()
      // The next delivery does not fail with this one, but writes the blob itself.
      const settled = writing.catch(() => undefined)
      written.set(raw, settled)
      const { sha256 } = await writing
      return { place: { rawIn: 'blob', rawSha256: sha256 }, inline: undefined }
    },

    read,

    /**
     * The header section with the line that ends it. Of a message in a blob the beginning is read, as programs ask for the headers of a whole
     * mailbox; of those octets only the number is compared with what was written.
     *
     * @param body the body row, if already read
     */
    async header(mailboxId: string, state: MessageState, body?: Uint8Array): Promise<Buffer> {
      if (state.rawIn === 'blob') {
        const start = await blobs.head(mailboxId, state.id, HEADER_BYTES, writtenBlob(state))
        const length = headerLength(start)
        if (length < start.length) return start.subarray(0, length)
      }
      const raw = await read(mailboxId, state, body)
      return raw.subarray(0, headerLength(raw))
    },
  }
}
