/** Accounts over the admin listener: list, details, suspension, reinstatement, deletion. */
import { z } from 'zod'
import { ok } from '../http/routing/route.js'
import { wholeNumber } from '../http/whole-number.js'
import { noSuchAccount } from '../accounts/record.js'
import { SCOPES, type AccountRecord, type Accounts } from '../accounts/types.js'
import type { SignInLinks } from '../accounts/sign-in/sign-in-links.js'
import type { Deletion } from '../lifecycle/deletion/types.js'
import { timestamp } from '../lib/clock.js'
import { invalidRequest, ServiceError } from '../lib/errors.js'
import { isId } from '../lib/ids.js'
import { timeSchema } from '../mailbox/objects/objects.js'
import type { MailboxRecord } from '../mailbox/mailbox-record.js'
import { addressKey, parseAddress } from '../mime/address.js'
import { accountName } from './fields.js'
import { adminRoutesWith } from './define.js'
import { shownTrust, trustChangeSchema, trustSchema } from './trust.js'

export interface AccountParts {
  accounts: Pick<
    Accounts,
    | 'createKey'
    | 'list'
    | 'get'
    | 'findOwner'
    | 'mailboxes'
    | 'identities'
    | 'keys'
    | 'suspend'
    | 'reinstate'
    | 'trust'
    | 'setTrust'
    | 'isStaff'
  >
  findMailbox: (address: string) => Promise<MailboxRecord | undefined>
  readMailbox: (mailboxId: string) => Promise<MailboxRecord | undefined>
  /** Missing from a server that can't delete accounts. */
  deletion?: Pick<Deletion, 'start' | 'pending'> | undefined
  links: Pick<SignInLinks, 'make' | 'makeForStaff'>
  /** Base URL of the pages, without a trailing slash. */
  baseUrl: string
}

const defineRoute = adminRoutesWith<AccountParts>()
/** Mailboxes of one account that are shown one by one. */
const MAX_SHOWN = 100

export const accountSchema = z.object({
  id: z.string(),
  owner: z.string().nullable(),
  status: z.enum(['active', 'suspended', 'deletion_pending']),
  suspension: z.object({ at: timeSchema, reason: z.string(), by: z.enum(['operator', 'service']) }).nullable(),
  mailboxes: z.int(),
  created_at: timeSchema,
})

export const accountListSchema = z.object({ data: z.array(accountSchema), has_more: z.boolean() })

export const accountDetailsSchema = accountSchema.extend({
  trust_level: z.int(),
  trust: trustSchema,
  deletion: z.object({ started_at: timeSchema, ends_at: timeSchema }).nullable(),
  identities: z.array(
    z.object({
      provider: z.string(),
      username: z.string().nullable(),
      email: z.string().nullable(),
      email_verified: z.boolean(),
      last_sign_in_at: timeSchema,
    }),
  ),
  shown_mailboxes: z
    .array(
      z.object({
        id: z.string(),
        address: z.string(),
        message_count: z.int(),
        used_bytes: z.int(),
        keys: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            scopes: z.array(z.enum(SCOPES)),
            created_at: timeSchema,
            last_used_at: timeSchema.nullable(),
          }),
        ),
      }),
    )
    .describe(`The first ${MAX_SHOWN}`),
})

export const deletionSchema = z.object({ account_id: z.string(), started_at: timeSchema, ends_at: timeSchema })

const linkSchema = z.object({ url: z.string(), expires_at: timeSchema })
export const signInLinkSchema = linkSchema.extend({ account_id: z.string(), owner: z.string().nullable() })
export const staffLinkSchema = linkSchema.extend({ staff: z.string() })

export const accountRoutes = [
  defineRoute({
    method: 'GET',
    path: '/accounts',
    operationId: 'listAccounts',
    summary: 'Accounts: the operator’s own, then by owner, then those without one',
    query: z.strictObject({ limit: wholeNumber(1, 10_000).default(100) }),
    responses: { 200: { description: 'Accounts', schema: accountListSchema } },
    async handler({ query }, { accounts }) {
      const data: z.infer<typeof accountSchema>[] = []
      for await (const account of accounts.list()) {
        if (data.length === query.limit) return { status: 200, json: { data, has_more: true } }
        data.push(await shown(accounts, account))
      }
      return { status: 200, json: { data, has_more: false } }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/accounts/show',
    operationId: 'showAccount',
    summary: 'One account with its identities, mailboxes and keys',
    query: z.strictObject({ account: accountName }),
    responses: { 200: { description: 'The account', schema: accountDetailsSchema } },
    async handler({ query }, parts) {
      return ok(details(parts, await findAccount(parts, query.account)))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/accounts/suspend',
    operationId: 'suspendAccount',
    summary: 'Stop sending and keys of an account; mail still arrives',
    body: z.strictObject({ account: accountName, reason: z.string().min(1).max(4000) }),
    responses: { 200: { description: 'It is suspended', schema: accountSchema } },
    async handler({ body }, parts) {
      const { id } = await findAccount(parts, body.account)
      return { status: 200, json: await shown(parts.accounts, await parts.accounts.suspend(id, body.reason)) }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/accounts/reinstate',
    operationId: 'reinstateAccount',
    summary: 'End the suspension of an account',
    body: z.strictObject({ account: accountName }),
    responses: { 200: { description: 'It is not suspended', schema: accountSchema } },
    async handler({ body }, parts) {
      const { id } = await findAccount(parts, body.account)
      return { status: 200, json: await shown(parts.accounts, await parts.accounts.reinstate(id)) }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/accounts/sign-in',
    operationId: 'makeSignInLink',
    summary: 'A one-time link that signs a browser in to an account; valid for ten minutes',
    body: z.strictObject({ account: accountName }),
    responses: { 201: { description: 'The link, shown only once', schema: signInLinkSchema } },
    async handler({ body }, parts) {
      const { id, owner } = await findAccount(parts, body.account)
      return { status: 201, json: { account_id: id, owner, ...shownLink(parts, await parts.links.make(id)) } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/accounts/sign-in-staff',
    operationId: 'makeStaffSignInLink',
    summary: 'A one-time link that opens a session with staff rights; valid for ten minutes',
    body: z.strictObject({ email: accountName }),
    responses: { 201: { description: 'The link, shown only once', schema: staffLinkSchema } },
    async handler({ body }, parts) {
      const parsed = parseAddress(body.email)
      const staff = addressKey(parsed?.name === '' ? parsed.address : body.email)
      if (!parts.accounts.isStaff({ email: staff, emailVerified: true })) throw notStaff(staff)
      return { status: 201, json: { staff, ...shownLink(parts, await parts.links.makeForStaff(staff)) } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/accounts/trust',
    operationId: 'setTrust',
    summary: 'Set or pin the trust level of an account',
    body: z.strictObject({ account: accountName, ...trustChangeSchema }),
    responses: { 200: { description: 'The account', schema: accountDetailsSchema } },
    async handler({ body }, parts) {
      const { id } = await findAccount(parts, body.account)
      await parts.accounts.setTrust(id, body)
      return { status: 200, json: await details(parts, await findAccount(parts, id)) }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/accounts/delete',
    operationId: 'deleteAccount',
    summary: 'Start the deletion of an account',
    body: z.strictObject({ account: accountName }),
    responses: { 200: { description: 'Its 30 days have begun', schema: deletionSchema } },
    async handler({ body }, parts) {
      const { id } = await findAccount(parts, body.account)
      if (!parts.deletion) throw cannotDelete()
      const { startedAt, endsAt } = await parts.deletion.start(id, { kind: 'operator' })
      return ok({ account_id: id, started_at: timestamp(startedAt), ends_at: timestamp(endsAt) })
    },
  }),
]

/** @param name account id, owner's email, or a mailbox's address @throws ServiceError `not_found` */
export async function findAccount(
  { accounts, findMailbox }: Pick<AccountParts, 'accounts' | 'findMailbox'>,
  name: string,
): Promise<AccountRecord> {
  if (isId('acc', name)) {
    const account = await accounts.get(name)
    if (!account) throw noSuchAccount()
    return account
  }
  if (!name.includes('@')) throw noSuchAccount()
  // Mailboxes first: a human elsewhere may sign in with an agent's address.
  const accountId = (await findMailbox(name))?.accountId ?? null
  const account = accountId === null ? await accounts.findOwner(name) : await accounts.get(accountId)
  if (!account) throw noSuchAccount()
  return account
}

function shownLink(
  { baseUrl }: Pick<AccountParts, 'baseUrl'>,
  { token, expiresAt }: { token: string; expiresAt: number },
): z.infer<typeof linkSchema> {
  return { url: `${baseUrl}/signin-link/${token}`, expires_at: timestamp(expiresAt) }
}

function notStaff(email: string): ServiceError {
  return invalidRequest(
    `${email} is not on the staff of this server: it is not in identity.staff.`,
    'Add it to identity.staff and restart the daemon, or make a link to an account without --staff.',
  )
}

async function shown(
  accounts: Pick<Accounts, 'mailboxes'>,
  { id, owner, status, suspension, createdAt }: AccountRecord,
): Promise<z.infer<typeof accountSchema>> {
  return {
    id,
    owner,
    status,
    suspension: suspension && {
      at: timestamp(suspension.at),
      reason: suspension.reason,
      by: suspension.by ?? 'operator',
    },
    mailboxes: (await accounts.mailboxes(id)).length,
    created_at: timestamp(createdAt),
  }
}

async function details(
  { accounts, readMailbox, deletion }: AccountParts,
  account: AccountRecord,
): Promise<z.infer<typeof accountDetailsSchema>> {
  const pending = await deletion?.pending(account.id)
  const mailboxes: z.infer<typeof accountDetailsSchema>['shown_mailboxes'] = []
  for (const id of (await accounts.mailboxes(account.id)).slice(0, MAX_SHOWN)) {
    const mailbox = await readMailbox(id)
    if (!mailbox) continue
    mailboxes.push({
      id,
      address: mailbox.address,
      message_count: mailbox.messageCount,
      used_bytes: mailbox.usedBytes,
      keys: (await accounts.keys(id)).map((key) => ({
        id: key.id,
        name: key.name,
        scopes: key.scopes,
        created_at: timestamp(key.createdAt),
        last_used_at: key.lastUsedAt === null ? null : timestamp(key.lastUsedAt),
      })),
    })
  }
  return {
    ...(await shown(accounts, account)),
    trust_level: account.trust,
    trust: shownTrust(await accounts.trust(account.id)),
    deletion: pending ? { started_at: timestamp(pending.startedAt), ends_at: timestamp(pending.endsAt) } : null,
    identities: (await accounts.identities(account.id)).map((identity) => ({
      provider: identity.provider,
      username: identity.username,
      email: identity.email,
      email_verified: identity.emailVerified,
      last_sign_in_at: timestamp(identity.lastAt),
    })),
    shown_mailboxes: mailboxes,
  }
}

function cannotDelete(): ServiceError {
  return new ServiceError(
    'unavailable',
    'This server cannot delete accounts now.',
    'Suspend the account with `restante account suspend`, and try again later.',
  )
}
