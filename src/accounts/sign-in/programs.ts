/**
 * Signing in of mail programs, over SMTP and IMAP: the name is an address of the mailbox, and the password an app password of it, which is a key with a scope
 * of programs.
 */
import type { ServiceError } from '../../lib/errors.js'
import { inactive, mailboxPaused, notApproved, notForPrograms } from '../refusals.js'
import type { Accounts, Caller, ProgramScope } from '../types.js'

/** `wrong`: no such name with such a password, whichever it was. `too_many`: the same, too often from this network. `barred`: both are right. */
export type ProgramSignIn =
  | { outcome: 'in'; caller: Caller }
  | { outcome: 'wrong' }
  | { outcome: 'too_many' }
  | { outcome: 'barred'; why: ServiceError }

/** @param peer address of the client */
export type SignInOfPrograms = (
  address: string,
  password: string,
  scope: ProgramScope,
  peer: string,
) => Promise<ProgramSignIn>

export interface ProgramSignInDeps {
  accounts: Pick<Accounts, 'authenticate'>
  /** Id of the mailbox to which an address leads, an alias or one with a tag included. */
  mailboxAt: (address: string) => Promise<string | undefined>
  /** Counts a wrong password against its network, as HTTP counts wrong keys. @throws ServiceError when that had too many */
  countWrong: (peer: string) => unknown
}

/**
 * Words and time tell nothing of which addresses exist: the address is looked up only once the password is known to be right. Right passwords work from a
 * network that tries wrong ones: 256 random bits can't be guessed, and a stranger must not be able to lock an owner out.
 */
export function createProgramSignIn({ accounts, mailboxAt, countWrong }: ProgramSignInDeps): SignInOfPrograms {
  return async (address, password, scope, peer) => {
    const caller = await accounts.authenticate(password)
    // Access tokens are for the resource that they name.
    if (!caller || caller.audience !== undefined || (await mailboxAt(address)) !== caller.mailboxId) {
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
function barredFrom({ scopes, account, mailboxStatus, paused }: Caller, scope: ProgramScope): ServiceError | undefined {
  const isAllowed = scopes.includes(scope) || (scope === 'imap:read' && scopes.includes('imap'))
  if (!isAllowed) return notForPrograms(scope)
  if (paused && (paused.what === 'all' || scope === 'submission')) return mailboxPaused(paused)
  if (mailboxStatus !== 'claimed') return notApproved(mailboxStatus)
  return account && inactive(account)
}
