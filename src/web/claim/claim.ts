/**
 * The page behind a claim link: mailbox, claimant, and the human's decision. GET changes nothing, however often mail scanners call it; a decision needs a
 * session and our form.
 */
import type { Accounts } from '../../accounts/types.js'
import type { Claims, ClaimView } from '../../lifecycle/claims/types.js'
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { MARK_FIELD } from '../page/form.js'
import { page, type Answer } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import { PATHS } from '../page/person-frame.js'
import { SIGN_IN_PATH, type PageInput, type PageSpec, type Visitor } from '../page/page.js'
import { signInLinks, whoIs, type SignInWays } from '../sign-in/ways.js'
import { accountNotice } from '../page/account-notice.js'
import { exactly, moment, plain } from '../page/words.js'

export interface ClaimPageDeps {
  claims: Pick<Claims, 'describe' | 'approveAs' | 'decline'>
  accounts: Pick<Accounts, 'get'>
  ways: SignInWays
  clock: Clock
}

export const claimPages: readonly PageSpec<ClaimPageDeps>[] = [
  { method: 'GET', path: '/claim/{token}', access: 'any', answer: (input, deps) => show(input, deps) },
  { method: 'POST', path: '/claim/{token}/approve', access: 'any', answer: approve },
  { method: 'POST', path: '/claim/{token}/decline', access: 'any', answer: decline },
]

type Input = PageInput<Visitor | undefined>

/** @param problem why a decision was not accepted */
async function show(
  { params, visitor }: Input,
  { claims, accounts, ways, clock }: ClaimPageDeps,
  problem?: { status: number; text: string },
): Promise<Answer> {
  const { token = '' } = params
  const claim = await claims.describe(token)
  if (!claim) return nothingHere()
  const { address } = claim
  switch (claim.status) {
    case 'claimed':
      return result(200, 'Approved', address, 'is approved. There is nothing left to do.')
    case 'declined':
      return result(200, 'Declined', address, DECLINED)
    case 'expired':
      return tooLate(address)
    case 'pending': {
      const account = visitor && (await accounts.get(visitor.session.accountId))
      const notice = account && accountNotice(account)
      return page({
        status: problem?.status ?? 200,
        title: 'Approve a mailbox',
        body: html`
          ${problem && html`<p class="bad" role="alert"><strong>${problem.text}</strong></p>`}
          ${claimFacts(claim, clock.now())} ${WHAT_IT_MEANS} ${notice}
          ${
            visitor
              ? answerForms(claim, token, visitor, notice === undefined)
              : ways.providers.length > 0
                ? html`<h2>Sign in to answer</h2>
                    ${signInLinks(ways, pathOf(token))}`
                : html`<h2>How to approve it</h2>
                    <p>The operator of this server approves it with</p>
                    <pre>restante claim approve ${address}</pre>
                    ${
                      ways.byMail &&
                      html`<p>If you own mailboxes here already, you can sign in and approve it yourself.</p>
                        ${signInLinks(ways, pathOf(token))}`
                    }`
          }
          ${
            claim.inviteId !== null &&
            html`<h2>Not for you?</h2>
              <p>If you don't know what this is about, you can ignore it, or say that you want no more such mail.</p>
              <p><a class="button plain" href="${pathOf(token)}/not-me">This is not for me</a></p>`
          }
        `,
      })
    }
  }
}

async function approve(input: Input, deps: ClaimPageDeps): Promise<Answer> {
  const { params, form, visitor } = input
  const { token = '' } = params
  if (!visitor) return show(input, deps, SIGNED_OUT)
  if (form.get('rules') !== 'accepted')
    return show(input, deps, {
      status: 400,
      text: 'Nothing was approved yet: tick that you are of age and accept the rules.',
    })
  const account = await deps.accounts.get(visitor.session.accountId)
  if (account?.status !== 'active')
    return show(input, deps, { status: 403, text: 'Nothing was approved: your account cannot do this now.' })
  const approval = await unlessGone(
    input.noted({ action: 'claim.approved' }, (note) => deps.claims.approveAs(token, account.id, note)),
  )
  if (!approval) return nothingHere()
  const { address, outcome } = approval
  switch (outcome) {
    case 'approved':
      return result(
        200,
        'Approved',
        address,
        'is yours. The agent was given a key when it claimed the address, and that key works from now on. You can close this page.',
        TO_MAILBOXES,
      )
    case 'already_yours':
      return result(200, 'Approved already', address, 'is yours already. There is nothing left to do.', TO_MAILBOXES)
    case 'taken':
      return result(
        409,
        'Someone else was first',
        address,
        'was approved by someone else who has the link, and belongs to their account now. If that is wrong, ask the agent to claim another address and to give the link to nobody else.',
      )
    case 'declined':
      return result(409, 'Declined', address, DECLINED)
    case 'expired':
      return tooLate(address)
  }
}

async function decline(input: Input, deps: ClaimPageDeps): Promise<Answer> {
  const { token = '' } = input.params
  if (!input.visitor) return show(input, deps, SIGNED_OUT)
  const refusal = await unlessGone(
    input.noted({ action: 'claim.declined' }, (note) => deps.claims.decline({ token }, note)),
  )
  if (!refusal) return nothingHere()
  const { address, outcome } = refusal
  switch (outcome) {
    case 'declined':
    case 'already_declined':
      return result(200, 'Declined', address, DECLINED)
    case 'taken':
      return result(409, 'Approved already', address, 'was approved before, and can no longer be declined.')
    case 'expired':
      return tooLate(address)
  }
}

/** Undefined if the claim ended meanwhile. */
async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    throw error
  }
}

const SIGNED_OUT = { status: 401, text: 'You are signed out, and nothing was changed. Sign in and answer again.' }
const DECLINED = 'was declined and no longer exists. The agent is notified, and its key no longer works.'

const pathOf = (token: string): string => `/claim/${encodeURIComponent(token)}`

function nothingHere(): Answer {
  return page({
    status: 404,
    title: 'No claim here',
    body: html`<p>There is no claim at this link.</p>
      <p>
        Links end with their claim: when it was not approved within 24 hours, it is removed. Check that the link is
        whole, or ask the agent to claim an address again and to send you the new link.
      </p>`,
  })
}

function tooLate(address: string): Answer {
  return result(
    410,
    'Too late',
    address,
    'was not approved within 24 hours of its claim, and was removed. The agent can claim it again.',
  )
}

const TO_MAILBOXES = html`<p><a class="button plain" href="${PATHS.mailboxes}">Your mailboxes</a></p>`

function result(status: number, title: string, address: string, text: string, more?: Html): Answer {
  return page({
    status,
    title,
    body: html`<p><strong class="address">${address}</strong> ${text}</p>
      ${more}`,
  })
}

function claimFacts({ address, agentName, note, createdAt, expiresAt }: ClaimView, now: number): Html {
  return html`<p>A software agent has claimed this address and asks for your approval.</p>
    <div class="card">
      <p class="address">${address}</p>
      <dl>
        <dt>Claimed</dt>
        <dd>${exactly(createdAt)}, ${moment(createdAt, now)}</dd>
        <dt>Answer by</dt>
        <dd>${exactly(expiresAt)}, ${moment(expiresAt, now)}; after that it is removed</dd>
      </dl>
      ${(agentName !== null || note !== null) && html`<p>The agent's own words, which nobody has checked:</p>`}
      ${
        agentName !== null &&
        html`<p class="small">It calls itself</p>
          <blockquote dir="auto">${plain(agentName)}</blockquote>`
      }
      ${
        note !== null &&
        html`<p class="small">It writes to you</p>
          <blockquote dir="auto">${plain(note)}</blockquote>`
      }
    </div>`
}

const WHAT_IT_MEANS = html`<h2>What approving means</h2>
  <ul>
    <li>The agent can read all mail that arrives at this address, and send mail under it.</li>
    <li>The mailbox belongs to your account, and you answer for what is sent from it.</li>
    <li>Approve it only if you expect this: you or someone you trust runs the agent.</li>
  </ul>
  <h2>The rules</h2>
  <ul>
    <li>You are at least 18 years old.</li>
    <li>Mail goes only to people who expect it. No bulk or unsolicited mail, no phishing, no impersonation.</li>
    <li>
      Mail that is sent is checked by a program, and may be held for review by the staff. Abuse suspends the account.
    </li>
  </ul>`

function answerForms({ address }: ClaimView, token: string, { session, mark }: Visitor, mayApprove: boolean): Html {
  const path = pathOf(token)
  const hidden = html`<input type="hidden" name="${MARK_FIELD}" value="${mark}" />`
  return html`<h2>Your answer</h2>
    <p class="small">
      Signed in as <strong>${whoIs(session.identity)}</strong>.
      <a href="${SIGN_IN_PATH}?next=${encodeURIComponent(path)}">Not you, or another account?</a>
    </p>
    ${
      mayApprove &&
      html`<form method="post" action="${path}/approve">
        ${hidden}
        <label
          ><input type="checkbox" name="rules" value="accepted" required />I am 18 or older and accept the rules, also
          for what the agent does.</label
        >
        <button>Approve ${address}</button>
      </form>`
    }
    <form method="post" action="${path}/decline">
      ${hidden}<button class="danger">Decline</button>
      <span class="small">The address is released at once, and can no longer be approved.</span>
    </form>`
}
