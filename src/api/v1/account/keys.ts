/** Keys of a mailbox: create, name, rotate, revoke. A key cannot create one with more scopes or a longer life. */
import { z } from 'zod'
import { ok } from '../../../http/routing/route.js'
import {
  SCOPES,
  type Accounts,
  type ApiKey,
  type Caller,
  type ProgramScope,
  type Scope,
} from '../../../accounts/types.js'
import { timestamp } from '../../../lib/clock.js'
import { checkAll, ServiceError } from '../../../lib/errors.js'
import { timeSchema } from '../../../mailbox/objects/objects.js'
import { refuseFreeing } from '../approval.js'
import { expiryOfNewKey, refuseOutliving } from '../key-expiry.js'
import { defineAccountRoute, forKeys } from '../parts.js'
import { byId, idParams, listResponse, wholeList } from '../schemas.js'

const scopesSchema = z.array(z.enum(SCOPES)).min(1).max(SCOPES.length)

const keySchema = z
  .object({
    id: z.string(),
    object: z.literal('key'),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    is_current: z.boolean().describe('True for the key of this request'),
    created_at: timeSchema,
    last_used_at: timeSchema.nullable().describe('Exact to the hour'),
    expires_at: timeSchema.nullable().describe('When it expires; null: never'),
    requires_approval: z.boolean().describe('What it sends becomes a draft that waits for the human'),
  })
  .meta({ id: 'Key' })

const newKeySchema = keySchema
  .extend({ api_key: z.string().describe('The text of the key. It is shown only this once') })
  .meta({ id: 'NewKey' })

const KEY = {
  id: 'key_01K7E8GQ5M1T9Q4Y7RZV3B2XNA',
  object: 'key' as const,
  name: 'reader',
  scopes: ['mail:read' as const],
  is_current: false,
  created_at: '2026-01-05T09:30:00.000Z',
  last_used_at: null,
  expires_at: '2036-04-05T00:00:00.000Z',
  requires_approval: false,
}
const NEW_KEY = { ...KEY, api_key: 'rst_Xy4mB7Kq2VtN9sLw6RzD1hJc8PfG5aQe3UoTiYxZvCk' }
const USUAL: readonly Scope[] = ['mail:read', 'mail:send', 'mail:write']

/** An app password can do nothing that these scopes can't. */
const COVERED_BY: Partial<Record<Scope, readonly Scope[]>> = {
  imap: ['mail:read', 'mail:write'],
  'imap:read': ['mail:read'],
  submission: ['mail:send'],
} satisfies Record<ProgramScope, readonly Scope[]>

const isCovered = (caller: Caller, scope: Scope): boolean =>
  COVERED_BY[scope]?.every((needed) => caller.scopes.includes(needed)) ?? false

/** @throws ServiceError `insufficient_scope` */
function refuseMore(caller: Caller, scopes: readonly Scope[]): void {
  const more = scopes.find((scope) => !caller.scopes.includes(scope) && !isCovered(caller, scope))
  if (more === undefined) return
  throw new ServiceError(
    'insufficient_scope',
    `This key lacks the scope ${more}, and can't make a key that has it.`,
    `Leave ${more} out, or ask your human for a key with ${more}; they create one on their account page.`,
  )
}

function toJson(key: ApiKey, caller: Caller): z.output<typeof keySchema> {
  const time = (ms: number | null): string | null => (ms === null ? null : timestamp(ms))
  return {
    id: key.id,
    object: 'key',
    name: key.name,
    scopes: key.scopes,
    is_current: key.id === caller.keyId,
    created_at: timestamp(key.createdAt),
    last_used_at: time(key.lastUsedAt),
    expires_at: time(key.expiresAt),
    requires_approval: key.requiresApproval,
  }
}

/** @throws ServiceError `not_found` */
async function findKey(accounts: Pick<Accounts, 'keys'>, { mailboxId }: Caller, keyId: string): Promise<ApiKey> {
  const found = (await accounts.keys(mailboxId)).find(({ id }) => id === keyId)
  if (found) return found
  throw new ServiceError('not_found', 'There is no such key.', 'List the keys of this mailbox with GET /v1/keys.')
}

const CALLED_WITH_IT =
  'This was the key you called with: it no longer works. Use another key of the mailbox, or ask your human for one; they create it on their account page.'

const shared = forKeys('Keys', 'account:manage')

export const keyRoutes = [
  defineAccountRoute({
    ...shared,
    method: 'GET',
    path: '/v1/keys',
    operationId: 'listKeys',
    summary: 'List the keys of this mailbox',
    description: 'Oldest first, at most 20. Secrets are shown only on creation.',
    responses: listResponse('All of them', 'KeyList', keySchema, KEY),
    async handler({ caller }, { accounts }) {
      const keys = await accounts.keys(caller.mailboxId)
      return ok(wholeList(keys.map((key) => toJson(key, caller))))
    },
  }),
  defineAccountRoute({
    ...shared,
    method: 'POST',
    path: '/v1/keys',
    operationId: 'createKey',
    idempotent: 'secret',
    summary: 'Create another key for this mailbox',
    description:
      'A key cannot create a key with more scopes or a later expiry than its own, and one whose mail needs approval only such keys. Give each program a separate key with the scopes it needs: one that only reads mail needs `mail:read`. A key with `imap`, `imap:read` or `submission` alone is an app password, which a person types into a mail program.',
    body: z
      .strictObject({
        name: z.string().max(200).optional().describe('A label: 1 to 64 characters on one line'),
        scopes: scopesSchema
          .optional()
          .describe('Without it: mail:read, mail:send and mail:write, as far as this key has them'),
        expires_at: z.iso
          .datetime({ offset: true })
          .optional()
          .describe('When it expires. Without it: when the key of this request expires, which may be never'),
        requires_approval: z
          .boolean()
          .optional()
          .describe(
            'What it sends becomes a draft that waits for the human. Without it: as for the key of this request',
          ),
      })
      .meta({ id: 'CreateKeyRequest' }),
    example: { body: { name: KEY.name, scopes: KEY.scopes, expires_at: KEY.expires_at } },
    responses: { 201: { description: 'The key with its secret', schema: newKeySchema, example: NEW_KEY } },
    otherProblems({ name, expires_at: end }, { accounts }, caller) {
      const expiresAt = end === undefined ? undefined : Date.parse(end)
      checkAll(
        () => expiryOfNewKey(caller, expiresAt),
        () => accounts.checkKey({ name, expiresAt }),
      )
    },
    async handler({ body, caller, making }, { accounts }) {
      const usual = USUAL.filter((scope) => caller.scopes.includes(scope))
      // A key that may only manage the account passes on its own scopes.
      const scopes = body.scopes ?? (usual.length > 0 ? usual : [...caller.scopes])
      refuseMore(caller, scopes)
      refuseFreeing(caller, body.requires_approval === false, 'make a key that sends without it')
      const { key, text } = await accounts.createKey(caller.mailboxId, {
        id: making.id('key'),
        name: body.name,
        scopes,
        requiresApproval: body.requires_approval ?? caller.requiresApproval,
        expiresAt: expiryOfNewKey(caller, body.expires_at === undefined ? undefined : Date.parse(body.expires_at)),
      })
      return { status: 201, json: { ...toJson(key, caller), api_key: text } }
    },
  }),
  defineAccountRoute({
    ...shared,
    method: 'PATCH',
    path: '/v1/keys/{id}',
    operationId: 'updateKey',
    summary: 'Rename a key, or set whether its mail needs approval',
    description:
      'Omitted fields stay. A key whose mail needs approval cannot free itself or another key of it: `insufficient_scope`.',
    params: idParams,
    body: z
      .strictObject({ name: z.string().max(200).optional(), requires_approval: z.boolean().optional() })
      .refine((change) => Object.values(change).some((value) => value !== undefined), 'Give at least one field.')
      .meta({ id: 'UpdateKeyRequest' }),
    example: { params: { id: KEY.id }, body: { name: KEY.name } },
    responses: { 200: { description: 'The changed key', schema: keySchema, example: KEY } },
    async handler({ params, body, caller }, { accounts }) {
      const { name, requires_approval: requiresApproval } = body
      refuseFreeing(caller, requiresApproval === false, 'let a key send without it')
      return ok(toJson(await accounts.changeKey(caller.mailboxId, params.id, { name, requiresApproval }), caller))
    },
  }),
  defineAccountRoute({
    ...shared,
    method: 'POST',
    path: '/v1/keys/{id}/rotate',
    operationId: 'rotateKey',
    idempotent: 'secret',
    summary: 'Rotate a key',
    description:
      'Returns a new key with the same name, scopes, expiry and need of approval. The expiry may not be later than that of the key of this request. The old key stops working at once, even if it is the key of this request.',
    ...byId(KEY.id),
    responses: { 201: { description: 'The new key with its secret', schema: newKeySchema, example: NEW_KEY } },
    async handler({ params, caller }, { accounts }) {
      const old = await findKey(accounts, caller, params.id)
      refuseMore(caller, old.scopes)
      refuseOutliving(caller, old.expiresAt, 'the rotated key')
      refuseFreeing(caller, !old.requiresApproval, 'have a key that sends without it')
      const { key, text } = await accounts.rotateKey(caller.mailboxId, old.id)
      return { status: 201, json: { ...toJson(key, caller), api_key: text } }
    },
  }),
  defineAccountRoute({
    ...shared,
    method: 'DELETE',
    path: '/v1/keys/{id}',
    operationId: 'revokeKey',
    summary: 'Revoke a key',
    description:
      'It stops working at once, and its open requests are closed. The key of this request can be revoked too; the answer says so.',
    ...byId(KEY.id),
    responses: {
      200: {
        description: 'The revoked key',
        schema: z
          .object({
            id: z.string(),
            object: z.literal('key'),
            revoked: z.literal(true),
            was_current: z.boolean().describe('True for the key of this request'),
            next_steps: z.array(z.string()),
          })
          .meta({ id: 'RevokedKey' }),
        example: { id: KEY.id, object: 'key', revoked: true, was_current: false, next_steps: [] },
      },
    },
    async handler({ params, caller }, { accounts }) {
      const { id } = await findKey(accounts, caller, params.id)
      await accounts.revokeKey(caller.mailboxId, id)
      const was_current = id === caller.keyId
      const next_steps = was_current ? [CALLED_WITH_IT] : []
      return ok({ id, object: 'key' as const, revoked: true as const, was_current, next_steps })
    },
  }),
]
