/**
 * The page behind a link of `restante account sign-in`. Looking at it spends nothing, since programs that show previews look at links too; its button
 * opens the session.
 */
import type { LinkedHuman, SignInLinks } from '../../accounts/sign-in/sign-in-links.js'
import type { Accounts, AccountRecord } from '../../accounts/types.js'
import { MARK_FIELD } from '../page/form.js'
import { page, type Answer } from '../page/frame.js'
import { html } from '../page/html.js'
import { PATHS } from '../page/person-frame.js'
import type { PageInput, PageSpec, Visitor } from '../page/page.js'
import { REVIEW_PATH } from '../staff/frame.js'
import { openSession, type SessionDeps } from './session.js'
import { SIGN_IN_COMMAND } from './ways.js'

export interface SignInLinkDeps extends SessionDeps {
  links: Pick<SignInLinks, 'find' | 'spend'>
  accounts: Pick<Accounts, 'get' | 'ensure' | 'isStaff'>
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
  const linked = await links.find(params['token'] ?? '')
  const human = linked && (await humanOf(linked, accounts))
  if (!human) return NOTHING_HERE
  return page({
    title: 'Sign in',
    body: html`<p>The operator of this server made this link for</p>
      <p class="address">${human.name}${human.isStaff && ', as a member of the staff'}</p>
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
  const linked = await deps.links.spend(input.params['token'] ?? '')
  const human = linked && (await humanOf(linked, deps.accounts))
  if (!human) {
    deps.onSignIn(
      { provider: OPERATOR, outcome: 'refused', detail: 'the link is wrong, used or expired' },
      input.request,
    )
    return NOTHING_HERE
  }
  const account = human.isStaff ? await deps.accounts.ensure(human.name) : human.account
  const identity = {
    provider: OPERATOR,
    subject: account.id,
    username: account.owner === null ? human.name : null,
    email: human.isStaff ? human.name : account.owner,
    // A link to an account can be passed on, and says nothing of who opens it. Only one that was made for the staff makes its session theirs.
    emailVerified: human.isStaff,
  }
  const cookies = await openSession(input, { account, isNewAccount: false, identity }, deps)
  return page({
    title: 'You are signed in',
    body: html`<p>This browser is signed in as <strong>${human.name}</strong>.</p>
      <p>If another page asked you to sign in, go back to it and reload it.</p>
      <p>
        <a class="button" href="${PATHS.mailboxes}">Your mailboxes</a>
        ${human.isStaff && html`<a class="button plain" href="${REVIEW_PATH}">Review</a>`}
      </p>`,
    cookies,
  })
}

type Human = { name: string; isStaff: true } | { name: string; isStaff: false; account: AccountRecord }

/** Undefined when the account is gone, or the address is not in `identity.staff` any more. */
async function humanOf(linked: LinkedHuman, accounts: SignInLinkDeps['accounts']): Promise<Human | undefined> {
  if ('staff' in linked) {
    const { staff: email } = linked
    return accounts.isStaff({ email, emailVerified: true }) ? { name: email, isStaff: true } : undefined
  }
  const account = await accounts.get(linked.accountId)
  return account && { name: account.owner ?? 'the account without an email address', isStaff: false, account }
}

const NOTHING_HERE = page({
  status: 404,
  title: 'This link does not work',
  body: html`<p>It was used before, is older than ten minutes, or is incomplete. Nobody was signed in.</p>
    <p>The operator of this server makes a new one with</p>
    <pre>${SIGN_IN_COMMAND}</pre>`,
})
