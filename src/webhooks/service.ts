/** All operations on webhooks, for the faces. */
import { keyAfter, keyParts } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { META_PARTITION, webhookListRange } from '../mailbox/keys.js'
import type { WebhookObject } from '../mailbox/webhooks/objects.js'
import type { Webhooks } from '../mailbox/webhooks/webhooks.js'
import type { ByHand } from './manual.js'

export interface WebhookService
  extends
    Pick<
      Webhooks,
      | 'checkUrl'
      | 'create'
      | 'list'
      | 'get'
      | 'change'
      | 'remove'
      | 'rotate'
      | 'replay'
      | 'deliveries'
      | 'delivery'
      | 'disable'
    >,
    ByHand {
  /** Webhooks of all mailboxes, for the operator. */
  all(): AsyncGenerator<WebhookObject>
}

const PAGE = 200

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
}): WebhookService {
  return {
    checkUrl: (url) => webhooks.checkUrl(url),
    list: (mailboxId) => webhooks.list(mailboxId),
    get: (...which) => webhooks.get(...which),
    change: (...wanted) => webhooks.change(...wanted),
    remove: (...which) => webhooks.remove(...which),
    rotate: (...wanted) => webhooks.rotate(...wanted),
    replay: (...wanted) => webhooks.replay(...wanted),
    deliveries: (...wanted) => webhooks.deliveries(...wanted),
    delivery: (...which) => webhooks.delivery(...which),
    disable: (...which) => webhooks.disable(...which),
    ...byHand,
    async create(mailboxId, wanted, createdBy, id) {
      const made = await webhooks.create(mailboxId, wanted, createdBy, id)
      await onMade(mailboxId)
      return made
    },
    async *all() {
      const { gte, lt } = webhookListRange
      for (let from = gte; ;) {
        const page = await store.read(META_PARTITION, (view) => view.range({ gte: from, lt, limit: PAGE }))
        for (const [listed] of page) yield* await webhooks.list(String(keyParts(listed)[1]))
        const last = page.at(-1)
        if (!last || page.length < PAGE) return
        from = keyAfter(last[0])
      }
    },
  }
}
