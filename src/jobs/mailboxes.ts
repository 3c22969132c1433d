/** Going through all mailboxes without holding anybody up. */
import { setImmediate as turn } from 'node:timers/promises'
import { mailboxListRange, META_PARTITION } from '../mailbox/keys.js'
import { keyParts } from '../store/keys.js'
import type { Store } from '../store/types.js'

const PAGE = 200

/** Ids of all mailboxes, in the order in which they were made. Gives way to others after each, since reads may answer within the tick. */
export async function* mailboxIds(store: Store, signal: AbortSignal): AsyncGenerator<string> {
  const { gte, lt } = mailboxListRange
  for (let from = gte; ;) {
    const page = await store.read(META_PARTITION, (view) => view.range({ gte: from, lt, limit: PAGE }))
    for (const [listed] of page) {
      if (signal.aborted) return
      yield String(keyParts(listed)[1])
      await turn()
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    from = Buffer.concat([last[0], Uint8Array.of(0)])
  }
}
