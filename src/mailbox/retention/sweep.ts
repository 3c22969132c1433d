/** Drops expired rows of a mailbox: events, answers for retries, ids of local deliveries. */
import { keyParts } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { eventsRange, EXPIRING_KINDS, expiringKey, expiryKey, expiryRange, mailboxPartition } from '../keys.js'
import { timeOfEvents } from '../event-rows.js'
import { sweepDeliveries } from '../webhooks/sweep.js'

/** Rows per commit. */
const STEP = 200

export interface MailboxRetention {
  /** Retention of events; other rows have their expiry time. */
  eventsMs: number
  /** Retention of webhook deliveries; that of events by default. */
  webhookDeliveriesMs?: number
}

/** Drops expired rows in bounded steps. `seq` is unchanged, so numbers never repeat. @returns number of rows */
export async function sweepMailbox(
  store: Store,
  id: string,
  now: number,
  retention: MailboxRetention,
): Promise<number> {
  const events = await inSteps(() => dropEvents(store, id, now - retention.eventsMs))
  const deliveries = await sweepDeliveries(store, id, now - (retention.webhookDeliveriesMs ?? retention.eventsMs))
  return events + deliveries + (await inSteps(() => dropExpired(store, id, now)))
}

async function inSteps(step: () => Promise<number>): Promise<number> {
  let all = 0
  for (;;) {
    const dropped = await step()
    all += dropped
    if (dropped < STEP) return all
  }
}

function dropEvents(store: Store, id: string, olderThan: number): Promise<number> {
  return store.write(mailboxPartition(id), async (tx) => {
    const pairs = await tx.range({ ...eventsRange, limit: STEP })
    const young = pairs.findIndex(([, value]) => timeOfEvents(value) >= olderThan)
    const old = young === -1 ? pairs : pairs.slice(0, young)
    for (const [event] of old) tx.delete(event)
    return old.length
  })
}

function dropExpired(store: Store, id: string, now: number): Promise<number> {
  return store.write(mailboxPartition(id), async (tx) => {
    const pairs = await tx.range({ gte: expiryRange.gte, lt: expiryKey(now + 1, 'delivery', ''), limit: STEP })
    for (const [entry] of pairs) {
      tx.delete(entry)
      const [, , kindPart, name] = keyParts(entry)
      const kind = EXPIRING_KINDS.find((each) => each === kindPart)
      if (!kind) continue
      const record = expiringKey(kind, String(name))
      const stored = await readValue<{ expiresAt: number }>(tx, record)
      // A key reused after expiry has a new record with its own entry.
      if (stored && stored.expiresAt <= now) tx.delete(record)
    }
    return pairs.length
  })
}
