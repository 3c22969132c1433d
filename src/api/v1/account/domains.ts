/** Custom domains: add, required DNS records, verify, remove. */
import { z } from 'zod'
import { accountOf } from '../../../http/limits/authorize.js'
import { ok } from '../../../http/routing/route.js'
import { requireActive } from '../../../accounts/refusals.js'
import type { Caller } from '../../../accounts/types.js'
import type { CheckedRecord, DomainRecord } from '../../../lifecycle/domains/dns-records.js'
import { ownDomainJson, type OwnDomain } from '../../../lifecycle/domains/record.js'
import { timeSchema } from '../../../mailbox/objects/objects.js'
import { defineAccountRoute, forKeys } from '../parts.js'
import { listResponse, wholeList } from '../schemas.js'

const domainFields = {
  id: z.string().describe('The domain'),
  object: z.literal('domain'),
  domain: z.string(),
  status: z
    .enum(['pending', 'verified', 'lost'])
    .describe(
      'pending until its ownership is proven; lost when the proof is missing for three days: nothing is sent or received for it until it is verified again',
    ),
  created_at: timeSchema,
  verified_at: timeSchema.nullable(),
  checked_at: timeSchema.nullable().describe('When its ownership was last checked'),
}

const recordSchema = z
  .object({
    purpose: z.enum(['ownership', 'mx', 'spf', 'dkim', 'dmarc']),
    type: z.enum(['TXT', 'MX']),
    name: z.string(),
    value: z.string().describe('In one piece, as DNS providers accept it'),
    about: z.string(),
    state: z.enum(['ok', 'missing', 'differs', 'unknown']).describe('unknown: DNS gives no answer, or was not asked'),
    found: z.string().nullable().describe('The value found instead, or a warning about it'),
  })
  .meta({ id: 'DomainDnsRecord' })

const domainSchema = z.object(domainFields).meta({ id: 'Domain' })
const domainWithRecords = z
  .object({ ...domainFields, records: z.array(recordSchema), next_steps: z.array(z.string()) })
  .meta({ id: 'DomainWithRecords' })

const DOMAIN: z.infer<typeof domainSchema> = {
  id: 'example.org',
  object: 'domain',
  domain: 'example.org',
  status: 'pending',
  created_at: '2026-01-05T09:30:00.000Z',
  verified_at: null,
  checked_at: null,
}
const WITH_RECORDS: z.infer<typeof domainWithRecords> = {
  ...DOMAIN,
  records: [
    {
      purpose: 'ownership',
      type: 'TXT',
      name: '_restante.example.org',
      value: 'restante-verification=Xy4mB7Kq2VtN9sLw6RzD1h',
      about: 'Proves that the domain is yours. Keep it: it is checked every day.',
      state: 'missing',
      found: null,
    },
  ],
  next_steps: ['Set the records, then call POST /v1/domains/example.org/verify.'],
}

const shared = forKeys('Domains', 'account:manage')
const one = {
  params: z.strictObject({ domain: z.string().max(255) }),
  example: { params: { domain: DOMAIN.domain } },
}

function activeAccount(caller: Caller): string {
  const account = accountOf(caller)
  requireActive(account)
  return account.id
}

const unchecked = (record: DomainRecord): CheckedRecord => ({ ...record, state: 'unknown', found: null })

function withRecords(own: OwnDomain, records: CheckedRecord[]): z.infer<typeof domainWithRecords> {
  return { ...ownDomainJson(own), records, next_steps: stepsFor(own, records) }
}

function stepsFor({ domain, status }: OwnDomain, records: readonly CheckedRecord[]): string[] {
  const wanting = records.filter(({ state }) => state !== 'ok')
  const which = wanting.map(({ type, name }) => `${type} ${name}`).join(', ')
  if (status !== 'verified')
    return [
      `Set the records in the DNS of ${domain}, then call POST /v1/domains/${domain}/verify. ${which === '' ? '' : `Not seen yet: ${which}.`}`.trim(),
    ]
  return [
    ...(wanting.length > 0
      ? [`Mail from ${domain} may be refused or not arrive until these are right too: ${which}.`]
      : []),
    `Make addresses on it with POST /v1/mailboxes {"name": …, "domain": "${domain}"} or POST /v1/aliases.`,
  ]
}

export const domainRoutes = [
  defineAccountRoute({
    ...shared,
    method: 'GET',
    path: '/v1/domains',
    operationId: 'listDomains',
    summary: 'List the domains of the account',
    responses: listResponse('All of them', 'DomainList', domainSchema, DOMAIN),
    handler: async ({ caller }, { ownDomains }) =>
      ok(wholeList((await ownDomains.list(activeAccount(caller))).map(ownDomainJson))),
  }),
  defineAccountRoute({
    ...shared,
    method: 'POST',
    path: '/v1/domains',
    operationId: 'addDomain',
    summary: 'Add a custom domain',
    description:
      'The response has the DNS records to set. DKIM keys are created on this server and stay on it. The domain is yours once POST /v1/domains/{domain}/verify has found the ownership record. Adding a domain again returns 200.',
    body: z.strictObject({ domain: z.string().max(255) }).meta({ id: 'AddDomainRequest' }),
    example: { body: { domain: DOMAIN.domain } },
    responses: {
      200: { description: 'The domain was added before', schema: domainWithRecords, example: WITH_RECORDS },
      201: { description: 'The domain, with the records to set', schema: domainWithRecords, example: WITH_RECORDS },
    },
    errors: ['domain_taken', 'limit_reached'],
    async handler({ body, caller }, { ownDomains }) {
      const accountId = activeAccount(caller)
      const { own, isNew } = await ownDomains.add(accountId, body.domain)
      const json = withRecords(own, (await ownDomains.get(accountId, own.domain)).records.map(unchecked))
      return isNew ? { status: 201, json } : { status: 200, json }
    },
  }),
  defineAccountRoute({
    ...shared,
    method: 'GET',
    path: '/v1/domains/{domain}',
    operationId: 'getDomain',
    summary: 'Get a domain and the DNS records it needs',
    description: 'Does not query DNS; POST /v1/domains/{domain}/verify does.',
    ...one,
    responses: { 200: { description: 'The domain', schema: domainWithRecords, example: WITH_RECORDS } },
    async handler({ params, caller }, { ownDomains }) {
      const { own, records } = await ownDomains.get(activeAccount(caller), params.domain)
      return ok(withRecords(own, records.map(unchecked)))
    },
  }),
  defineAccountRoute({
    ...shared,
    method: 'POST',
    path: '/v1/domains/{domain}/verify',
    operationId: 'verifyDomain',
    summary: 'Check the DNS records of a domain',
    description:
      'Says of each record whether it is right, and what was found in its place. With the ownership record the domain is verified; without the others its mail may not arrive. An event `domain.verified` comes to every mailbox of the account; `domain.lost` when the proof was gone for three days.',
    ...one,
    responses: { 200: { description: 'The result of the check', schema: domainWithRecords, example: WITH_RECORDS } },
    errors: ['domain_taken'],
    async handler({ params, caller }, { ownDomains }) {
      const { own, records } = await ownDomains.verify(activeAccount(caller), params.domain)
      return ok(withRecords(own, records))
    },
  }),
  defineAccountRoute({
    ...shared,
    method: 'DELETE',
    path: '/v1/domains/{domain}',
    operationId: 'removeDomain',
    summary: 'Remove a domain',
    description: 'Also removes its DKIM keys. Refused while the domain has mailboxes or aliases.',
    ...one,
    responses: { 200: { description: 'The removed domain', schema: domainSchema, example: DOMAIN } },
    errors: ['domain_in_use'],
    handler: async ({ params, caller }, { ownDomains }) =>
      ok(ownDomainJson(await ownDomains.remove(activeAccount(caller), params.domain))),
  }),
]
