/** The form in which a human writes a mail. It works without a script; with one, drafts are saved while they write. */
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { About } from '../../mailbox/drafts/writing.js'
import type { DryRun } from '../../mailbox/sending/requests.js'
import { addressKey } from '../../mime/address.js'
import { GUARD } from '../owner/draft-view.js'
import { WRITE_PATH } from '../inbox/deps.js'
import { MARK_FIELD } from '../page/form.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { reasonItem } from '../page/reasons.js'
import { plain, size } from '../page/words.js'
import { LISTS, type Typed } from './fields.js'

export interface Composition {
  mailbox: MailboxRecord
  /** Mailboxes among which one can choose: before the first save. */
  choice: readonly MailboxRecord[]
  draftId: string
  /** 0 before the first save. */
  revision: number
  /** Name of this form. */
  form: string
  about: About | undefined
  /** Address that it goes from; the mailbox's first one by default. */
  author?: string | undefined
  typed: Typed
  /** Of the draft. */
  files: readonly { id: string; filename: string; size_bytes: number }[]
  /** Of the message that is forwarded, before the first save. */
  taken: readonly { id: string; filename: string }[]
  /** Added below the text when it is sent. */
  signature: string | undefined
  /** Addresses used before. */
  people: readonly string[]
}

const FORM_ID = 'write'

export function writeForm(composition: Composition, visitor: Visitor): Html {
  const { draftId, revision, form, typed, signature, people } = composition
  return html`<form
    method="post"
    action="${WRITE_PATH}"
    enctype="multipart/form-data"
    id="${FORM_ID}"
    class="write"
    data-write
  >
    <input type="hidden" name="${MARK_FIELD}" value="${visitor.mark}" />
    <input type="hidden" name="draft" value="${draftId}" />
    <input type="hidden" name="revision" value="${revision}" />
    <input type="hidden" name="form" value="${form}" />
    ${aboutFields(composition.about)} ${sender(composition)} ${addresses('to', typed)}
    <details${(typed.cc !== '' || typed.bcc !== '') && html` open`}>
      <summary>Cc and Bcc</summary>
      ${addresses('cc', typed)} ${addresses('bcc', typed)}
    </details>
    <label>Subject <input type="text" name="subject" value="${typed.subject}" maxlength="998" autocomplete="off" /></label>
    <label>Text <textarea name="text" rows="12" dir="auto">${`\n${typed.text}`}</textarea></label>
    ${
      signature !== undefined &&
      html`<details class="small">
        <summary>Your signature is added below it</summary>
        <pre>${plain(signature)}</pre>
      </details>`
    }
    ${files(composition)}
    <details${typed.sendAt !== '' && html` open`}>
      <summary>Send later</summary>
      <label
        >Date and time in UTC, the time of Greenwich without summer time
        <input type="datetime-local" name="send_at" value="${typed.sendAt}" /></label>
      <p class="small" data-local>At least one minute and at most 30 days ahead. Empty: it is sent at once.</p>
    </details>
    <div class="bar">
      <button name="do" value="send" data-send>Send</button>
      <button name="do" value="save" class="plain">Save draft</button>
      <button name="do" value="discard" class="danger" formnovalidate>Discard</button>
      <span class="small" role="status" data-saved></span>
    </div>
    <datalist id="people">${people.map((each) => html`<option value="${each}"></option>`)}</datalist>
  </form>`
}

function aboutFields(about: About | undefined): Html | undefined {
  if (!about) return undefined
  if ('forward' in about) return html`<input type="hidden" name="forward" value="${about.forward}" />`
  return html`<input type="hidden" name="${about.isToAll ? 'all' : 'reply'}" value="${about.reply}" />`
}

/** The mailbox, with the address that it goes from unless that is its first one: `mbx_…` or `mbx_…/alias@example.com`. */
function sender({ mailbox, choice, author = mailbox.address }: Composition): Html {
  const offered = (choice.length > 0 ? choice : [mailbox]).flatMap((each) =>
    addressesOf(each, each.id === mailbox.id ? author : undefined).map((address) => ({ mailbox: each, address })),
  )
  const valueOf = ({ mailbox: { id, address: first }, address }: (typeof offered)[number]): string =>
    address === first ? id : `${id}/${address}`
  const isChosen = (each: (typeof offered)[number]): boolean =>
    each.mailbox.id === mailbox.id && addressKey(each.address) === addressKey(author)
  if (offered.length < 2)
    return html`<input type="hidden" name="mailbox" value="${mailbox.id}" />
      <p>From <strong>${author}</strong></p>`
  return html`<label
    >From
    <select name="mailbox">
      ${offered.map(
        (each) => html`<option value="${valueOf(each)}" ${isChosen(each) && html` selected`}>${each.address}</option>`,
      )}
    </select></label
  >`
}

/** @param author may have a tag, or be an alias no more */
function addressesOf({ address, aliases = [] }: MailboxRecord, author: string | undefined): string[] {
  const all = [address, ...aliases.map((alias) => alias.address)]
  const isThere = author === undefined || all.some((each) => addressKey(each) === addressKey(author))
  return isThere ? all : [...all, author]
}

const addresses = (name: keyof typeof LISTS, typed: Typed): Html =>
  html`<label
    >${LISTS[name]}
    <input
      type="text"
      name="${name}"
      value="${typed[name]}"
      list="people"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      inputmode="email"
  /></label>`

/** Those that are ticked stay. */
function files({ files: kept, taken }: Composition): Html {
  const tick = (name: string, id: string, filename: string, rest: string): Html =>
    html`<li>
      <label class="tick"
        ><input type="checkbox" name="${name}" value="${id}" checked /><span
          ><bdi>${plain(filename)}</bdi>${rest}</span
        ></label
      >
    </li>`
  return html`<fieldset class="files" data-drop>
    <legend>Files</legend>
    <ul data-kept>
      ${kept.map(({ id, filename, size_bytes: bytes }) => tick('keep', id, filename, `, ${size(bytes)}`))}
      ${taken.map(({ id, filename }) => tick('take', id, filename, ''))}
    </ul>
    <label>Add files <input type="file" name="files" multiple /></label>
  </fieldset>`
}

/** Why the guard would not let it go, before anything is sent. */
export function doubtView({ decision, reasons }: DryRun): Html {
  return html`<div class="card notice bad" role="alert">
    <p><strong>Not sent yet.</strong> ${GUARD[decision]}</p>
    <ul>
      ${reasons.map((reason) => reasonItem(reason))}
    </ul>
    ${
      decision === 'hold' &&
      html`<button form="${FORM_ID}" name="do" value="anyway">Send anyway: it will wait for the staff</button>`
    }
    <p class="small">Or change it below. It is saved as a draft.</p>
  </div>`
}
