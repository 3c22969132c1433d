/** Received reports on our domains, over the admin listener: summary and single reports. */
import { z } from 'zod'
import { wholeNumber } from '../http/whole-number.js'
import { ServiceError } from '../lib/errors.js'
import type { Reports } from '../reporting/received/reports.js'
import { summarySchema, type Summary } from '../reporting/received/summary.js'
import { dmarcRowSchema, keptReportSchema, tlsFailureSchema } from '../reporting/received/types.js'
import { domainName, pageFields } from './fields.js'
import { adminRoutesWith } from './define.js'

export interface ReportParts {
  reports: Pick<Reports, 'list' | 'show'> & {
    /** Already knows this server's addresses. */
    summary(query: { days: number; domain?: string | undefined }): Promise<Summary>
  }
}

const defineRoute = adminRoutesWith<ReportParts>()

export const reportListSchema = z.object({
  data: z.array(keptReportSchema),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
})
export const shownReportSchema = z.object({
  report: keptReportSchema,
  rows: z.array(z.union([dmarcRowSchema, tlsFailureSchema])),
})

export const reportRoutes = [
  defineRoute({
    method: 'GET',
    path: '/reports/summary',
    operationId: 'summarizeReports',
    summary: 'Summary of recent DMARC and TLS reports on our domains',
    query: z.strictObject({ days: wholeNumber(1, 400).default(7), domain: domainName.optional() }),
    responses: { 200: { description: 'By domain', schema: summarySchema } },
    handler: async ({ query }, { reports }) => ({ status: 200, json: await reports.summary(query) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/reports',
    operationId: 'listReports',
    summary: 'Received DMARC and TLS reports, by the day they end on, newest first',
    query: z.strictObject({
      domain: domainName.optional(),
      kind: z.enum(['dmarc', 'tls']).optional(),
      ...pageFields(500),
    }),
    responses: { 200: { description: 'Reports', schema: reportListSchema } },
    handler: async ({ query }, { reports }) => ({ status: 200, json: await reports.list(query) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/reports/{id}',
    operationId: 'showReport',
    summary: 'One report, with its rows',
    params: z.strictObject({ id: z.string().min(1).max(64) }),
    responses: { 200: { description: 'It', schema: shownReportSchema } },
    async handler({ params }, { reports }) {
      const shown = await reports.show(params.id)
      if (shown) return { status: 200, json: shown }
      throw new ServiceError('not_found', `There is no report ${params.id}.`, 'List them with "restante reports list".')
    },
  }),
]
