/** Opening and ending the session of a browser, whatever the way it signed in by. */
import type { Sessions } from '../../accounts/sessions.js'
import type { AccountRecord, SignedIn } from '../../accounts/types.js'
import type { HttpRequest } from '../../http/message.js'
import { DAY, SECOND } from '../../lib/clock.js'
import { cookieOf, setCookie } from '../page/cookies.js'
import type { PageInput, Visitor } from '../page/page.js'

export interface SessionDeps {
  sessions: Pick<Sessions, 'open' | 'end'>
  onSignIn: OnSignIn
}

/** @param request by which it came */
export type OnSignIn = (outcome: SignInOutcome, request: HttpRequest) => void

/** For the operator's log; contains no identity. */
export type SignInOutcome =
  | { provider: string; outcome: 'signed_in'; accountId: string; isNewAccount: boolean; isNewDevice: boolean }
  | { provider: string; outcome: 'denied' | 'unavailable' | 'refused' | 'forged'; detail: string }

/** Max life of a session; the server decides when it ends, not the browser. */
const SESSION_COOKIE_SECONDS = (90 * DAY) / SECOND
/** Max that browsers accept. */
const DEVICE_COOKIE_SECONDS = (400 * DAY) / SECOND

interface Opening {
  account: AccountRecord
  isNewAccount: boolean
  identity: SignedIn
  /** The way in, for the log and the audit log, if it is not the provider of the identity. */
  by?: string
}

type Input = Pick<PageInput<Visitor | undefined>, 'request' | 'network' | 'visitor' | 'audit'>

/**
 * Opens a session for a human whose identity is known, with its audit entry, and ends the one that the browser had. The token is a new one whatever the
 * browser had before, so that nobody can be made to use one that another knows.
 *
 * @returns the cookies of the answer
 */
export async function openSession(
  input: Input,
  { account, isNewAccount, identity, by = identity.provider }: Opening,
  { sessions, onSignIn }: SessionDeps,
): Promise<string[]> {
  const { request, visitor, network, audit } = input
  if (visitor) await endOwnSession(input, visitor, sessions, 'signed in again')
  const open = () =>
    sessions.open(account.id, identity, {
      userAgent: request.headers['user-agent'] ?? '',
      network,
      device: cookieOf(request.headers, '__Host-restante_device'),
    })
  const opened = await audit({ action: 'sign_in.done', subject: { account_id: account.id, name: by } }, open)
  const { isNewDevice, token, device } = opened
  onSignIn({ provider: by, accountId: account.id, isNewAccount, isNewDevice, outcome: 'signed_in' }, request)
  return [
    setCookie('__Host-restante_session', token, SESSION_COOKIE_SECONDS),
    setCookie('__Host-restante_device', device, DEVICE_COOKIE_SECONDS),
  ]
}

/** Ends the visitor's session, with an audit entry. */
export async function endOwnSession(
  { audit }: Pick<Input, 'audit'>,
  { session: { accountId, id } }: Visitor,
  sessions: Pick<Sessions, 'end'>,
  why: 'signed out' | 'signed in again',
): Promise<void> {
  await audit({ action: 'session.ended', subject: { session_id: id }, reason: why }, () => sessions.end(accountId, id))
}
