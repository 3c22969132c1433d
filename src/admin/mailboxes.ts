/** Mailboxes and their keys over the admin listener. */
import { z } from 'zod'
import { noSuchMailbox } from '../accounts/key-ring.js'
import type { Accounts } from '../accounts/types.js'
import { adminRoutesWith } from './define.js'
import { timestamp } from '../lib/clock.js'
import type { MailboxRecord } from '../mailbox/mailbox-record.js'
import { timeSchema } from '../mailbox/objects/objects.js'
import { address } from './fields.js'

export interface MailboxParts {
  accounts: Pick<Accounts, 'createKey'>
  listMailboxes: () => Promise<MailboxRecord[]>
  findMailbox: (address: string) => Promise<MailboxRecord | undefined>
}

const defineRoute = adminRoutesWith<MailboxParts>()

export const mailboxRoutes = [
  defineRoute({
    method: 'GET',
    path: '/mailboxes',
    operationId: 'listMailboxes',
    summary: 'All mailboxes',
    responses: {
      200: {
        description: 'Mailboxes',
        schema: z.object({
          data: z.array(
            z.object({
              id: z.string(),
              address,
              status: z.enum(['pending', 'claimed']),
              account_id: z.string().nullable(),
              message_count: z.int(),
              used_bytes: z.int(),
              created_at: timeSchema,
            }),
          ),
        }),
      },
    },
    async handler(_input, { listMailboxes }) {
      const data = (await listMailboxes()).map((mailbox) => ({
        id: mailbox.id,
        address: mailbox.address,
        status: mailbox.status,
        account_id: mailbox.accountId,
        message_count: mailbox.messageCount,
        used_bytes: mailbox.usedBytes,
        created_at: timestamp(mailbox.createdAt),
      }))
      return { status: 200, json: { data } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/mailboxes/key',
    operationId: 'createKey',
    summary: 'A further API key for a mailbox',
    body: z.strictObject({ address }),
    responses: {
      201: { description: 'The key, shown this once', schema: z.object({ api_key: z.string(), key_id: z.string() }) },
    },
    async handler({ body }, { accounts, findMailbox }) {
      const mailbox = await findMailbox(body.address)
      if (!mailbox) throw noSuchMailbox()
      const { key, text } = await accounts.createKey(mailbox.id)
      return { status: 201, json: { api_key: text, key_id: key.id } }
    },
  }),
]
