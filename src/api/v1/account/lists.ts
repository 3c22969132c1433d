/** Allow and block lists of a mailbox, for receiving and for sending. */
import { z } from 'zod'
import { ok } from '../../../http/routing/route.js'
import { timestamp } from '../../../lib/clock.js'
import { checkEntry } from '../../../mailbox/settings/address-lists.js'
import { timeSchema } from '../../../mailbox/objects/objects.js'
import { DIRECTIONS, LIST_TYPES, type ListEntry, type WhichList } from '../../../mailbox/objects/set-types.js'
import { defineAccountRoute, forKeys } from '../parts.js'
import { listResponse, pageQuery } from '../schemas.js'

const listParams = z.strictObject({ direction: z.enum(DIRECTIONS), type: z.enum(LIST_TYPES) })
const entryParams = z.strictObject({
  ...listParams.shape,
  entry: z.string().max(330).describe('As it stands on the list, percent-encoded'),
})

const entrySchema = z
  .object({
    id: z.string().describe('The entry, as it stands in the path'),
    object: z.literal('list_entry'),
    direction: z.enum(DIRECTIONS),
    type: z.enum(LIST_TYPES),
    entry: z.string().describe('An address, a domain, or `*.` and a domain: that and all below it'),
    reason: z.string().nullable(),
    created_at: timeSchema,
  })
  .meta({ id: 'ListEntry' })

const ENTRY: z.infer<typeof entrySchema> = {
  id: '*.example.org',
  object: 'list_entry',
  direction: 'receive',
  type: 'block',
  entry: '*.example.org',
  reason: 'newsletters',
  created_at: '2026-01-05T09:30:00.000Z',
}
const LIST = { direction: ENTRY.direction, type: ENTRY.type }
const one = { params: entryParams, example: { params: { ...LIST, entry: ENTRY.entry } } }

function toJson({ direction, type }: WhichList, { entry, reason, createdAt }: ListEntry): z.infer<typeof entrySchema> {
  return { id: entry, object: 'list_entry', direction, type, entry, reason, created_at: timestamp(createdAt) }
}

const reading = forKeys('Lists', 'mail:read')
const managing = forKeys('Lists', 'account:manage')

export const listRoutes = [
  defineAccountRoute({
    ...reading,
    method: 'GET',
    path: '/v1/lists/{direction}/{type}',
    operationId: 'listEntries',
    summary: 'List an allow or block list of this mailbox',
    description:
      '`receive/block`: mail from them is refused with a 550, by the reverse-path or the author. `receive/allow`: their mail is never judged to be spam, when their domain vouches for it; with `receive_only_allowed` of the mailbox, all other mail is refused. `send/block`: nothing is sent to them (403 `recipient_blocked`). `send/allow`: with `send_only_allowed` of the mailbox, nothing is sent to others (403 `recipient_not_allowed`). Block wins over allow. In alphabetical order.',
    params: listParams,
    query: z.strictObject(pageQuery),
    example: { params: LIST },
    responses: listResponse('A page of entries', 'ListEntryList', entrySchema, ENTRY),
    async handler({ params, query, caller }, { mailboxes }) {
      const page = await mailboxes.lists.list(caller.mailboxId, params, query)
      return { status: 200, json: { ...page, data: page.data.map((entry) => toJson(params, entry)) } }
    },
  }),
  defineAccountRoute({
    ...managing,
    method: 'POST',
    path: '/v1/lists/{direction}/{type}',
    operationId: 'addEntry',
    summary: 'Add an address or a domain to a list',
    description: 'At most 1,000 entries per list. An existing entry returns 200 and keeps its time.',
    params: listParams,
    body: z
      .strictObject({
        entry: z
          .string()
          .max(1000)
          .describe(
            '`ada@example.org` (and its tagged addresses), `example.org`, or `*.example.org` with all below it',
          ),
        reason: z.string().max(2000).nullable().optional().describe('Note for readers of the list'),
      })
      .meta({ id: 'AddEntryRequest' }),
    example: { params: LIST, body: { entry: ENTRY.entry, reason: ENTRY.reason } },
    responses: {
      200: { description: 'It was already on the list', schema: entrySchema, example: ENTRY },
      201: { description: 'Added to the list', schema: entrySchema, example: ENTRY },
    },
    otherProblems: checkEntry,
    async handler({ params, body, caller }, { mailboxes }) {
      const { isNew, ...entry } = await mailboxes.lists.add(caller.mailboxId, params, body)
      const json = toJson(params, entry)
      return isNew ? { status: 201, json } : { status: 200, json }
    },
  }),
  defineAccountRoute({
    ...reading,
    method: 'GET',
    path: '/v1/lists/{direction}/{type}/{entry}',
    operationId: 'getEntry',
    summary: 'Get one entry of a list',
    ...one,
    responses: { 200: { description: 'The entry', schema: entrySchema, example: ENTRY } },
    handler: async ({ params, caller }, { mailboxes }) =>
      ok(toJson(params, await mailboxes.lists.get(caller.mailboxId, params, params.entry))),
  }),
  defineAccountRoute({
    ...managing,
    method: 'DELETE',
    path: '/v1/lists/{direction}/{type}/{entry}',
    operationId: 'removeEntry',
    summary: 'Remove an address or a domain from a list',
    ...one,
    responses: { 200: { description: 'The removed entry', schema: entrySchema, example: ENTRY } },
    handler: async ({ params, caller }, { mailboxes }) =>
      ok(toJson(params, await mailboxes.lists.remove(caller.mailboxId, params, params.entry))),
  }),
]
