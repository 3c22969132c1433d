/** Buttons for conversations: many in a list, one on its page. Keys press the same buttons (`data-key`). */
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { form, PATHS } from '../page/person-frame.js'
import { listPath, type Listing } from './listing.js'

export const ACT_PATH = `${PATHS.inbox}/act`
/** The domain's limit for a label. */
export const MAX_LABEL_CHARS = 64

/** Actions by the value of their buttons. */
export const ACTS = [
  'archive',
  'inbox',
  'read',
  'unread',
  'label',
  'unlabel',
  'spam',
  'ham',
  'delete',
  'restore',
] as const
export type Act = (typeof ACTS)[number]

const button = (act: Act, label: string, key?: string, look = 'plain'): Html =>
  html`<button class="${look}" name="do" value="${act}" ${key !== undefined && html` data-key="${key}"`}>
    ${label}
  </button>`

/** The list with what can be done with its selected lines. */
export function bulkForm(listing: Listing, visitor: Visitor, rows: Html): Html {
  const { view } = listing
  if (view === 'drafts') return rows
  const buttons =
    view === 'trash'
      ? button('restore', 'Put back')
      : html`${
          view === 'spam'
            ? button('ham', 'Not spam')
            : view === 'inbox'
              ? button('archive', 'Archive', 'e')
              : button('inbox', 'To the inbox')
        }
        ${button('read', 'Read')} ${button('unread', 'Unread')} ${button('delete', 'Delete', '#')} ${labelField()}`
  const content = html`<input type="hidden" name="back" value="${listPath(listing)}" />${byEnter}
    <div class="bar" role="group" aria-label="With the selected">${buttons}</div>
    ${rows}`
  return form(visitor, ACT_PATH, content, 'bulk')
}

export interface ThreadFacts {
  labels: readonly string[]
  isSpam: boolean
  /** One of its messages came from outside: only such mail is in the inbox or spam. */
  isIncoming: boolean
  back: string
  stay: string
}

/** With one conversation. @param back where to go after it has left the view; other changes stay on its page */
export function threadForm(
  item: string,
  { labels, isSpam, isIncoming, back, stay }: ThreadFacts,
  visitor: Visitor,
): Html {
  const place = isSpam
    ? button('ham', 'Not spam')
    : labels.includes('inbox')
      ? button('archive', 'Archive', 'e')
      : button('inbox', 'To the inbox')
  return form(
    visitor,
    ACT_PATH,
    html`<input type="hidden" name="item" value="${item}" />
      <input type="hidden" name="back" value="${back}" />
      <input type="hidden" name="stay" value="${stay}" />${byEnter}
      <div class="bar" role="group" aria-label="With this conversation">
        ${isIncoming && place} ${button('unread', 'Mark as unread')} ${isIncoming && !isSpam && button('spam', 'Spam')}
        ${button('delete', 'Delete', '#', 'danger')} ${labelField()}
      </div>`,
  )
}

/** Enter in a field presses the first button of its form (HTML §4.10.21.2): this one, which nobody sees. */
const byEnter = html`<button name="do" value="label" hidden></button>`

function labelField(): Html {
  return html`<span class="joined"
    ><input
      type="text"
      name="label"
      maxlength="${MAX_LABEL_CHARS}"
      aria-label="Label"
      placeholder="label"
      autocomplete="off"
      autocapitalize="none"
      data-key="l"
    />${button('label', 'Add label')}</span
  >`
}

export type Done =
  | Act
  | 'nothing'
  | 'some'
  | 'nolabel'
  | 'withdrawn'
  | 'discarded'
  | 'appealed'
  | 'noline'
  | 'decided'
  | 'pictures'
  | 'nopictures'

/** The notice on the next page, by what was done. */
export const DONE: Record<Done, string> = {
  archive: 'Archived. It is in “All mail”.',
  inbox: 'It is in the inbox.',
  read: 'Marked as read.',
  unread: 'Marked as unread.',
  label: 'The label is set.',
  unlabel: 'The label is removed.',
  spam: 'Moved to spam.',
  ham: 'Moved out of spam, to the inbox.',
  delete: 'Moved to the trash. It stays there for seven days.',
  restore: 'Put back where it was.',
  nothing: 'Nothing was selected, so nothing was changed.',
  some: 'Not all could be done: some are gone by now, or are on their way and can only be deleted after that.',
  nolabel: 'Nothing was changed: a label is 1 to 64 of the characters a-z, 0-9 and - _ . / : without spaces.',
  withdrawn: 'Withdrawn. It is not sent.',
  appealed: 'The staff will read it when they look at the message.',
  noline: 'Nothing was sent to the staff: write one line of 1 to 500 characters.',
  decided: 'It does not wait for the staff any more, so nothing was sent to them.',
  discarded: 'The draft is discarded.',
  pictures: 'Pictures of this sender are shown from now on, in messages that are proven to be theirs.',
  nopictures: 'Pictures of this sender are not shown any more unless you ask for those of a message.',
}

/** Puts one message back from the trash. */
export const restoreForm = (item: string, back: string, visitor: Visitor): Html =>
  form(
    visitor,
    ACT_PATH,
    html`<input type="hidden" name="item" value="${item}" />
      <input type="hidden" name="back" value="${back}" />
      ${button('restore', 'Put back')}`,
  )
