/** Deleting: trash, restore, purge. */
import { z } from 'zod'
import { timeSchema, trashedMessageSchema } from '../../../mailbox/objects/objects.js'
import { ok } from '../../../http/routing/route.js'
import { defineMailRoute, forKeys } from '../parts.js'
import { MESSAGE_ID, messageExample, THREAD_ID, threadExample, trashTimesExample } from '../mail-examples.js'
import { byId, listResponse, pageQuery } from '../schemas.js'
import { shownMessage, shownMessageSchema, shownThread, shownThreadSchema, WITHOUT_READING } from '../shown.js'

const deletedMessage = z
  .object({
    id: z.string(),
    object: z.literal('message'),
    deleted: z.literal(true),
    thread_id: z.string(),
    deleted_at: timeSchema,
    purge_at: timeSchema.describe('When it is gone for good'),
  })
  .meta({ id: 'DeletedMessage' })

const deletedThread = z
  .object({
    id: z.string(),
    object: z.literal('thread'),
    deleted: z.literal(true),
    message_count: z.int().describe('Messages that this call moved to the trash; 0 when all were there'),
  })
  .meta({ id: 'DeletedThread' })

const purgedMessage = z
  .object({ id: z.string(), object: z.literal('message'), deleted: z.literal(true), permanent: z.literal(true) })
  .meta({ id: 'PurgedMessage' })

const emptied = z
  .object({
    deleted: z.int().describe('Messages that are gone'),
    has_more: z.boolean().describe('There is more to delete: call again'),
  })
  .meta({ id: 'EmptiedTrash' })

const trashedExample: z.output<typeof trashedMessageSchema> = {
  id: MESSAGE_ID,
  object: 'trashed_message',
  thread_id: THREAD_ID,
  direction: 'inbound',
  from: messageExample.from,
  to: messageExample.to,
  subject: messageExample.subject,
  preview: messageExample.preview,
  labels: messageExample.labels,
  has_attachments: true,
  size_bytes: messageExample.size_bytes,
  ...trashTimesExample,
}

export const trashRoutes = [
  defineMailRoute({
    method: 'DELETE',
    path: '/v1/messages/{id}',
    operationId: 'deleteMessage',
    summary: 'Move a message to the trash',
    description:
      'It leaves all lists, counts and searches, stays readable by its id, and can be restored for 7 days; then it is gone. Until then it counts as storage. A message on its way (scheduled, checking, held, queued, sending, sent) is refused: cancel it, or wait until it has ended. Deleting it again changes nothing.',
    ...forKeys('Messages', 'mail:write'),
    ...byId(MESSAGE_ID),
    responses: {
      200: {
        description: 'Moved to the trash',
        schema: deletedMessage,
        example: { id: MESSAGE_ID, object: 'message', deleted: true, thread_id: THREAD_ID, ...trashTimesExample },
      },
    },
    errors: ['message_on_its_way'],
    handler: ({ params, caller }, { mailboxes }) => ok(mailboxes.trash.deleteMessage(caller.mailboxId, params.id)),
  }),
  defineMailRoute({
    method: 'POST',
    path: '/v1/messages/{id}/restore',
    operationId: 'restoreMessage',
    summary: 'Restore a message from the trash',
    description: `To its conversation and its place there, with its labels, read or unread as it was. A message that is not in the trash stays as it is. ${WITHOUT_READING}`,
    ...forKeys('Messages', 'mail:write'),
    ...byId(MESSAGE_ID),
    responses: {
      200: { description: 'The changed message', schema: shownMessageSchema, example: messageExample },
    },
    handler: async ({ params, caller }, { mailboxes }) =>
      ok(shownMessage(await mailboxes.trash.restoreMessage(caller.mailboxId, params.id), caller)),
  }),
  defineMailRoute({
    method: 'DELETE',
    path: '/v1/threads/{id}',
    operationId: 'deleteThread',
    summary: 'Move a conversation to the trash',
    description:
      'Every message of it, at once. While one of them is on its way (scheduled, checking, held, queued, sending, sent), nothing is moved. A later reply starts the conversation again, with that reply alone.',
    ...forKeys('Threads', 'mail:write'),
    ...byId(THREAD_ID),
    responses: {
      200: {
        description: 'Moved to the trash',
        schema: deletedThread,
        example: { id: THREAD_ID, object: 'thread', deleted: true, message_count: 3 },
      },
    },
    errors: ['message_on_its_way'],
    handler: ({ params, caller }, { mailboxes }) => ok(mailboxes.trash.deleteThread(caller.mailboxId, params.id)),
  }),
  defineMailRoute({
    method: 'POST',
    path: '/v1/threads/{id}/restore',
    operationId: 'restoreThread',
    summary: 'Restore a conversation from the trash',
    description: `Every message of it that is in the trash, whenever it was deleted. ${WITHOUT_READING}`,
    ...forKeys('Threads', 'mail:write'),
    ...byId(THREAD_ID),
    responses: {
      200: { description: 'The changed conversation', schema: shownThreadSchema, example: threadExample },
    },
    handler: async ({ params, caller }, { mailboxes }) =>
      ok(shownThread(await mailboxes.trash.restoreThread(caller.mailboxId, params.id), caller)),
  }),
  defineMailRoute({
    method: 'GET',
    path: '/v1/trash',
    operationId: 'listTrash',
    summary: 'List the trash',
    description: 'Last deleted first. GET /v1/messages/{id} reads one of them.',
    ...forKeys('Trash', 'mail:read'),
    query: z.strictObject(pageQuery),
    example: { query: { limit: '10' } },
    responses: listResponse('A page of messages', 'TrashedMessageList', trashedMessageSchema, trashedExample),
    handler: ({ query, caller }, { mailboxes }) => ok(mailboxes.trash.list(caller.mailboxId, query)),
  }),
  defineMailRoute({
    method: 'DELETE',
    path: '/v1/trash/{id}',
    operationId: 'purgeMessage',
    summary: 'Delete a message permanently',
    description:
      'Only what is in the trash: DELETE /v1/messages/{id} moves a message there first. There is no way back. Its storage is freed at once; its events stay in the event history as long as events are kept.',
    ...forKeys('Trash', 'mail:write'),
    ...byId(MESSAGE_ID),
    responses: {
      200: {
        description: 'Deleted',
        schema: purgedMessage,
        example: { id: MESSAGE_ID, object: 'message', deleted: true, permanent: true },
      },
    },
    handler: ({ params, caller }, { mailboxes }) => ok(mailboxes.trash.purge(caller.mailboxId, params.id)),
  }),
  defineMailRoute({
    method: 'DELETE',
    path: '/v1/trash',
    operationId: 'emptyTrash',
    summary: 'Empty the trash',
    description: 'Deletes at most 500 messages per call, first deleted first. This cannot be undone.',
    ...forKeys('Trash', 'mail:write'),
    responses: {
      200: { description: 'Number of deleted messages', schema: emptied, example: { deleted: 42, has_more: false } },
    },
    handler: ({ caller }, { mailboxes }) => ok(mailboxes.trash.empty(caller.mailboxId)),
  }),
]
