/** A table of one message's recipients and their states. */
import type { z } from 'zod'
import type { detailsSchema } from '../../relay/operator/types.js'
import { table } from './output.js'

export function recipientTable(recipients: z.infer<typeof detailsSchema>['recipients']): string {
  return table(
    ['RECIPIENT', 'STATUS', 'TRIES', 'NEXT', 'LAST ANSWER'],
    recipients.map((one) => [`<${one.address}>`, one.status, one.attempts, one.next_attempt_at, one.detail]),
  )
}
