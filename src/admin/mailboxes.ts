/** Mailboxes and their keys over the admin listener. */
import { z } from 'zod'
import { noSuchMailbox } from '../accounts/key-ring.js'
import type { Accounts } from '../accounts/types.js'
import { adminRoutesWith } from './define.js'
import { timestamp } from '../lib/clock.js'
import type { Mailboxes } from '../mailbox/composition/mailboxes.js'
import type { MailboxRecord } from '../mailbox/mailbox-record.js'
import { timeSchema } from '../mailbox/objects/objects.js'
import { address } from './fields.js'

export interface MailboxParts {
  accounts: Pick<Accounts, 'createKey'>
  listMailboxes: () => Promise<MailboxRecord[]>
  findMailbox: (address: string) => Promise<MailboxRecord | undefined>
  pausing: Mailboxes['pausing']
}

const defineRoute = adminRoutesWith<MailboxParts>()

const pausedSchema = z.object({ id: z.string(), address, paused: z.enum(['sending', 'all']).nullable() })

const withdrawnSchema = z.object({
  id: z.string(),
  withdrawn: z.int(),
  on_their_way: z.int().describe('Too late: their delivery has begun'),
  has_more: z.boolean(),
})

const shown = ({ id, address, paused }: MailboxRecord): z.infer<typeof pausedSchema> => ({
  id,
  address,
  paused: paused?.what ?? null,
})

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
              paused: z.enum(['sending', 'all']).nullable(),
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
        paused: mailbox.paused?.what ?? null,
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
  defineRoute({
    method: 'POST',
    path: '/mailboxes/pause',
    operationId: 'pauseMailbox',
    summary: 'Stop what the agent of a mailbox sends, or all that it does',
    body: z.strictObject({ address, what: z.enum(['sending', 'all']) }),
    responses: { 200: { description: 'The paused mailbox', schema: pausedSchema } },
    async handler({ body, note }, { findMailbox, pausing }) {
      const mailbox = await findMailbox(body.address)
      if (!mailbox) throw noSuchMailbox()
      return { status: 200, json: shown(await pausing.pause(mailbox.id, { what: body.what, by: 'operator' }, note)) }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/mailboxes/withdraw',
    operationId: 'withdrawWaiting',
    summary: 'Cancel mail of the agent that waits in a pause, up to 500 messages',
    body: z.strictObject({ address }),
    responses: { 200: { description: 'What was cancelled, and whether there is more', schema: withdrawnSchema } },
    async handler({ body }, { findMailbox, pausing }) {
      const mailbox = await findMailbox(body.address)
      if (!mailbox) throw noSuchMailbox()
      return { status: 200, json: { id: mailbox.id, ...(await pausing.withdraw(mailbox.id)) } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/mailboxes/resume',
    operationId: 'resumeMailbox',
    summary: 'Let the agent of a mailbox go on',
    body: z.strictObject({ address }),
    responses: { 200: { description: 'The mailbox', schema: pausedSchema } },
    async handler({ body, note }, { findMailbox, pausing }) {
      const mailbox = await findMailbox(body.address)
      if (!mailbox) throw noSuchMailbox()
      return { status: 200, json: shown(await pausing.resume(mailbox.id, 'operator', note)) }
    },
  }),
]
