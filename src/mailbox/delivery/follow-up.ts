/** Work that a message causes, queued in the commit that stores it, so that no crash loses it. */
import type { Transaction } from '../../store/types.js'
import type { Delivery } from './deliver.js'

export interface FollowUp {
  /** Id for the message, under which the work is queued. */
  messageId: string
  queue(tx: Transaction): void
}

export type FollowUps = (delivery: Delivery) => FollowUp | undefined

export function withFollowUp(delivery: Delivery, followUps: FollowUps | undefined): Delivery {
  const work = followUps?.(delivery)
  if (!work) return delivery
  const also = (tx: Transaction): void => {
    work.queue(tx)
    delivery.also?.(tx)
  }
  return { ...delivery, messageId: work.messageId, also }
}
