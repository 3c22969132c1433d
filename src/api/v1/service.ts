/** The service: its description and health. */
import { z } from 'zod'
import { healthOf, healthQuery, healthSchema, type Health } from '../../http/routing/health.js'
import type { OpenapiTexts } from '../../http/routing/openapi.js'
import { ok, routesWith } from '../../http/routing/route.js'

export interface ServiceParts {
  /** Without a trailing slash. */
  baseUrl: string
  health: Health
  /** For GET /v1/openapi.yaml and GET /v1/openapi.json. */
  openapi: () => Promise<OpenapiTexts>
}

const defineRoute = routesWith<ServiceParts>()

/** Cacheable: it changes only with the version and the base URL. */
const DESCRIPTION_CACHE = { 'Cache-Control': 'public, max-age=300' }

const describedAt = (baseUrl: string) => ({
  service: 'restante' as const,
  description: 'Mailboxes for software agents, over REST and MCP.',
  openapi_url: `${baseUrl}/v1/openapi.yaml`,
  docs_url: `${baseUrl}/docs/api.md`,
  mcp_url: `${baseUrl}/mcp`,
  start_with: `GET ${baseUrl}/v1/claim/challenge`,
})

export const serviceRoutes = [
  defineRoute({
    method: 'GET',
    path: '/',
    operationId: 'getService',
    summary: 'Describe the service',
    tag: 'Service',
    auth: 'none',
    responses: {
      200: {
        description: 'Where to start',
        schema: z.object({
          service: z.literal('restante'),
          description: z.string(),
          openapi_url: z.string(),
          docs_url: z.string().describe('Each operation on a separate page'),
          mcp_url: z.string(),
          start_with: z.string(),
        }),
        example: describedAt('https://mail.agents.example'),
      },
    },
    handler: (_input, { baseUrl }) => ok(describedAt(baseUrl)),
  }),
  defineRoute({
    method: 'GET',
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Get whether the service is ready',
    tag: 'Service',
    auth: 'none',
    rateLimited: false,
    query: healthQuery,
    responses: { 200: { description: 'Ready', schema: healthSchema, example: { status: 'ready', disk: 'ok' } } },
    errors: ['unavailable'],
    handler: async ({ query }, { health }) => ({ status: 200, json: await healthOf(health, query) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/openapi.yaml',
    operationId: 'getOpenapi',
    summary: 'Get this description as YAML',
    description:
      'All operations at once, some 85,000 tokens long. GET /docs/api.md lists the operations; each has a short page there.',
    tag: 'Service',
    auth: 'none',
    responses: { 200: { description: 'OpenAPI 3.1', contentType: 'application/yaml' } },
    handler: async (_input, { openapi }) => ({
      status: 200,
      headers: { 'Content-Type': 'application/yaml', ...DESCRIPTION_CACHE },
      body: (await openapi()).yaml,
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/openapi.json',
    operationId: 'getOpenapiJson',
    summary: 'Get this description as JSON',
    tag: 'Service',
    auth: 'none',
    responses: { 200: { description: 'OpenAPI 3.1', contentType: 'application/json' } },
    handler: async (_input, { openapi }) => ({
      status: 200,
      headers: { 'Content-Type': 'application/json', ...DESCRIPTION_CACHE },
      body: (await openapi()).json,
    }),
  }),
]
