/** OAuth connections of an account: list and revoke. */
import { z } from 'zod'
import { timestamp } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { timeSchema } from '../mailbox/objects/objects.js'
import { OAUTH_SCOPES } from '../oauth/scopes.js'
import type { Connection, Connections } from '../oauth/types.js'
import { accountName } from './fields.js'
import { adminRoutesWith } from './define.js'
import { findAccount, type AccountParts } from './accounts.js'

export interface ConnectionParts extends Pick<AccountParts, 'accounts' | 'findMailbox' | 'readMailbox'> {
  connections: Pick<Connections, 'list' | 'revoke'>
}

const defineRoute = adminRoutesWith<ConnectionParts>()

export const connectionSchema = z.object({
  id: z.string(),
  account_id: z.string(),
  mailbox: z.string().nullable().describe('Its address'),
  client: z.object({
    id: z.string(),
    name: z.string(),
    host: z.string().nullable(),
    kind: z.enum(['document', 'registered']),
  }),
  scopes: z.array(z.enum(OAUTH_SCOPES)),
  created_at: timeSchema,
  last_used_at: timeSchema.nullable(),
  expires_at: timeSchema,
})

export const connectionListSchema = z.object({ data: z.array(connectionSchema) })

export const connectionRoutes = [
  defineRoute({
    method: 'GET',
    path: '/connections',
    operationId: 'listConnections',
    summary: 'Connections to the mailboxes of an account, newest first',
    query: z.strictObject({ account: accountName }),
    responses: { 200: { description: 'All of them', schema: connectionListSchema } },
    async handler({ query }, parts) {
      const { id } = await findAccount(parts, query.account)
      const data = []
      for (const each of await parts.connections.list(id)) data.push(await shown(parts, each))
      return { status: 200, json: { data } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/connections/revoke',
    operationId: 'revokeConnection',
    summary: 'End a connection and its open requests at once',
    body: z.strictObject({ account: accountName, id: z.string().min(1).max(64) }),
    responses: { 200: { description: 'As it was', schema: connectionSchema } },
    async handler({ body }, parts) {
      const { id: accountId } = await findAccount(parts, body.account)
      const found = (await parts.connections.list(accountId)).find(({ id }) => id === body.id)
      if (!found) throw noSuchConnection()
      await parts.connections.revoke(accountId, found.id)
      return { status: 200, json: await shown(parts, found) }
    },
  }),
]

async function shown(
  { readMailbox }: Pick<ConnectionParts, 'readMailbox'>,
  { id, accountId, mailboxId, client, scopes, createdAt, lastUsedAt, expiresAt }: Connection,
): Promise<z.infer<typeof connectionSchema>> {
  return {
    id,
    account_id: accountId,
    mailbox: (await readMailbox(mailboxId))?.address ?? null,
    client: { id: client.id, name: client.name, host: client.host, kind: client.kind },
    scopes: [...scopes],
    created_at: timestamp(createdAt),
    last_used_at: lastUsedAt === null ? null : timestamp(lastUsedAt),
    expires_at: timestamp(expiresAt),
  }
}

function noSuchConnection(): ServiceError {
  return new ServiceError(
    'not_found',
    'This account has no such connection.',
    'It may have ended. List the connections with `restante connection list ACCOUNT`.',
  )
}
