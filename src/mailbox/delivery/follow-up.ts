/** Work that a message makes beside being stored. It is queued in the commit that stores the message, so that no crash leaves it undone. */
import type { Transaction } from '../../store/types.js'
import type { Delivery } from './deliver.js'

export interface FollowUp {
  /** The id that the message is to have, which the work is queued under. */
  messageId: string
  queue(tx: Transaction): void
}

/** Undefined where the message is only to be stored. */
export type FollowUps = (delivery: Delivery) => FollowUp | undefined

/** The delivery with what follows from it. */
export function withFollowUp(delivery: Delivery, followUps: FollowUps | undefined): Delivery {
  const work = followUps?.(delivery)
  if (!work) return delivery
  const also = (tx: Transaction): void => {
    work.queue(tx)
    delivery.also?.(tx)
  }
  return { ...delivery, messageId: work.messageId, also }
}
