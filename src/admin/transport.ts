/** Transport security over the admin listener: TLS reports, and other domains' MTA-STS policies. */
import { z } from 'zod'
import { wholeNumber } from '../http/whole-number.js'
import { ServiceError } from '../lib/errors.js'
import { stsEntrySchema, stsListSchema } from '../relay/mta-sts/list.js'
import type { MtaSts } from '../relay/mta-sts/mta-sts.js'
import { reportListSchema } from '../reporting/sent/tls-report-list.js'
import type { TlsReports } from '../reporting/sent/tls-reports.js'
import { domainName } from './fields.js'
import { adminRoutesWith } from './define.js'

export interface TransportParts {
  /** Missing where none are made. */
  tlsReports?: Pick<TlsReports, 'list' | 'sendNow'> | undefined
  /** Missing where MTA-STS is off. */
  mtaSts?: Pick<MtaSts, 'list' | 'show' | 'forget'> | undefined
}

const defineRoute = adminRoutesWith<TransportParts>()

const MAX_LISTED = 1000
const limit = wholeNumber(1, MAX_LISTED).default(100)

function reportsOf({ tlsReports }: TransportParts): NonNullable<TransportParts['tlsReports']> {
  if (tlsReports) return tlsReports
  throw new ServiceError(
    'invalid_request',
    'This daemon sends no TLS reports.',
    'Turn on relay.tls_reports, and allow outgoing mail (relay.outbound or relay.smarthost).',
  )
}

function policiesOf({ mtaSts }: TransportParts): NonNullable<TransportParts['mtaSts']> {
  if (mtaSts) return mtaSts
  throw new ServiceError(
    'invalid_request',
    'This daemon does not use MTA-STS policies.',
    'Set relay.mta_sts to a value other than "off".',
  )
}

export const transportRoutes = [
  defineRoute({
    method: 'GET',
    path: '/tls-reports',
    operationId: 'listTlsReports',
    summary: 'TLS reports that are being delivered first, then the counts for the next ones, by day and domain',
    query: z.strictObject({ domain: domainName.optional(), limit }),
    responses: { 200: { description: 'The first of them', schema: reportListSchema } },
    handler: async ({ query }, parts) => ({ status: 200, json: await reportsOf(parts).list(query) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/tls-reports/send',
    operationId: 'sendTlsReports',
    summary: 'Send the TLS reports on past days now',
    body: z.strictObject({ domain: domainName.optional() }),
    responses: { 200: { description: 'Number of reports started', schema: z.object({ sent: z.int() }) } },
    handler: async ({ body }, parts) => ({ status: 200, json: await reportsOf(parts).sendNow(body.domain) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/mta-sts',
    operationId: 'listMtaStsPolicies',
    summary: 'The cached MTA-STS policies, by domain',
    query: z.strictObject({ limit }),
    responses: { 200: { description: 'The first of them', schema: stsListSchema } },
    handler: async ({ query }, parts) => ({ status: 200, json: await policiesOf(parts).list(query.limit) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/mta-sts/policy',
    operationId: 'showMtaStsPolicy',
    summary: 'The cached MTA-STS policy of a domain',
    query: z.strictObject({ domain: domainName }),
    responses: { 200: { description: 'It', schema: stsEntrySchema } },
    async handler({ query }, parts) {
      const found = await policiesOf(parts).show(query.domain)
      if (!found) throw noPolicy(query.domain)
      return { status: 200, json: found }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/mta-sts/forget',
    operationId: 'forgetMtaStsPolicy',
    summary: "Forget a domain's MTA-STS policy; the next mail to it fetches it again",
    body: z.strictObject({ domain: domainName }),
    responses: { 200: { description: 'Forgotten', schema: z.object({ forgotten: z.literal(true) }) } },
    async handler({ body }, parts) {
      if (!(await policiesOf(parts).forget(body.domain))) throw noPolicy(body.domain)
      return { status: 200, json: { forgotten: true as const } }
    },
  }),
]

function noPolicy(name: string): ServiceError {
  return new ServiceError(
    'not_found',
    `There is no cached MTA-STS policy of ${name}.`,
    'The first mail to it fetches one; "restante mta-sts list" shows what is cached.',
  )
}
