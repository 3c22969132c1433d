/** Sign-in by a passkey: the options for the browser, and the response of its authenticator. The form is shown by its script, since nothing works without one. */
import { z } from 'zod'
import type { HttpResponse } from '../../http/message.js'
import { MARK_FIELD } from '../page/form.js'
import { page, redirect, type Answer } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import { localPath } from '../page/local-path.js'
import { PATHS } from '../page/person-frame.js'
import { signInUrl, type PageInput, type PageSpec, type Visitor } from '../page/page.js'
import { END_CHALLENGE, type PasskeyParts } from '../page/passkey-challenge.js'
import { openSession, type SessionDeps } from './session.js'

export interface PasskeyDeps extends SessionDeps {
  /** Undefined where the pages have no host name, which passkeys need. */
  passkeys: PasskeyParts | undefined
  origin: string
}

/** Name of this way in the log and the audit log. */
const BY_PASSKEY = 'passkey'
const PATH = '/signin-passkey'
const OF_SIGN_IN = 'sign-in'

export const passkeyPages: readonly PageSpec<PasskeyDeps>[] = [
  { method: 'POST', path: `${PATH}/options`, access: 'any', answer: options },
  { method: 'POST', path: PATH, access: 'any', answer: signIn },
]

type Input = PageInput<Visitor | undefined>

const text = z.string().max(8192)
const credentialSchema = z.object({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.optional(),
  }),
})

/** The form, hidden until its script shows it. */
export function passkeyForm(visitor: Visitor | undefined, next: string): Html {
  return html`<form method="post" action="${PATH}" data-passkey="get" data-options="${PATH}/options" hidden>
    ${visitor && html`<input type="hidden" name="${MARK_FIELD}" value="${visitor.mark}" />`}
    <input type="hidden" name="next" value="${next}" />
    <input type="hidden" name="credential" />
    <button class="plain">Sign in with a passkey</button>
    <p class="bad" role="alert" hidden></p>
  </form>`
}

/** JSON for a script of ours. */
export function scriptAnswer(body: object, cookie: string): HttpResponse {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'Set-Cookie': [cookie] }
  return { status: 200, headers, body: JSON.stringify(body) }
}

/** The JSON that a script put into a form; undefined for what it would not. */
export function credentialIn<T>(form: URLSearchParams, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(form.get('credential') ?? ''))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined
    throw error
  }
}

async function options(_input: Input, { passkeys }: PasskeyDeps): Promise<Answer> {
  if (!passkeys) return NOT_PROVEN
  const { challenge, cookie } = passkeys.challenges.issue(OF_SIGN_IN)
  return scriptAnswer({ challenge, rpId: passkeys.keys.rpId, userVerification: 'required' }, cookie)
}

async function signIn(input: Input, deps: PasskeyDeps): Promise<Answer> {
  const { form, request } = input
  const { passkeys, origin } = deps
  const challenge = await passkeys?.challenges.take(request.headers, OF_SIGN_IN)
  const credential = credentialIn(form, credentialSchema)
  const proof = challenge !== undefined && credential ? await passkeys?.keys.prove(credential, challenge) : undefined
  if (proof?.kind !== 'proven') {
    const detail = proof?.detail ?? 'there is no challenge for this browser, or no response'
    deps.onSignIn({ provider: BY_PASSKEY, outcome: 'refused', detail }, request)
    return NOT_PROVEN
  }
  const { account, identity } = proof
  const cookies = await openSession(input, { account, isNewAccount: false, identity, by: BY_PASSKEY }, deps)
  return redirect(localPath(form.get('next'), origin) ?? PATHS.mailboxes, [END_CHALLENGE, ...cookies])
}

const NOT_PROVEN = page({
  status: 403,
  title: 'Not signed in',
  body: html`<p>This passkey is not one of an account here, was removed, or it took longer than five minutes.</p>
    <p><a class="button" href="${signInUrl(undefined)}">Sign in</a></p>`,
  cookies: [END_CHALLENGE],
})
