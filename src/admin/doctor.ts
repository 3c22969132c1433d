/** The doctor over the admin listener: a full report for monitoring, the daemon's facts for `restante doctor`. */
import { ServiceError } from '../lib/errors.js'
import type { Doctor } from '../ops/doctor/examine.js'
import { factsSchema } from '../ops/doctor/facts.js'
import { reportSchema } from '../ops/doctor/types.js'
import { adminRoutesWith } from './define.js'

export interface DoctorParts {
  doctor?: Doctor | undefined
}

const defineRoute = adminRoutesWith<DoctorParts>()

export const doctorRoutes = [
  defineRoute({
    method: 'GET',
    path: '/doctor',
    operationId: 'getDoctorReport',
    summary:
      'Results of `restante doctor`, at most a minute old; without the checks that connect to other mail servers',
    responses: { 200: { description: 'The results, good or bad', schema: reportSchema } },
    handler: async (_input, parts) => ({ status: 200, json: await of(parts).report() }),
  }),
  defineRoute({
    method: 'GET',
    path: '/doctor/facts',
    operationId: 'getDoctorFacts',
    summary: 'State that only the daemon knows',
    responses: { 200: { description: 'It', schema: factsSchema } },
    handler: async (_input, parts) => ({ status: 200, json: await of(parts).facts() }),
  }),
]

function of({ doctor }: DoctorParts): Doctor {
  if (doctor) return doctor
  throw new ServiceError(
    'not_found',
    'This server does not run doctor checks.',
    'Run `restante doctor` on its machine.',
  )
}
