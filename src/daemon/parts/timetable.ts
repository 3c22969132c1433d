/** The daemon's periodic jobs, with the parts that each works on. */
import { startJobs } from '../../jobs/jobs.js'
import { sweepsOf, type Sweep } from '../../jobs/retention.js'
import { TIMETABLE } from '../../jobs/retention-table.js'
import { DAY } from '../../lib/clock.js'
import type { Reviewing } from '../../mailbox/review/review.js'
import type { AccountServices } from '../layers/account-services.js'
import type { Ground } from '../layers/ground.js'
import type { MailServices } from '../layers/mail-services.js'
import type { Outbound } from '../layers/outbound.js'
import type { Stops } from '../layers/stops.js'

export function startTimetable(
  { config, store, shards, blobs, queue, clock, audit, part }: Ground,
  { claims, sessions, oauth, mailSignIn }: AccountServices,
  { mailboxes, indexer, receipts, reports }: MailServices,
  { dkim, ownDomains, reports: sent, mtaSts }: Outbound,
  {
    reviewing,
    checkAllWebhooks,
    sweeps,
  }: { reviewing: Reviewing; checkAllWebhooks: () => Promise<void>; sweeps: readonly Sweep[] },
  { active }: Stops,
): void {
  const { retention } = config
  const jobs = startJobs({
    clock,
    store,
    shards,
    queue,
    claims,
    mailSignIn,
    mailboxes,
    indexer,
    log: part('jobs'),
    sweeps: [
      ...sweepsOf({
        store,
        blobs,
        clock,
        audit,
        sessions,
        oauth,
        receipts,
        reports,
        reviewing,
        retention: {
          eventsMs: retention.events_days * DAY,
          webhookDeliveriesMs: retention.webhook_deliveries_days * DAY,
        },
      }),
      ...sweeps,
      // For commits whose hint to the dispatcher was lost.
      { name: 'webhooks', schedule: '41 * * * *', isLocal: true, run: async () => (await checkAllWebhooks(), {}) },
      { name: 'dkim', schedule: '17 * * * *', run: async () => ({ ...(await dkim.rotation.look()) }) },
      // Verifies again that accounts own their custom domains.
      {
        name: 'own-domains',
        schedule: '37 4 * * *',
        run: async (signal) => ({ ...(await ownDomains.lookAgain(signal)) }),
      },
      // Queues the reports on past days; each is sent at a random time.
      {
        name: 'tls-reports',
        schedule: TIMETABLE['tls-reports'],
        run: async (signal) => ({ ...(await sent.tls?.queueEnded(signal)) }),
      },
      {
        name: 'dmarc-reports',
        schedule: TIMETABLE['dmarc-reports'],
        run: async (signal) => ({ ...(await sent.dmarc?.queueEnded(signal)) }),
      },
      // At a random minute, so that not all servers ask the policy hosts at once.
      {
        name: 'mta-sts',
        schedule: `${Math.floor(Math.random() * 60)} * * * *`,
        run: async (signal) => ({ ...(await mtaSts?.refresh(signal)) }),
      },
    ],
  })
  active.push(() => jobs.stop())
}
