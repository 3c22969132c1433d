/** Bearer credentials (RFC 6750): authentication, and checks of mailbox and account state. */
import {
  accountDeletionPending,
  isAppPassword,
  mailboxPaused,
  notApproved,
  onlyForPrograms,
  requireActive,
} from '../../accounts/refusals.js'
import type { AccountRecord, Accounts, Caller, Scope } from '../../accounts/types.js'
import { ServiceError } from '../../lib/errors.js'
import { after, type Maybe } from '../../lib/maybe.js'

/**
 * `none`: anybody. `pending`: any key, also of a pending mailbox. `mailbox`: the key of an approved mailbox with an active account. `account`: the key of an
 * approved mailbox; the route checks the account itself.
 */
export type Auth = 'none' | 'pending' | 'mailbox' | 'account'

export type NeededScope = Scope | readonly Scope[] | undefined

/** Longer than any key. */
const MAX_BEARER_LENGTH = 512

/** Credentials of the Authorization header; undefined if missing or not bearer (RFC 6750 §2.1; case-insensitive). */
export function bearerOf(headers: Readonly<Record<string, string>>): string | undefined {
  const found = /^bearer +([\w.~+/=-]+) *$/i.exec(headers['authorization'] ?? '')
  return found?.[1] && found[1].length <= MAX_BEARER_LENGTH ? found[1] : undefined
}

/**
 * @param bearer what `bearerOf` returned
 * @throws ServiceError `unauthorized`, or rejects with it
 */
export function authenticate(accounts: Pick<Accounts, 'authenticate'>, bearer: string | undefined): Maybe<Caller> {
  if (bearer === undefined) {
    throw new ServiceError(
      'unauthorized',
      'This call needs an API key.',
      'Send `Authorization: Bearer <API_KEY>`. To get a key, start with GET /v1/claim/challenge.',
    )
  }
  return after(accounts.authenticate(bearer), (caller) => {
    if (caller) return caller
    throw unknownBearer(bearer)
  })
}

function unknownBearer(bearer: string): ServiceError {
  if (bearer.startsWith('rst_at_'))
    return new ServiceError(
      'unauthorized',
      'The access token is wrong or has expired.',
      'Get the next one with the refresh token. If that is refused, the connection was ended: ask your human to connect again.',
    )
  return new ServiceError(
    'unauthorized',
    'This API key does not exist.',
    'Check that the key is complete, not revoked and not expired. A mailbox nobody approved within 24 hours is removed with its key: claim again with GET /v1/claim/challenge.',
  )
}

/** RFC 8707 §2: a token is valid for its resource only. Keys are valid everywhere. @throws ServiceError `unauthorized` */
export function requireAudience({ audience }: Caller, audiences: readonly string[]): void {
  if (audience === undefined || audiences.includes(audience)) return
  throw new ServiceError(
    'unauthorized',
    'This access token is not valid here.',
    audiences.length === 0
      ? 'OAuth tokens are for the MCP server at /mcp, whose tools do what this API does. For the API use an API key.'
      : 'It was made for mail programs, or for this server under another address. Connect again.',
  )
}

/**
 * @param scope needed; a call on an active mailbox without one is refused to all
 * @throws ServiceError `mailbox_paused`, `claim_pending`, `claim_declined`, `claim_expired`, `account_suspended`, `account_deletion_pending`,
 * `insufficient_scope`
 */
export function permit(caller: Caller, auth: Exclude<Auth, 'none'>, scope: NeededScope): void {
  if (isAppPassword(caller)) throw onlyForPrograms()
  requireActiveMailbox(caller, auth)
  const needed = scopesIn(scope)
  const missing = needed.find((each) => !caller.scopes.includes(each))
  if (missing !== undefined || (needed.length === 0 && auth === 'mailbox')) throw insufficientScope(missing)
}

/** The account of a caller that was admitted to an approved mailbox. */
export function accountOf({ account, mailboxId }: Pick<Caller, 'account' | 'mailboxId'>): AccountRecord {
  if (!account) throw new Error(`Mailbox ${mailboxId} is claimed and has no account`)
  return account
}

export function scopesIn(scope: NeededScope): readonly Scope[] {
  if (scope === undefined) return []
  return typeof scope === 'string' ? [scope] : scope
}

function requireActiveMailbox({ account, mailboxStatus, paused }: Caller, auth: Exclude<Auth, 'none'>): void {
  if (paused?.what === 'all') throw mailboxPaused(paused)
  if (auth === 'pending') {
    if (account?.status === 'deletion_pending') throw accountDeletionPending()
    return
  }
  if (mailboxStatus !== 'claimed') throw notApproved(mailboxStatus)
  if (account && auth !== 'account') requireActive(account)
}

function insufficientScope(scope: Scope | undefined): ServiceError {
  if (scope === undefined) {
    return new ServiceError(
      'insufficient_scope',
      'No key may do this.',
      'GET /docs/api.md lists every operation; its page says which scope it takes.',
    )
  }
  return new ServiceError(
    'insufficient_scope',
    `This key lacks the scope ${scope}.`,
    `Ask your human for a key with ${scope}; they create one on their account page. Your other calls with this key keep working.`,
  )
}
