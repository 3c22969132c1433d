/** Iterating over all mailboxes without blocking the event loop. */
import { setImmediate as tick } from 'node:timers/promises'
import { keyAfter, keyParts } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { mailboxListRange, META_PARTITION } from './keys.js'
import { readMailbox } from './record.js'
import type { MailboxRecord } from './mailbox-record.js'

const PAGE = 200

/** Ids of all mailboxes, oldest first. Yields to the event loop after each, since reads may complete within a tick. */
export async function* mailboxIds(store: Store, signal?: AbortSignal): AsyncGenerator<string> {
  const { gte, lt } = mailboxListRange
  for (let from = gte; ;) {
    const page = await store.read(META_PARTITION, (view) => view.range({ gte: from, lt, limit: PAGE }))
    for (const [listed] of page) {
      if (signal?.aborted) return
      yield String(keyParts(listed)[1])
      await tick()
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    from = keyAfter(last[0])
  }
}

/** All mailboxes, oldest first. */
export async function listMailboxes(store: Store): Promise<MailboxRecord[]> {
  const mailboxes: MailboxRecord[] = []
  for await (const id of mailboxIds(store)) {
    const mailbox = await readMailbox(store, id)
    if (mailbox) mailboxes.push(mailbox)
  }
  return mailboxes
}
