/** Webhooks as their owners manage them: settings, secrets, deliveries and replays. */
import { readEventsAfter } from '../event-rows.js'
import { type Clock, HOUR } from '../../lib/clock.js'
import { invalidRequest, notFound, ServiceError } from '../../lib/errors.js'
import { isId } from '../../lib/ids.js'
import type { Store, Transaction } from '../../store/types.js'
import { readValues } from '../../store/values.js'
import { EMPTY_VALUE, mailboxPartition, META_PARTITION, webhookListKey, webhooksPartition } from '../keys.js'
import type { EventType, List } from '../objects/objects.js'
import { mailboxOf } from '../record.js'
import { listDeliveries, MAX_DELIVERIES, mustReadDelivery, showDelivery, type DeliveryQuery } from './history.js'
import { deliveriesRange, duesRange, dueUlid, stateKey, webhookKey, webhooksRange } from './keys.js'
import { toWebhookObject, type DeliveryDetails, type DeliveryObject, type WebhookObject } from './objects.js'
import {
  hasten,
  isWanted,
  MAX_WAITING,
  newDeliveryState,
  putDelivery,
  putDeliveryState,
  putWebhook,
  readDelivery,
  readDeliveryState,
  readWebhook,
} from './rows.js'
import { cannotReplay, noSuchWebhook, tooMany } from './refusals.js'
import type { SealedSecret, SecretBox } from './secrets.js'
import type { DeliveryRecord, DeliveryState, DisabledReason, WebhookRecord } from './types.js'
import { checkWebhookUrl, type UrlRules } from './url.js'

/** Both secrets sign for this long after a rotation. */
export const OLD_SECRET_HOURS = 24
/** Max secrets of one webhook that sign at once. */
const MAX_SECRETS = 3
const MAX_COUNTED = 1000
const MAX_READ = 1000
const READ_STEP = 200
export interface NewWebhook {
  url: string
  /** Null for all. */
  events: EventType[] | null
  includeSpam?: boolean | undefined
  description: string
}

export interface WebhookChange extends Partial<NewWebhook> {
  enabled?: boolean | undefined
  /** With `enabled`: skips missed events. */
  skipMissed?: boolean | undefined
}

export interface WebhooksDeps {
  store: Store
  clock: Clock
  box: SecretBox
  rules: UrlRules
  maxPerMailbox: number
}

export class Webhooks {
  readonly #deps: WebhooksDeps

  constructor(deps: WebhooksDeps) {
    this.#deps = deps
  }

  /**
   * Starts with the next event.
   *
   * @param createdBy id of the key
   * @param id for the webhook; an existing one, from a try without an answer, gets a new secret
   * @throws ServiceError `invalid_request`, `not_found`
   */
  async create(
    mailboxId: string,
    { url, events, includeSpam, description }: NewWebhook,
    createdBy: string,
    id: string,
  ): Promise<{ webhook: WebhookObject; secret: string }> {
    const checked = this.#checkedUrl(url)
    const now = this.#deps.clock.now()
    const { text, stored } = this.#deps.box.make(id, now)
    const fresh: WebhookRecord = {
      id,
      url: checked,
      events,
      ...(includeSpam ? { includeSpam } : {}),
      description,
      createdBy,
      createdAt: now,
      updatedAt: now,
      disabled: null,
      secrets: [stored],
    }
    const partitions = [webhooksPartition(mailboxId), mailboxPartition(mailboxId)]
    const { webhook, state } = await this.#deps.store.write(partitions, async (tx) => {
      const mailbox = await mailboxOf(tx.in(mailboxPartition(mailboxId)))
      if (!mailbox) throw notFound('mailbox')
      const before = await readWebhook(tx, id)
      const there = await tx.range({ ...webhooksRange, limit: MAX_READ })
      if (!before && there.length >= this.#deps.maxPerMailbox) throw tooMany(this.#deps.maxPerMailbox)
      const webhook = before ? { ...before, secrets: fresh.secrets } : fresh
      const state = before ? await readDeliveryState(tx, id) : newDeliveryState(mailbox.seq)
      putWebhook(tx, webhook)
      putDeliveryState(tx, id, state)
      tx.blind(META_PARTITION).put(webhookListKey(mailboxId), EMPTY_VALUE)
      return { webhook, state }
    })
    return { webhook: await this.#shown(mailboxId, webhook, state), secret: text }
  }

  /** @throws ServiceError `invalid_request` for a forbidden URL */
  checkUrl(url: string): void {
    this.#checkedUrl(url)
  }

  /** Oldest first. */
  async list(mailboxId: string): Promise<WebhookObject[]> {
    const found = await readAll(this.#deps.store, mailboxId)
    return Promise.all(found.map(({ webhook, state }) => this.#shown(mailboxId, webhook, state)))
  }

  /** @throws ServiceError `not_found`, as do the next ones */
  async get(mailboxId: string, webhookId: string): Promise<WebhookObject> {
    const { webhook, state } = await this.record(mailboxId, webhookId)
    return this.#shown(mailboxId, webhook, state)
  }

  async record(mailboxId: string, webhookId: string): Promise<{ webhook: WebhookRecord; state: DeliveryState }> {
    const loaded = await this.#deps.store.read(webhooksPartition(mailboxId), async (view) => {
      const webhook = isId('whk', webhookId) ? await readWebhook(view, webhookId) : undefined
      return webhook && { webhook, state: await readDeliveryState(view, webhookId) }
    })
    if (!loaded) throw noSuchWebhook()
    return loaded
  }

  async change(mailboxId: string, webhookId: string, wanted: WebhookChange): Promise<WebhookObject> {
    const before = await this.record(mailboxId, webhookId)
    const url = wanted.url === undefined ? undefined : this.#checkedUrl(wanted.url)
    const wantsOthers = wanted.events !== undefined || wanted.includeSpam !== undefined
    const passed = wantsOthers ? await this.#passedOver(mailboxId, before.webhook, before.state.cursor) : 0
    const newest = (await this.#deps.store.read(mailboxPartition(mailboxId), mailboxOf))?.seq ?? 0
    await this.#change(mailboxId, webhookId, async (tx, webhook, state) => {
      const now = this.#deps.clock.now()
      if (url !== undefined) webhook.url = url
      if (wanted.description !== undefined) webhook.description = wanted.description
      if (wantsOthers) {
        // Events skipped before are not delivered now.
        if (before.state.epoch === state.epoch) state.cursor = Math.max(state.cursor, passed)
        if (wanted.events !== undefined) webhook.events = wanted.events
        if (wanted.includeSpam === true) webhook.includeSpam = true
        if (wanted.includeSpam === false) delete webhook.includeSpam
        // Work under the old types moves the cursor no more.
        state.epoch++
      }
      if (wanted.enabled === false) webhook.disabled ??= { at: now, reason: 'asked' }
      if (wanted.enabled === true) {
        if (webhook.disabled) {
          webhook.disabled = null
          Object.assign(state, { failures: 0, failingSince: null, pausedUntil: 0 })
          await hasten(tx, webhookId, state, now)
        }
        if (wanted.skipMissed) await skip(tx, webhookId, state, newest)
      }
      webhook.updatedAt = now
    })
    return this.get(mailboxId, webhookId)
  }

  /** Deletes it with its deliveries; nothing more is sent. */
  async remove(mailboxId: string, webhookId: string): Promise<void> {
    await this.record(mailboxId, webhookId)
    await this.#deps.store.write(webhooksPartition(mailboxId), async (tx) => {
      tx.delete(webhookKey(webhookId))
      tx.delete(stateKey(webhookId))
      for (const range of [deliveriesRange(webhookId), duesRange(webhookId)])
        for (const [row] of await tx.range({ ...range, limit: MAX_DELIVERIES })) tx.delete(row)
    })
  }

  /** Creates a new secret and key; the old ones keep signing for a time. @throws ServiceError `rate_limited` */
  async rotate(
    mailboxId: string,
    webhookId: string,
    oldHours: number,
  ): Promise<{ webhook: WebhookObject; secret: string }> {
    await this.record(mailboxId, webhookId)
    const now = this.#deps.clock.now()
    const { text, stored } = this.#deps.box.make(webhookId, now)
    await this.#change(mailboxId, webhookId, async (_tx, webhook) => {
      webhook.secrets = [stored, ...stillSigning(webhook.secrets, oldHours, now)]
      webhook.updatedAt = now
    })
    return { webhook: await this.get(mailboxId, webhookId), secret: text }
  }

  /** Delivers every event after `after`, again or for the first time. @throws ServiceError `invalid_request` */
  async replay(mailboxId: string, webhookId: string, after: number): Promise<WebhookObject> {
    await this.record(mailboxId, webhookId)
    const { newest, oldest } = await this.#deps.store.read(mailboxPartition(mailboxId), async (view) => {
      const [first] = (await readEventsAfter(view, mailboxId, 0, 1)).events
      const newest = (await mailboxOf(view))?.seq ?? 0
      return { newest, oldest: first?.seq ?? newest + 1 }
    })
    if (after > newest || after + 1 < oldest) throw cannotReplay(oldest, newest)
    await this.#change(mailboxId, webhookId, async (_tx, _webhook, state) => {
      state.cursor = after
      state.epoch++
    })
    return this.get(mailboxId, webhookId)
  }

  /** Newest first. */
  async deliveries(mailboxId: string, webhookId: string, query: DeliveryQuery): Promise<List<DeliveryObject>> {
    await this.record(mailboxId, webhookId)
    return listDeliveries(this.#deps.store, mailboxId, webhookId, query)
  }

  async delivery(mailboxId: string, webhookId: string, deliveryId: string): Promise<DeliveryDetails> {
    await this.record(mailboxId, webhookId)
    return showDelivery(this.#deps.store, mailboxId, webhookId, deliveryId)
  }

  deliveryRecord(mailboxId: string, webhookId: string, deliveryId: string): Promise<DeliveryRecord> {
    return mustReadDelivery(this.#deps.store, mailboxId, webhookId, deliveryId)
  }

  async disable(mailboxId: string, webhookId: string, reason: DisabledReason): Promise<WebhookObject> {
    await this.record(mailboxId, webhookId)
    await this.#change(mailboxId, webhookId, async (_tx, webhook) => {
      const now = this.#deps.clock.now()
      webhook.disabled ??= { at: now, reason, untold: true }
      webhook.updatedAt = now
    })
    return this.get(mailboxId, webhookId)
  }

  /** @throws ServiceError `not_found` */
  #change<T>(
    mailboxId: string,
    webhookId: string,
    fn: (tx: Transaction, webhook: WebhookRecord, state: DeliveryState) => Promise<T>,
  ): Promise<T> {
    return this.#deps.store.write(webhooksPartition(mailboxId), async (tx) => {
      const webhook = await readWebhook(tx, webhookId)
      if (!webhook) throw noSuchWebhook()
      const state = await readDeliveryState(tx, webhookId)
      const result = await fn(tx, webhook, state)
      putWebhook(tx, webhook)
      putDeliveryState(tx, webhookId, state)
      return result
    })
  }

  async #shown(mailboxId: string, webhook: WebhookRecord, state: DeliveryState): Promise<WebhookObject> {
    const { events } = await this.#deps.store.read(mailboxPartition(mailboxId), (view) =>
      readEventsAfter(view, mailboxId, state.cursor, MAX_COUNTED),
    )
    const waiting = events.filter((event) => isWanted(webhook, event)).length
    return toWebhookObject(mailboxId, webhook, state, waiting, this.#deps.clock.now())
  }

  /** @throws ServiceError `invalid_request` */
  #checkedUrl(url: string): string {
    const checked = checkWebhookUrl(url, this.#deps.rules)
    if (typeof checked === 'string')
      throw invalidRequest(`The URL can't be used: it ${checked}`, 'Give a URL at which your receiver is reached.', [
        { field: 'url', problem: `It ${checked}` },
      ])
    return checked.href
  }

  /** The last event before the first wanted one after the cursor; such progress need not be stored. */
  async #passedOver(mailboxId: string, webhook: WebhookRecord, cursor: number): Promise<number> {
    for (let at = cursor; ;) {
      const { events, more } = await this.#deps.store.read(mailboxPartition(mailboxId), (view) =>
        readEventsAfter(view, mailboxId, at, READ_STEP),
      )
      for (const event of events) {
        if (isWanted(webhook, event)) return at
        at = event.seq
      }
      if (!more) return at
    }
  }
}

/** Webhooks of a mailbox with their state, oldest first. */
export function readAll(store: Store, mailboxId: string): Promise<{ webhook: WebhookRecord; state: DeliveryState }[]> {
  return store.read(webhooksPartition(mailboxId), async (view) => {
    const webhooks = await readValues<WebhookRecord>(view, webhooksRange)
    return Promise.all(webhooks.map(async (webhook) => ({ webhook, state: await readDeliveryState(view, webhook.id) })))
  })
}

/** Old secrets that still sign after a rotation. @throws ServiceError `rate_limited` */
function stillSigning(secrets: SealedSecret[], oldHours: number, now: number): SealedSecret[] {
  const endsAt = now + oldHours * HOUR
  const still = secrets
    .map((secret) => ({ ...secret, endsAt: Math.min(secret.endsAt ?? Infinity, endsAt) }))
    .filter((secret) => secret.endsAt > now)
  if (still.length < MAX_SECRETS) return still
  const soonest = Math.min(...still.map((secret) => secret.endsAt))
  throw new ServiceError(
    'rate_limited',
    `The secret was rotated ${MAX_SECRETS - 1} times already while the old ones still sign.`,
    'Wait until one has ended, or rotate with `old_valid_hours` 0: the old ones end at once then.',
    { retryAfterSeconds: Math.max(1, Math.ceil((soonest - now) / 1000)) },
  )
}

async function skip(tx: Transaction, webhookId: string, state: DeliveryState, newest: number): Promise<void> {
  state.cursor = newest
  state.epoch++
  for (const [row] of await tx.range({ ...duesRange(webhookId), limit: MAX_WAITING })) {
    const delivery = await readDelivery(tx, webhookId, dueUlid(row))
    if (delivery) putDelivery(tx, webhookId, state, delivery, { ...delivery, status: 'skipped', dueAt: null })
  }
}
