/** Certificates over the admin listener: list and manual orders. */
import { z } from 'zod'
import { wholeNumber } from '../http/whole-number.js'
import { certificateListSchema, type CertificateListing } from '../certificates/listing.js'
import { isHostName } from '../lib/host-port.js'
import { adminRoutesWith } from './define.js'

export interface CertificateParts {
  certificates: CertificateListing
}

const MAX_WAIT_MS = 20_000

export const renewalSchema = z.object({ ordering: z.array(z.string()) })

const defineRoute = adminRoutesWith<CertificateParts>()

export const certificateRoutes = [
  defineRoute({
    method: 'GET',
    path: '/certificates',
    operationId: 'listCertificates',
    summary:
      'Certificates in use, and names that still need one; responds when no order is in progress, or after wait_ms',
    query: z.strictObject({ wait_ms: wholeNumber(0, MAX_WAIT_MS).default(0) }),
    responses: { 200: { description: 'Your own first', schema: certificateListSchema } },
    async handler({ query }, { certificates }) {
      await certificates.wait(query.wait_ms)
      return { status: 200, json: { data: await certificates.list() } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/certificates/renew',
    operationId: 'renewCertificates',
    summary: 'Order certificates now, due or not; responds at once',
    body: z.strictObject({
      name: z.string().toLowerCase().refine(isHostName, 'takes a host name such as mx.example.com').optional(),
    }),
    responses: { 202: { description: 'They are being ordered, one after the other', schema: renewalSchema } },
    async handler({ body }, { certificates }) {
      return { status: 202, json: { ordering: certificates.renew(body.name) } }
    },
  }),
]
