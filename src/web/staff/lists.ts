/** Staff lists: held messages, recently blocked ones, and past decisions. */
import type { ReviewItem, ReviewLogEntry } from '../../mailbox/review/objects.js'
import { html, type Html } from '../page/html.js'
import { className } from '../page/reasons.js'
import { table } from '../page/table.js'
import { moment, plain } from '../page/words.js'
import { LOG_PATH, messagePath, placeOf, REVIEW_PATH, staffOnly, staffPage } from './frame.js'
import { doneNotice } from './message.js'

const PAGE = 50

const WORDS = {
  held: {
    title: 'Waiting for review',
    about: 'The guard was not sure about these. None of them is sent until staff decides. Longest waiting first.',
    none: 'No message waits for review. One that the guard is not sure about is listed here until it is decided on.',
  },
  blocked: {
    title: 'Recently blocked',
    about: 'The guard blocked these within the last 7 days. Where it was wrong, you can still approve the message.',
    none: 'Nothing was blocked recently. What the guard blocks is listed here for 7 days.',
  },
} as const

const LIST_PAGE = staffOnly('GET', REVIEW_PATH, async (input) => {
  const { query, reviewing, clock } = input
  const status = query.get('status') === 'blocked' ? 'blocked' : 'held'
  const { title, about, none } = WORDS[status]
  const found = await reviewing.list({ status, limit: PAGE, cursor: query.get('cursor') ?? undefined })
  const more = new URLSearchParams({ status, cursor: found.next_cursor ?? '' })
  return staffPage(
    {
      place: placeOf(status),
      title,
      body: html`${doneNotice(query)}
      ${found.data.length === 0 ? html`<p class="empty">${none}</p>` : html`<p>${about}</p>`}
      ${found.data.length > 0 && messages(found.data, title, clock.now())}
      ${found.has_more && html`<p><a href="${REVIEW_PATH}?${more.toString()}">More</a></p>`}`,
    },
    input,
  )
})

function messages(items: ReviewItem[], title: string, now: number): Html {
  const rows = items.map(({ id, subject, sender, to, recipient_count: count, category, reasons, at, appeal }) => [
    html`<a href="${messagePath(id)}"><bdi>${subject.trim() === '' ? '(no subject)' : plain(subject)}</bdi></a>
      <br /><span class="small">to ${plain(to[0] ?? 'nobody')}${count > 1 && ` and ${count - 1} more`}</span>`,
    html`${sender.address}<br /><span class="small">${sender.owner ?? 'account without an address'}</span>`,
    html`${category}<br /><span class="small"
        >${reasons[0] && plain(reasons[0].detail)}${
          reasons[0]?.class !== undefined && ` (${className(reasons[0].class)})`
        }</span
      >${appeal !== null && html`<br /><span class="label">its owner asks</span>`}`,
    moment(Date.parse(at), now),
  ])
  return table(title, ['Message', 'From', 'Why', 'Since'], rows, 'cards')
}

const LOG = staffOnly('GET', LOG_PATH, async (input) => {
  const { query, reviewing, clock } = input
  const found = await reviewing.log({ limit: PAGE, cursor: query.get('cursor') ?? undefined })
  return staffPage(
    {
      place: LOG_PATH,
      title: 'Decisions',
      body: html`${
        found.data.length === 0
          ? html`<p class="empty">
              Nothing was decided recently. What staff approves or rejects is listed here, newest first.
            </p>`
          : decisions(found.data, clock.now())
      }
      ${found.has_more && html`<p><a href="${LOG_PATH}?cursor=${found.next_cursor}">Earlier ones</a></p>`}`,
    },
    input,
  )
})

const DECIDED = {
  approve: 'approved',
  reject: 'rejected',
  suspend: 'rejected, account suspended',
} as const

function decisions(entries: ReviewLogEntry[], now: number): Html {
  const rows = entries.map(({ at, decision, by, message_id: id, note, category, guard_decision: guard }) => [
    moment(Date.parse(at), now),
    html`${DECIDED[decision]}${note !== null && html`<br /><span class="small">${plain(note)}</span>`}`,
    plain(by),
    html`<a href="${messagePath(id)}"><code>${id}</code></a> <br /><span class="small"
        >the check: ${guard}, ${category}</span
      >`,
  ])
  return table('Decisions', ['When', 'Decision', 'By', 'Message'], rows, 'cards')
}

export const listPages = [LIST_PAGE, LOG]
