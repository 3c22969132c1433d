/** What is answered to whoever asks after the service's health. */
import { z } from 'zod'

export const healthSchema = z.object({
  status: z.literal('ready'),
  disk: z.enum(['ok', 'low']).describe('`low`: incoming mail is refused for now, until there is room again'),
})

/** Stays a 200 when the disk is low: what is stored can be read, and deleted, all the same. */
export async function health(diskIsLow: (() => Promise<boolean>) | undefined): Promise<z.infer<typeof healthSchema>> {
  return { status: 'ready', disk: (await diskIsLow?.()) ? 'low' : 'ok' }
}
