/** The end of accounts: what asks for it, the workers that carry it out, and whom they tell. */
import { readDeletionWebhook } from '../config/files.js'
import { createDeletion } from '../deletion/deletion.js'
import { createErase } from '../deletion/erase.js'
import { createTell } from '../deletion/tell.js'
import type { Deletion } from '../deletion/types.js'
import { createDeletionWork } from '../deletion/work.js'
import type { Exports } from '../export/types.js'
import { startDeleting } from '../jobs/deleting.js'
import { createDeletionWebhook, webhookKey } from '../jobs/deletion-webhook.js'
import type { Ground } from './ground.js'
import type { Outbound } from './outbound.js'
import type { Service } from './service.js'
import type { Stops } from './stops.js'

export async function startDeletion(
  ground: Ground,
  service: Service,
  { forgetHolds }: Outbound,
  exports: Exports,
  { active }: Stops,
): Promise<Deletion> {
  const { config, store, clock, queue, part } = ground
  const log = part('deletion')
  const hook = await readDeletionWebhook(config)
  const runDeletion = createDeletionWork({
    ...ground,
    ...service,
    tell: createTell({ ...service, store, clock, baseUrl: config.server.base_url.replace(/\/+$/, '') }),
    erase: createErase({ ...ground, ...service, exports, forgetHolds }),
    hasWebhook: hook !== undefined,
    onDeleted: (accountId) => log.info({ account_id: accountId }, 'an account was deleted'),
  })
  const webhook = hook && { url: hook.url, secret: webhookKey(hook.secret) }
  const workers = startDeleting({
    queue,
    runDeletion,
    tellWebhook: createDeletionWebhook({ webhook, clock, log }),
    log,
  })
  active.push(() => workers.stop())
  return createDeletion({
    store,
    queue,
    accounts: service.accounts,
    clock,
    operatorAccountId: service.operatorAccountId,
  })
}
