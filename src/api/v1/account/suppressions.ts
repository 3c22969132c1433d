/** Suppressed addresses: the account may not write to them until they are removed from the list. */
import { z } from 'zod'
import { suppressionSchema } from '../../../accounts/suppressions.js'
import { accountOf } from '../../../http/limits/authorize.js'
import { ok } from '../../../http/routing/route.js'
import { suppressionExample } from './account-examples.js'
import { defineAccountRoute, forKeys } from '../parts.js'
import { listResponse, pageQuery } from '../schemas.js'

export const suppressionRoutes = [
  defineAccountRoute({
    method: 'GET',
    path: '/v1/suppressions',
    operationId: 'listSuppressions',
    summary: 'List addresses that mail may not be sent to',
    description:
      'Of the whole account, newest first. An address is added when its server says that it does not exist, or when its owner reports a message as spam.',
    ...forKeys('Account', 'mail:read'),
    query: z.strictObject(pageQuery),
    responses: listResponse('A page of addresses', 'SuppressionList', suppressionSchema, suppressionExample),
    handler: ({ query, caller }, { suppressions }) => ok(suppressions.list(accountOf(caller).id, query)),
  }),
  defineAccountRoute({
    method: 'DELETE',
    path: '/v1/suppressions/{address}',
    operationId: 'removeSuppression',
    summary: 'Remove an address from the suppression list',
    description:
      'Only when you know that the address works again, or that its owner wants your mail: another bounce or complaint brings it back and counts against the account.',
    ...forKeys('Account', 'account:manage'),
    params: z.strictObject({ address: z.string().max(320).describe('Percent-encoded') }),
    example: { params: { address: suppressionExample.address } },
    responses: {
      200: {
        description: 'The removed address; mail to it is allowed again',
        schema: suppressionSchema,
        example: suppressionExample,
      },
    },
    handler: ({ params, caller }, { suppressions }) => ok(suppressions.remove(accountOf(caller).id, params.address)),
  }),
]
