/** Webhooks: their settings, and the delivery of events. */
import { baseUrl, ownPorts } from '../../config/derived.js'
import { SECOND } from '../../lib/clock.js'
import { portOf } from '../../lib/url.js'
import { readMailbox } from '../../mailbox/record.js'
import { createDeliveries } from '../../mailbox/webhooks/deliveries.js'
import { createSecretBox } from '../../mailbox/webhooks/secrets.js'
import { Webhooks } from '../../mailbox/webhooks/webhooks.js'
import { createByHand } from '../../webhooks/manual.js'
import { startDispatcher, type Dispatcher } from '../../webhooks/dispatcher.js'
import { attemptLine } from '../../webhooks/attempt-line.js'
import { measureWebhooks } from '../../webhooks/metrics.js'
import { createRoom } from '../../webhooks/concurrency.js'
import { createSender } from '../../webhooks/sender.js'
import { createWebhookService } from '../../webhooks/service.js'
import { createDisabledNotice } from '../../webhooks/notices.js'
import type { Ground } from '../layers/ground.js'
import type { AccountServices } from '../layers/account-services.js'
import type { Stops } from '../layers/stops.js'

export function startWebhooks(
  ground: Ground,
  { accounts, letters }: AccountServices,
  version: string,
  { active, rest }: Stops,
) {
  const { config, store, clock, secrets, resolver, metrics, part } = ground
  const { server, webhooks: settings } = config
  const log = part('webhooks')
  const base = new URL(server.base_url)
  const rules = {
    ports: settings.ports,
    allowHttp: settings.allow_http,
    allowPrivateAddresses: settings.allow_private_addresses,
    own: `${base.hostname}:${portOf(base)}`,
    ownPorts: ownPorts(config),
  }
  const box = createSecretBox(secrets.webhookKey)
  const deliveries = createDeliveries({ store, clock, jitter: () => Math.random() * 2 - 1 })
  const webhooks = new Webhooks({ store, clock, box, rules, maxPerMailbox: settings.per_mailbox })
  const sender = createSender({
    resolver,
    clock,
    box,
    rules,
    room: createRoom({ all: settings.connections, perAddress: settings.connections_per_address }),
    timeoutMs: settings.timeout_seconds * SECOND,
    userAgent: `Restante/${version} (webhooks; ${base.host})`,
  })
  rest.push(async () => sender.close())
  const started: { dispatcher?: Dispatcher } = {}
  const measure = measureWebhooks(metrics, () => started.dispatcher)
  const dispatcher = startDispatcher({
    store,
    shards: ground.shards,
    clock,
    deliveries,
    sender,
    async isActive(mailboxId) {
      const mailbox = await readMailbox(store, mailboxId)
      const accountId = mailbox?.accountId ?? null
      if (mailbox?.paused?.what === 'all') return false
      return accountId !== null && (await accounts.get(accountId))?.status === 'active'
    },
    notifyDisabled: createDisabledNotice({
      store,
      clock,
      accounts,
      letters,
      audit: ground.audit,
      deliveries,
      baseUrl: baseUrl(config),
    }),
    onResult(result, about) {
      measure(result)
      log.info(attemptLine(result, about), 'webhook attempt')
    },
    onError: (err, webhookId) => log.error({ err, webhook_id: webhookId }, 'a webhook failed; it is tried again'),
  })
  started.dispatcher = dispatcher
  active.push(() => dispatcher.stop(AbortSignal.timeout(server.shutdown_seconds * SECOND)))
  const byHand = createByHand({ webhooks, deliveries, sender, clock, shared: ground.shared })
  return {
    webhooks: createWebhookService({ store, webhooks, byHand, onMade: dispatcher.look }),
    /** Checks every webhook, for lost hints. */
    checkAll: () => dispatcher.checkAll(),
  }
}
