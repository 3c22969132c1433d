/** The health check's response. */
import { z } from 'zod'
import { ServiceError } from '../../lib/errors.js'
import { notReady } from '../answers/errors.js'
import type { DriverName } from '../listener/types.js'

export const healthQuery = z.strictObject({
  verbose: z.enum(['', '1', 'true']).optional().describe('Also report `http_driver`.'),
})

export const healthSchema = z.object({
  status: z.literal('ready'),
  disk: z.enum(['ok', 'low']).describe('`low`: incoming mail is refused for now, until there is space again'),
  http_driver: z.enum(['uws', 'node']).optional().describe('With `verbose`: the HTTP server in use'),
})

export interface Health {
  /** True once all parts have started. */
  ready: () => boolean
  /** Driver of plain HTTP. */
  httpDriver: DriverName
  /** True while incoming mail is refused for lack of space; undefined: never. */
  diskIsLow?: (() => Promise<boolean>) | undefined
  /** Undefined: always. */
  storeIsReadable?: (() => Promise<boolean>) | undefined
}

/**
 * 200 even when the disk is low: stored data can be read and deleted.
 *
 * @throws ServiceError (503) during the start, and when the store cannot be read
 */
export async function healthOf(
  { ready, httpDriver, diskIsLow, storeIsReadable }: Health,
  { verbose }: z.infer<typeof healthQuery>,
): Promise<z.infer<typeof healthSchema>> {
  if (!ready()) throw notReady()
  if ((await storeIsReadable?.()) === false)
    throw new ServiceError(
      'unavailable',
      'The store cannot be read. Mail is refused temporarily, so senders try again.',
      'Tell the operator: the log has the error, and "restante verify" checks the store.',
      { retryAfterSeconds: 60 },
    )
  return {
    status: 'ready',
    disk: (await diskIsLow?.()) ? 'low' : 'ok',
    ...(verbose !== undefined && { http_driver: httpDriver }),
  }
}
