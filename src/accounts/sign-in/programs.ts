/**
 * Signing in of mail programs, over SMTP and IMAP: the name is an address of the mailbox, with an app password of it, which is a key with a scope of programs, or
 * with an access token of a connection that its owner has allowed.
 */
import type { ServiceError } from '../../lib/errors.js'
import { inactive, mailboxPaused, notApproved, notForPrograms } from '../refusals.js'
import type { Accounts, Caller, ProgramScope } from '../types.js'

/** `wrong`: no such name with such a secret, whichever it was. `too_many`: the same, too often from this network. `barred`: both are right. */
export type ProgramSignIn =
  | { outcome: 'in'; caller: Caller }
  | { outcome: 'wrong' }
  | { outcome: 'too_many' }
  | { outcome: 'barred'; why: ServiceError }

/** A token names its mailbox itself, and need not come with an address. An empty one is none, and asks where to get one. */
export type ProgramCredentials = { address: string; password: string } | { address: string | undefined; token: string }

/** @param peer address of the client */
export type SignInOfPrograms = (sent: ProgramCredentials, scope: ProgramScope, peer: string) => Promise<ProgramSignIn>

export interface ProgramSignInDeps {
  accounts: Pick<Accounts, 'authenticate'>
  /** Id of the mailbox to which an address leads, an alias or one with a tag included. */
  mailboxAt: (address: string) => Promise<string | undefined>
  /** The resource of access tokens that open a mailbox for programs (RFC 8707); undefined: none does. */
  audience: string | undefined
  /** Counts a wrong password or token against its network, as HTTP counts wrong keys. @throws ServiceError when that had too many */
  countWrong: (peer: string) => unknown
}

/**
 * Words and time tell nothing of which addresses exist: the address is looked up only once the password is known to be right. Right passwords work from a
 * network that tries wrong ones: 256 random bits can't be guessed, and a stranger must not be able to lock an owner out.
 */
export function createProgramSignIn({
  accounts,
  mailboxAt,
  audience,
  countWrong,
}: ProgramSignInDeps): SignInOfPrograms {
  /** A key is no token, and a token no password; tokens are for the resource that they name. */
  async function callerOf(sent: ProgramCredentials): Promise<Caller | undefined> {
    if ('token' in sent && audience === undefined) return undefined
    const caller = await accounts.authenticate('token' in sent ? sent.token : sent.password)
    if (!caller || caller.audience !== ('token' in sent ? audience : undefined)) return undefined
    return sent.address === undefined || (await mailboxAt(sent.address)) === caller.mailboxId ? caller : undefined
  }

  return async (sent, scope, peer) => {
    if ('token' in sent && sent.token === '') return { outcome: 'wrong' }
    const caller = await callerOf(sent)
    if (!caller) {
      try {
        countWrong(peer)
      } catch {
        return { outcome: 'too_many' }
      }
      return { outcome: 'wrong' }
    }
    const why = barredFrom(caller, scope)
    return why ? { outcome: 'barred', why } : { outcome: 'in', caller }
  }
}

/** Why a program may not do this now. */
function barredFrom(
  { scopes, account, mailboxStatus, paused, audience }: Caller,
  scope: ProgramScope,
): ServiceError | undefined {
  const isAllowed = scopes.includes(scope) || (scope === 'imap:read' && scopes.includes('imap'))
  if (!isAllowed) return notForPrograms(scope, audience === undefined ? 'password' : 'token')
  if (paused && (paused.what === 'all' || scope === 'submission')) return mailboxPaused(paused)
  if (mailboxStatus !== 'claimed') return notApproved(mailboxStatus)
  return account && inactive(account)
}
