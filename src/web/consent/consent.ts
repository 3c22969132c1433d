/**
 * Consent page for OAuth clients (RFC 6749 §4.1.1): client, scopes, decision. The form contains the request, which is fully validated again: nothing is stored
 * before the decision.
 */
import type { Letters } from '../../accounts/letters.js'
import type { Accounts } from '../../accounts/types.js'
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { sha256Hex } from '../../lib/ids.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { Directory } from '../../mailbox/directory/directory.js'
import { OAUTH_SCOPES } from '../../oauth/scopes.js'
import type { AuthorizationRequest, Consent } from '../../oauth/types.js'
import { allowedLetter, type Allowed } from './consent-letter.js'
import type { SignInWays } from '../sign-in/ways.js'
import { consentTarget } from './consent-target.js'
import { consentBody, CONSENT_PATH, signInFirst } from './consent-view.js'
import { page, redirect, type Answer } from '../page/frame.js'
import { html } from '../page/html.js'
import { localPath } from '../page/local-path.js'
import type { PageInput, PageSpec, Visitor } from '../page/page.js'

export interface ConsentDeps {
  consent: Consent
  accounts: Pick<Accounts, 'get' | 'mailboxes'>
  mailboxes: { directory: Pick<Directory, 'get'> }
  ways: SignInWays
  /** Missing where owners are not notified. */
  letters?: Pick<Letters, 'canReach' | 'post'> | undefined
  origin: string
  clock: Clock
}

/** Max mailboxes to choose from; accounts have ten by default. */
const MAX_MAILBOXES = 1000

export const consentPages: readonly PageSpec<ConsentDeps>[] = [
  { method: 'GET', path: CONSENT_PATH, access: 'any', answer: (input, deps) => showRequest(input, input.query, deps) },
  { method: 'POST', path: CONSENT_PATH, access: 'any', answer: decide },
]

type Input = PageInput<Visitor | undefined>

interface Problem {
  status: number
  text: string
}

async function showRequest(
  input: Input,
  query: URLSearchParams,
  deps: ConsentDeps,
  problem?: Problem,
): Promise<Answer> {
  const checked = await deps.consent.check(query, input.request.remoteAddress)
  switch (checked.outcome) {
    case 'page':
      return page({
        status: 400,
        title: 'This program cannot be connected',
        body: html`<p>${checked.problem}</p>
          <p>${checked.todo}</p>`,
      })
    case 'redirect':
      return sendBack(checked)
    case 'valid':
      return show(checked.request, query, input, deps, problem)
  }
}

async function show(
  request: AuthorizationRequest,
  query: URLSearchParams,
  { visitor }: Input,
  deps: ConsentDeps,
  problem?: Problem,
): Promise<Answer> {
  const target = consentTarget(request.redirectUri)
  const back = localPath(`${CONSENT_PATH}?${query.toString()}`, deps.origin)
  const account = visitor && (await deps.accounts.get(visitor.session.accountId))
  const body = visitor
    ? consentBody({
        request,
        query,
        target,
        visitor,
        account,
        mailboxes: await mailboxesOf(visitor, deps),
        back,
      })
    : signInFirst({ request, target, ways: deps.ways, back })
  return page({
    status: problem?.status ?? 200,
    title: 'Allow access to a mailbox?',
    body: html`${problem && html`<p class="bad" role="alert"><strong>${problem.text}</strong></p>`} ${body}`,
    formTargets: target.source === undefined ? [] : [target.source],
    headers: {
      // The URL has the whole request: other pages get only its origin.
      'Referrer-Policy': 'strict-origin',
      // A browser client may have opened this window, and waits for its answer.
      'Cross-Origin-Opener-Policy': 'unsafe-none',
    },
  })
}

async function decide(input: Input, deps: ConsentDeps): Promise<Answer> {
  const { form, visitor } = input
  const query = new URLSearchParams(form.get('request') ?? '')
  const checked = await deps.consent.check(query, input.request.remoteAddress)
  if (checked.outcome !== 'valid') return showRequest(input, query, deps)
  const { request } = checked
  const again = (status: number, text: string): Promise<Answer> => show(request, query, input, deps, { status, text })
  if (!visitor) return again(401, 'You are signed out, and nothing was allowed. Sign in and answer again.')
  const { kind, source } = consentTarget(request.redirectUri)
  const leave = (location: string): Answer =>
    source === undefined && kind !== 'app' ? onward(location) : toClient(location)
  if (form.get('decision') !== 'allow') return leave(deps.consent.refuse(request))

  const chosen = form.getAll('scope')
  const scopes = OAUTH_SCOPES.filter((scope) => chosen.includes(scope) && request.scopes.includes(scope))
  if (scopes.length === 0) return again(400, 'Nothing was allowed yet: tick what the program may do, or refuse.')
  const mailboxes = await mailboxesOf(visitor, deps)
  const mailbox = mailboxes.find(({ id }) => id === form.get('mailbox'))
  if (!mailbox) return again(400, 'Nothing was allowed yet: choose the mailbox.')
  try {
    const { accountId } = visitor.session
    const allow = () => deps.consent.allow(request, { accountId, mailboxId: mailbox.id, scopes })
    const subject = { mailbox_id: mailbox.id, name: request.client.name }
    const location = await input.audit({ action: 'connection.granted', subject, reason: scopes.join(' ') }, allow)
    // Posted before the code is issued, so that a crash cannot leave a connection without a letter to the owner.
    await notifyOwner(accountId, location, { address: mailbox.address, client: request.client, scopes }, deps)
    return leave(location)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error
    return again(error.status, `Nothing was allowed: ${error.message} ${error.hint}`)
  }
}

async function notifyOwner(
  accountId: string,
  location: string,
  allowed: Pick<Allowed, 'address' | 'client' | 'scopes'>,
  { accounts, letters, origin, clock }: ConsentDeps,
): Promise<void> {
  const to = (await accounts.get(accountId))?.owner ?? null
  if (!letters || to === null || !letters.canReach(to)) return
  // The code is unique.
  const id = `connected:${sha256Hex(location)}`
  await letters.post(id, allowedLetter({ ...allowed, to, at: clock.now(), origin }))
}

/** Approved ones, oldest first. */
async function mailboxesOf({ session }: Visitor, { accounts, mailboxes }: ConsentDeps): Promise<MailboxRecord[]> {
  const ids = (await accounts.mailboxes(session.accountId)).slice(0, MAX_MAILBOXES)
  const found = await Promise.all(ids.map((id) => mailboxes.directory.get(id)))
  return found
    .filter((each) => each !== undefined)
    .filter(({ status, accountId }) => status === 'claimed' && accountId === session.accountId)
}

/**
 * Anybody can register a client, so an automatic redirect would make this server an open redirector (RFC 9700 §4.11.2). The human sees the target and clicks.
 * Apps on their own device are informed at once.
 */
function sendBack({ location, words }: { location: string; words: string }): Answer {
  const { kind, name } = consentTarget(location)
  if (kind !== 'site') return toClient(location)
  return page({
    status: 400,
    title: 'This program made an invalid request',
    body: html`<p>The request is not supported here: ${words}.</p>
      <p>Nothing was allowed. If you came from a program that you know, go back to it; otherwise close this page.</p>
      <p><a class="button plain" rel="noreferrer" href="${location}">Go back to ${name}</a></p>`,
    headers: { 'Referrer-Policy': 'no-referrer' },
  })
}

/** The client gets the result at its own address, and nothing else. */
function toClient(location: string): Answer {
  const { headers, ...rest } = redirect(location)
  return { ...rest, headers: { ...headers, 'Referrer-Policy': 'no-referrer' } }
}

/** For addresses a policy cannot name: a page with a refresh header. */
function onward(location: string): Answer {
  return page({
    title: 'Back to the program',
    body: html`<p>Your browser returns to it automatically. You can then close this page.</p>`,
    headers: { Refresh: `0; url=${location}`, 'Referrer-Policy': 'no-referrer' },
  })
}
