/** Stored state of webhook deliveries; the process may die between any two commits: events after the cursor are delivered (again) with the same id. */
import { type Clock, MINUTE } from '../../lib/clock.js'
import { decode, keyParts } from '../../store/keys.js'
import type { Store, Transaction } from '../../store/types.js'
import { readEvent, readEventsAfter, withBody, type StoredEvent } from '../event-rows.js'
import { mailboxPartition, webhooksPartition } from '../keys.js'
import { nextSeq } from '../events.js'
import type { Event } from '../objects/objects.js'
import { mailboxOf } from '../record.js'
import { deliveriesRange, deliveryKey, dueKey, duesRange, dueUlid, ulidOf } from './keys.js'
import {
  afterAttempt,
  dropDelivery,
  hasten,
  putDelivery,
  putDeliveryState,
  putWebhook,
  readDelivery,
  readDeliveryState,
  readWebhook,
} from './rows.js'
import { DISABLED_AFTER_MS, MAX_RETRY_AFTER_MS } from './schedule.js'
import { isTaken, type AttemptResult, type DeliveryRecord, type DeliveryState, type WebhookRecord } from './types.js'

/** Newest deliveries kept per webhook; somewhat more until the next trim. */
export const DELIVERIES_KEPT = 1000
const TRIM_STEP = 100
/** Failures in a row after which a success means the receiver is back: waiting deliveries become due at once. */
const OUTAGE_FAILURES = 5
const HASTEN_EVERY_MS = 10 * MINUTE
const STATUS_GONE = 410

export interface LoadedWebhook {
  webhook: WebhookRecord
  state: DeliveryState
}

export interface DeliveriesDeps {
  store: Store
  clock: Clock
  jitter: () => number
}

export type Deliveries = ReturnType<typeof createDeliveries>

export function createDeliveries({ store, clock, jitter }: DeliveriesDeps) {
  return {
    /** Undefined if the webhook is gone. */
    load: (mailboxId: string, webhookId: string): Promise<LoadedWebhook | undefined> =>
      store.read(webhooksPartition(mailboxId), async (view) => {
        const webhook = await readWebhook(view, webhookId)
        return webhook && { webhook, state: await readDeliveryState(view, webhookId) }
      }),

    /** Events after `after`, oldest first, the number of the first one if none was dropped, and the newest number. Undefined if the mailbox is gone. */
    eventsAfter: (
      mailboxId: string,
      after: number,
      limit: number,
    ): Promise<{ events: StoredEvent[]; next: number; newest: number } | undefined> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const mailbox = await mailboxOf(view)
        if (!mailbox) return undefined
        const next = nextSeq(mailbox, after)
        const newest = mailbox.seq
        if (newest <= after) return { events: [], next, newest }
        const { events } = await readEventsAfter(view, mailboxId, after, limit)
        return { events: events.map(withBody), next, newest }
      }),

    /** Undefined if expired. */
    event: (mailboxId: string, seq: number): Promise<StoredEvent | undefined> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const event = await readEvent(view, mailboxId, seq)
        return event && withBody(event)
      }),

    /** Ids of the events that were delivered in this epoch or are waiting. */
    async begunOf(mailboxId: string, webhookId: string, epoch: number, events: Event[]): Promise<Set<string>> {
      const rows = await store.read(webhooksPartition(mailboxId), (view) =>
        view.getMany(events.map(({ id }) => deliveryKey(webhookId, ulidOf(id)))),
      )
      const begun = rows.flatMap((row) => (row ? [decode<DeliveryRecord>(row)] : []))
      return new Set(begun.filter((row) => row.epoch === epoch).map(({ event }) => event.id))
    },

    /** Due deliveries, earliest first, and when the next one is due. */
    due: (
      mailboxId: string,
      webhookId: string,
      limit: number,
    ): Promise<{ due: DeliveryRecord[]; nextAt: number | undefined }> =>
      store.read(webhooksPartition(mailboxId), async (view) => {
        const now = clock.now()
        const { gte, lt } = duesRange(webhookId)
        const [next] = await view.range({ gte: dueKey(webhookId, now + 1, ''), lt, limit: 1 })
        const pairs = await view.range({ gte, lt: dueKey(webhookId, now + 1, ''), limit })
        const rows = await view.getMany(pairs.map(([key]) => deliveryKey(webhookId, dueUlid(key))))
        return {
          due: rows.flatMap((row) => (row ? [decode<DeliveryRecord>(row)] : [])),
          nextAt: next && Number(keyParts(next[0])[2]),
        }
      }),

    /**
     * Records results of attempts and progress in one commit.
     *
     * @param epoch in which they began; the cursor moves only if it is current
     * @param cursor events up to it are delivered, waiting or unwanted; `missed` were dropped unsent
     * @returns the new state; undefined if the webhook is gone
     */
    record: (
      mailboxId: string,
      webhookId: string,
      {
        epoch,
        results,
        cursor,
        missed,
      }: {
        epoch: number
        results: readonly AttemptResult[]
        cursor?: number | undefined
        missed?: DeliveryState['missed']
      },
    ): Promise<LoadedWebhook | undefined> =>
      store.write(webhooksPartition(mailboxId), async (tx) => {
        const webhook = await readWebhook(tx, webhookId)
        if (!webhook) return undefined
        const state = await readDeliveryState(tx, webhookId)
        const now = clock.now()
        for (const result of results) {
          // This may make waiting deliveries due, including this one.
          await count(tx, webhookId, state, result, now)
          const before = await readDelivery(tx, webhookId, result.event.id)
          const after = afterAttempt(before, result, epoch, now, jitter())
          putDelivery(tx, webhookId, state, before, after)
          state.reached = Math.max(state.reached, result.event.seq)
          disableIfDue(webhook, state, result, after, now)
        }
        if (epoch === state.epoch) {
          if (cursor !== undefined) state.cursor = Math.max(state.cursor, cursor)
          if (missed) state.missed = missed
        }
        if (state.kept >= DELIVERIES_KEPT + TRIM_STEP) await trim(tx, webhookId, state)
        if (webhook.disabled?.untold) putWebhook(tx, webhook)
        putDeliveryState(tx, webhookId, state)
        return { webhook, state }
      }),

    /** Records that event and letter about disabling were sent. */
    toldOfDisabling: (mailboxId: string, webhookId: string, at: number): Promise<void> =>
      store.write(webhooksPartition(mailboxId), async (tx) => {
        const webhook = await readWebhook(tx, webhookId)
        if (webhook?.disabled?.at !== at) return
        const { reason } = webhook.disabled
        putWebhook(tx, { ...webhook, disabled: { at, reason } })
      }),
  }
}

async function count(
  tx: Transaction,
  webhookId: string,
  state: DeliveryState,
  { attempt, retryAfterMs, isLast }: AttemptResult,
  now: number,
): Promise<void> {
  if (isTaken(attempt)) {
    const isBack = state.failures >= OUTAGE_FAILURES && now >= state.hastenedAt + HASTEN_EVERY_MS
    if (isBack && state.waiting > 0) await hasten(tx, webhookId, state, now)
    state.failures = 0
    state.failingSince = null
    state.lastSuccessAt = attempt.at
    return
  }
  if (isLast) return
  state.failures++
  state.failingSince ??= attempt.at
  state.lastFailureAt = attempt.at
  if (retryAfterMs !== undefined) {
    state.pausedUntil = Math.max(state.pausedUntil, now + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))
  }
}

function disableIfDue(
  webhook: WebhookRecord,
  state: DeliveryState,
  { attempt }: AttemptResult,
  delivery: DeliveryRecord,
  now: number,
): void {
  if (webhook.disabled || isTaken(attempt)) return
  const isGone = attempt.status === STATUS_GONE
  const { failingSince } = state
  const isDead = delivery.status === 'failed' && failingSince !== null && now - failingSince >= DISABLED_AFTER_MS
  if (!isGone && (!isDead || attempt.byHand)) return
  webhook.disabled = { at: now, reason: isGone ? 'gone' : 'failing', untold: true }
  webhook.updatedAt = now
}

/** Deletes the oldest finished ones. */
async function trim(tx: Transaction, webhookId: string, state: DeliveryState): Promise<void> {
  const limit = TRIM_STEP + state.waiting
  for (const [, value] of await tx.range({ ...deliveriesRange(webhookId), limit })) {
    if (state.kept <= DELIVERIES_KEPT) return
    const row = decode<DeliveryRecord>(value)
    if (row.status !== 'waiting') dropDelivery(tx, webhookId, state, row)
  }
}
