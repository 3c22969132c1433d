/** The daemon itself over the admin listener: reload, DKIM keys, metrics, health. */
import { z } from 'zod'
import { healthOf, healthQuery, healthSchema, type Health } from '../http/routing/health.js'
import { adminRoutesWith } from './define.js'
import { ServiceError } from '../lib/errors.js'
import { messageOf } from '../lib/thrown.js'

export interface ServiceParts {
  /** Reads the configuration again. Its error says what is wrong; the old configuration stays in use then. */
  reload: () => Promise<void>
  /** Looks up the records of the DKIM keys; keys start and stop signing accordingly. */
  checkDkimKeys: () => Promise<{ started: number; retired: number; removed: number }>
  metrics: () => Promise<{ contentType: string; body: string }>
  health: Health
}

const defineRoute = adminRoutesWith<ServiceParts>()

export const serviceRoutes = [
  defineRoute({
    method: 'POST',
    path: '/reload',
    operationId: 'reload',
    summary: 'Read the configuration and the DKIM keys again',
    responses: { 200: { description: 'They are in use', schema: z.object({ reloaded: z.literal(true) }) } },
    async handler(_input, { reload }) {
      try {
        await reload()
      } catch (cause) {
        // The operator may read what is wrong with their files.
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
    operationId: 'checkDkimKeys',
    summary: 'Look up the records of the DKIM keys now; a key that waits signs once its record is seen',
    responses: {
      200: {
        description: 'What followed from it',
        schema: z.object({ started: z.int(), retired: z.int(), removed: z.int() }),
      },
    },
    handler: async (_input, { checkDkimKeys }) => ({ status: 200, json: await checkDkimKeys() }),
  }),
  defineRoute({
    method: 'GET',
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics in the Prometheus text format',
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
    responses: { 200: { description: 'It is', schema: healthSchema } },
    query: healthQuery,
    handler: async ({ query }, { health }) => ({ status: 200, json: await healthOf(health, query) }),
  }),
]
