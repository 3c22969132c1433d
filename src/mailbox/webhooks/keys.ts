/**
 * The key layout of a mailbox's webhooks. They are in the partition `webhooks/<mailbox id>`, and not in the mailbox's own, so that recording a
 * delivery neither wakes long polls nor waits behind the mailbox's commits.
 *
 * | key                                   | value          | read by                                                        |
 * | ------------------------------------- | -------------- | -------------------------------------------------------------- |
 * | `webhook` · id                        | WebhookRecord  | what its owner set, and its secrets, encrypted                 |
 * | `state` · id                          | DeliveryState  | how far its deliveries are                                     |
 * | `delivery` · webhook · ULID           | DeliveryRecord | one delivery: the ULID is that of its event's id, and of its own |
 * | `due` · webhook · time · ULID         | (empty)        | deliveries that wait for their next attempt                    |
 */
import { key, keyParts, prefixRange } from '../../store/keys.js'

interface Range {
  gte: Uint8Array
  lt: Uint8Array
}

export const webhookKey = (id: string): Uint8Array => key('webhook', id)
export const webhooksRange = prefixRange('webhook')
export const stateKey = (id: string): Uint8Array => key('state', id)
export const deliveryKey = (webhookId: string, ulid: string): Uint8Array => key('delivery', webhookId, ulid)
export const deliveriesRange = (webhookId: string): Range => prefixRange('delivery', webhookId)
export const dueKey = (webhookId: string, at: number, ulid: string): Uint8Array => key('due', webhookId, at, ulid)
export const duesRange = (webhookId: string): Range => prefixRange('due', webhookId)
export const dueUlid = (row: Uint8Array): string => String(keyParts(row)[3])

/** Shared by an event and its deliveries. */
export const ulidOf = (id: string): string => id.slice(-26)
