/** Rows of webhooks within a read or transaction, and the effect of an attempt on a delivery. */
import { MINUTE } from '../../lib/clock.js'
import { encode } from '../../store/keys.js'
import type { Transaction, View } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { isAboutSpam, isWantedType } from '../event-filter.js'
import type { Event } from '../objects/objects.js'
import { EMPTY_VALUE } from '../keys.js'
import { deliveryKey, dueKey, duesRange, dueUlid, stateKey, ulidOf, webhookKey } from './keys.js'
import { MAX_RETRY_AFTER_MS, nextWebhookWait } from './schedule.js'
import { isTaken, type AttemptResult, type DeliveryRecord, type DeliveryState, type WebhookRecord } from './types.js'

export const MAX_WAITING = 500
/** Newest attempts kept per delivery. */
const MAX_ATTEMPTS_KEPT = 20
/** A delivery that failed when its receiver seemed to be back is not retried sooner. */
const AFTER_HASTE_MS = 5 * MINUTE

export const readWebhook = (view: View, id: string): Promise<WebhookRecord | undefined> =>
  readValue(view, webhookKey(id))

export function putWebhook(tx: Transaction, webhook: WebhookRecord): void {
  tx.put(webhookKey(webhook.id), encode(webhook))
}

/** @throws Error if missing: it is written with its webhook */
export async function readDeliveryState(view: View, id: string): Promise<DeliveryState> {
  const state = await readValue<DeliveryState>(view, stateKey(id))
  if (!state) throw new Error(`webhook ${id} has no state`)
  return state
}

export function putDeliveryState(tx: Transaction, id: string, state: DeliveryState): void {
  tx.put(stateKey(id), encode(state))
}

export function newDeliveryState(cursor: number): DeliveryState {
  return {
    cursor,
    epoch: 0,
    reached: cursor,
    kept: 0,
    waiting: 0,
    failures: 0,
    failingSince: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    pausedUntil: 0,
    hastenedAt: 0,
    missed: null,
  }
}

export const readDelivery = (view: View, webhookId: string, deliveryId: string): Promise<DeliveryRecord | undefined> =>
  readValue(view, deliveryKey(webhookId, ulidOf(deliveryId)))

/** An event has one delivery per webhook, however many attempts. */
export const deliveryIdOf = (eventId: string): string => `dlv_${ulidOf(eventId)}`

/** Writes a delivery and updates the counts. */
export function putDelivery(
  tx: Transaction,
  webhookId: string,
  state: DeliveryState,
  before: DeliveryRecord | undefined,
  after: DeliveryRecord,
): void {
  const ulid = ulidOf(after.id)
  if (before && before.dueAt !== null && before.dueAt !== after.dueAt) tx.delete(dueKey(webhookId, before.dueAt, ulid))
  if (after.dueAt !== null) tx.put(dueKey(webhookId, after.dueAt, ulid), EMPTY_VALUE)
  tx.put(deliveryKey(webhookId, ulid), encode(after))
  if (!before) state.kept++
  state.waiting += Number(after.status === 'waiting') - Number(before?.status === 'waiting')
}

export function dropDelivery(
  tx: Transaction,
  webhookId: string,
  state: DeliveryState,
  { id, dueAt, status }: DeliveryRecord,
): void {
  tx.delete(deliveryKey(webhookId, ulidOf(id)))
  if (dueAt !== null) tx.delete(dueKey(webhookId, dueAt, ulidOf(id)))
  state.kept--
  state.waiting -= Number(status === 'waiting')
}

/** Makes waiting deliveries due; the attempt is additional to the schedule. */
export async function hasten(tx: Transaction, webhookId: string, state: DeliveryState, now: number): Promise<void> {
  state.hastenedAt = now
  const { lt } = duesRange(webhookId)
  const pairs = await tx.range({ gte: dueKey(webhookId, now + 1, ''), lt, limit: MAX_WAITING })
  for (const [key] of pairs) {
    const row = await readDelivery(tx, webhookId, dueUlid(key))
    if (!row || row.dueAt === null) continue
    const hastenedFrom = row.hastenedFrom ?? row.dueAt
    putDelivery(tx, webhookId, state, row, { ...row, dueAt: now, hastenedFrom })
  }
}

export function isWanted(
  { events, includeSpam }: Pick<WebhookRecord, 'events' | 'includeSpam'>,
  event: Pick<Event, 'type' | 'data'>,
): boolean {
  return isWantedType(event.type, events && new Set(events)) && (includeSpam === true || !isAboutSpam(event))
}

/** @param before undefined for the first attempt @param epoch in which the attempt began @param jitter in [-1, 1) */
export function afterAttempt(
  before: DeliveryRecord | undefined,
  result: AttemptResult,
  epoch: number,
  now: number,
  jitter: number,
): DeliveryRecord {
  const { event, attempt, request } = result
  // A replayed event starts over, unless still waiting, and keeps its attempts.
  const isAnew = !before || (!attempt.byHand && before.epoch !== epoch && before.status !== 'waiting')
  const delivery: DeliveryRecord = {
    id: deliveryIdOf(event.id),
    event,
    epoch: before && attempt.byHand ? before.epoch : epoch,
    status: isAnew ? 'waiting' : before.status,
    made: isAnew ? 0 : before.made,
    dueAt: isAnew ? null : before.dueAt,
    createdAt: before?.createdAt ?? attempt.at,
    request: request ?? before?.request ?? null,
    attempts: [...(before?.attempts ?? []), attempt].slice(-MAX_ATTEMPTS_KEPT),
  }
  if (isTaken(attempt)) return { ...delivery, status: 'succeeded', dueAt: null }
  if (result.isLast) return { ...delivery, status: 'failed', dueAt: null }
  // Failures of manual attempts have no effect.
  if (attempt.byHand) {
    if (!before) return { ...delivery, status: 'failed' }
    return before.hastenedFrom === undefined ? delivery : { ...delivery, hastenedFrom: before.hastenedFrom }
  }
  if (!isAnew && before.hastenedFrom !== undefined) {
    return { ...delivery, dueAt: Math.max(before.hastenedFrom, now + AFTER_HASTE_MS) }
  }
  const made = delivery.made + 1
  const wait = nextWebhookWait(made, jitter)
  if (wait === undefined) return { ...delivery, made, status: 'failed', dueAt: null }
  const asked = Math.min(result.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)
  return { ...delivery, made, status: 'waiting', dueAt: now + Math.max(wait, asked) }
}
