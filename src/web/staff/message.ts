/**
 * The review page of one message: its text with the evidence marked, and the three decisions. Nothing of it is rendered, loaded or
 * clickable, as the message may be malicious.
 */
import { ServiceError } from '../../lib/errors.js'
import { markEvidence } from '../../mailbox/review/evidence-marks.js'
import type { ReviewDetails, ReviewOutcome } from '../../mailbox/review/objects.js'
import { redirect, type Answer } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import { form, notice } from '../page/person-frame.js'
import { reasonItem } from '../page/reasons.js'
import { count, exactly, moment, plain, size } from '../page/words.js'
import { messagePath, placeOf, REVIEW_PATH, staffOnly, staffPage, type StaffInput } from './frame.js'

const PATH = `${REVIEW_PATH}/{id}`

const DECIDED = {
  approve: 'approved it',
  reject: 'rejected it',
  suspend: 'rejected it and suspended its account',
} as const

export const doneNotice = (query: URLSearchParams): Html | undefined =>
  notice(query, {
    approve: 'Approved: it is being sent.',
    'approve-left-out': 'Approved. Recipients on the suppression list of its account are left out.',
    'approve-held': 'Approved. It stays in the queue for now: a queue hold by the operator applies.',
    reject: 'Rejected: it is not sent, and its sender is notified.',
    suspend: 'Rejected, and the account of its sender is suspended.',
  })

const VIEW = staffOnly('GET', PATH, (input) => show(input))

const ACTIONS = { approve: 'review.approved', reject: 'review.rejected', suspend: 'account.suspended' } as const

const answer = (
  name: 'approve' | 'reject' | 'suspend',
  decide: (input: StaffInput, id: string) => Promise<ReviewOutcome>,
) =>
  staffOnly('POST', `${PATH}/${name}`, async (input) => {
    const id = input.params['id'] ?? ''
    let outcome: ReviewOutcome
    try {
      outcome = await input.audit(
        { action: ACTIONS[name], subject: { message_id: id }, as: 'staff' },
        () => decide(input, id),
        ({ is_first: isFirst, account_suspended: isSuspended }) => ({
          isNothing: !isFirst && !(name === 'suspend' && isSuspended),
          ...(name === 'suspend' && { reason: input.form.get('reason') ?? '' }),
        }),
      )
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'not_found') throw error
      return show(input, { status: error.status, text: `${error.message} ${error.hint}` })
    }
    const isOwn = outcome.by === input.by && outcome.decision === name
    if (!outcome.is_first && !isOwn && !(name === 'suspend' && outcome.account_suspended))
      return show(input, { status: 409, text: `Already decided: ${outcome.by} ${DECIDED[outcome.decision]}.` })
    return next(input, id, doneWord(name, outcome))
  })

const ANSWERS = [
  answer('approve', ({ reviewing, by }, id) => reviewing.approve(id, { by })),
  answer('reject', ({ reviewing, by, form: sent }, id) =>
    reviewing.reject(id, { by, note: sent.get('note') ?? undefined }),
  ),
  answer('suspend', ({ reviewing, by, form: sent }, id) =>
    reviewing.suspend(id, { by, reason: sent.get('reason') ?? '' }),
  ),
]

export const messagePages = [VIEW, ...ANSWERS]

function doneWord(name: string, { left_out: leftOut, held_by: heldBy }: ReviewOutcome): string {
  if (name !== 'approve') return name
  return heldBy !== null ? 'approve-held' : leftOut.length > 0 ? 'approve-left-out' : name
}

/** Redirects to the next message of the same list. */
async function next({ form: sent, reviewing }: StaffInput, id: string, done: string): Promise<Answer> {
  const list = sent.get('list') === 'blocked' ? 'blocked' : 'held'
  const { data } = await reviewing.list({ status: list, limit: 2 })
  const following = data.find((each) => each.id !== id)
  if (following) return redirect(`${messagePath(following.id)}?done=${done}`)
  const back = placeOf(list)
  return redirect(`${back}${back.includes('?') ? '&' : '?'}done=${done}`)
}

async function show(input: StaffInput, trouble?: { status: number; text: string }): Promise<Answer> {
  const { params, query, reviewing, clock } = input
  const details = await reviewing.read(params['id'] ?? '')
  const excerpts = details.reasons.flatMap((reason) => reason.excerpts)
  const now = clock.now()
  return staffPage(
    {
      place: null,
      status: trouble?.status ?? 200,
      title: 'A message for review',
      heading: details.subject.trim() === '' ? '(no subject)' : plain(details.subject),
      body: html`${trouble ? html`<p class="card bad" role="alert">${plain(trouble.text)}</p>` : doneNotice(query)}
        ${reviewState(details, now)} ${appealOf(details)}
        <h2>Why</h2>
        ${why(details)}
        <h2>The message</h2>
        <p class="small">
          As text only: nothing is loaded and links cannot be clicked. The evidence is marked.
          ${details.is_cut && 'It is longer than shown here.'}
        </p>
        ${words(details.text, excerpts, 'Text')} ${details.html_text !== null && html`<h3>Text of its HTML</h3>`}
        ${details.html_text !== null && words(details.html_text, excerpts, 'Text of its HTML')}
        ${links(details, excerpts)} ${attachments(details)}
        <h2>Who</h2>
        ${who(details)} ${answers(details, input)}`,
    },
    input,
  )
}

function reviewState({ decided, status, at, id }: ReviewDetails, now: number): Html {
  const what = status === 'blocked' ? 'Blocked' : 'Held'
  return html`<p class="small"><code>${id}</code></p>
    ${
      decided
        ? html`<p class="card">
            <strong>${plain(decided.by)} ${DECIDED[decided.decision]}</strong> ${moment(Date.parse(decided.at), now)}.
            It is ${status.replaceAll('_', ' ')}
            now.${decided.note !== null && html` The reason given: ${plain(decided.note)}`}
          </p>`
        : html`<p>${what} ${moment(Date.parse(at), now)}, ${exactly(Date.parse(at))}.</p>`
    }`
}

function appealOf({ appeal, decided }: ReviewDetails): Html | undefined {
  if (appeal === null) return undefined
  return html`<p class="card">
    <strong>${decided ? 'Its owner wrote to you' : 'Its owner asks you to look at it'}:</strong>
    <q dir="auto">${plain(appeal)}</q>
  </p>`
}

function answers({ id, decided, obstacle, status }: ReviewDetails, { visitor }: StaffInput): Html | undefined {
  if (decided) return undefined
  const list = html`<input type="hidden" name="list" value="${status === 'blocked' ? 'blocked' : 'held'}" />`
  const path = messagePath(id)
  // The button of the guard's own decision is the filled one.
  const [approving, rejecting] = status === 'blocked' ? ['plain', 'danger first'] : ['', 'danger']
  const approve =
    obstacle === null
      ? form(visitor, `${path}/approve`, html`${list}<button class="${approving}">Approve: send it</button>`)
      : html`<p class="bad">${obstacle} It can't be approved now.</p>`
  const reject = form(
    visitor,
    `${path}/reject`,
    html`${list}<label for="note">Reason, shown to the sender (optional)</label>
      <input type="text" id="note" name="note" maxlength="500" autocomplete="off" />
      <button class="${rejecting}">Reject: do not send it</button>`,
  )
  return html`<section class="card" aria-labelledby="answer">
    <h2 id="answer">Your answer</h2>
    ${status === 'blocked' ? [reject, approve] : [approve, reject]}
    <details>
      <summary>Reject it and suspend the account</summary>
      <p>
        Its keys stop working at once, what waits to be sent is held, and its owner gets a letter with the reason. Mail
        still arrives.
      </p>
      ${form(
        visitor,
        `${path}/suspend`,
        html`${list}<label for="reason">Reason, shown to the owner</label>
          <input type="text" id="reason" name="reason" maxlength="500" required autocomplete="off" />
          <button class="danger">Reject and suspend</button>`,
      )}
    </details>
  </section>`
}

function why({ guard_decision: decision, category, scores, reasons }: ReviewDetails): Html {
  const shares = Object.entries(scores).sort(([, a], [, b]) => b - a)
  return html`<dl>
      <dt>Guard verdict</dt>
      <dd>${decision}: ${category}</dd>
      <dt>Scores</dt>
      <dd>${shares.length === 0 ? 'none' : shares.map(([name, score]) => `${name} ${score.toFixed(2)}`).join(', ')}</dd>
    </dl>
    <ul>
      ${reasons.map((reason) => reasonItem(reason, html`<code>${reason.code}</code>`))}
    </ul>`
}

function who({ sender, from, reply_to: replyTo, recipients }: ReviewDetails): Html {
  const named = (one: { address: string; name: string | null }): string =>
    plain(one.name === null ? one.address : `${one.name} <${one.address}>`)
  return html`<dl>
    <dt>From</dt>
    <dd><bdi>${from ? named(from) : 'nobody'}</bdi></dd>
    ${
      replyTo.length > 0 &&
      html`<dt>Replies go to</dt>
        <dd><bdi>${replyTo.map(named).join(', ')}</bdi></dd>`
    }
    <dt>To</dt>
    <dd>
      ${recipients.map(
        ({ address, is_blind_copy: isBlind, status }, i) =>
          html`${i > 0 && ', '}<bdi>${plain(address)}</bdi>${isBlind && ' (Bcc)'}${status !== 'queued' && ` (${status})`}`,
      )}
    </dd>
    <dt>Mailbox</dt>
    <dd>
      ${sender.address}, since ${sender.since.slice(0, 10)}; ${count(sender.sent, 'message')} sent, ${sender.sent_today}
      of them today, ${sender.received} received
    </dd>
    <dt>Account</dt>
    <dd>
      ${sender.owner ?? 'without an address'}, ${sender.status.replaceAll('_', ' ')}, trust level
      ${sender.trust_level ?? 'none'} <code>${sender.account_id ?? ''}</code>
    </dd>
  </dl>`
}

/** Text of a stranger, with marks only. */
function words(text: string, excerpts: string[], label: string): Html {
  if (text.trim() === '') return html`<p class="small">(no text)</p>`
  return html`<blockquote dir="auto" aria-label="${label}">${marked(text, excerpts)}</blockquote>`
}

function marked(text: string, excerpts: string[]): Html {
  return html`${markEvidence(text, excerpts).map((piece) =>
    piece.isMarked ? html`<mark>${plain(piece.text)}</mark>` : plain(piece.text),
  )}`
}

function links({ links: all }: ReviewDetails, excerpts: string[]): Html | undefined {
  if (all.length === 0) return undefined
  return html`<h3>Links</h3>
    <ul>
      ${all.map(
        ({ text, target }) =>
          html`<li>
            ${text !== target && html`<bdi>${text === '' ? '(no text)' : marked(text, excerpts)}</bdi> goes to `}<code
              >${marked(target, excerpts)}</code
            >
          </li>`,
      )}
    </ul>`
}

function attachments({ attachments: all }: ReviewDetails): Html | undefined {
  if (all.length === 0) return undefined
  return html`<h3>Attachments</h3>
    <p class="small">Their names only; they can't be opened here.</p>
    <ul>
      ${all.map(
        ({ filename, content_type: type, size_bytes: bytes, risk }) =>
          html`<li>
            <bdi>${plain(filename)}</bdi> <span class="small">${plain(type)}, ${size(bytes)}</span>
            ${risk.length > 0 && html`<br /><span class="bad">${plain(risk.join('; '))}</span>`}
          </li>`,
      )}
    </ul>`
}
