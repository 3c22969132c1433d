/** `restante webhook …`: list, disable. */
import { webhookPageSchema } from '../../../admin/webhooks.js'
import { webhookSchema, type WebhookObject } from '../../../mailbox/webhooks/objects.js'
import { askDaemon } from '../../terminal/admin.js'
import { EXIT, type Command } from '../../terminal/command.js'
import { json, printable, table } from '../../terminal/output.js'
import { queryOf } from '../../terminal/query.js'

const list: Command = {
  name: 'webhook list',
  args: [],
  options: ['limit', 'json'],
  summary: 'list the webhooks of all mailboxes',
  about: 'Asks the running daemon: where each leads, and how far its deliveries are. See docs/webhooks.md.',
  examples: ['restante webhook list', "restante webhook list --json | jq -r '.[] | select(.enabled | not) | .id'"],
  async run({ options: { limit }, config, flags, print, note }) {
    const path = `/webhooks?${queryOf({ limit })}`
    const { data, has_more: hasMore } = await askDaemon(config(), 'GET', path, webhookPageSchema)
    if (flags.json) print(json(data))
    else if (data.length === 0) note('There are no webhooks.')
    else print(table(['WEBHOOK', 'MAILBOX', 'URL', 'STATE', 'EVENTS WAIT', 'RETRIES WAIT'], data.map(rowOf)))
    if (hasMore) note('There are more; --limit N shows more.')
    return EXIT.ok
  },
}

const show: Command = {
  name: 'webhook show',
  args: ['ID'],
  options: ['json'],
  summary: 'show one webhook',
  about: 'Asks the running daemon. What is delivered is not shown, and neither is any secret.',
  examples: ['restante webhook show whk_01K7E8GQ5M1T9Q4Y7RZV3B2XNA'],
  async run({ args: [id = ''], config, flags, print }) {
    const found = await askDaemon(config(), 'GET', `/webhooks/show?${queryOf({ id })}`, webhookSchema)
    print(flags.json ? json(found) : describe(found))
    return EXIT.ok
  },
}

const disable: Command = {
  name: 'webhook disable',
  args: ['ID'],
  options: ['json'],
  summary: 'stop a webhook',
  about:
    'Nothing is posted to it any more. Its mailbox gets the event webhook.disabled and the owner a letter; a key of the mailbox can enable it again.\nTo keep an agent from that, suspend its account.',
  examples: ['restante webhook disable whk_01K7E8GQ5M1T9Q4Y7RZV3B2XNA'],
  async run({ args: [id], config, flags, print }) {
    const now = await askDaemon(config(), 'POST', '/webhooks/disable', webhookSchema, { id })
    print(flags.json ? json(now) : `${now.id} is disabled.`)
    return EXIT.ok
  },
}

export const webhookCommands: readonly Command[] = [list, show, disable]

function rowOf({ id, mailbox_id, url, enabled, disabled, deliveries }: WebhookObject): string[] {
  const state = enabled ? (deliveries.failing_since === null ? 'enabled' : 'failing') : `disabled: ${disabled?.reason}`
  return [id, mailbox_id, url, state, String(deliveries.events_waiting), String(deliveries.retries_waiting)]
}

function describe(webhook: WebhookObject): string {
  const { deliveries, disabled } = webhook
  const rows: [string, string | null][] = [
    ['Webhook', webhook.id],
    ['Mailbox', webhook.mailbox_id],
    ['Leads to', webhook.url],
    ['Events', webhook.events.join(', ')],
    ['Description', webhook.description],
    ['Made', `${webhook.created_at} with ${webhook.created_by}`],
    ['Disabled', disabled && `${disabled.at}: ${disabled.reason}`],
    ['Delivered up to', `seq ${deliveries.last_seq}; ${deliveries.events_waiting} events wait`],
    ['Retries waiting', String(deliveries.retries_waiting)],
    ['Failing since', deliveries.failing_since],
    ['Paused until', deliveries.paused_until],
    ['Last success', deliveries.last_success_at],
    ['Last failure', deliveries.last_failure_at],
  ]
  return rows
    .filter((row): row is [string, string] => row[1] !== null && row[1] !== '')
    .map(([name, value]) => `${name.padEnd(16)} ${printable(value)}`)
    .join('\n')
}
