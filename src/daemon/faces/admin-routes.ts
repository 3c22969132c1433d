/** The routes of the admin listener, each group with the parts it works on. */
import type { SignInLinks } from '../../accounts/sign-in/sign-in-links.js'
import { accountRoutes } from '../../admin/accounts.js'
import { auditRoutes } from '../../admin/audit.js'
import { backupRoutes } from '../../admin/backup.js'
import { certificateRoutes } from '../../admin/certificates.js'
import { claimRoutes } from '../../admin/claims.js'
import { connectionRoutes } from '../../admin/connections.js'
import { dayRoutes, type DayParts } from '../../admin/day.js'
import { doctorRoutes } from '../../admin/doctor.js'
import { guardRoutes } from '../../admin/guard.js'
import { mailboxRoutes } from '../../admin/mailboxes.js'
import { queueRoutes } from '../../admin/queue.js'
import { receiptRoutes } from '../../admin/receipts.js'
import { reportRoutes } from '../../admin/reports.js'
import { retentionRoutes } from '../../admin/retention.js'
import { reviewRoutes } from '../../admin/review.js'
import { serviceRoutes } from '../../admin/service.js'
import { traceRoutes } from '../../admin/trace.js'
import { transportRoutes } from '../../admin/transport.js'
import { webhookRoutes } from '../../admin/webhooks.js'
import { baseUrl } from '../../config/derived.js'
import type { Health } from '../../http/routing/health.js'
import { bindRoutes, type BoundRoute } from '../../http/routing/route.js'
import { createRetentionReport } from '../../jobs/retention.js'
import { listMailboxes } from '../../mailbox/all-mailboxes.js'
import { createTrace } from '../../ops/trace/trace.js'
import { ownAddresses } from '../../reporting/received/own-addresses.js'
import { buildDoctor } from './doctor.js'
import type { FacesParts, Layers } from './parts.js'

export function boundAdminRoutes(
  { ground, people, mail, outbound }: Layers,
  { version, driver, guard, deletion, reviewing, webhooks, backups, tls, reload }: FacesParts,
  { day, links, health }: { day: DayParts['day']; links: SignInLinks; health: Health },
): BoundRoute[] {
  const { config, store, blobs, queue, audit, resolver, metrics } = ground
  const { accounts, claims, oauth, operator } = people
  const { mailboxes, receipts, reports } = mail
  const { operatorQueue, mtaSts, dkim } = outbound
  const findMailbox = mailboxes.directory.resolve
  const readMailbox = mailboxes.directory.get
  return [
    ...bindRoutes(queueRoutes, { queue: operatorQueue }),
    ...bindRoutes(traceRoutes, { trace: createTrace({ store, mailboxes, receipts, queue: operatorQueue }) }),
    ...bindRoutes(transportRoutes, { tlsReports: outbound.reports.tls, mtaSts }),
    ...bindRoutes(reportRoutes, {
      reports: {
        list: reports.list,
        show: reports.show,
        summary: async (query) =>
          reports.summary({ ...query, isOwn: await ownAddresses(resolver, config.domains.hostname) }),
      },
    }),
    ...bindRoutes(retentionRoutes, {
      listRetention: createRetentionReport({
        store,
        blobs,
        queue,
        audit,
        receipts,
        reports,
        settings: config,
        tlsDays: outbound.reports.tlsDays,
        dmarcDays: outbound.reports.dmarcDays,
      }),
    }),
    ...bindRoutes(accountRoutes, { accounts, findMailbox, readMailbox, deletion, links, baseUrl: baseUrl(config) }),
    ...bindRoutes(auditRoutes, { audit, findMailbox }),
    ...bindRoutes(reviewRoutes, { reviewing }),
    ...bindRoutes(guardRoutes, { correction: guard.correction, learnsFromReview: config.guard.learn_from_review }),
    ...bindRoutes(webhookRoutes, { webhooks }),
    ...bindRoutes(connectionRoutes, { accounts, findMailbox, readMailbox, connections: oauth.connections }),
    ...bindRoutes(dayRoutes, { day }),
    ...bindRoutes(doctorRoutes, {
      doctor: buildDoctor(ground, { operator }, { reports }, outbound, { version, reviewing, webhooks, driver }),
    }),
    ...bindRoutes(backupRoutes, { backups }),
    ...bindRoutes(certificateRoutes, { certificates: tls.listing }),
    ...bindRoutes(claimRoutes, { claims }),
    ...bindRoutes(mailboxRoutes, {
      accounts,
      listMailboxes: () => listMailboxes(store),
      findMailbox,
      pausing: mailboxes.pausing,
      folders: mailboxes.folders,
      importing: mailboxes.importing,
      messageBytes: config.smtp.max_message_bytes,
    }),
    ...bindRoutes(receiptRoutes, { receipts }),
    ...bindRoutes(serviceRoutes, {
      reload,
      checkDkimKeys: () => dkim.rotation.look(),
      metrics: () => metrics.render(),
      health,
    }),
  ]
}
