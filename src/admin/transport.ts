/** Transport security over the admin listener: reports on TLS, and the MTA-STS policies of other domains. */
import { z } from 'zod'
import { wholeNumber } from '../http/whole-number.js'
import { ServiceError } from '../lib/errors.js'
import { stsEntrySchema, stsListSchema } from '../relay/mta-sts/list.js'
import type { MtaSts } from '../relay/mta-sts/mta-sts.js'
import { reportListSchema } from '../reporting/sent/tls-report-list.js'
import type { TlsReports } from '../reporting/sent/tls-reports.js'
import { domainName } from './domain-name.js'
import { routesWith } from '../http/routing/route.js'

export interface TransportParts {
  /** Missing where none are made. */
  tlsReports?: Pick<TlsReports, 'list' | 'sendNow'> | undefined
  /** Missing where policies are not looked at. */
  mtaSts?: Pick<MtaSts, 'list' | 'show' | 'forget'> | undefined
}

const defineRoute = routesWith<TransportParts>()
const tag = 'Admin'
const auth = 'none'

const MAX_LISTED = 1000
const limit = wholeNumber(1, MAX_LISTED).default(100)

function reportsOf({ tlsReports }: TransportParts): NonNullable<TransportParts['tlsReports']> {
  if (tlsReports) return tlsReports
  throw new ServiceError(
    'invalid_request',
    'This daemon makes no reports on TLS.',
    'It does with relay.tls_reports on, and where mail may leave the server (relay.outbound or relay.smarthost).',
  )
}

function policiesOf({ mtaSts }: TransportParts): NonNullable<TransportParts['mtaSts']> {
  if (mtaSts) return mtaSts
  throw new ServiceError(
    'invalid_request',
    'This daemon does not look at MTA-STS policies.',
    'It does when relay.mta_sts is not "off".',
  )
}

export const transportRoutes = [
  defineRoute({
    method: 'GET',
    path: '/tls-reports',
    operationId: 'listTlsReports',
    summary: 'What is counted for reports on TLS, and reports on their way: these first, then by day and domain',
    tag,
    auth,
    query: z.strictObject({ domain: domainName.optional(), limit }),
    responses: { 200: { description: 'The first of them', schema: reportListSchema } },
    handler: async ({ query }, parts) => ({ status: 200, json: await reportsOf(parts).list(query) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/tls-reports/send',
    operationId: 'sendTlsReports',
    summary: 'Have the reports on days that have ended leave now',
    tag,
    auth,
    body: z.strictObject({ domain: domainName.optional() }),
    responses: { 200: { description: 'How many were told to', schema: z.object({ sent: z.int() }) } },
    handler: async ({ body }, parts) => ({ status: 200, json: await reportsOf(parts).sendNow(body.domain) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/mta-sts',
    operationId: 'listMtaStsPolicies',
    summary: 'The MTA-STS policies that are kept, by domain',
    tag,
    auth,
    query: z.strictObject({ limit }),
    responses: { 200: { description: 'The first of them', schema: stsListSchema } },
    handler: async ({ query }, parts) => ({ status: 200, json: await policiesOf(parts).list(query.limit) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/mta-sts/policy',
    operationId: 'showMtaStsPolicy',
    summary: "What is known of a domain's MTA-STS policy",
    tag,
    auth,
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
    summary: "Forget a domain's MTA-STS policy; the next mail there looks for one anew",
    tag,
    auth,
    body: z.strictObject({ domain: domainName }),
    responses: { 200: { description: 'It is forgotten', schema: z.object({ forgotten: z.literal(true) }) } },
    async handler({ body }, parts) {
      if (!(await policiesOf(parts).forget(body.domain))) throw noPolicy(body.domain)
      return { status: 200, json: { forgotten: true as const } }
    },
  }),
]

function noPolicy(name: string): ServiceError {
  return new ServiceError(
    'not_found',
    `Nothing is known of an MTA-STS policy of ${name}.`,
    'It is looked for with the first mail that goes there; "restante mta-sts list" shows what is kept.',
  )
}
