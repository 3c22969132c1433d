/**
 * Sign-in by a link that comes by mail: the form that asks for it, and the page behind it. The link works only in the browser that asked, which has a secret in
 * a sealed cookie, so that whoever asks in another's name gains nothing. Looking at the page spends nothing, since mail scanners follow links; its button does.
 */
import { z } from 'zod'
import { BY_MAIL, type MailSignIn } from '../../accounts/sign-in/mail-sign-in.js'
import { LINK_LIFE_MS } from '../../accounts/sign-in/one-time-links.js'
import { type Clock, SECOND } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { randomBase62 } from '../../lib/ids.js'
import { cookieOf, setCookie } from '../page/cookies.js'
import { MARK_FIELD } from '../page/form.js'
import { page, redirect, type Answer } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import { localPath } from '../page/local-path.js'
import { PATHS } from '../page/person-frame.js'
import { signInUrl, type PageInput, type PageSpec, type Visitor } from '../page/page.js'
import { openCookie, sealCookie } from '../page/sealed-cookie.js'
import { openSession, type SessionDeps } from './session.js'

export interface MailLinkDeps extends SessionDeps {
  /** Undefined where no link is mailed. */
  mailSignIn: Pick<MailSignIn, 'ask' | 'open' | 'spend'> | undefined
  webKey: Uint8Array
  origin: string
  clock: Clock
}

const COOKIE = '__Host-restante_mail_signin'
const PURPOSE = 'mail sign-in cookie'
const PATH = '/signin-mail'
const LINK_PATH = `${PATH}/{token}`
/** RFC 5321 §4.5.3.1.3, without the angle brackets. */
const MAX_ADDRESS = 254

const schema = z.strictObject({ browser: z.string(), endsAt: z.int() })
type Asked = z.infer<typeof schema>
/** Sealed with the secret of the browser and kept with the link: a path can have secrets, and is too long for one more cookie. */
const KEPT = 'mail sign-in next'
const keptSchema = z.strictObject({ next: z.string() })

type Input = PageInput<Visitor | undefined>

export const mailLinkPages: readonly PageSpec<MailLinkDeps>[] = [
  { method: 'POST', path: PATH, access: 'any', answer: ask },
  { method: 'GET', path: LINK_PATH, access: 'any', answer: showLink },
  { method: 'POST', path: LINK_PATH, access: 'any', answer: signIn },
]

/** The form that asks for a link; browsers take no address beyond ASCII in a field of type `email`. @param given what was typed before, and what is wrong with it */
export function mailForm(visitor: Visitor | undefined, next: string, given?: { email: string; problem: string }): Html {
  return html`<form method="post" action="${PATH}">
    ${visitor && html`<input type="hidden" name="${MARK_FIELD}" value="${visitor.mark}" />`}
    <input type="hidden" name="next" value="${next}" />
    ${given && html`<p class="bad" role="alert"><strong>${given.problem}</strong></p>`}
    <label for="email">Email address</label>
    <input
      type="text"
      inputmode="email"
      autocapitalize="none"
      id="email"
      name="email"
      value="${given?.email ?? ''}"
      autocomplete="email"
      maxlength="${MAX_ADDRESS}"
      required
    />
    <p><button>Email me a link</button></p>
    <p class="small">For owners of mailboxes and for the staff of this server, to the address of their account.</p>
  </form>`
}

async function ask({ form, visitor, request, network }: Input, deps: MailLinkDeps): Promise<Answer> {
  const { mailSignIn, webKey, clock, origin } = deps
  if (!mailSignIn) throw notOffered()
  const next = localPath(form.get('next'), origin) ?? PATHS.mailboxes
  const email = (form.get('email') ?? '').trim()
  const before = askedBy(request.headers, deps)
  // A second link of one browser leaves the first one working.
  const browser = before?.browser ?? randomBase62(32)
  const asked: Asked = { browser, endsAt: clock.now() + LINK_LIFE_MS }
  const kept = sealCookie(Buffer.from(browser), KEPT, { next })
  try {
    await mailSignIn.ask({ address: email, browser, network, kept })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error
    const { status, message, hint, retryAfterSeconds: retry } = error
    return page({
      status,
      title: 'Sign in',
      body: mailForm(visitor, next, { email, problem: `${message} ${hint}` }),
      ...(retry !== undefined && { headers: { 'Retry-After': String(retry) } }),
    })
  }
  return page({
    title: 'Look at your mail',
    body: html`<p>
        If an account of this server has the address <strong>${email}</strong>, or it is one of the staff's, a letter
        with a link is on its way there.
      </p>
      <p>Open the link in this browser, within ten minutes. It works once.</p>
      <p class="small">
        Nothing came? Look among the junk mail, and check the address. No link is sent to an address of this server; its
        operator can make you one.
      </p>
      <p><a href="${signInUrl(next)}">Back to the sign-in</a></p>`,
    cookies: [setCookie(COOKIE, sealCookie(webKey, PURPOSE, asked), LINK_LIFE_MS / SECOND)],
  })
}

async function showLink({ params, visitor, request }: Input, deps: MailLinkDeps): Promise<Answer> {
  if (!deps.mailSignIn) throw notOffered()
  const opened = await deps.mailSignIn.open(params['token'] ?? '', askedBy(request.headers, deps)?.browser)
  switch (opened.kind) {
    case 'none':
      return NOTHING_HERE
    case 'other-browser':
      return OTHER_BROWSER
    case 'valid':
      return page({
        title: 'Sign in',
        body: html`<p>This link signs this browser in, once, as</p>
          <p class="address">${opened.address}</p>
          ${visitor && html`<p>This signs out the account that is signed in here now.</p>`}
          <form method="post">
            ${visitor && html`<input type="hidden" name="${MARK_FIELD}" value="${visitor.mark}" />`}<button>
              Sign in
            </button>
          </form>`,
      })
  }
}

async function signIn(input: Input, deps: MailLinkDeps): Promise<Answer> {
  const { params, request } = input
  if (!deps.mailSignIn) throw notOffered()
  const asked = askedBy(request.headers, deps)
  const spent = await deps.mailSignIn.spend(params['token'] ?? '', asked?.browser)
  if (spent.kind !== 'valid') {
    const isOther = spent.kind === 'other-browser'
    const detail = isOther ? 'the link was asked for in another browser' : 'the link is wrong, used or expired'
    deps.onSignIn({ provider: BY_MAIL, outcome: 'refused', detail }, request)
    return isOther ? OTHER_BROWSER : NOTHING_HERE
  }
  const kept = openCookie(Buffer.from(asked?.browser ?? ''), KEPT, spent.kept, keptSchema)
  const cookies = await openSession(input, spent.human, deps)
  return redirect(kept?.next ?? PATHS.mailboxes, [setCookie(COOKIE, '', 0), ...cookies])
}

/** The request under way in this browser; undefined for none, or one of more than ten minutes ago. */
function askedBy(
  headers: Readonly<Record<string, string>>,
  { webKey, clock }: Pick<MailLinkDeps, 'webKey' | 'clock'>,
): Asked | undefined {
  const asked = openCookie(webKey, PURPOSE, cookieOf(headers, COOKIE), schema)
  return asked && clock.now() < asked.endsAt ? asked : undefined
}

function notOffered(): ServiceError {
  return new ServiceError('not_found', 'This server mails no sign-in links.', 'Sign in another way, at /signin.')
}

const NOTHING_HERE = page({
  status: 404,
  title: 'This link does not work',
  body: html`<p>It was used before, is older than ten minutes, or is incomplete. Nobody was signed in.</p>
    <p><a class="button" href="${signInUrl(undefined)}">Ask for a new one</a></p>`,
})

const OTHER_BROWSER = page({
  status: 403,
  title: 'Open this link in the other browser',
  body: html`<p>
      The link works only in the browser in which it was asked for. Nobody was signed in, and the link still works there
      until its ten minutes are over: copy it to that browser.
    </p>
    <p>If you did not ask for a link, close this page; there is nothing else to do.</p>
    <p><a class="button plain" href="${signInUrl(undefined)}">Ask for a new one in this browser</a></p>`,
})
