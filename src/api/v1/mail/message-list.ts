/** Lists and search of messages. */
import { z } from 'zod'
import { messageSummarySchema } from '../../../mailbox/objects/objects.js'
import { defineMailRoute } from '../parts.js'
import { filterOf, filterQuery } from './message-filter.js'
import { listOf, pageQuery } from '../schemas.js'

export const messageListRoutes = [
  defineMailRoute({
    method: 'GET',
    path: '/v1/messages',
    operationId: 'listMessages',
    summary: 'List or search messages',
    description:
      'Newest first; all filters together. What came in is found at once. A search through very much mail may answer a short page, or an empty one, with a `next_cursor` to go on. Spam is left out unless asked for. What is in the trash is in no list.',
    tag: 'Messages',
    auth: 'mailbox',
    scope: 'mail:read',
    kept: true,
    query: z.strictObject({ ...filterQuery, ...pageQuery }),
    example: { query: { from: 'billing@example.org', has_attachment: '1', q: 'invoice -reminder', limit: '10' } },
    responses: {
      200: {
        description: 'A page of messages, without their text',
        schema: listOf('MessageList', messageSummarySchema),
        example: {
          data: [
            {
              id: 'msg_01K7E8GQ5M1T9Q4Y7RZV3B2XNA',
              object: 'message',
              mailbox_id: 'mbx_01K7E8GQ5M1T9Q4Y7RZV3B2XNB',
              thread_id: 'thr_01K7E8GQ5M1T9Q4Y7RZV3B2XNC',
              direction: 'inbound',
              status: 'received',
              from: { address: 'billing@example.org', name: 'Example Billing' },
              to: [{ address: 'ada@agents.example', name: null }],
              cc: [],
              bcc: [],
              reply_to: [],
              subject: 'Invoice 1042',
              preview: 'Your invoice for January is attached.',
              labels: ['inbox'],
              unread: true,
              size_bytes: 48213,
              message_id: '1042@example.org',
              in_reply_to: null,
              automation: null,
              untrusted: true,
              attachments: [
                {
                  id: 'att_01K7E8GQ5M1T9Q4Y7RZV3B2XND',
                  object: 'attachment',
                  filename: 'invoice-1042.pdf',
                  content_type: 'application/pdf',
                  size_bytes: 35120,
                  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
                  disposition: 'attachment',
                  content_id: null,
                  scan: 'clean',
                  risk: [],
                },
              ],
              recipients: [],
              sent_at: null,
              created_at: '2026-01-31T09:30:00.000Z',
              updated_at: '2026-01-31T09:30:00.000Z',
            },
          ],
          has_more: false,
          next_cursor: null,
        },
      },
    },
    handler: async ({ query: { limit, cursor, ...filter }, caller }, { mailboxes }) => ({
      status: 200,
      json: await mailboxes.reading.messages(caller.mailboxId, { ...filterOf(filter), limit, cursor }),
    }),
  }),
]
