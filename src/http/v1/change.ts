/** What can be changed on messages and conversations. */
import { z } from 'zod'
import { MAX_LABELS } from '../../mailbox/labels.js'
import type { MessageChange } from '../../mailbox/types.js'
import { labelSchema } from './schemas.js'

export const changeBody = z
  .strictObject({
    add_labels: z.array(labelSchema).max(MAX_LABELS).optional(),
    remove_labels: z.array(labelSchema).max(MAX_LABELS).optional(),
    unread: z.boolean().optional(),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'Give at least one of add_labels, remove_labels, unread.',
  )
  .meta({ id: 'Change', examples: [{ add_labels: ['invoices'], unread: false }] })

export function changeOf(body: z.output<typeof changeBody>): MessageChange {
  return { addLabels: body.add_labels, removeLabels: body.remove_labels, unread: body.unread }
}
