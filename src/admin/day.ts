/** Counters of the day, and current state, for `restante top` and charts. */
import { z } from 'zod'
import { ServiceError } from '../lib/errors.js'
import { type Now, nowSchema } from '../observe/day/now.js'
import { type DayView, type Resolution, daySchema } from '../observe/day/view.js'
import { adminRoutesWith } from './define.js'

export interface DayParts {
  /** Missing from a server that records nothing. */
  day?: { now: () => Promise<Now>; view: (resolution: Resolution) => Promise<DayView> } | undefined
}

const defineRoute = adminRoutesWith<DayParts>()

export const dayRoutes = [
  defineRoute({
    method: 'GET',
    path: '/day',
    operationId: 'getDay',
    summary: 'Counters: by minute for two hours (`1m`), or in steps of ten minutes for a day (`10m`)',
    query: z.strictObject({ resolution: z.enum(['1m', '10m']).default('10m') }),
    responses: { 200: { description: 'The day, times in UTC', schema: daySchema } },
    handler: async ({ query }, parts) => ({ status: 200, json: await of(parts).view(query.resolution) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/now',
    operationId: 'getNow',
    summary: 'Totals since the start, and the current state',
    responses: { 200: { description: 'This moment', schema: nowSchema } },
    handler: async (_input, parts) => ({ status: 200, json: await of(parts).now() }),
  }),
]

function of({ day }: DayParts): NonNullable<DayParts['day']> {
  if (day) return day
  throw new ServiceError('not_found', 'This server records no numbers.', 'Read GET /metrics of its admin listener.')
}
