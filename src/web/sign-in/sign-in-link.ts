/**
 * The page behind a link of `restante account sign-in`. Looking at it spends nothing, since programs that show previews showLink at links too; its button
 * opens the session.
 */
import type { Sessions } from '../../accounts/sessions.js'
import type { SignInLinks } from '../../accounts/sign-in-links.js'
import type { Accounts, AccountRecord } from '../../accounts/types.js'
import { cookieOf } from '../page/cookies.js'
import { MARK_FIELD } from '../page/form.js'
import { page, type Answer } from '../page/frame.js'
import { html } from '../page/html.js'
import { PATHS } from '../page/person-frame.js'
import type { PageInput, PageSpec, Visitor } from '../page/page.js'
import { endOwnSession, sessionCookies, SIGN_IN_COMMAND, type OnSignIn } from './sign-in.js'

export interface SignInLinkDeps {
  links: Pick<SignInLinks, 'find' | 'spend'>
  accounts: Pick<Accounts, 'get'>
  sessions: Pick<Sessions, 'open' | 'end'>
  onSignIn: OnSignIn
}

/** The provider id of sessions opened by such a link. */
const OPERATOR = 'operator'

const PATH = '/signin-link/{token}'

export const signInLinkPages: readonly PageSpec<SignInLinkDeps>[] = [
  { method: 'GET', path: PATH, access: 'any', answer: showLink },
  { method: 'POST', path: PATH, access: 'any', answer: signIn },
]

type Input = PageInput<Visitor | undefined>

async function showLink({ params, visitor }: Input, { links, accounts }: SignInLinkDeps): Promise<Answer> {
  const accountId = await links.find(params['token'] ?? '')
  const account = accountId === undefined ? undefined : await accounts.get(accountId)
  if (!account) return NOTHING_HERE
  return page({
    title: 'Sign in',
    body: html`<p>The operator of this server made this link for</p>
      <p class="address">${nameOf(account)}</p>
      <p>
        It signs this browser in to that account, once. Continue only if it came from someone you trust, and is meant
        for you.
      </p>
      ${visitor && html`<p>This signs out the account that is signed in here now.</p>`}
      <form method="post">
        ${visitor && html`<input type="hidden" name="${MARK_FIELD}" value="${visitor.mark}" />`}<button>Sign in</button>
      </form>`,
  })
}

async function signIn(input: Input, deps: SignInLinkDeps): Promise<Answer> {
  const { params, request, visitor, network, audit } = input
  const { links, accounts, sessions } = deps
  const accountId = await links.spend(params['token'] ?? '')
  const account = accountId === undefined ? undefined : await accounts.get(accountId)
  if (!account) {
    deps.onSignIn({ provider: OPERATOR, outcome: 'refused', detail: 'the link is wrong, used or expired' }, request)
    return NOTHING_HERE
  }
  if (visitor) await endOwnSession(input, visitor, sessions, 'signed in again')
  // Not verified: what the staff may do takes more than a link that was passed on.
  const identity = {
    provider: OPERATOR,
    subject: account.id,
    username: account.owner === null ? nameOf(account) : null,
    email: account.owner,
    emailVerified: false,
  }
  const open = () =>
    sessions.open(account.id, identity, {
      userAgent: request.headers['user-agent'] ?? '',
      network,
      device: cookieOf(request.headers, '__Host-restante_device'),
    })
  const opened = await audit({ action: 'sign_in.done', subject: { account_id: account.id, name: OPERATOR } }, open)
  const { isNewDevice } = opened
  const outcome = { provider: OPERATOR, accountId: account.id, isNewAccount: false, isNewDevice }
  deps.onSignIn({ ...outcome, outcome: 'signed_in' }, request)
  return page({
    title: 'You are signed in',
    body: html`<p>This browser is signed in as <strong>${nameOf(account)}</strong>.</p>
      <p>If another page asked you to sign in, go back to it and reload it.</p>
      <p><a class="button" href="${PATHS.mailboxes}">Your mailboxes</a></p>`,
    cookies: sessionCookies(opened),
  })
}

function nameOf({ owner }: AccountRecord): string {
  return owner ?? 'the account without an email address'
}

const NOTHING_HERE = page({
  status: 404,
  title: 'This link does not work',
  body: html`<p>It was used before, is older than ten minutes, or is incomplete. Nobody was signed in.</p>
    <p>The operator of this server makes a new one with</p>
    <pre>${SIGN_IN_COMMAND}</pre>`,
})
