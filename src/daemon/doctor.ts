/** The doctor inside of the daemon, with what the parts tell it. */
import uWS from 'uWebSockets.js'
import { createDoctor } from '../doctor/examine.js'
import type { Doctor } from '../doctor/examine.js'
import { timestamp } from '../lib/clock.js'
import { isImitation } from '../lib/native.js'
import type { Reviewing } from '../mailbox/reviewing.js'
import type { WebhookService } from '../webhooks/service.js'
import type { Ground } from './ground.js'
import type { Outbound } from './outbound.js'
import type { Service } from './service.js'

/** Disabled webhooks are counted so far. */
const MAX_COUNTED = 1000

export function buildDoctor(
  { config, clock }: Ground,
  { operatorAddressesTaken }: Service,
  { operatorQueue, pausedDestinations }: Outbound,
  { version, reviewing, webhooks }: { version: string; reviewing: Reviewing; webhooks: WebhookService },
): Doctor {
  return createDoctor({
    config,
    clock,
    version,
    async told() {
      const [queue, held, oldestHeld] = [
        await operatorQueue.stats(),
        await reviewing.counts(),
        await reviewing.oldest(),
      ]
      return {
        version,
        native_http: !isImitation(uWS.App),
        queue: {
          tasks: queue.tasks + queue.notices,
          held: queue.states.held,
          oldest_queued_at: queue.oldest_queued_at,
          paused: pausedDestinations(),
        },
        review: { held: held.held, oldest_held_at: oldestHeld === undefined ? null : timestamp(oldestHeld) },
        webhooks_disabled: await disabled(webhooks),
        operator_addresses_taken: operatorAddressesTaken,
      }
    },
  })
}

async function disabled(webhooks: WebhookService): Promise<number> {
  let count = 0
  for await (const { enabled } of webhooks.all()) if (!enabled && ++count === MAX_COUNTED) break
  return count
}
