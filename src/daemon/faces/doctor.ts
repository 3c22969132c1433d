/** The daemon's doctor with its facts about the parts. */
import { createDoctor, type Doctor } from '../../ops/doctor/examine.js'
import { timestamp } from '../../lib/clock.js'
import type { Driver } from '../../http/listener/types.js'
import type { Reviewing } from '../../mailbox/review/review.js'
import type { WebhookService } from '../../webhooks/service.js'
import { ownAddresses } from '../../reporting/received/own-addresses.js'
import type { Reports } from '../../reporting/received/reports.js'
import type { OwnAddress } from '../../reporting/received/summary.js'
import type { Facts } from '../../ops/doctor/facts.js'
import type { Ground } from '../layers/ground.js'
import type { Outbound } from '../layers/outbound.js'
import type { AccountServices } from '../layers/account-services.js'
import type { MailServices } from '../layers/mail-services.js'

/** Disabled webhooks are counted up to this number. */
const MAX_COUNTED = 1000
const REPORT_DAYS = 7

export function buildDoctor(
  { config, clock, resolver, places }: Ground,
  { operator }: Pick<AccountServices, 'operator'>,
  { reports }: Pick<MailServices, 'reports'>,
  { operatorQueue, paused }: Outbound,
  {
    version,
    reviewing,
    webhooks,
    driver,
  }: { version: string; reviewing: Reviewing; webhooks: WebhookService; driver: Driver },
): Doctor {
  return createDoctor({
    config,
    clock,
    version,
    places,
    async told() {
      const [queue, held, oldestHeld] = [
        await operatorQueue.stats(),
        await reviewing.counts(),
        await reviewing.oldest(),
      ]
      return {
        version,
        http_driver: driver.name,
        queue: {
          tasks: queue.tasks + queue.notices,
          held: queue.states.held,
          oldest_queued_at: queue.oldest_queued_at,
          paused: paused.count(),
        },
        review: { held: held.held, oldest_held_at: oldestHeld === undefined ? null : timestamp(oldestHeld) },
        webhooks_disabled: await disabled(webhooks),
        reports: await reported(reports, await ownAddresses(resolver, config.domains.hostname)),
        operator_addresses_taken: operator.taken,
      }
    },
  })
}

async function reported(reports: Pick<Reports, 'summary'>, isOwn: OwnAddress): Promise<Facts['reports']> {
  const found = await reports.summary({ days: REPORT_DAYS, isOwn })
  return {
    reports: found.reports,
    own_failing: found.dmarc.flatMap(({ domain, sources }) =>
      sources
        .filter(({ own, failed }) => own && failed > 0)
        .map(({ ip, failed }) => ({ domain, ip, messages: failed })),
    ),
    tls_failing: found.tls
      .filter(({ sessions_failed: failed }) => failed > 0)
      .map(({ domain, sessions_failed: sessions, failures }) => ({
        domain,
        sessions,
        types: failures.map(({ type }) => type),
      })),
  }
}

async function disabled(webhooks: WebhookService): Promise<number> {
  let count = 0
  for await (const { enabled } of webhooks.all()) if (!enabled && ++count === MAX_COUNTED) break
  return count
}
