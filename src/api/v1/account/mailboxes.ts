/** Mailboxes of an account, and their aliases. */
import { z } from 'zod'
import { accountOf } from '../../../http/limits/authorize.js'
import { ok } from '../../../http/routing/route.js'
import type { Caller } from '../../../accounts/types.js'
import { timestamp } from '../../../lib/clock.js'
import { decodeCursor, encodeCursor } from '../../../lib/cursor.js'
import { timeSchema } from '../../../mailbox/objects/objects.js'
import { shownText } from '../../../mailbox/message.js'
import type { Alias, MailboxRecord } from '../../../mailbox/mailbox-record.js'
import { expiryOfNewKey } from '../key-expiry.js'
import { defineAccountRoute, forKeys } from '../parts.js'
import { byId, listResponse, pageQuery, wholeList } from '../schemas.js'

const summarySchema = z
  .object({
    id: z.string(),
    object: z.literal('mailbox_summary'),
    address: z.string(),
    aliases: z.array(z.string()),
    display_name: z.string().nullable(),
    agent_name: z.string().nullable(),
    is_current: z.boolean().describe('True for the mailbox of the key of this request'),
    message_count: z.int(),
    used_bytes: z.int(),
    created_at: timeSchema,
  })
  .meta({ id: 'MailboxSummary' })

const newMailboxSchema = summarySchema
  .extend({ api_key: z.string().describe('A key for the new mailbox. It is shown only this once') })
  .meta({ id: 'NewMailbox' })

const aliasSchema = z
  .object({
    id: z.string().describe('The address'),
    object: z.literal('alias'),
    address: z.string(),
    created_at: timeSchema,
  })
  .meta({ id: 'Alias' })

const MAILBOX: z.infer<typeof summarySchema> = {
  id: 'mbx_01K7E8GQ5M1T9Q4Y7RZV3B2XNA',
  object: 'mailbox_summary',
  address: 'billing-bot@agents.example',
  aliases: [],
  display_name: null,
  agent_name: null,
  is_current: false,
  message_count: 0,
  used_bytes: 0,
  created_at: '2026-01-05T09:30:00.000Z',
}
const ALIAS: z.infer<typeof aliasSchema> = {
  id: 'orders-desk@agents.example',
  object: 'alias',
  address: 'orders-desk@agents.example',
  created_at: '2026-01-05T09:30:00.000Z',
}

function summaryOf(mailbox: MailboxRecord, caller: Caller): z.infer<typeof summarySchema> {
  return {
    id: mailbox.id,
    object: 'mailbox_summary',
    address: mailbox.address,
    aliases: (mailbox.aliases ?? []).map(({ address }) => address),
    display_name: shownText(mailbox.displayName),
    agent_name: mailbox.agentName,
    is_current: mailbox.id === caller.mailboxId,
    message_count: mailbox.messageCount,
    used_bytes: mailbox.usedBytes,
    created_at: timestamp(mailbox.createdAt),
  }
}

const aliasJson = ({ address, createdAt }: Alias): z.infer<typeof aliasSchema> => ({
  id: address,
  object: 'alias',
  address,
  created_at: timestamp(createdAt),
})

const managing = forKeys('Mailboxes', 'account:manage')

export const mailboxesRoutes = [
  defineAccountRoute({
    ...managing,
    method: 'GET',
    path: '/v1/mailboxes',
    operationId: 'listMailboxes',
    summary: 'List the mailboxes of the account',
    description: 'Oldest first. Each has its own keys: this key reads and sends for one mailbox only.',
    query: z.strictObject(pageQuery),
    responses: listResponse('A page of mailboxes', 'MailboxList', summarySchema, MAILBOX),
    async handler({ query, caller }, { accountMailboxes }) {
      const after = decodeCursor(query.cursor, z.string().max(64))
      const all = await accountMailboxes.mailboxes(accountOf(caller).id)
      const rest = after === undefined ? all : all.filter(({ id }) => id > after)
      const page = rest.slice(0, query.limit)
      const last = page.at(-1)
      const hasMore = rest.length > page.length
      return ok({
        data: page.map((mailbox) => summaryOf(mailbox, caller)),
        has_more: hasMore,
        next_cursor: hasMore && last ? encodeCursor(last.id) : null,
      })
    },
  }),
  defineAccountRoute({
    ...managing,
    method: 'POST',
    path: '/v1/mailboxes',
    operationId: 'createMailbox',
    summary: 'Create another mailbox of the account',
    description:
      'It works at once, since the account is approved. Its key has the scopes and the expiry of the key of this request, and needs approval if that key or its mailbox does. Names follow the rules of a claim; on a custom domain they are free.',
    idempotent: 'secret',
    body: z
      .strictObject({
        name: z.string().max(100).describe('The part before the @'),
        domain: z.string().max(255).optional().describe('Without it the first domain of the server'),
        agent_name: z.string().max(1000).optional(),
      })
      .meta({ id: 'CreateMailboxRequest' }),
    example: { body: { name: 'billing-bot' } },
    responses: {
      201: {
        description: 'The mailbox with its first key',
        schema: newMailboxSchema,
        example: { ...MAILBOX, api_key: 'rst_Xy4mB7Kq2VtN9sLw6RzD1hJc8PfG5aQe3UoTiYxZvCk' },
      },
    },
    errors: ['name_taken', 'name_reserved', 'limit_reached'],
    async handler({ body, caller, making }, { accountMailboxes, accounts, mailboxes }) {
      const { requiresApproval } = await mailboxes.settings.get(caller.mailboxId)
      const mailbox = await accountMailboxes.createMailbox(accountOf(caller).id, {
        id: making.id('mbx'),
        name: body.name,
        domain: body.domain,
        agentName: body.agent_name,
      })
      const { text } = await accounts.createKey(mailbox.id, {
        id: making.id('key'),
        scopes: [...caller.scopes],
        expiresAt: expiryOfNewKey(caller),
        requiresApproval: caller.requiresApproval ?? requiresApproval,
      })
      return { status: 201, json: { ...summaryOf(mailbox, caller), api_key: text } }
    },
  }),
  defineAccountRoute({
    ...managing,
    method: 'DELETE',
    path: '/v1/mailboxes/{id}',
    operationId: 'deleteMailbox',
    summary: 'Delete a mailbox of the account with all its mail',
    description:
      'Permanent and immediate: its keys stop working, mail that waits to be sent is dropped, and its addresses are free again. Mailboxes have no trash: export the account first. The last mailbox can only be deleted with its account.',
    ...byId(MAILBOX.id),
    responses: {
      202: {
        description: 'The mailbox is being removed',
        schema: z
          .object({
            id: z.string(),
            object: z.literal('mailbox_summary'),
            address: z.string(),
            status: z.literal('deleting'),
            was_current: z.boolean().describe('True for the mailbox of the key of this request'),
          })
          .meta({ id: 'DeletedMailbox' }),
        example: {
          id: MAILBOX.id,
          object: 'mailbox_summary',
          address: MAILBOX.address,
          status: 'deleting',
          was_current: false,
        },
      },
    },
    errors: ['last_mailbox'],
    async handler({ params, caller }, { removal }) {
      const { address } = await removal.request(accountOf(caller).id, params.id)
      return {
        status: 202,
        json: {
          id: params.id,
          object: 'mailbox_summary' as const,
          address,
          status: 'deleting' as const,
          was_current: params.id === caller.mailboxId,
        },
      }
    },
  }),
  defineAccountRoute({
    ...forKeys('Mailboxes', 'mail:read'),
    method: 'GET',
    path: '/v1/aliases',
    operationId: 'listAliases',
    summary: 'List the aliases of this mailbox',
    description: 'Tagged addresses (`name+anything@…`) need no alias.',
    responses: listResponse('All of them', 'AliasList', aliasSchema, ALIAS),
    async handler({ caller }, { accountMailboxes }) {
      return ok(wholeList((await accountMailboxes.aliases(caller.mailboxId)).map(aliasJson)))
    },
  }),
  defineAccountRoute({
    ...managing,
    method: 'POST',
    path: '/v1/aliases',
    operationId: 'createAlias',
    summary: 'Add an alias to this mailbox',
    description: 'Names follow the rules of a claim. Use it as `from` when sending. Adding an alias again returns 200.',
    body: z.strictObject({ address: z.string().max(320) }).meta({ id: 'CreateAliasRequest' }),
    example: { body: { address: ALIAS.address } },
    responses: {
      200: { description: 'The alias was added before', schema: aliasSchema, example: ALIAS },
      201: { description: 'The alias', schema: aliasSchema, example: ALIAS },
    },
    errors: ['name_taken', 'name_reserved', 'limit_reached'],
    async handler({ body, caller }, { accountMailboxes }) {
      const { isNew, ...alias } = await accountMailboxes.addAlias(accountOf(caller).id, caller.mailboxId, body.address)
      return isNew ? { status: 201, json: aliasJson(alias) } : { status: 200, json: aliasJson(alias) }
    },
  }),
  defineAccountRoute({
    ...managing,
    method: 'DELETE',
    path: '/v1/aliases/{address}',
    operationId: 'removeAlias',
    summary: 'Remove an alias',
    description: 'Mail to it is refused from then on, and anyone may claim it.',
    params: z.strictObject({ address: z.string().max(320).describe('Percent-encoded') }),
    example: { params: { address: ALIAS.address } },
    responses: { 200: { description: 'The removed alias', schema: aliasSchema, example: ALIAS } },
    handler: async ({ params, caller }, { accountMailboxes }) =>
      ok(aliasJson(await accountMailboxes.removeAlias(caller.mailboxId, params.address))),
  }),
]
