/** Changes to messages and conversations. */
import { z } from 'zod'
import { MAX_LABELS, type MessageChange } from '../../../mailbox/labels.js'
import { labelSchema } from '../schemas.js'

export const changeFields = {
  add_labels: z
    .array(labelSchema)
    .max(MAX_LABELS)
    .optional()
    .describe('`spam` takes a message out of the inbox, and `inbox` out of spam'),
  remove_labels: z
    .array(labelSchema)
    .max(MAX_LABELS)
    .optional()
    .describe('Without `spam` it is in the inbox again, and without `inbox` it is archived'),
  unread: z.boolean().optional(),
}

interface Change {
  add_labels?: string[] | undefined
  remove_labels?: string[] | undefined
  unread?: boolean | undefined
}

export const NOTHING_TO_CHANGE = 'Give at least one of add_labels, remove_labels, unread.'

export function atLeastOne({ add_labels, remove_labels, unread }: Change): boolean {
  return [add_labels, remove_labels, unread].some((value) => value !== undefined)
}

export const changeBody = z
  .strictObject(changeFields)
  .refine(atLeastOne, NOTHING_TO_CHANGE)
  .meta({ id: 'Change', examples: [{ add_labels: ['invoices'], unread: false }] })

export function changeOf({ add_labels, remove_labels, unread }: Change): MessageChange {
  return { addLabels: add_labels, removeLabels: remove_labels, unread }
}
