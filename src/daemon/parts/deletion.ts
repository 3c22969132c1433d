/** Deletion of accounts: requests, workers, notifications. */
import { baseUrl } from '../../config/derived.js'
import { readDeletionWebhook } from '../../config/files.js'
import { createDeletion } from '../../lifecycle/deletion/deletion.js'
import { Erase } from '../../lifecycle/deletion/erase.js'
import { createRemoval, type Removal } from '../../lifecycle/deletion/mailbox-removal.js'
import { createDeletionNotices } from '../../lifecycle/deletion/notices.js'
import type { Deletion } from '../../lifecycle/deletion/types.js'
import { createDeletionWork } from '../../lifecycle/deletion/task.js'
import type { Exports } from '../../lifecycle/export/exports.js'
import { startDeleting } from '../../jobs/deleting.js'
import { createDeletionWebhook, webhookKey } from '../../jobs/deletion-webhook.js'
import type { Ground } from '../layers/ground.js'
import type { Outbound } from '../layers/outbound.js'
import type { AccountServices } from '../layers/account-services.js'
import type { MailServices } from '../layers/mail-services.js'
import type { Stops } from '../layers/stops.js'

export async function startDeletion(
  ground: Ground,
  service: AccountServices,
  { mailboxes, receipts }: MailServices,
  { holds, ownDomains }: Outbound,
  exports: Exports,
  { active }: Stops,
): Promise<{ deletion: Deletion; removal: Removal }> {
  const { config, store, clock, queue, part } = ground
  const log = part('deletion')
  const hook = await readDeletionWebhook(config)
  const erase = new Erase({
    store,
    blobs: ground.blobs,
    queue,
    audit: ground.audit,
    accounts: service.accounts,
    sessions: service.sessions,
    connections: service.oauth.connections,
    receipts,
    exports,
    forgetHolds: holds.forget,
    ownDomains,
  })
  const removal = createRemoval({
    clock,
    store,
    queue,
    accounts: service.accounts,
    connections: service.oauth.connections,
    operatorMailboxId: service.operator.mailboxId,
    erase,
  })
  const runDeletion = createDeletionWork({
    clock,
    store,
    queue,
    audit: ground.audit,
    accounts: service.accounts,
    mailboxes,
    notices: createDeletionNotices({
      accounts: service.accounts,
      letters: service.letters,
      store,
      clock,
      baseUrl: baseUrl(config),
    }),
    erase,
    hasWebhook: hook !== undefined,
    onDeleted: (accountId) => log.info({ account_id: accountId }, 'an account was deleted'),
  })
  const webhook = hook && { url: hook.url, secret: webhookKey(hook.secret) }
  const workers = startDeleting({
    queue,
    runDeletion,
    runRemoval: removal.run,
    tellWebhook: createDeletionWebhook({ webhook, clock, log }),
    log,
  })
  active.push(() => workers.stop())
  const deletion = createDeletion({
    store,
    queue,
    accounts: service.accounts,
    clock,
    operatorAccountId: service.operator.accountId,
  })
  return { deletion, removal }
}
