/** The audit log over the admin listener. */
import { z } from 'zod'
import { auditEntrySchema, type Audit } from '../audit/types.js'
import type { MailboxRecord } from '../mailbox/mailbox-record.js'
import { adminRoutesWith } from './define.js'
import { pageFields, timeField } from './fields.js'

export interface AuditParts {
  /** Missing without an audit log. */
  audit?: Pick<Audit, 'list'> | undefined
  findMailbox: (address: string) => Promise<MailboxRecord | undefined>
}

const defineRoute = adminRoutesWith<AuditParts>()
const word = z.string().min(1).max(320)

export const auditPageSchema = z.object({
  data: z.array(auditEntrySchema),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  not_kept: z.int(),
})

export const auditRoutes = [
  defineRoute({
    method: 'GET',
    path: '/audit',
    operationId: 'listAudit',
    summary: 'The audit log, newest first',
    query: z.strictObject({
      since: timeField.optional(),
      until: timeField.optional(),
      action: word.describe('One action, or all of a kind, such as key').optional(),
      subject: word.describe('An id, address or domain that was changed').optional(),
      account: word.describe('Id').optional(),
      address: word.describe('Address of a mailbox').optional(),
      actor: word.describe('A type, an id or a name').optional(),
      ...pageFields(500),
    }),
    responses: { 200: { description: 'A page of it', schema: auditPageSchema } },
    async handler({ query: { subject, account, address, ...query } }, { audit, findMailbox }) {
      const mailbox = address === undefined ? undefined : await findMailbox(address)
      const named = address === undefined ? undefined : [address, ...(mailbox ? [mailbox.id] : [])]
      const subjects = [subject && [subject], account && [account], named].filter((list) => Array.isArray(list))
      const nothing = { data: [], has_more: false, next_cursor: null, not_kept: 0 }
      return { status: 200, json: (await audit?.list({ ...query, subjects })) ?? nothing }
    },
  }),
]
