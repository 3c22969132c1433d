/** The lines of the list. What strangers wrote is text, in its own direction. */
import { html, type Html } from '../page/html.js'
import { moment, plain } from '../page/words.js'
import type { Row } from './listing.js'

const SHOWN_PEOPLE = 3
const SHOWN_LABELS = 4
const SHOWN_PREVIEW = 200

export interface RowsContext {
  now: number
  /** By mailbox; only when several are shown. */
  addresses: Map<string, string> | undefined
  /** Label that all lines have, and that none needs to say. */
  omitted: string
}

export function rowList(rows: readonly Row[], context: RowsContext): Html {
  return html`<ol class="mails">
    ${rows.map((row) => rowOf(row, context))}
  </ol>`
}

function rowOf(row: Row, { now, addresses, omitted }: RowsContext): Html {
  const { mailboxId, item, href, isUnread, preview, at, note, hasFiles } = row
  const labels = row.labels.filter((label) => label !== omitted && label !== 'inbox')
  const address = addresses?.get(mailboxId)
  return html`<li class="mail${isUnread ? ' unread' : ''}">
    ${
      item !== undefined &&
      html`<label class="pick"
        ><input type="checkbox" name="item" value="${mailboxId}/${item}" aria-label="Select: ${subjectOf(row)}"
      /></label>`
    }
    <a href="${href}" data-row>
      <span class="who"
        >${isUnread && html`<span class="dot" role="img" aria-label="Unread"></span>`}${row.isOutgoing && 'To '}<bdi>${peopleOf(row)}</bdi>${row.messages > 1 && html` <span class="small">${row.messages}</span>`}</span
      >
      <span class="what" dir="auto"
        ><span class="subject">${subjectOf(row)}</span>
        <span class="preview">${plain(preview.slice(0, SHOWN_PREVIEW))}</span></span
      >
      <span class="facts"
        >${note !== undefined && html`<span class="label">${note}</span>`}
        ${labels.slice(0, SHOWN_LABELS).map((label) => html`<span class="label ${toneOf(label)}">${label}</span>`)}
        ${labels.length > SHOWN_LABELS && html`<span class="small">+${labels.length - SHOWN_LABELS}</span>`}
        ${hasFiles && html`<span class="label">files</span>`}
        ${address !== undefined && html`<span class="small">${address}</span>`}</span
      >
      <span class="when small">${moment(at, now)}</span>
    </a>
  </li>`
}

const toneOf = (label: string): string => (label === 'held' || label === 'blocked' || label === 'spam' ? 'bad' : '')

function subjectOf({ subject }: Row): string {
  const text = plain(subject).trim()
  return text === '' ? '(no subject)' : text
}

function peopleOf({ people, isOutgoing }: Row): string {
  if (people.length === 0) return isOutgoing ? 'nobody yet' : 'nobody else'
  const names = people.slice(0, SHOWN_PEOPLE).map((name) => plain(name))
  return people.length > SHOWN_PEOPLE
    ? `${names.join(', ')} and ${people.length - SHOWN_PEOPLE} more`
    : names.join(', ')
}
