/** Informs mailbox and owner when the service disables a webhook, once, even after a crash. */
import type { Letters } from '../accounts/letters.js'
import type { Accounts } from '../accounts/types.js'
import { BY_ITSELF, type Audit } from '../audit/types.js'
import { type Clock, timestamp } from '../lib/clock.js'
import { derivedId } from '../lib/ids.js'
import { readMailbox } from '../mailbox/record.js'
import { appendOnce } from '../mailbox/settings/one-time-events.js'
import type { Deliveries, LoadedWebhook } from '../mailbox/webhooks/deliveries.js'
import type { DisabledReason } from '../mailbox/webhooks/types.js'
import type { Store } from '../store/types.js'

export interface DisabledNoticeDeps {
  store: Store
  clock: Clock
  accounts: Pick<Accounts, 'get'>
  letters: Pick<Letters, 'post'>
  deliveries: Pick<Deliveries, 'toldOfDisabling'>
  audit?: Pick<Audit, 'record'> | undefined
  /** Without a trailing slash. */
  baseUrl: string
}

const WHY: Record<DisabledReason, string> = {
  asked: 'A key of the mailbox disabled it.',
  failing: 'Its receiver has accepted no request for three days, despite retries.',
  gone: 'Its receiver answered with status 410: it wants no more events.',
  operator: 'The operator of the server disabled it.',
}

export function createDisabledNotice({
  store,
  clock,
  accounts,
  letters,
  deliveries,
  audit,
  baseUrl,
}: DisabledNoticeDeps) {
  const host = new URL(baseUrl).host

  return async (mailboxId: string, { webhook, state }: LoadedWebhook): Promise<void> => {
    const { id, url, disabled } = webhook
    const mailbox = await readMailbox(store, mailboxId)
    if (!disabled || !mailbox) return
    const name = `webhook-disabled:${id}:${disabled.at}`
    // Changes by a key or the operator are recorded there.
    if (disabled.reason !== 'asked' && disabled.reason !== 'operator')
      await audit?.record({
        id: derivedId('aud', name, disabled.at),
        at: disabled.at,
        action: 'webhook.disabled',
        actor: BY_ITSELF,
        subject: {
          webhook_id: id,
          mailbox_id: mailboxId,
          ...(mailbox.accountId !== null && { account_id: mailbox.accountId }),
        },
        reason: disabled.reason,
      })
    const data = {
      webhook_id: id,
      url,
      reason: disabled.reason,
      last_seq: state.cursor,
      disabled_at: timestamp(disabled.at),
    }
    await appendOnce(store, mailboxId, name, { type: 'webhook.disabled', data }, clock.now())
    const owner = mailbox.accountId === null ? null : ((await accounts.get(mailbox.accountId))?.owner ?? null)
    if (owner !== null) {
      await letters.post(name, {
        to: owner,
        subject: `A webhook of ${mailbox.address} is disabled`,
        parts: [
          { kind: 'text', text: `A webhook of your mailbox at ${host} is disabled. ${WHY[disabled.reason]}` },
          {
            kind: 'facts',
            rows: [
              ['Mailbox', mailbox.address],
              ['Webhook', id],
              ['Leads to', url],
            ],
          },
          {
            kind: 'text',
            text: `Mail arrives as before. Its events are kept for 30 days: once its receiver works again, enable it with PATCH /v1/webhooks/${id} and {"enabled": true}, and it continues where it stopped.`,
          },
        ],
      })
    }
    await deliveries.toldOfDisabling(mailboxId, id, disabled.at)
  }
}
