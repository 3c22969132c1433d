/** Signing in at an identity provider, by GET alone (a browser follows no form to another site under our policy), and signing out. */
import { randomBytes } from 'node:crypto'
import type { SignInStates } from '../../accounts/sign-in/sign-in-states.js'
import type { Accounts } from '../../accounts/types.js'
import { ProviderError, type Identity, type IdentityProvider } from '../../identity/types.js'
import { type Clock, MINUTE, SECOND } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { constantTimeEqual } from '../../lib/ids.js'
import type { HttpRequest } from '../../http/message.js'
import { cookieOf, setCookie } from '../page/cookies.js'
import { MARK_FIELD } from '../page/form.js'
import { page, redirect, type Answer } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import { localPath } from '../page/local-path.js'
import type { PasskeyParts } from '../page/passkey-challenge.js'
import { PATHS } from '../page/person-frame.js'
import { SIGN_IN_PATH, type PageInput, type PageSpec, type Visitor } from '../page/page.js'
import { endOwnSession, openSession, type SessionDeps } from './session.js'
import { openSignIn, sealSignIn, type SignInUnderWay } from './sign-in-cookie.js'
import { accountNotice } from '../page/account-notice.js'
import { mailForm } from './mail-link.js'
import { passkeyForm } from './passkey.js'
import { PASSKEY_SCRIPT_PATH } from './passkey-script.js'
import { operatorsLink, providerLinks, signInLinks, whoIs, type SignInWays } from './ways.js'

export interface SignInDeps extends SessionDeps {
  providers: readonly IdentityProvider[]
  ways: SignInWays
  passkeys: PasskeyParts | undefined
  accounts: Pick<Accounts, 'get' | 'signIn'>
  states: SignInStates
  webKey: Uint8Array
  origin: string
  clock: Clock
}

/** Page after signing in without a `next`. */
const HOME_PATH = PATHS.mailboxes
/** Max time to sign in at the provider. */
const SIGN_IN_LIFE_MS = 10 * MINUTE
const END_SIGN_IN = setCookie('__Host-restante_signin', '', 0)

export const signInPages: readonly PageSpec<SignInDeps>[] = [
  { method: 'GET', path: SIGN_IN_PATH, access: 'any', answer: choose },
  { method: 'GET', path: `${SIGN_IN_PATH}/{provider}`, access: 'any', answer: begin },
  { method: 'GET', path: `${SIGN_IN_PATH}/{provider}/callback`, access: 'any', answer: comeBack },
  { method: 'POST', path: '/signout', access: 'any', answer: signOut },
]

type Input = PageInput<Visitor | undefined>

async function choose({ query, visitor }: Input, deps: SignInDeps): Promise<Answer> {
  const next = localPath(query.get('next'), deps.origin)
  const account = visitor && (await deps.accounts.get(visitor.session.accountId))
  return page({
    title: visitor ? 'You are signed in' : 'Sign in',
    ...(deps.passkeys && { script: PASSKEY_SCRIPT_PATH }),
    body: html`${
      visitor &&
      html`<p>You are signed in as <strong>${whoIs(visitor.session.identity)}</strong>.</p>
        ${account && accountNotice(account)}
        <p><a class="button" href="${next ?? HOME_PATH}">${next === undefined ? 'Your mailboxes' : 'Go on'}</a></p>
        <form method="post" action="/signout">
          <input type="hidden" name="${MARK_FIELD}" value="${visitor.mark}" /><button class="plain">Sign out</button>
        </form>
        <h2>Sign in as someone else</h2>`
    }
    ${waysIn(visitor, next ?? HOME_PATH, deps)}`,
  })
}

function waysIn(visitor: Visitor | undefined, next: string, { ways, passkeys }: SignInDeps): Html {
  const { providers, byMail } = ways
  return html`${passkeys && passkeyForm(visitor, next)}
  ${providerLinks(ways, next, visitor ? 'button plain' : 'button')}
  ${byMail && html`${providers.length > 0 && html`<h2>By email</h2>`}${mailForm(visitor, next)}`}
  ${providers.length === 0 && !byMail && operatorsLink(next)}`
}

async function begin({ params, query, request }: Input, deps: SignInDeps): Promise<Answer> {
  const provider = providerOf(params, deps)
  const next = localPath(query.get('next'), deps.origin) ?? HOME_PATH
  const random = (): string => randomBytes(32).toString('base64url')
  const signIn: SignInUnderWay = {
    provider: provider.id,
    state: random(),
    nonce: random(),
    verifier: random(),
    next,
    endsAt: deps.clock.now() + SIGN_IN_LIFE_MS,
  }
  try {
    const url = await provider.begin(callbackUrl(provider, deps), signIn)
    const cookie = setCookie('__Host-restante_signin', sealSignIn(deps.webKey, signIn), SIGN_IN_LIFE_MS / SECOND)
    return redirect(url.href, [cookie])
  } catch (error) {
    return providerFailed(error, { provider, next, request }, deps)
  }
}

async function comeBack(input: Input, deps: SignInDeps): Promise<Answer> {
  const { params, query, request } = input
  const provider = providerOf(params, deps)
  const cookie = cookieOf(request.headers, '__Host-restante_signin')
  const signIn = cookie === undefined ? undefined : openSignIn(deps.webKey, cookie)
  if (!signIn) return noSignIn(deps)
  const { state, next, endsAt } = signIn
  const given = query.getAll('state')
  // The cookie stays: whoever sends a browser here must not end the sign-in that is under way in it.
  if (signIn.provider !== provider.id || given.length !== 1 || !constantTimeEqual(given[0] ?? '', state)) {
    deps.onSignIn({ provider: provider.id, outcome: 'forged', detail: 'another state or provider' }, request)
    return problem(400, 'This sign-in is not yours', next, deps, {
      what: 'The response belongs to another sign-in than the one started in this browser.',
      todo: 'You may have started two sign-ins, or followed a link that someone else made. Nothing was changed; sign in again.',
    })
  }
  if (!(await deps.states.spend(state, endsAt)))
    return problem(400, 'This sign-in is over', next, deps, {
      what: 'It was used before, or took longer than ten minutes.',
      todo: 'Sign in again.',
    })
  let identity: Identity
  try {
    identity = await provider.complete(callbackUrl(provider, deps), query, signIn)
  } catch (error) {
    return providerFailed(error, { provider, next, request }, deps)
  }
  const who = { ...identity, provider: provider.id }
  const { account, isNew } = await deps.accounts.signIn(who)
  const cookies = await openSession(input, { account, isNewAccount: isNew, identity: who }, deps)
  return redirect(next, [END_SIGN_IN, ...cookies])
}

async function signOut(input: Input, { sessions, ways: { providers, byMail } }: SignInDeps): Promise<Answer> {
  if (input.visitor) await endOwnSession(input, input.visitor, sessions, 'signed out')
  return page({
    title: 'You are signed out',
    body: html`<p>
        This browser is signed out here.
        ${providers.length > 0 && 'You may still be signed in at your identity provider.'}
      </p>
      ${(providers.length > 0 || byMail) && html`<p><a class="button plain" href="${SIGN_IN_PATH}">Sign in again</a></p>`}`,
    cookies: [setCookie('__Host-restante_session', '', 0)],
  })
}

function providerOf({ provider: id }: Record<string, string>, { providers }: SignInDeps): IdentityProvider {
  const provider = providers.find((each) => each.id === id)
  if (provider) return provider
  throw new ServiceError('not_found', 'There is no such way to sign in.', `Choose one at ${SIGN_IN_PATH}.`)
}

const callbackUrl = ({ id }: IdentityProvider, { origin }: SignInDeps): string =>
  `${origin}${SIGN_IN_PATH}/${id}/callback`

function noSignIn(deps: SignInDeps): Answer {
  return problem(400, 'No sign-in in progress', HOME_PATH, deps, {
    what: 'This browser has no sign-in to complete: it was started in another browser, is already complete, took longer than ten minutes, or cookies are turned off.',
    todo: 'Allow cookies for this site, and sign in again. If you came from a claim link, open that link again.',
  })
}

function providerFailed(
  error: unknown,
  { provider, next, request }: { provider: IdentityProvider; next: string; request: HttpRequest },
  deps: SignInDeps,
): Answer {
  if (!(error instanceof ProviderError)) throw error
  const { name, id } = provider
  deps.onSignIn({ provider: id, outcome: error.problem, detail: error.message }, request)
  switch (error.problem) {
    case 'denied':
      return problem(403, 'Not signed in', next, deps, {
        what: `${name} says that the sign-in was declined.`,
        todo: 'If that was you, there is nothing to do: nothing was changed. Otherwise sign in again, or with another provider.',
      })
    case 'unavailable':
      return problem(503, `${name} cannot be reached`, next, deps, {
        what: `${name} did not respond, or is not working at the moment.`,
        todo: 'Try again in a minute, or use another provider. If the problem persists, tell the operator of this server.',
      })
    case 'refused':
      return problem(502, 'The response could not be used', next, deps, {
        what: `What ${name} sent does not belong to this sign-in, is too old, or is malformed. It was rejected.`,
        todo: 'Sign in again. If the problem persists, tell the operator of this server: the log has the details.',
      })
  }
}

function problem(
  status: number,
  title: string,
  next: string,
  { ways }: SignInDeps,
  { what, todo }: { what: string; todo: string },
): Answer {
  const isBusy = status === 503
  return page({
    status,
    title,
    body: html`<p>${what}</p>
      <p>${todo}</p>
      ${signInLinks(ways, next)}`,
    // One that fits the answer has been spent, or is of no use.
    cookies: status === 400 ? [] : [END_SIGN_IN],
    ...(isBusy && { headers: { 'Retry-After': '60' } }),
  })
}
