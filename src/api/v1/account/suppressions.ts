/** Suppressed addresses: the account may not write to them until they are removed from the list. */
import { z } from 'zod'
import { suppressionSchema } from '../../../accounts/suppressions.js'
import type { Caller } from '../../../accounts/types.js'
import { suppressionExample } from './account-examples.js'
import { defineAccountRoute } from '../parts.js'
import { listOf, pageQuery } from '../schemas.js'

export const suppressionRoutes = [
  defineAccountRoute({
    method: 'GET',
    path: '/v1/suppressions',
    operationId: 'listSuppressions',
    summary: 'List addresses that mail may not be sent to',
    description:
      'Of the whole account, the newest first. An address comes onto the list when its server says that it does not exist, or when its owner calls a message spam.',
    tag: 'Account',
    auth: 'mailbox',
    scope: 'mail:read',
    query: z.strictObject(pageQuery),
    responses: {
      200: {
        description: 'A page of addresses',
        schema: listOf('SuppressionList', suppressionSchema),
        example: { data: [suppressionExample], has_more: false, next_cursor: null },
      },
    },
    handler: async ({ query, caller }, { suppressions }) => ({
      status: 200,
      json: await suppressions.list(accountOf(caller), query),
    }),
  }),
  defineAccountRoute({
    method: 'DELETE',
    path: '/v1/suppressions/{address}',
    operationId: 'removeSuppression',
    summary: 'Remove an address from the suppression list',
    description:
      'Only when you know that the address works again, or that its owner wants your mail: another bounce or complaint brings it back and counts against the account.',
    tag: 'Account',
    auth: 'mailbox',
    scope: 'account:manage',
    params: z.strictObject({ address: z.string().max(320).describe('Percent-encoded') }),
    example: { params: { address: suppressionExample.address } },
    responses: {
      200: {
        description: 'The removed address; mail to it is allowed again',
        schema: suppressionSchema,
        example: suppressionExample,
      },
    },
    errors: ['not_found'],
    handler: async ({ params, caller }, { suppressions }) => ({
      status: 200,
      json: await suppressions.remove(accountOf(caller), params.address),
    }),
  }),
]

function accountOf({ account, mailboxId }: Caller): string {
  if (!account) throw new Error(`Mailbox ${mailboxId} is claimed and has no account`)
  return account.id
}
