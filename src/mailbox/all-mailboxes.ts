import { setImmediate as tick } from 'node:timers/promises'
import { keyParts } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { pagesOf } from '../store/pages.js'
import { mailboxListRange, META_PARTITION } from './keys.js'
import { readMailbox } from './record.js'
import type { MailboxRecord } from './mailbox-record.js'

/** Ids of all mailboxes, oldest first. Yields to the event loop after each, since reads may complete within a tick. */
export async function* mailboxIds(store: Store, signal?: AbortSignal): AsyncGenerator<string> {
  for await (const page of pagesOf(store, META_PARTITION, mailboxListRange)) {
    for (const [listed] of page) {
      if (signal?.aborted) return
      yield String(keyParts(listed)[1])
      await tick()
    }
  }
}

export async function listMailboxes(store: Store): Promise<MailboxRecord[]> {
  const mailboxes: MailboxRecord[] = []
  for await (const id of mailboxIds(store)) {
    const mailbox = await readMailbox(store, id)
    if (mailbox) mailboxes.push(mailbox)
  }
  return mailboxes
}
