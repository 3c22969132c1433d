/** The service itself: where its description is, and whether it is ready. */
import { z } from 'zod'
import { notReady } from '../errors.js'
import { health, healthSchema } from '../health.js'
import { defineRoute } from './parts.js'

export const serviceRoutes = [
  defineRoute({
    method: 'GET',
    path: '/',
    operationId: 'getService',
    summary: 'Find out what this is',
    tag: 'Service',
    auth: 'none',
    responses: {
      200: {
        description: 'Where to start',
        schema: z.object({
          service: z.literal('restante'),
          description: z.string(),
          openapi_url: z.string(),
          mcp_url: z.string(),
          start_with: z.string(),
        }),
        example: {
          service: 'restante',
          description: 'Mailboxes for software agents, over REST and MCP.',
          openapi_url: 'https://mail.agents.example/v1/openapi.yaml',
          mcp_url: 'https://mail.agents.example/mcp',
          start_with: 'GET https://mail.agents.example/v1/claim/challenge',
        },
      },
    },
    handler: async (_input, { baseUrl }) => ({
      status: 200,
      json: {
        service: 'restante' as const,
        description: 'Mailboxes for software agents, over REST and MCP.',
        openapi_url: `${baseUrl}/v1/openapi.yaml`,
        mcp_url: `${baseUrl}/mcp`,
        start_with: `GET ${baseUrl}/v1/claim/challenge`,
      },
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Ask whether the service is ready',
    tag: 'Service',
    auth: 'none',
    rateLimited: false,
    responses: { 200: { description: 'It is', schema: healthSchema, example: { status: 'ready', disk: 'ok' } } },
    errors: ['unavailable'],
    async handler(_input, { ready, diskIsLow }) {
      if (!ready()) throw notReady()
      return { status: 200, json: await health(diskIsLow) }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/openapi.yaml',
    operationId: 'getOpenapi',
    summary: 'Get this description',
    tag: 'Service',
    auth: 'none',
    responses: { 200: { description: 'OpenAPI 3.1', contentType: 'application/yaml' } },
    handler: async (_input, { openapi }) => ({
      status: 200,
      headers: { 'Content-Type': 'application/yaml', 'Cache-Control': 'public, max-age=300' },
      body: openapi(),
    }),
  }),
]
