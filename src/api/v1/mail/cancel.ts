/** Cancelling mail that has not left. */
import { MESSAGE_ID, messageExample } from '../mail-examples.js'
import { ok } from '../../../http/routing/route.js'
import { defineMailRoute, forKeys } from '../parts.js'
import { byId } from '../schemas.js'
import { shownMessage, shownMessageSchema, WITHOUT_READING } from '../shown.js'

export const cancelRoutes = [
  defineMailRoute({
    method: 'POST',
    path: '/v1/messages/{id}/cancel',
    operationId: 'cancelMessage',
    summary: 'Cancel a message that is not sent yet',
    description: `What is scheduled, checking or held, and what is queued until its delivery begins. Takes no body. A message that is cancelled stays so: repeating this is safe. ${WITHOUT_READING}`,
    ...forKeys('Sending', 'mail:send'),
    ...byId(MESSAGE_ID),
    responses: {
      200: {
        description: 'The cancelled message',
        schema: shownMessageSchema,
        example: {
          ...messageExample,
          direction: 'outbound',
          status: 'cancelled',
          labels: [],
          untrusted: false,
          auth: null,
          scan: null,
          send_at: '2026-11-23T09:00:00.000Z',
          cancelled: { code: 'requested', detail: 'Cancelled by request' },
        },
      },
    },
    errors: ['too_late', 'unavailable'],
    handler: async ({ params, caller }, { mailboxes }) =>
      ok(shownMessage(await mailboxes.sending.cancel(caller.mailboxId, params.id), caller)),
  }),
]
