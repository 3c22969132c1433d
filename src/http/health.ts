/** What is answered to whoever asks after the service's health. */
import { z } from 'zod'
import { ServiceError } from '../lib/errors.js'

export const healthSchema = z.object({
  status: z.literal('ready'),
  disk: z.enum(['ok', 'low']).describe('`low`: incoming mail is refused for now, until there is room again'),
})

export interface Health {
  diskIsLow?: (() => Promise<boolean>) | undefined
  storeIsReadable?: (() => Promise<boolean>) | undefined
}

/**
 * Stays a 200 when the disk is low: what is stored can be read, and deleted, all the same.
 *
 * @throws ServiceError (503) when what is stored can't be read
 */
export async function healthOf({ diskIsLow, storeIsReadable }: Health): Promise<z.infer<typeof healthSchema>> {
  if ((await storeIsReadable?.()) === false)
    throw new ServiceError(
      'unavailable',
      'The store can not be read. Mail is refused, for its senders to try again.',
      'Its operator has to look: the log says what is wrong with the file, and "restante verify" more.',
      { retryAfterSeconds: 60 },
    )
  return { status: 'ready', disk: (await diskIsLow?.()) ? 'low' : 'ok' }
}
