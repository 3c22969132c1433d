/** Files with a record in the store: the raw text of large messages, and large files of drafts. */
import { setImmediate as tick } from 'node:timers/promises'
import { filesOf, type DraftRecord } from '../../mailbox/draft.js'
import { draftsRange, mailboxPartition, messagesRange } from '../../mailbox/keys.js'
import { unpackMessage } from '../../mailbox/message-rows.js'
import { mailboxOf } from '../../mailbox/record.js'
import { decode, keyAfter } from '../../store/keys.js'
import type { Store } from '../../store/types.js'

export interface BlobRef {
  owner: string
  id: string
  /** Size in its record. */
  bytes: number
}

const PAGE = 200

/** Files of one mailbox, in steps. A mailbox being removed has none. */
export async function* blobsOfMailbox(store: Store, mailboxId: string): AsyncGenerator<BlobRef> {
  const partition = mailboxPartition(mailboxId)
  if (!(await store.read(partition, mailboxOf))) return
  for await (const value of valuesOf(store, partition, messagesRange)) {
    const { id, rawIn, rawBytes } = unpackMessage(value)
    if (rawIn === 'blob') yield { owner: mailboxId, id, bytes: rawBytes }
  }
  for await (const value of valuesOf(store, partition, draftsRange)) {
    for (const file of filesOf(decode<DraftRecord>(value)))
      if (file.in === 'blob') yield { owner: mailboxId, id: file.id, bytes: file.bytes }
  }
}

async function* valuesOf(
  store: Store,
  partition: string,
  { gte, lt }: { gte: Uint8Array; lt: Uint8Array },
): AsyncGenerator<Uint8Array> {
  for (let from = gte; ;) {
    const rows = await store.read(partition, (view) => view.range({ gte: from, lt, limit: PAGE }))
    for (const [, value] of rows) yield value
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    from = keyAfter(last[0])
    await tick()
  }
}
