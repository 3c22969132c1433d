/** Lists and search of messages. */
import { z } from 'zod'
import { messageSummarySchema } from '../../../mailbox/objects/objects.js'
import { ok } from '../../../http/routing/route.js'
import { messageExample } from '../mail-examples.js'
import { defineMailRoute, forKeys } from '../parts.js'
import { filterOf, filterQuery } from './message-filter.js'
import { listResponse, pageQuery } from '../schemas.js'

export const messageListRoutes = [
  defineMailRoute({
    method: 'GET',
    path: '/v1/messages',
    operationId: 'listMessages',
    summary: 'List or search messages',
    description:
      'Newest first; all filters must match. New mail is found at once. A search through very much mail may return a short or empty page with a `next_cursor`. Spam is left out unless requested. Mail in the trash is in no list.',
    ...forKeys('Messages', 'mail:read'),
    kept: true,
    query: z.strictObject({ ...filterQuery, ...pageQuery }),
    example: { query: { from: 'ada@example.org', has_attachment: '1', q: 'invoice -reminder', limit: '10' } },
    responses: listResponse(
      'A page of messages, without their text',
      'MessageList',
      messageSummarySchema,
      messageSummarySchema.parse({ ...messageExample, unread: true }),
    ),
    handler: ({ query: { limit, cursor, ...filter }, caller }, { mailboxes }) =>
      ok(mailboxes.reading.messages(caller.mailboxId, { ...filterOf(filter), limit, cursor })),
  }),
]
