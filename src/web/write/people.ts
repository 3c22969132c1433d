/** Addresses that a mailbox wrote to or heard from lately. */
import type { InboxDeps } from '../inbox/deps.js'
import { typedAddress } from './fields.js'

/** Conversations looked through, newest first, in one read of the list. */
const LOOKED_THROUGH = 100
const MAX_OFFERED = 100

/** As the fields of a form take them. Spam is left out. */
export async function usedAddresses(mailboxId: string, { mailboxes }: Pick<InboxDeps, 'mailboxes'>): Promise<string[]> {
  const { data } = await mailboxes.reading.threads(mailboxId, { limit: LOOKED_THROUGH })
  const found = new Map<string, string>()
  for (const { participants } of data) {
    for (const person of participants) {
      const key = person.address.toLowerCase()
      if (found.size < MAX_OFFERED && !found.has(key)) found.set(key, typedAddress(person))
    }
  }
  return [...found.values()]
}
