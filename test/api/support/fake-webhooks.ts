/** Webhooks for HTTP tests: the rules are the real ones, and requests to receivers are answered without a network. */
import { systemClock } from '../../../src/lib/clock.js'
import { appendEvent } from '../../../src/mailbox/events.js'
import { mailboxKey, mailboxPartition } from '../../../src/mailbox/keys.js'
import { putMailbox } from '../../../src/mailbox/mailbox-rows.js'
import { changeMailbox } from '../../../src/mailbox/record.js'
import type { MailboxRecord } from '../../../src/mailbox/mailbox-record.js'
import { createDeliveries } from '../../../src/mailbox/webhooks/deliveries.js'
import { createSecretBox } from '../../../src/mailbox/webhooks/secrets.js'
import type { Attempt } from '../../../src/mailbox/webhooks/types.js'
import { Webhooks } from '../../../src/mailbox/webhooks/webhooks.js'
import type { Store } from '../../../src/store/types.js'
import { createByHand } from '../../../src/webhooks/manual.js'
import { createWebhookService, type WebhookService } from '../../../src/webhooks/service.js'

const clock = systemClock
const TAKEN: Attempt = { at: 0, tookMs: 1, status: 204, problem: null, answer: '' }

/** Each webhook that is made gets one delivery, of an event that was refused. */
export function fakeWebhooks(store: Store, mailbox: MailboxRecord): WebhookService {
  const rules = { ports: [443], allowHttp: false, allowPrivateAddresses: false, own: 'mail.example.org:443' }
  const webhooks = new Webhooks({ store, clock, box: createSecretBox(Buffer.alloc(32)), rules, maxPerMailbox: 10 })
  const deliveries = createDeliveries({ store, clock, jitter: () => 0 })
  const service = createWebhookService({
    store,
    webhooks,
    byHand: createByHand({
      webhooks,
      deliveries,
      clock,
      sender: { send: async () => ({ attempt: { ...TAKEN, at: clock.now() }, request: null }) },
    }),
    onMade: async () => undefined,
  })
  return {
    ...service,
    async create(mailboxId, wanted, createdBy, id) {
      const exists = await store.read(mailboxPartition(mailboxId), (view) => view.get(mailboxKey))
      if (!exists) await store.write(mailboxPartition(mailboxId), (tx) => putMailbox(tx, undefined, mailbox))
      const made = await service.create(mailboxId, wanted, createdBy, id)
      const seq = await changeMailbox(store, mailboxId, async (_tx, record) => {
        appendEvent(record, clock.now(), 'message.received', {})
        return record.seq
      })
      const stored = await deliveries.event(mailboxId, seq)
      if (!stored) throw new Error('the event is not there')
      const { event } = stored
      const attempt: Attempt = { at: clock.now(), tookMs: 3, status: 500, problem: 'status 500', answer: 'oh' }
      const result = { event: { id: event.id, seq, type: event.type }, request: null, attempt }
      await deliveries.record(mailboxId, made.webhook.id, { epoch: 0, results: [result], cursor: seq })
      return made
    },
  }
}
