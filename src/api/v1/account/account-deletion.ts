/** The account: details, deletion, cancelling the deletion. */
import { z } from 'zod'
import { accountDeletionPending, requireActive } from '../../../accounts/refusals.js'
import { accountOf } from '../../../http/limits/authorize.js'
import type { AccountRecord, Caller } from '../../../accounts/types.js'
import { maySee } from '../../../lifecycle/deletion/deletion.js'
import type { Deletion, PendingDeletion } from '../../../lifecycle/deletion/types.js'
import { timestamp } from '../../../lib/clock.js'
import { timeSchema } from '../../../mailbox/objects/objects.js'
import { type AccountParts, defineAccountRoute } from '../parts.js'
import { accountExample, deletionExample } from './account-examples.js'

const MAX_MAILBOXES = 1000

const deletionSchema = z.object({
  started_at: timeSchema,
  ends_at: timeSchema.describe('When everything is removed for good; until then it can be cancelled'),
})

const accountSchema = z
  .object({
    id: z.string(),
    object: z.literal('account'),
    owner: z.string().nullable().describe('Verified email of its human'),
    status: z.enum(['active', 'suspended', 'deletion_pending']),
    deletion: deletionSchema.nullable(),
    mailboxes: z
      .array(z.object({ id: z.string(), object: z.literal('mailbox'), address: z.string() }))
      .describe(`The oldest first, at most ${MAX_MAILBOXES}`),
    mailbox_count: z.int(),
    created_at: timeSchema,
  })
  .meta({ id: 'Account' })

const startedSchema = z
  .object({
    account_id: z.string(),
    status: z.literal('deletion_pending'),
    ...deletionSchema.shape,
    next_steps: z.array(z.string()),
  })
  .meta({ id: 'AccountDeletion' })

/** The account of a claimed mailbox. During a pending deletion only the key that requested it may see it. */
async function visibleAccount(
  caller: Caller,
  deletion: Pick<Deletion, 'pending'>,
): Promise<{ account: AccountRecord; pending: PendingDeletion | undefined }> {
  const account = accountOf(caller)
  const pending = account.status === 'deletion_pending' ? await deletion.pending(account.id) : undefined
  if (account.status === 'deletion_pending' && !(pending && maySee(pending, caller.keyId)))
    throw accountDeletionPending()
  return { account, pending }
}

const timesOf = ({ startedAt, endsAt }: PendingDeletion) => ({
  started_at: timestamp(startedAt),
  ends_at: timestamp(endsAt),
})

async function shown(
  { accounts, mailboxes }: Pick<AccountParts, 'accounts' | 'mailboxes'>,
  account: AccountRecord,
  pending: PendingDeletion | undefined,
) {
  const ids = await accounts.mailboxes(account.id)
  const found = await Promise.all(ids.slice(0, MAX_MAILBOXES).map((id) => mailboxes.directory.get(id)))
  return {
    id: account.id,
    object: 'account' as const,
    owner: account.owner,
    status: account.status,
    deletion: pending ? timesOf(pending) : null,
    mailboxes: found
      .filter((mailbox) => mailbox !== undefined)
      .map(({ id, address }) => ({ id, object: 'mailbox' as const, address })),
    mailbox_count: ids.length,
    created_at: timestamp(account.createdAt),
  }
}

const access = { tag: 'Account', auth: 'account' as const, scope: 'account:manage' as const }

export const accountDeletionRoutes = [
  defineAccountRoute({
    ...access,
    method: 'GET',
    path: '/v1/account',
    operationId: 'getAccount',
    summary: 'Get the account of this mailbox',
    description: 'While its deletion is pending, only with the key that requested it.',
    errors: ['account_deletion_pending'],
    responses: { 200: { description: 'The account', schema: accountSchema, example: accountExample } },
    async handler({ caller }, { accounts, mailboxes, deletion }) {
      const { account, pending } = await visibleAccount(caller, deletion)
      return { status: 200, json: await shown({ accounts, mailboxes }, account, pending) }
    },
  }),
  defineAccountRoute({
    ...access,
    method: 'DELETE',
    path: '/v1/account',
    operationId: 'deleteAccount',
    summary: 'Delete the account with all its mailboxes, after 30 days',
    description:
      'Sending stops at once, and mail that waits to be sent ends as bounced. All keys of the account are refused with `account_deletion_pending` from now on, except that this one may see the account and cancel. Mail still arrives. After 30 days everything is removed for good. Asking again changes nothing.',
    errors: ['account_suspended', 'account_deletion_pending'],
    responses: { 202: { description: 'The deletion is scheduled', schema: startedSchema, example: deletionExample } },
    async handler({ caller }, { deletion }) {
      const { account, pending } = await visibleAccount(caller, deletion)
      if (!pending) requireActive(account)
      const started = pending ?? (await deletion.start(account.id, { kind: 'key', id: caller.keyId }))
      return {
        status: 202,
        json: {
          account_id: account.id,
          status: 'deletion_pending' as const,
          ...timesOf(started),
          next_steps: [
            `Until ${timestamp(started.endsAt)} take it back with POST /v1/account/deletion/cancel and this same key, or let the owner sign in and cancel.`,
            'Do nothing, and every mailbox of the account is removed then with all mail.',
          ],
        },
      }
    },
  }),
  defineAccountRoute({
    ...access,
    method: 'POST',
    path: '/v1/account/deletion/cancel',
    operationId: 'cancelAccountDeletion',
    summary: 'Cancel the deletion of the account',
    description:
      'With the key that requested the deletion; the owner can cancel any deletion after signing in. All keys work again. Bounced mail stays bounced. Does nothing when no deletion is pending.',
    errors: ['account_deletion_pending'],
    responses: {
      200: { description: 'The account after the cancellation', schema: accountSchema, example: accountExample },
    },
    async handler({ caller }, { accounts, mailboxes, deletion }) {
      const { account } = await visibleAccount(caller, deletion)
      await deletion.cancel(account.id, { kind: 'key', id: caller.keyId })
      const now = (await accounts.get(account.id)) ?? account
      return { status: 200, json: await shown({ accounts, mailboxes }, now, undefined) }
    },
  }),
]
