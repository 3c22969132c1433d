/** Bulk changes of messages or conversations. */
import { z } from 'zod'
import { checkChange } from '../../../mailbox/labels.js'
import { atLeastOne, changeFields, changeOf, NOTHING_TO_CHANGE } from './change.js'
import { MESSAGE_ID, OTHER_MESSAGE_ID, OTHER_THREAD_ID, THREAD_ID, threadExample } from '../mail-examples.js'
import { ok } from '../../../http/routing/route.js'
import { defineMailRoute, forKeys } from '../parts.js'
import { idParams } from '../schemas.js'
import { shownThread, shownThreadSchema, WITHOUT_READING } from '../shown.js'

const MAX_IDS = 100

const notFoundIds = z
  .array(z.string())
  .describe('Ids of the request that do not exist or are in the trash; these were not changed')

const batchBody = z
  .strictObject({
    ids: z.array(idParams.shape.id).min(1).max(MAX_IDS).describe('Each counts once, however often it is given'),
    ...changeFields,
  })
  .refine(atLeastOne, NOTHING_TO_CHANGE)
  .meta({ id: 'BatchChange' })

const changedMessages = z
  .object({
    updated: z.array(
      z.object({
        id: z.string(),
        object: z.literal('message'),
        thread_id: z.string(),
        labels: z.array(z.string()),
        unread: z.boolean(),
      }),
    ),
    not_found: notFoundIds,
  })
  .meta({ id: 'ChangedMessages' })

const changedThreads = z
  .object({ updated: z.array(shownThreadSchema), not_found: notFoundIds })
  .meta({ id: 'ChangedThreads' })

export const batchRoutes = [
  defineMailRoute({
    method: 'PATCH',
    path: '/v1/messages',
    operationId: 'updateMessages',
    summary: 'Label many messages, or mark them as read',
    description:
      'The same change to each of at most 100 messages, in one step: all that exist are changed, and the others are listed. When one of them would have too many labels, none is changed.',
    ...forKeys('Messages', 'mail:write'),
    body: batchBody,
    example: { body: { ids: [MESSAGE_ID, OTHER_MESSAGE_ID], add_labels: ['invoices'], unread: false } },
    responses: {
      200: {
        description: 'The changed messages',
        schema: changedMessages,
        example: {
          updated: [
            { id: MESSAGE_ID, object: 'message', thread_id: THREAD_ID, labels: ['inbox', 'invoices'], unread: false },
          ],
          not_found: [OTHER_MESSAGE_ID],
        },
      },
    },
    otherProblems: (given) => checkChange(changeOf(given)),
    handler: ({ body, caller }, { mailboxes }) =>
      ok(mailboxes.labels.updateMessages(caller.mailboxId, body.ids, changeOf(body))),
  }),
  defineMailRoute({
    method: 'PATCH',
    path: '/v1/threads',
    operationId: 'updateThreads',
    summary: 'Label many conversations, or mark them as read',
    description: `The same change to every message of at most 100 conversations. Each conversation is changed as a whole; a call that was cut off can be repeated. When a message would have too many labels, the call ends there with an error. ${WITHOUT_READING}`,
    ...forKeys('Threads', 'mail:write'),
    body: batchBody,
    example: { body: { ids: [THREAD_ID, OTHER_THREAD_ID], add_labels: ['invoices'], unread: false } },
    responses: {
      200: {
        description: 'The changed conversations',
        schema: changedThreads,
        example: { updated: [threadExample], not_found: [OTHER_THREAD_ID] },
      },
    },
    otherProblems: (given) => checkChange(changeOf(given)),
    async handler({ body, caller }, { mailboxes }) {
      const { updated, not_found } = await mailboxes.labels.updateThreads(caller.mailboxId, body.ids, changeOf(body))
      return ok({ updated: updated.map((thread) => shownThread(thread, caller)), not_found })
    },
  }),
]
