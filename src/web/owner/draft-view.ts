/** The page of one draft: all that would be sent, then the buttons. */
import { ServiceError } from '../../lib/errors.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { ShownDraft } from '../../mailbox/drafts/shown.js'
import type { Draft } from '../../mailbox/objects/draft-object.js'
import type { DryRun } from '../../mailbox/sending/requests.js'
import { htmlAnchors, htmlToText } from '../../mime/html/html.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { form, PATHS, type OwnerDeps } from '../page/person-frame.js'
import { reasonItem } from '../page/reasons.js'
import { exactly, moment, plain, size } from '../page/words.js'

/** A longer text can be sent as it is, and not be changed on the page. */
export const MAX_EDITED_BYTES = 256 * 1024
/** Characters shown of what is answered. */
const SHOWN_CHARS = 20_000
const FIELD_NAMES = { to: 'To', cc: 'Cc', bcc: 'Bcc', reply_to: 'Answers go to' }

/** Decisions of the guard in words. */
export const GUARD = {
  send: 'The guard has nothing against it.',
  hold: "The guard is not sure about it: the operator's staff will look at it before it goes.",
  block: 'The guard would block it: it would not be sent.',
}

export const draftPath = (mailboxId: string, draftId: string): string => `${PATHS.drafts}/${mailboxId}/${draftId}`

interface Shown extends ShownDraft {
  mailbox: MailboxRecord
}

export async function draftView(shown: Shown, visitor: Visitor, deps: OwnerDeps): Promise<Html> {
  const { mailbox, draft } = shown
  return html`${envelope(shown, await whoAsks(draft, visitor, deps), deps.clock.now())} ${returnedNote(draft)}
    ${await answeredView(mailbox, draft, deps)}
    <h2>The message</h2>
    ${sendForm(shown, await guardView(mailbox, draft, deps), visitor)}
    <h2>Or not</h2>
    ${refusalForms(draft, visitor)}`
}

function envelope({ mailbox, draft }: Shown, who: Html | string, now: number): Html {
  const { review, send_at: sendAt, attachments } = draft
  const path = draftPath(mailbox.id, draft.id)
  return html`<dl>
    <dt>Who asks</dt>
    <dd>${who}</dd>
    <dt>From</dt>
    <dd>${draft.from ? personOf(draft.from) : mailbox.address}</dd>
    ${(['to', 'cc', 'bcc', 'reply_to'] as const).map(
      (name) =>
        draft[name].length > 0 &&
        html`<dt>${FIELD_NAMES[name]}</dt>
          <dd>${draft[name].map((person) => html`<div>${personOf(person)}</div>`)}</dd>`,
    )}
    ${
      // All of it: the field below may be narrower.
      draft.subject !== '' &&
      html`<dt>Subject</dt>
        <dd>${plain(draft.subject)}</dd>`
    }
    ${
      attachments.length > 0 &&
      html`<dt>Files</dt>
        <dd>
          ${attachments.map(
            ({ id, filename, content_type: type, size_bytes: bytes }) =>
              html`<div>
                <a href="${path}/files/${id}"><bdi>${plain(filename)}</bdi></a> (${plain(type)}, ${size(bytes)})
              </div>`,
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
  </dl>`
}

function returnedNote({ review }: Draft): Html | undefined {
  if (review?.status !== 'returned') return undefined
  return html`<p class="card">
    It went back to the agent ${review.reason === 'expired' ? 'because nobody decided in time' : 'for changes'}.
    ${review.note && html`Note: ${plain(review.note)}`}
  </p>`
}

function sendForm(shown: Shown, guard: Html, visitor: Visitor): Html {
  const { mailbox, draft, form: seen } = shown
  const isLong = Buffer.byteLength(draft.text) > MAX_EDITED_BYTES
  return form(
    visitor,
    `${draftPath(mailbox.id, draft.id)}/send`,
    html`<input type="hidden" name="form" value="${seen}" />
      <label for="subject">Subject</label>
      <input type="text" id="subject" name="subject" maxlength="998" value="${draft.subject}" autocomplete="off" />
      ${
        isLong
          ? html`<p>The text is too long to be changed here.</p>
              <blockquote>${plain(draft.text)}</blockquote>`
          : html`<label for="text">Text</label>
              <textarea id="text" name="text" rows="14">${`\n${draft.text}`}</textarea>`
      }
      ${htmlView(draft)} ${submittedView(shown)}
      <p>${guard}</p>
      <button>Send</button>`,
  )
}

function refusalForms({ id, mailbox_id: mailboxId, revision }: Draft, visitor: Visitor): Html {
  const path = draftPath(mailboxId, id)
  const seen = html`<input type="hidden" name="revision" value="${revision}" />`
  return html`${form(
    visitor,
    `${path}/return`,
    html`${seen}<label for="note">What your agent should change</label>
      <textarea id="note" name="note" rows="3" maxlength="2000" required></textarea>
      <button class="plain">Send back with this note</button>`,
  )}
  ${form(visitor, `${path}/discard`, html`${seen}<button class="danger">Discard the draft</button>`)}`
}

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

/** The outcome if it were sent now. */
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
        ${found.reasons.map((reason) => reasonItem(reason))}
      </ul>`
    }`
}

/** HTML is shown as the text and the links that it stands for, and as it is: it may say something else than the text beside it. */
function htmlView({ html: markup }: Draft): Html | undefined {
  if (markup === null) return undefined
  const links = htmlAnchors(markup)
  return html`<p>
      The message has HTML too, which most people see in place of the text. If you change the text, it goes without. The
      HTML says:
    </p>
    <blockquote>${plain(htmlToText(markup))}</blockquote>
    ${
      links.length > 0 &&
      html`<p>Its links:</p>
        <ul>
          ${links.map(({ target, text }) => html`<li>${plain(text)}: <code>${plain(target)}</code></li>`)}
        </ul>`
    }
    <details>
      <summary>The HTML as it is written</summary>
      <pre>${plain(markup)}</pre>
    </details>`
}

/** A message of a mail program has fields and parts that the page does not show. */
function submittedView({ mailbox, draft, submitted }: Shown): Html | undefined {
  if (!submitted) return undefined
  return html`<p>
    A mail program wrote this message, and it goes as it is:
    <a href="${draftPath(mailbox.id, draft.id)}/files/${submitted.id}">the whole message</a> (${size(submitted.bytes)}).
    If you change the subject or the text, it is composed anew, with neither other fields nor signatures of the program.
  </p>`
}

async function answeredView(mailbox: MailboxRecord, draft: Draft, deps: OwnerDeps): Promise<Html | undefined> {
  if (draft.in_reply_to === null) return undefined
  try {
    const { from, subject, text, created_at: at } = await deps.mailboxes.reading.message(mailbox.id, draft.in_reply_to)
    return html`<details>
      <summary>What it answers</summary>
      <p>
        <strong>${subject === '' ? '(no subject)' : plain(subject)}</strong>
        <span class="small">from ${from ? personOf(from) : 'somebody unknown'}, ${exactly(Date.parse(at))}</span>
      </p>
      <blockquote>${plain(text.slice(0, SHOWN_CHARS))}</blockquote>
      ${text.length > SHOWN_CHARS && html`<p class="small">It goes on.</p>`}
    </details>`
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    return html`<p class="small">The message that it answers is deleted.</p>`
  }
}

function personOf({ address, name }: Draft['to'][number]): Html {
  const isolated = html`<bdi>${plain(address)}</bdi>`
  return name === null ? isolated : html`<bdi>${plain(name)}</bdi> &lt;${isolated}&gt;`
}
