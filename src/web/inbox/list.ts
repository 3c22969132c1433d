/** The list of conversations: of all mailboxes of the account, or one; by view, label or search. */
import { ServiceError } from '../../lib/errors.js'
import { encodeCursor } from '../../lib/cursor.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { PAUSE_DONE, pauseForm, withdrawnNotice } from '../page/pause-form.js'
import { notice, ownerPage, PATHS } from '../page/person-frame.js'
import { count, plain } from '../page/words.js'
import { bulkForm, DONE } from './action-forms.js'
import {
  MAX_MERGED,
  mailboxesOf,
  PICTURES_PATH,
  writePath,
  type InboxDeps,
  type InboxPage,
  type OwnMailboxes,
} from './deps.js'
import { EVENTS_PATH } from './arrivals.js'
import {
  listingOf,
  listPath,
  MAX_QUERY_CHARS,
  rowsOf,
  shownMailboxes,
  VIEWS,
  type Listing,
  type Row,
  type ViewName,
} from './listing.js'
import { tagOf } from './merge.js'
import { rowList } from './rows.js'
import { SCRIPT_PATH } from './script.js'

const COUNTED_HELD = 100

export const listPage: InboxPage = {
  method: 'GET',
  path: PATHS.inbox,
  access: 'session',
  async answer({ query, visitor }, deps) {
    const { accountId } = visitor.session
    const account = await deps.accounts.get(accountId)
    const listing = listingOf(query)
    const frame = { place: PATHS.inbox, title: 'Inbox', isWide: true, script: SCRIPT_PATH }
    if (account && account.status !== 'active') {
      const body = html`<p class="empty">Mail can be read here once the account is active again.</p>`
      return ownerPage({ ...frame, body }, visitor, deps)
    }
    const own = await mailboxesOf(accountId, deps)
    const heading = listing.q === undefined ? (listing.label ?? VIEWS[listing.view].label) : 'Search'
    try {
      const { items, next } = await rowsOf(listing, own, deps)
      const body = await listView({ listing, own, items, next }, visitor, deps)
      return await ownerPage(
        {
          ...frame,
          heading,
          body: html`${notice(query, { ...DONE, ...PAUSE_DONE })} ${withdrawnNotice(query)} ${body}`,
        },
        visitor,
        deps,
      )
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'invalid_request') throw error
      const body = html`${filters(listing, 0)} ${search(listing, own)}
        <div class="card notice bad" role="alert">
          <p>${plain(error.message)}</p>
          ${error.fields?.map(({ problem }) => html`<p>${plain(problem)}</p>`)}
        </div>`
      return ownerPage({ ...frame, heading, body, status: error.status }, visitor, deps)
    }
  },
}

interface Shown {
  listing: Listing
  own: OwnMailboxes
  items: Row[]
  next: string | undefined
}

async function listView(
  { listing, own, items, next }: Shown,
  visitor: Visitor,
  { mailboxes, clock }: Pick<InboxDeps, 'mailboxes' | 'clock'>,
): Promise<Html> {
  const shown = shownMailboxes(listing, own)
  const held = await Promise.all(shown.map(({ id }) => mailboxes.reading.countHeld(id, COUNTED_HELD)))
  const addresses = shown.length > 1 ? new Map(own.offered.map(({ id, address }) => [id, address])) : undefined
  const rows = rowList(items, { now: clock.now(), addresses, omitted: listing.label ?? listing.view })
  return html`${shown.length > 0 && writeLink(listing)}
    ${filters(
      listing,
      held.reduce((sum, each) => sum + each, 0),
    )}
    ${search(listing, own)} ${pausing(listing, shown, visitor, clock.now())}
    ${own.total > shown.length && listing.mailbox === undefined && partOf(own)}
    ${listing.cursor === undefined && shown.length > 0 && arrivals(shown)}
    ${items.length === 0 ? empty(listing, own, next !== undefined) : bulkForm(listing, visitor, rows)}
    ${pager(listing, next)}
    <p class="small"><a href="${PICTURES_PATH}">Senders whose pictures are always shown</a></p>`
}

const writeLink = ({ mailbox }: Listing): Html =>
  html`<p class="bar">
    <a href="${writePath(mailbox === undefined ? {} : { mailbox })}" class="button" data-key="c">Write</a>
  </p>`

/** Where the script tells of new mail; the line is there from the start, so that nothing moves when it comes. */
function arrivals(shown: readonly MailboxRecord[]): Html {
  const since = encodeCursor(shown.map(({ id, seq }) => [tagOf(id), seq]))
  return html`<p class="fresh small" role="status" data-arrivals="${EVENTS_PATH}?since=${since}">Newest first.</p>`
}

function filters(listing: Listing, held: number): Html {
  const links = Object.entries(VIEWS).map(([view, { label }]) => {
    const href = listPath({ view: view as ViewName, mailbox: listing.mailbox })
    const isCurrent = view === listing.view && listing.q === undefined && listing.label === undefined
    const text = view === 'held' && held > 0 ? `${label} (${held >= COUNTED_HELD ? 'many' : held})` : label
    return html`<li>
      ${isCurrent ? html`<a href="${href}" aria-current="page">${text}</a>` : html`<a href="${href}">${text}</a>`}
    </li>`
  })
  return html`<nav class="views" aria-label="Which mail">
    <ul>
      ${links}
    </ul>
  </nav>`
}

function search({ mailbox, q, label }: Listing, { offered }: OwnMailboxes): Html {
  const words = q ?? (label === undefined ? '' : `label:${label}`)
  return html`<form class="find" role="search" action="${PATHS.inbox}">
    ${
      offered.length > 1 &&
      html`<label
        >Mailbox
        <select name="mailbox">
          <option value="">All mailboxes</option>
          ${offered.map(
            ({ address }) =>
              html`<option value="${address}" ${address === mailbox && html` selected`}>${address}</option>`,
          )}
        </select></label
      >`
    }
    ${offered.length === 1 && mailbox !== undefined && html`<input type="hidden" name="mailbox" value="${mailbox}" />`}
    <label
      >Search
      <input type="search" name="q" value="${words}" maxlength="${MAX_QUERY_CHARS}" autocomplete="off" data-key="/"
    /></label>
    <button class="plain">${offered.length > 1 ? 'Show' : 'Search'}</button>
    <details class="small">
      <summary>How to search</summary>
      <p class="small">
        Words, "phrases", <code>from:</code> <code>to:</code> <code>subject:</code> <code>label:</code>
        <code>has:attachment</code> <code>is:unread</code> <code>is:read</code> <code>in:inbox</code>
        <code>in:sent</code> <code>in:spam</code> <code>before:2026-01-31</code> <code>after:2026-01-31</code>; a
        <code>-</code> before any of them leaves it out.
      </p>
    </details>
  </form>`
}

/** For one mailbox the buttons, for several which of them are paused. */
function pausing(listing: Listing, shown: readonly MailboxRecord[], visitor: Visitor, now: number): Html | false {
  const [one] = shown
  const paused = shown.filter((mailbox) => mailbox.paused)
  if (one && (listing.mailbox !== undefined || shown.length === 1)) {
    const buttons = pauseForm(one, visitor, {
      back: listPath({ ...listing, cursor: undefined, newer: undefined }),
      now,
    })
    return paused.length > 0
      ? buttons
      : html`<details class="small">
          <summary>Pause this agent</summary>
          ${buttons}
        </details>`
  }
  return paused.length > 0 && html`<p class="small">Paused: ${paused.map(({ address }) => address).join(', ')}.</p>`
}

const partOf = ({ total }: OwnMailboxes): Html =>
  html`<p class="small">
    You have ${count(total, 'mailbox', 'mailboxes')}. This is the mail of the ${MAX_MERGED} with the latest activity;
    choose one to see its mail.
  </p>`

function empty({ view, q, label }: Listing, { offered }: OwnMailboxes, hasMore: boolean): Html {
  if (offered.length === 0) {
    return html`<div class="empty">
      <p>You have no mailbox yet</p>
      <p>When an agent claims an address, it gives you a link; open it and accept, and its mail is here.</p>
    </div>`
  }
  if (hasMore) {
    return html`<div class="empty">
      <p>Nothing on this page</p>
      <p>Not all mail has been looked through yet: “Older” goes on.</p>
    </div>`
  }
  const [head, next] = q !== undefined || label !== undefined ? NOTHING_FOUND : EMPTY[view]
  return html`<div class="empty">
    <p>${head}</p>
    <p>${next}</p>
  </div>`
}

const NOTHING_FOUND = [
  'Nothing found',
  'Try fewer words. Spam is left out unless in:spam asks for it; the trash is not searched.',
]
const EMPTY: Record<ViewName, readonly [string, string]> = {
  inbox: ['No mail in the inbox', 'Mail to your agents comes here. What was archived is in “All mail”.'],
  unread: ['Everything is read', 'What your agents have marked as read counts as read here too.'],
  all: ['No mail yet', 'What your agents receive and send is here.'],
  held: ['Nothing is held', "Mail that the guard is not sure about waits here for the operator's staff."],
  blocked: ['Nothing was blocked', 'Mail that the guard refuses to send is kept here, with the reasons.'],
  sent: ['Nothing was sent', 'What your agents have sent is here, with how its delivery went.'],
  drafts: ['No drafts', 'What your agents write without sending it, or ask you about, is here.'],
  spam: ['No spam', 'Mail that looks like spam is kept here, out of the sight of your agents.'],
  trash: ['The trash is empty', 'Deleted messages stay here for seven days, and can be put back.'],
}

function pager(listing: Listing, next: string | undefined): Html | undefined {
  const { cursor, newer } = listing
  if (cursor === undefined && next === undefined) return undefined
  const to = (label: string, change: Partial<Listing>): Html =>
    html`<li><a href="${listPath({ ...listing, cursor: undefined, newer: undefined, ...change })}">${label}</a></li>`
  return html`<nav class="pager" aria-label="Pages">
    <ul>
      ${cursor !== undefined && newer !== '' && to('Newest', {})}
      ${cursor !== undefined && newer !== undefined && to('Newer', { cursor: newer })}
      ${next !== undefined && to('Older', { cursor: next, newer: cursor ?? '' })}
    </ul>
  </nav>`
}
