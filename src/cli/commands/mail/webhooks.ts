/** `restante webhook …`: list, disable. */
import { webhookPageSchema } from '../../../admin/webhooks.js'
import { webhookSchema, type WebhookObject } from '../../../mailbox/webhooks/objects.js'
import { askDaemon, queryOf } from '../../terminal/admin.js'
import { defineCommand } from '../../terminal/command.js'
import { facts, json, printList, type Cell } from '../../terminal/output.js'

const list = defineCommand({
  usage: 'webhook list',
  options: ['limit', 'json'],
  summary: 'list the webhooks of all mailboxes',
  about: 'Asks the running daemon: the URL of each, its state, and how much waits for delivery. See docs/webhooks.md.',
  examples: ['restante webhook list', "restante webhook list --json | jq -r '.[] | select(.enabled | not) | .id'"],
  async run(invocation) {
    const { options, config, note } = invocation
    const path = `/webhooks?${queryOf({ limit: options.limit })}`
    const { data, has_more: hasMore } = await askDaemon(config(), 'GET', path, webhookPageSchema)
    const head = ['WEBHOOK', 'MAILBOX', 'URL', 'STATE', 'EVENTS WAIT', 'RETRIES WAIT']
    printList(invocation, data, head, rowOf, 'There are no webhooks.')
    if (hasMore) note('There are more; --limit N shows more.')
  },
})

const show = defineCommand({
  usage: 'webhook show ID',
  options: ['json'],
  summary: 'show one webhook',
  about: 'Asks the running daemon. Neither delivered content nor secrets are shown.',
  examples: ['restante webhook show whk_01K7E8GQ5M1T9Q4Y7RZV3B2XNA'],
  async run({ args: [id = ''], config, options, print }) {
    const found = await askDaemon(config(), 'GET', `/webhooks/show?${queryOf({ id })}`, webhookSchema)
    print(options.json ? json(found) : describe(found))
  },
})

const disable = defineCommand({
  usage: 'webhook disable ID',
  options: ['json'],
  summary: 'stop a webhook',
  about:
    'Nothing is posted to it any more. Its mailbox gets the event webhook.disabled and the owner a letter; a key of the mailbox can enable it again.\nTo keep an agent from that, suspend its account.',
  examples: ['restante webhook disable whk_01K7E8GQ5M1T9Q4Y7RZV3B2XNA'],
  async run({ args: [id], config, options, print }) {
    const now = await askDaemon(config(), 'POST', '/webhooks/disable', webhookSchema, { id })
    print(options.json ? json(now) : `${now.id} is disabled.`)
  },
})

export const commands = [list, show, disable]

function rowOf({ id, mailbox_id, url, enabled, disabled, deliveries }: WebhookObject): Cell[] {
  const state = enabled ? (deliveries.failing_since === null ? 'enabled' : 'failing') : `disabled: ${disabled?.reason}`
  return [id, mailbox_id, url, state, deliveries.events_waiting, deliveries.retries_waiting]
}

function describe(webhook: WebhookObject): string {
  const { deliveries, disabled } = webhook
  return facts(
    [
      ['Webhook', webhook.id],
      ['Mailbox', webhook.mailbox_id],
      ['URL', webhook.url],
      ['Events', webhook.events.join(', ')],
      ['Description', webhook.description],
      ['Created', `${webhook.created_at} with ${webhook.created_by}`],
      ['Disabled', disabled && `${disabled.at}: ${disabled.reason}`],
      ['Delivered up to', `seq ${deliveries.last_seq}; ${deliveries.events_waiting} events wait`],
      ['Retries waiting', deliveries.retries_waiting],
      ['Failing since', deliveries.failing_since],
      ['Paused until', deliveries.paused_until],
      ['Last success', deliveries.last_success_at],
      ['Last failure', deliveries.last_failure_at],
    ],
    17,
  )
}
