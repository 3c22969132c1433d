/** Stores one message for several mailboxes, which share one reply. */
import { ServiceError } from '../../lib/errors.js'
import type { Delivery } from '../../mailbox/delivery/deliver.js'
import { isUnreachable } from '../../store/errors.js'
import { INTERNAL, MAILBOX_FULL, STORAGE_FAILED, type Reply } from '../../smtp/replies.js'
import type { Retries, TransmittedMessage } from './retries.js'
import type { Delivering, StoredAs } from './types.js'

/**
 * If one mailbox fails, the sender repeats the whole message. So quotas are checked before the first copy, and mailboxes that got it are remembered for the
 * retry.
 *
 * @param deliveryFor called once per mailbox that gets it now
 */
export async function storeForAll(
  { delivering: { mailboxes }, retries }: { delivering: Pick<Delivering, 'mailboxes'>; retries: Retries },
  message: TransmittedMessage,
  { mailboxIds, bytes }: { mailboxIds: string[]; bytes: number },
  deliveryFor: (mailboxId: string) => Delivery,
  isAbandoned: () => boolean,
): Promise<{ stored: StoredAs[]; failure?: { reply: Reply; error?: unknown } }> {
  const have = retries.have(message)
  const wanting = mailboxIds.filter((id) => !have.has(id))
  if (wanting.length > 1) {
    const records = await Promise.all(wanting.map((id) => mailboxes.directory.get(id)))
    const full = records.some((record) => record && !mailboxes.directory.hasRoom(record, bytes))
    if (full) return { stored: [], failure: { reply: MAILBOX_FULL } }
  }
  const results = await Promise.allSettled(
    wanting.map((mailboxId) => mailboxes.delivery.deliver(deliveryFor(mailboxId))),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed || isAbandoned()) {
    retries.remember(
      message,
      wanting.filter((_id, index) => results[index]?.status === 'fulfilled'),
    )
  } else retries.settle(message, mailboxIds)
  const stored = results.flatMap((result) =>
    result.status === 'fulfilled' ? [{ mailboxId: result.value.mailbox_id, messageId: result.value.id }] : [],
  )
  if (!failed) return { stored }
  const full = failed.reason instanceof ServiceError && failed.reason.code === 'quota_exceeded'
  return {
    stored,
    failure: full
      ? { reply: MAILBOX_FULL }
      : { reply: isUnreachable(failed.reason) ? INTERNAL : STORAGE_FAILED, error: failed.reason },
  }
}
