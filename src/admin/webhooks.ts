/** Webhooks of all mailboxes, for the operator. */
import { z } from 'zod'
import { wholeNumber } from '../http/whole-number.js'
import { ServiceError } from '../lib/errors.js'
import { webhookSchema, type WebhookObject } from '../mailbox/webhooks/objects.js'
import type { WebhookService } from '../webhooks/service.js'
import { adminRoutesWith } from './define.js'

export interface WebhookParts {
  /** Missing from a server that delivers to none. */
  webhooks?: Pick<WebhookService, 'all' | 'disable'> | undefined
}

const defineRoute = adminRoutesWith<WebhookParts>()
const id = z.string().min(1).max(64)

export const webhookPageSchema = z.object({ data: z.array(webhookSchema), has_more: z.boolean() })

export const webhookRoutes = [
  defineRoute({
    method: 'GET',
    path: '/webhooks',
    operationId: 'listAllWebhooks',
    summary: 'Webhooks of every mailbox',
    query: z.strictObject({ limit: wholeNumber(1, 1000).default(100), disabled: z.enum(['true']).optional() }),
    responses: { 200: { description: 'The first of them', schema: webhookPageSchema } },
    async handler({ query }, { webhooks }) {
      const data: WebhookObject[] = []
      for await (const webhook of webhooks?.all() ?? []) {
        if (query.disabled !== undefined && webhook.enabled) continue
        if (data.length === query.limit) return { status: 200, json: { data, has_more: true } }
        data.push(webhook)
      }
      return { status: 200, json: { data, has_more: false } }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/webhooks/show',
    operationId: 'showWebhook',
    summary: 'One webhook',
    query: z.strictObject({ id }),
    responses: { 200: { description: 'It', schema: webhookSchema } },
    handler: async ({ query }, parts) => ({ status: 200, json: await find(parts, query.id) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/disable',
    operationId: 'disableWebhook',
    summary: 'Stop a webhook; its mailbox and the owner are told',
    body: z.strictObject({ id }),
    responses: { 200: { description: 'As it is now', schema: webhookSchema } },
    async handler({ body }, parts) {
      const { id, mailbox_id } = await find(parts, body.id)
      if (!parts.webhooks) throw noSuchWebhook()
      return { status: 200, json: await parts.webhooks.disable(mailbox_id, id, 'operator') }
    },
  }),
]

/** @throws ServiceError `not_found` */
async function find({ webhooks }: WebhookParts, id: string): Promise<WebhookObject> {
  for await (const webhook of webhooks?.all() ?? []) if (webhook.id === id) return webhook
  throw noSuchWebhook()
}

function noSuchWebhook(): ServiceError {
  return new ServiceError('not_found', 'There is no such webhook.', 'List them with `restante webhook list`.')
}
