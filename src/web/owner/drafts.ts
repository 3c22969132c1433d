/** Drafts that an agent wants to send: the list of those that wait, and the page on which the human reads, changes, sends, discards or returns one. */
import { ServiceError } from '../../lib/errors.js'
import type { Draft } from '../../mailbox/objects/draft-object.js'
import type { DryRun } from '../../mailbox/sending/requests.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { htmlToText } from '../../mime/html/html.js'
import { html, type Html } from '../page/html.js'
import type { PageInput, Visitor } from '../page/page.js'
import {
  form,
  notice,
  ownerAction,
  ownerPage,
  ownerView,
  ownMailbox,
  PATHS,
  waitingDrafts,
  type OwnerDeps,
  type OwnerPage,
} from '../page/person-frame.js'
import { exactly, moment, plain, size } from '../page/words.js'

const PATH = `${PATHS.drafts}/{mailbox_id}/{id}`
/** A longer text can be sent as it is, and not be changed on the page. */
const MAX_EDITED_BYTES = 256 * 1024
/** A form's encoding of the text takes up to three bytes for one. */
const FORM_BYTES = 3 * MAX_EDITED_BYTES + 64 * 1024
/** Characters shown of what is answered. */
const SHOWN_CHARS = 20_000

const draftPath = (mailboxId: string, draftId: string): string => `${PATHS.drafts}/${mailboxId}/${draftId}`

const listPage = ownerView(PATHS.drafts, 'Drafts to decide', async ({ query, visitor }, deps) => {
  const drafts = await waitingDrafts(visitor.session.accountId, deps)
  const now = deps.clock.now()
  const addresses = new Map<string, string>()
  for (const { mailbox_id: id } of drafts) addresses.set(id, (await deps.mailboxes.directory.get(id))?.address ?? id)
  return html`${notice(query, DONE)}
  ${
    drafts.length === 0
      ? html`<p>
          No draft waits for you. When an agent sends mail that needs your approval, it is here until you decide. A
          mailbox or a key asks you once you say so on the page of <a href="${PATHS.mailboxes}">the mailbox</a>.
        </p>`
      : html`<ul>
          ${drafts.map(
            (draft) =>
              html`<li class="card">
                <a href="${draftPath(draft.mailbox_id, draft.id)}"><strong>${subjectOf(draft)}</strong></a>
                <div class="small">
                  From ${addresses.get(draft.mailbox_id)} to ${peopleOf([...draft.to, ...draft.cc, ...draft.bcc])}.
                  ${draft.review && html`Asked ${moment(Date.parse(draft.review.asked_at), now)}`}${
                    draft.review?.expires_at && html`, returned ${moment(Date.parse(draft.review.expires_at), now)}`
                  }.
                  ${draft.guard && draft.guard.decision !== 'send' && html`<span class="bad">${GUARD[draft.guard.decision]}</span>`}
                </div>
                <p>${plain(draft.preview)}</p>
              </li>`,
          )}
        </ul>`
  }`
})

const viewDraft: OwnerPage = {
  method: 'GET',
  path: PATH,
  access: 'session',
  async answer({ params, query, visitor }, deps) {
    const { mailbox, draft } = await findDraft(params, visitor, deps)
    return ownerPage(
      {
        place: PATHS.drafts,
        title: draft.review?.status === 'waiting' ? 'Send this message?' : 'Draft',
        body: html`${notice(query, PROBLEMS)} ${await draftView(mailbox, draft, visitor, deps)}`,
      },
      visitor,
      deps,
    )
  },
}

const sendDraft: OwnerPage = {
  ...ownerAction(`${PATH}/send`, async ({ params, form: sent, visitor, audit, request }, deps) => {
    const { mailbox, draft } = await findDraft(params, visitor, deps)
    const revision = Number(sent.get('revision') ?? '')
    const path = draftPath(mailbox.id, draft.id)
    // What the human saw is another draft.
    if (draft.revision !== revision) return `${path}?done=changed`
    const change = changeBy(sent, draft)
    const { status } = await audit(
      { action: 'draft.approved', subject: { mailbox_id: mailbox.id, draft_id: draft.id } },
      () =>
        deps.mailboxes.deciding.approve(mailbox.id, draft.id, {
          revision,
          requestId: request.requestId,
          ...(change && { change }),
        }),
      ({ id }) => ({ subject: { message_id: id } }),
    )
    const outcome = status === 'held' || status === 'blocked' || status === 'scheduled' ? status : 'sent'
    return `${PATHS.drafts}?done=${outcome}`
  }),
  formBytes: FORM_BYTES,
}

const discardDraft = ownerAction(`${PATH}/discard`, async (input, deps) => {
  const { mailbox, draft } = await findDraft(input.params, input.visitor, deps)
  await auditedDecision(input, 'draft.discarded', draft, () =>
    deps.mailboxes.deciding.discard(mailbox.id, draft.id, input.form.get('note') ?? ''),
  )
  return `${PATHS.drafts}?done=discarded`
})

const returnDraft = ownerAction(`${PATH}/return`, async (input, deps) => {
  const { mailbox, draft } = await findDraft(input.params, input.visitor, deps)
  await auditedDecision(input, 'draft.returned', draft, () =>
    deps.mailboxes.deciding.sendBack(mailbox.id, draft.id, input.form.get('note') ?? ''),
  )
  return `${PATHS.drafts}?done=returned`
})

export const draftPages: readonly OwnerPage[] = [listPage, viewDraft, sendDraft, discardDraft, returnDraft]

function auditedDecision(
  { audit }: PageInput<Visitor>,
  action: 'draft.discarded' | 'draft.returned',
  { id, mailbox_id: mailboxId }: Draft,
  decide: () => Promise<void>,
): Promise<void> {
  return audit({ action, subject: { mailbox_id: mailboxId, draft_id: id } }, decide)
}

const DONE = {
  sent: 'The message is on its way. Your agent is told.',
  scheduled: 'The message is scheduled. Your agent is told.',
  held: "You approved the message. The guard holds it until the operator's staff has looked at it; your agent is told.",
  blocked: 'You approved the message, and the guard blocked it: it is not sent. Your agent is told why.',
  discarded: 'The draft is discarded. Your agent is told.',
  returned: 'The draft went back to your agent, with your note.',
}
const PROBLEMS = { changed: 'Your agent has changed the draft since you opened it. Nothing was sent: read it again.' }
const GUARD = {
  send: 'The guard has nothing against it.',
  hold: "The guard is not sure about it: the operator's staff will look at it before it goes.",
  block: 'The guard would block it: it would not be sent.',
}

async function findDraft(
  params: Record<string, string>,
  visitor: Visitor,
  deps: OwnerDeps,
): Promise<{ mailbox: MailboxRecord; draft: Draft }> {
  const mailbox = await ownMailbox(visitor, params['mailbox_id'] ?? '', deps)
  try {
    return { mailbox, draft: await deps.mailboxes.drafts.get(mailbox.id, params['id'] ?? '') }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    throw new ServiceError(
      'not_found',
      'This draft is gone: it was sent, discarded, or withdrawn by its agent.',
      `Drafts that wait for you are listed at ${PATHS.drafts}.`,
    )
  }
}

async function draftView(mailbox: MailboxRecord, draft: Draft, visitor: Visitor, deps: OwnerDeps): Promise<Html> {
  const now = deps.clock.now()
  const path = draftPath(mailbox.id, draft.id)
  const { review, send_at: sendAt, attachments } = draft
  const isLong = Buffer.byteLength(draft.text) > MAX_EDITED_BYTES
  const fields = html`<input type="hidden" name="revision" value="${draft.revision}" />
    <label for="subject">Subject</label>
    <input type="text" id="subject" name="subject" maxlength="998" value="${draft.subject}" autocomplete="off" />
    ${
      isLong
        ? html`<p>The text is too long to be changed here.</p>
            <blockquote>${plain(draft.text)}</blockquote>`
        : html`<label for="text">Text</label> <textarea id="text" name="text" rows="14">${`\n${draft.text}`}</textarea>`
    }
    ${htmlNote(draft)}
    <button>Send</button>`
  return html`<dl>
      <dt>Who asks</dt>
      <dd>${await whoAsks(draft, visitor, deps)}</dd>
      <dt>From</dt>
      <dd>${draft.from ? personOf(draft.from) : mailbox.address}</dd>
      ${(['to', 'cc', 'bcc', 'reply_to'] as const).map(
        (name) =>
          draft[name].length > 0 &&
          html`<dt>${FIELD_NAMES[name]}</dt>
            <dd>${draft[name].map((person) => html`<div>${personOf(person)}</div>`)}</dd>`,
      )}
      ${
        attachments.length > 0 &&
        html`<dt>Files</dt>
          <dd>
            ${attachments.map(
              ({ filename, content_type: type, size_bytes: bytes }) =>
                html`<div>${plain(filename)} (${plain(type)}, ${size(bytes)})</div>`,
            )}
          </dd>`
      }
      ${
        sendAt !== null &&
        html`<dt>Goes</dt>
          <dd>${exactly(Date.parse(sendAt))}; at once when you decide later</dd>`
      }
      ${
        review?.expires_at &&
        html`<dt>Waits until</dt>
          <dd>${exactly(Date.parse(review.expires_at))} (${moment(Date.parse(review.expires_at), now)})</dd>`
      }
      <dt>The guard</dt>
      <dd>${await guardView(mailbox, draft, deps)}</dd>
    </dl>
    ${
      review?.status === 'returned' &&
      html`<p class="card">
        It went back to the agent ${review.reason === 'expired' ? 'because nobody decided in time' : 'for changes'}.
        ${review.note && html`Note: ${plain(review.note)}`}
      </p>`
    }
    ${form(visitor, `${path}/send`, fields)}
    <h2>Or not</h2>
    ${form(
      visitor,
      `${path}/return`,
      html`<label for="note">What your agent should change</label>
        <textarea id="note" name="note" rows="3" maxlength="2000" required></textarea>
        <button class="plain">Send back with this note</button>`,
    )}
    ${form(visitor, `${path}/discard`, html`<button class="danger">Discard the draft</button>`)}
    ${await answeredView(mailbox, draft, deps)}`
}

const FIELD_NAMES = { to: 'To', cc: 'Cc', bcc: 'Bcc', reply_to: 'Answers go to' }

async function whoAsks(draft: Draft, visitor: Visitor, deps: OwnerDeps): Promise<Html | string> {
  const by = draft.review?.requested_by
  if (!by) return 'Nobody yet: it is a draft of your agent.'
  if (by.type === 'key') {
    const key = (await deps.accounts.keys(draft.mailbox_id)).find(({ id }) => id === by.key_id)
    return key ? html`The key <strong>${key.name}</strong>` : 'A key that is gone by now'
  }
  const all = await deps.connections.list(visitor.session.accountId)
  const connection = all.find(({ id }) => id === by.key_id)
  return connection ? html`<strong><bdi>${plain(connection.client.name)}</bdi></strong>` : 'A connection that has ended'
}

/** What would happen if it were sent now. */
async function guardView(mailbox: MailboxRecord, draft: Draft, deps: OwnerDeps): Promise<Html> {
  let found: DryRun
  try {
    const answer = await deps.mailboxes.sending.sendDraft(mailbox.id, draft.id, {
      dryRun: true,
      approved: { revision: draft.revision },
    })
    if (!('dry_run' in answer)) throw new Error('a dry run sent a draft')
    found = answer
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return html`<span class="bad">It can't be sent as it is: ${error.message}</span>`
  }
  return html`<span class="${found.decision === 'send' ? 'good' : 'bad'}">${GUARD[found.decision]}</span> ${
      found.decision !== 'send' &&
      html`<ul>
        ${found.reasons.map(({ detail }) => html`<li>${plain(detail)}</li>`)}
      </ul>`
    }`
}

/** HTML is shown as the text that it stands for: it may say something else than the text beside it. */
function htmlNote({ html: markup }: Draft): Html | undefined {
  if (markup === null) return undefined
  return html`<p>
      The message has HTML too, which most people see in place of the text. If you change the text, it goes without. The
      HTML says:
    </p>
    <blockquote>${plain(htmlToText(markup))}</blockquote>`
}

async function answeredView(mailbox: MailboxRecord, draft: Draft, deps: OwnerDeps): Promise<Html | undefined> {
  if (draft.in_reply_to === null) return undefined
  try {
    const { from, subject, text, created_at: at } = await deps.mailboxes.reading.message(mailbox.id, draft.in_reply_to)
    return html`<h2>What it answers</h2>
      <p>
        <strong>${subject === '' ? '(no subject)' : plain(subject)}</strong>
        <span class="small">from ${from ? personOf(from) : 'somebody unknown'}, ${exactly(Date.parse(at))}</span>
      </p>
      <blockquote>${plain(text.slice(0, SHOWN_CHARS))}</blockquote>
      ${text.length > SHOWN_CHARS && html`<p class="small">It goes on.</p>`}`
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    return html`<p class="small">The message that it answers is deleted.</p>`
  }
}

/** What the human changed. Browsers send line ends as CR LF. */
function changeBy(sent: URLSearchParams, draft: Draft) {
  const subject = sent.get('subject')?.trim() ?? draft.subject
  const given = sent.get('text')?.replace(/\r\n?/g, '\n') ?? draft.text
  const isSame = given.trimEnd() === draft.text.replace(/\r\n?/g, '\n').trimEnd()
  if (isSame && subject === draft.subject.trim()) return undefined
  return { subject, ...(!isSame && { text: given, html: null }) }
}

function personOf({ address, name }: Draft['to'][number]): Html {
  return name === null ? html`<bdi>${plain(address)}</bdi>` : html`<bdi>${plain(name)}</bdi> &lt;${plain(address)}&gt;`
}

function peopleOf(all: readonly Draft['to'][number][]): string {
  const shown = all.slice(0, 5).map(({ address }) => address)
  return shown.join(', ') + (all.length > 5 ? ` and ${all.length - 5} more` : '')
}

const subjectOf = ({ subject }: Pick<Draft, 'subject'>): string => (subject === '' ? '(no subject)' : plain(subject))
