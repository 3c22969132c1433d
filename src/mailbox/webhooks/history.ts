import { z } from 'zod'
import { decodeCursor, encodeCursor } from '../../lib/cursor.js'
import { isId } from '../../lib/ids.js'
import type { Store } from '../../store/types.js'
import { readValues } from '../../store/values.js'
import { readEvent } from '../event-rows.js'
import { mailboxPartition, webhooksPartition } from '../keys.js'
import type { List, Page } from '../objects/objects.js'
import { deliveriesRange, deliveryKey, ulidOf } from './keys.js'
import {
  toAttemptObject,
  toDeliveryObject,
  toRequestObject,
  type DeliveryDetails,
  type DeliveryObject,
} from './objects.js'
import { noSuchDelivery } from './refusals.js'
import { readDelivery } from './rows.js'
import type { DeliveryRecord, DeliveryStatus } from './types.js'

export interface DeliveryQuery extends Page {
  status?: DeliveryStatus | undefined
}

/** More than are kept of one webhook (deliveries.ts). */
export const MAX_DELIVERIES = 2000
const deliveryPlace = z.string().length(26)

/** Newest first. */
export async function listDeliveries(
  store: Store,
  mailboxId: string,
  webhookId: string,
  { limit, cursor, status }: DeliveryQuery,
): Promise<List<DeliveryObject>> {
  const before = decodeCursor(cursor, deliveryPlace)
  const { gte, lt } = deliveriesRange(webhookId)
  const end = before === undefined ? lt : deliveryKey(webhookId, before)
  const range = { gte, lt: end, reverse: true, limit: status === undefined ? limit + 1 : MAX_DELIVERIES }
  const all = await store.read(webhooksPartition(mailboxId), (view) => readValues<DeliveryRecord>(view, range))
  const fitting = status === undefined ? all : all.filter((delivery) => delivery.status === status)
  const data = fitting.slice(0, limit)
  const last = data.at(-1)
  const hasMore = fitting.length > limit
  return {
    data: data.map((delivery) => toDeliveryObject(webhookId, delivery)),
    has_more: hasMore,
    next_cursor: hasMore && last ? encodeCursor(ulidOf(last.id)) : null,
  }
}

export async function showDelivery(
  store: Store,
  mailboxId: string,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryDetails> {
  const delivery = await mustReadDelivery(store, mailboxId, webhookId, deliveryId)
  const event = await store.read(mailboxPartition(mailboxId), (view) => readEvent(view, mailboxId, delivery.event.seq))
  return {
    ...toDeliveryObject(webhookId, delivery),
    request: delivery.request && toRequestObject(delivery.event.id, delivery.request),
    body: event ?? null,
    attempt_log: delivery.attempts.map(toAttemptObject),
  }
}

/** @throws ServiceError `not_found` */
export async function mustReadDelivery(
  store: Store,
  mailboxId: string,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryRecord> {
  const found = isId('dlv', deliveryId)
    ? await store.read(webhooksPartition(mailboxId), (view) => readDelivery(view, webhookId, deliveryId))
    : undefined
  if (!found) throw noSuchDelivery()
  return found
}
