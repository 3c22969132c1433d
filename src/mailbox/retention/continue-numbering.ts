/**
 * Event numbers after a restore. A backup does not know which numbers were used after it was made, and numbers must never repeat: clients, webhooks and the
 * index keep them as cursors. So the first start after a restore moves every mailbox past all of them.
 *
 * It continues from the time of the restore in milliseconds since the epoch. No mailbox sustains a thousand events a second, so its numbers stay below, even
 * those since an earlier restore. Restoring one backup twice is safe for the same reason.
 */
import { encode, key } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { META_PARTITION } from '../keys.js'
import { mailboxIds } from '../all-mailboxes.js'
import { changeIfThere } from '../record.js'

/** Restores remembered per mailbox; events before older ones are expired. */
const MAX_JUMPS = 16
/** Mailboxes moved concurrently, so that their commits share an fdatasync. */
const AT_ONCE = 64

const restoredKey = key('restored')

interface Restored {
  at: number
}

/** Marks a store as restored, for its next start. @param at milliseconds since the epoch */
export async function markRestored(store: Store, at: number): Promise<void> {
  await store.write(META_PARTITION, (tx) => tx.put(restoredKey, encode({ at } satisfies Restored)))
}

/**
 * Moves the numbers of every mailbox of a restored store past all used ones. Runs before anything else uses the store; after a crash the next start continues.
 *
 * @returns mailboxes moved; undefined if nothing was restored
 */
export async function continueNumbering(store: Store): Promise<number | undefined> {
  const restored = await store.read(META_PARTITION, (view) => readValue<Restored>(view, restoredKey))
  if (!restored) return undefined
  const move = (ids: string[]) => Promise.all(ids.map((id) => moveNumbers(store, id, restored.at)))
  let mailboxes = 0
  let next: string[] = []
  for await (const id of mailboxIds(store)) {
    mailboxes++
    next.push(id)
    if (next.length < AT_ONCE) continue
    await move(next)
    next = []
  }
  await move(next)
  await store.write(META_PARTITION, (tx) => tx.delete(restoredKey))
  return mailboxes
}

async function moveNumbers(store: Store, id: string, to: number): Promise<void> {
  await changeIfThere(store, id, async (_tx, mailbox) => {
    const from = mailbox.seq
    if (from >= to) return
    mailbox.jumps = [...(mailbox.jumps ?? []), { from, to }].slice(-MAX_JUMPS)
    mailbox.seq = to
  })
}
