/** Removes the addresses, names and networks of a deleted account from the audit log. Ids stay; they refer to nothing any more. */
import { daysOf } from '../store/days.js'
import { decode, encode } from '../store/keys.js'
import { pagesOf } from '../store/pages.js'
import type { Store } from '../store/types.js'
import * as keys from './keys.js'
import type { StoredEntry } from './keys.js'
import type { Audit } from './types.js'

const STEP = 200

export function createErase(store: Store): Audit['forget'] {
  return async (accountId, mailboxIds, signal) => {
    const mailboxes = new Set(mailboxIds)
    const isMeant = ({ subject }: StoredEntry): boolean =>
      subject.account_id === accountId || mailboxes.has(subject.mailbox_id ?? '')
    for (const day of await daysOf(store, keys.NAME)) {
      for await (const rows of pagesOf(store, keys.dayPartition(day), { ...keys.entriesRange, limit: STEP })) {
        if (signal?.aborted) return
        const meant = rows.filter(([, value]) => isMeant(decode<StoredEntry>(value)))
        if (meant.length > 0)
          await store.write(keys.dayPartition(day), async (tx) => {
            for (const [key] of meant) {
              const value = await tx.get(key)
              if (value) tx.put(key, encode(withoutPerson(decode<StoredEntry>(value))))
            }
          })
      }
    }
  }
}

/** Keeps the operator and the staff, who stay responsible. */
function withoutPerson(entry: StoredEntry): StoredEntry {
  const { address: _address, name: _name, domain: _domain, ...subject } = entry.subject
  const isOurs = entry.actor.type === 'operator' || entry.actor.type === 'staff'
  return {
    ...entry,
    subject,
    reason: null,
    ...(isOurs ? {} : { actor: { ...entry.actor, name: null }, from: null }),
  }
}
