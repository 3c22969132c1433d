/** Mailboxes and their keys over the admin listener. */
import { z } from 'zod'
import { noSuchMailbox } from '../accounts/key-ring.js'
import type { Accounts } from '../accounts/types.js'
import { adminRoutesWith } from './define.js'
import { timestamp } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import type { Mailboxes } from '../mailbox/composition/mailboxes.js'
import { ANSWERED, DELETED, FLAGGED, SEEN } from '../mailbox/folders/flags.js'
import type { FolderKey } from '../mailbox/folders/folder.js'
import type { MailboxRecord } from '../mailbox/mailbox-record.js'
import { timeSchema } from '../mailbox/objects/objects.js'
import { address } from './fields.js'

export interface MailboxParts {
  accounts: Pick<Accounts, 'createKey'>
  listMailboxes: () => Promise<MailboxRecord[]>
  findMailbox: (address: string) => Promise<MailboxRecord | undefined>
  pausing: Mailboxes['pausing']
  folders: Pick<Mailboxes['folders'], 'find' | 'create'>
  importing: Pick<Mailboxes['importing'], 'importOnce'>
  /** Most bytes of a message. */
  messageBytes: number
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

const FLAGS = { seen: SEEN, flagged: FLAGGED, answered: ANSWERED, deleted: DELETED } as const
const MAX_KEYWORDS = 30

const flagSchema = z.enum(['seen', 'flagged', 'answered', 'deleted'])

/** Base64 of the largest message, and the fields beside it. */
const importBodyBytes = ({ messageBytes }: Pick<MailboxParts, 'messageBytes'>): number =>
  Math.ceil(messageBytes / 3) * 4 + 16 * 1024

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
  defineRoute({
    method: 'POST',
    path: '/mailboxes/import',
    operationId: 'beginImport',
    summary: 'Find the folder that old mail goes to, or make it',
    body: z.strictObject({ address, folder: z.string().min(1).max(200) }),
    responses: { 200: { description: 'The folder', schema: z.object({ mailbox_id: z.string(), folder: z.string() }) } },
    async handler({ body }, { findMailbox, folders }) {
      const mailbox = await findMailbox(body.address)
      if (!mailbox) throw noSuchMailbox()
      const known = await folders.find(mailbox.id, body.folder)
      if (!known) await folders.create(mailbox.id, body.folder)
      const folder = known ?? (await folders.find(mailbox.id, body.folder))
      if (!folder) throw new Error('A folder was made, and is not there')
      return { status: 200, json: { mailbox_id: mailbox.id, folder: folder.key } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/mailboxes/import/message',
    operationId: 'importMessage',
    summary: 'Bring one old message into a folder, once',
    bodyLimit: importBodyBytes,
    body: z.strictObject({
      mailbox_id: z.string(),
      folder: z.string().transform((key) => key as FolderKey),
      content: z.base64().describe('The message, with any line ends'),
      flags: z.array(flagSchema).max(flagSchema.options.length),
      keywords: z.array(z.string().min(1).max(60)).max(MAX_KEYWORDS),
      received_at: timeSchema.nullable(),
    }),
    responses: {
      200: {
        description: 'What became of it; `known` was imported before, `refused` is no message that a mailbox takes',
        schema: z.object({ result: z.enum(['imported', 'known', 'refused']), problem: z.string().nullable() }),
      },
    },
    async handler({ body }, { importing }) {
      const message = {
        raw: Buffer.from(body.content, 'base64'),
        flags: body.flags.reduce((bits, flag) => bits | FLAGS[flag], 0),
        keywords: body.keywords,
        ...(body.received_at !== null && { internalDateMs: Date.parse(body.received_at) }),
      }
      try {
        const isNew = await importing.importOnce(body.mailbox_id, body.folder, message)
        return { status: 200, json: { result: isNew ? ('imported' as const) : ('known' as const), problem: null } }
      } catch (error) {
        // The next message may be a better one; a full mailbox takes none.
        const isAboutMessage =
          error instanceof ServiceError && (error.code === 'invalid_request' || error.code === 'payload_too_large')
        if (!isAboutMessage) throw error
        return { status: 200, json: { result: 'refused' as const, problem: error.message } }
      }
    },
  }),
]
