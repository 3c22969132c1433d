/** Deletes old deliveries of a mailbox's webhooks; their number is limited when they are written. */
import type { Store } from '../../store/types.js'
import { readValues } from '../../store/values.js'
import { webhooksPartition } from '../keys.js'
import { deliveriesRange } from './keys.js'
import { dropDelivery, putDeliveryState, readDeliveryState } from './rows.js'
import type { DeliveryRecord } from './types.js'
import { readAll } from './webhooks.js'

const STEP = 200

/** @returns their number. Waiting ones stay, however old */
export async function sweepDeliveries(store: Store, mailboxId: string, olderThan: number): Promise<number> {
  if ((await store.version(webhooksPartition(mailboxId))) === 0n) return 0
  let dropped = 0
  for (const { webhook, state } of await readAll(store, mailboxId)) {
    for (;;) {
      const some = await dropSome(store, mailboxId, webhook.id, state.waiting, olderThan)
      dropped += some
      if (some < STEP) break
    }
  }
  return dropped
}

function dropSome(
  store: Store,
  mailboxId: string,
  webhookId: string,
  waiting: number,
  olderThan: number,
): Promise<number> {
  return store.write(webhooksPartition(mailboxId), async (tx) => {
    const oldest = await readValues<DeliveryRecord>(tx, { ...deliveriesRange(webhookId), limit: STEP + waiting })
    const old = oldest.filter(({ status, createdAt }) => status !== 'waiting' && createdAt < olderThan).slice(0, STEP)
    if (old.length === 0) return 0
    const state = await readDeliveryState(tx, webhookId)
    for (const delivery of old) dropDelivery(tx, webhookId, state, delivery)
    putDeliveryState(tx, webhookId, state)
    return old.length
  })
}
