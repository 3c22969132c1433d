/** All routes that the operator's command line can call. */
import { accountRoutes } from './accounts.js'
import { auditRoutes } from './audit.js'
import { backupRoutes } from './backup.js'
import { certificateRoutes } from './certificates.js'
import { claimRoutes } from './claims.js'
import { connectionRoutes } from './connections.js'
import { dayRoutes } from './day.js'
import { doctorRoutes } from './doctor.js'
import { guardRoutes } from './guard.js'
import { mailboxRoutes } from './mailboxes.js'
import { queueRoutes } from './queue.js'
import { receiptRoutes } from './receipts.js'
import { reportRoutes } from './reports.js'
import { retentionRoutes } from './retention.js'
import { reviewRoutes } from './review.js'
import { serviceRoutes } from './service.js'
import { traceRoutes } from './trace.js'
import { transportRoutes } from './transport.js'
import { webhookRoutes } from './webhooks.js'

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
  ...claimRoutes,
  ...mailboxRoutes,
  ...receiptRoutes,
  ...serviceRoutes,
]
