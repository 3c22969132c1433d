/** All operations on webhooks, for the faces. */
import { keyParts } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { pagesOf } from '../store/pages.js'
import { META_PARTITION, webhookListRange } from '../mailbox/keys.js'
import type { WebhookObject } from '../mailbox/webhooks/objects.js'
import type { NewWebhook, Webhooks } from '../mailbox/webhooks/webhooks.js'
import type { ByHand } from './manual.js'

export type WebhookService = ReturnType<typeof createWebhookService>

export function createWebhookService({
  store,
  webhooks,
  byHand,
  onMade,
}: {
  store: Store
  webhooks: Webhooks
  byHand: ByHand
  /** Called when a webhook was created in a mailbox. */
  onMade: (mailboxId: string) => Promise<void>
}) {
  return {
    checkUrl: webhooks.checkUrl.bind(webhooks),
    list: webhooks.list.bind(webhooks),
    get: webhooks.get.bind(webhooks),
    change: webhooks.change.bind(webhooks),
    remove: webhooks.remove.bind(webhooks),
    rotate: webhooks.rotate.bind(webhooks),
    replay: webhooks.replay.bind(webhooks),
    deliveries: webhooks.deliveries.bind(webhooks),
    delivery: webhooks.delivery.bind(webhooks),
    disable: webhooks.disable.bind(webhooks),
    ...byHand,
    async create(mailboxId: string, wanted: NewWebhook, createdBy: string, id: string) {
      const made = await webhooks.create(mailboxId, wanted, createdBy, id)
      await onMade(mailboxId)
      return made
    },
    /** Webhooks of all mailboxes, for the operator. */
    async *all(): AsyncGenerator<WebhookObject> {
      for await (const page of pagesOf(store, META_PARTITION, webhookListRange))
        for (const [listed] of page) yield* await webhooks.list(String(keyParts(listed)[1]))
    },
  }
}
