/** What the operator's command line asks of the daemon. */
import { z } from 'zod'
import { wholeNumber } from '../http/whole-number.js'
import { noSuchMailbox } from '../accounts/key-ring.js'
import type { Claims } from '../lifecycle/claims/types.js'
import { messageOf } from '../lib/thrown.js'
import { timestamp } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { timeSchema } from '../mailbox/objects/objects.js'
import type { MailboxRecord } from '../mailbox/mailbox-record.js'
import { receiptSchema, type ReceiptList, type ReceiptQuery } from '../receipts/types.js'
import { notReady } from '../http/answers/errors.js'
import { healthOf, healthQuery, healthSchema } from '../http/routing/health.js'
import type { DriverName } from '../http/listener/types.js'
import { routesWith } from '../http/routing/route.js'
import { accountRoutes, type AccountParts } from './accounts.js'
import { auditRoutes, type AuditParts } from './audit.js'
import { connectionRoutes, type ConnectionParts } from './connections.js'
import { dayRoutes, type DayParts } from './day.js'
import { doctorRoutes, type DoctorParts } from './doctor.js'
import { certificateRoutes, type CertificateParts } from './certificates.js'
import { backupRoutes, type BackupParts } from './backup.js'
import { guardRoutes, type GuardParts } from './guard.js'
import { queueRoutes, type QueueParts } from './queue.js'
import { reportRoutes, type ReportParts } from './reports.js'
import { reviewRoutes, type ReviewParts } from './review.js'
import { transportRoutes, type TransportParts } from './transport.js'
import { retentionRoutes, type RetentionParts } from './retention.js'
import { traceRoutes, type TraceParts } from './trace.js'
import { webhookRoutes, type WebhookParts } from './webhooks.js'

export interface AdminParts
  extends
    QueueParts,
    TraceParts,
    TransportParts,
    ReportParts,
    RetentionParts,
    AccountParts,
    AuditParts,
    ReviewParts,
    GuardParts,
    WebhookParts,
    ConnectionParts,
    DayParts,
    DoctorParts,
    BackupParts,
    CertificateParts {
  claims: Pick<Claims, 'list' | 'approve' | 'decline'>
  listMailboxes: () => Promise<MailboxRecord[]>
  listReceipts: (query: ReceiptQuery) => Promise<ReceiptList>
  /** Reads the configuration again. Its error says what is wrong; the old configuration is in use then. */
  reload: () => Promise<void>
  /** Has the records of the DKIM keys looked up, and keys begin and end to sign as they allow. */
  lookAtDkimKeys: () => Promise<{ started: number; retired: number; removed: number }>
  metrics: () => Promise<{ contentType: string; body: string }>
  ready: () => boolean
  /** Mail is refused while it is; without it there is always room. */
  /** The driver of plain HTTP. */
  httpDriver: DriverName
  diskIsLow?: (() => Promise<boolean>) | undefined
  /** Without it the store can always be read. */
  storeIsReadable?: (() => Promise<boolean>) | undefined
}

const defineRoute = routesWith<AdminParts>()
const tag = 'Admin'
const auth = 'none'
const address = z.string().min(1).max(320)
const receiptTime = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

export const adminRoutes = [
  ...queueRoutes,
  ...traceRoutes,
  ...transportRoutes,
  ...reportRoutes,
  ...retentionRoutes,
  ...accountRoutes,
  ...auditRoutes,
  ...reviewRoutes,
  ...guardRoutes,
  ...webhookRoutes,
  ...connectionRoutes,
  ...dayRoutes,
  ...doctorRoutes,
  ...backupRoutes,
  ...certificateRoutes,
  defineRoute({
    method: 'GET',
    path: '/claims',
    operationId: 'listClaims',
    summary: 'Addresses that wait for approval, oldest first',
    tag,
    auth,
    responses: {
      200: {
        description: 'Pending claims',
        schema: z.object({
          data: z.array(
            z.object({ address, agent_name: z.string().nullable(), created_at: timeSchema, expires_at: timeSchema }),
          ),
        }),
      },
    },
    async handler(_input, { claims }) {
      const data = (await claims.list()).map((claim) => ({
        address: claim.address,
        agent_name: claim.agentName,
        created_at: timestamp(claim.createdAt),
        expires_at: timestamp(claim.expiresAt),
      }))
      return { status: 200, json: { data } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/claims/approve',
    operationId: 'approveClaim',
    summary: 'Approve a claimed address',
    tag,
    auth,
    body: z.strictObject({ address, owner: z.string().min(1).max(320).optional() }),
    responses: {
      200: {
        description: 'It is approved',
        schema: z.object({ address, account_id: z.string(), already_approved: z.boolean() }),
      },
    },
    async handler({ body, note }, { claims }) {
      const approved = await claims.approve(body.address, body.owner, note)
      return {
        status: 200,
        json: { address: approved.address, account_id: approved.accountId, already_approved: approved.alreadyApproved },
      }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/claims/decline',
    operationId: 'declineClaim',
    summary: 'Decline a claimed address: its name is free again',
    tag,
    auth,
    body: z.strictObject({ address }),
    responses: {
      200: {
        description: 'It is declined',
        schema: z.object({ address, outcome: z.enum(['declined', 'already_declined', 'taken', 'expired']) }),
      },
    },
    async handler({ body, note }, { claims }) {
      const declined = await claims.decline({ address: body.address }, note)
      return { status: 200, json: { address: declined.address, outcome: declined.outcome } }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/mailboxes',
    operationId: 'listMailboxes',
    summary: 'All mailboxes',
    tag,
    auth,
    responses: {
      200: {
        description: 'Mailboxes',
        schema: z.object({
          data: z.array(
            z.object({
              id: z.string(),
              address,
              status: z.enum(['pending', 'claimed']),
              account_id: z.string().nullable(),
              message_count: z.int(),
              used_bytes: z.int(),
              created_at: timeSchema,
            }),
          ),
        }),
      },
    },
    async handler(_input, { listMailboxes }) {
      const data = (await listMailboxes()).map((mailbox) => ({
        id: mailbox.id,
        address: mailbox.address,
        status: mailbox.status,
        account_id: mailbox.accountId,
        message_count: mailbox.messageCount,
        used_bytes: mailbox.usedBytes,
        created_at: timestamp(mailbox.createdAt),
      }))
      return { status: 200, json: { data } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/mailboxes/key',
    operationId: 'createKey',
    summary: 'A further API key for a mailbox',
    tag,
    auth,
    body: z.strictObject({ address }),
    responses: {
      201: { description: 'The key, shown this once', schema: z.object({ api_key: z.string(), key_id: z.string() }) },
    },
    async handler({ body }, { accounts, findMailbox }) {
      const mailbox = await findMailbox(body.address)
      if (!mailbox) throw noSuchMailbox()
      const { key, text } = await accounts.createKey(mailbox.id)
      return { status: 201, json: { api_key: text, key_id: key.id } }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/receipts',
    operationId: 'listReceipts',
    summary: 'Receipts of delivery attempts, the newest first',
    tag,
    auth,
    query: z.strictObject({
      id: z.string().min(1).max(64).describe('The one receipt of this id; nothing else counts then').optional(),
      address: address.optional(),
      since: receiptTime.optional(),
      until: receiptTime.optional(),
      limit: wholeNumber(1, 500).default(100),
      cursor: z.string().min(1).max(1000).optional(),
    }),
    responses: {
      200: {
        description: 'Receipts',
        schema: z.object({
          data: z.array(receiptSchema),
          has_more: z.boolean(),
          next_cursor: z.string().nullable(),
          not_kept: z.int(),
        }),
      },
    },
    handler: async ({ query }, { listReceipts }) => ({ status: 200, json: await listReceipts(query) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/reload',
    operationId: 'reload',
    summary: 'Read the configuration and the DKIM keys again',
    tag,
    auth,
    responses: { 200: { description: 'They are in use', schema: z.object({ reloaded: z.literal(true) }) } },
    async handler(_input, { reload }) {
      try {
        await reload()
      } catch (cause) {
        // The operator asks: what is wrong with the files is for them to read.
        throw new ServiceError('invalid_request', messageOf(cause), 'The configuration from before stays in use.', {
          cause,
        })
      }
      return { status: 200, json: { reloaded: true as const } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/dkim/look',
    operationId: 'lookAtDkimKeys',
    summary: 'Look up the records of the DKIM keys now; a key that waits signs once its record is seen',
    tag,
    auth,
    responses: {
      200: {
        description: 'What followed from it',
        schema: z.object({ started: z.int(), retired: z.int(), removed: z.int() }),
      },
    },
    handler: async (_input, { lookAtDkimKeys }) => ({ status: 200, json: await lookAtDkimKeys() }),
  }),
  defineRoute({
    method: 'GET',
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics in the Prometheus text format',
    tag,
    auth,
    responses: { 200: { description: 'Metrics', contentType: 'text/plain' } },
    async handler(_input, { metrics }) {
      const { contentType, body } = await metrics()
      return { status: 200, headers: { 'Content-Type': contentType }, body }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/healthz',
    operationId: 'getAdminHealth',
    summary: 'Whether the daemon is ready',
    tag,
    auth,
    responses: { 200: { description: 'It is', schema: healthSchema } },
    query: healthQuery,
    async handler({ query }, { ready, httpDriver, diskIsLow, storeIsReadable }) {
      if (!ready()) throw notReady()
      return { status: 200, json: await healthOf({ httpDriver, diskIsLow, storeIsReadable }, query) }
    },
  }),
]
