/** Which mail a list shows, by its address: a view or a label, a search, one mailbox or all, and the page. */
import type { Draft, DraftSummary } from '../../mailbox/objects/draft-object.js'
import type { List, Thread, TrashedMessage } from '../../mailbox/objects/objects.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { LABEL } from '../../mailbox/labels.js'
import { ServiceError } from '../../lib/errors.js'
import type { MessageFilter } from '../../mailbox/search/message-filter.js'
import { PATHS } from '../page/person-frame.js'
import { itemPath, PAGE_SIZE, writePath, type InboxDeps, type OwnMailboxes } from './deps.js'
import { MAX_CURSOR_CHARS, mergedPage, type Source } from './merge.js'

/** Views by name: how it is called, and what it lists. */
export const VIEWS = {
  inbox: { label: 'Inbox', filter: { label: 'inbox' } },
  unread: { label: 'Unread', filter: { unread: true } },
  all: { label: 'All mail', filter: {} },
  held: { label: 'Held', filter: { label: 'held' } },
  blocked: { label: 'Blocked', filter: { label: 'blocked' } },
  sent: { label: 'Sent', filter: { label: 'sent' } },
  drafts: { label: 'Drafts', filter: undefined },
  spam: { label: 'Spam', filter: { label: 'spam' } },
  trash: { label: 'Trash', filter: undefined },
} as const satisfies Record<string, { label: string; filter: MessageFilter | undefined }>
export type ViewName = keyof typeof VIEWS

/** Max characters of a search, as for the API. */
export const MAX_QUERY_CHARS = 500

export interface Listing {
  view: ViewName
  /** Address of the one mailbox. */
  mailbox?: string | undefined
  label?: string | undefined
  q?: string | undefined
  cursor?: string | undefined
  /** Cursor of the page before: '' for the first one; undefined when not known. */
  newer?: string | undefined
}

export function listingOf(query: URLSearchParams): Listing {
  const given = (name: string): string | undefined => query.get(name)?.trim() || undefined
  const name = given('view') ?? ''
  const q = given('q')?.slice(0, MAX_QUERY_CHARS)
  const label = given('label')?.toLowerCase()
  return {
    // A search looks through all mail.
    view: isView(name) ? name : q !== undefined || label !== undefined ? 'all' : 'inbox',
    mailbox: given('mailbox')?.toLowerCase(),
    label: label !== undefined && LABEL.test(label) ? label : undefined,
    q,
    cursor: given('cursor'),
    newer: query.get('newer') ?? undefined,
  }
}

const isView = (name: string): name is ViewName => Object.hasOwn(VIEWS, name)

export function listPath({ view, mailbox, label, q, cursor, newer }: Partial<Listing>): string {
  const query = new URLSearchParams()
  if (mailbox !== undefined) query.set('mailbox', mailbox)
  if (label !== undefined) query.set('label', label)
  if (q !== undefined) query.set('q', q)
  if (view !== undefined && view !== (q !== undefined || label !== undefined ? 'all' : 'inbox')) query.set('view', view)
  if (cursor !== undefined && cursor !== '') query.set('cursor', cursor)
  // Where both don't fit into the head of a request, the way back is that of the browser.
  if (cursor && newer !== undefined && cursor.length + newer.length <= MAX_CURSOR_CHARS) query.set('newer', newer)
  const text = query.toString()
  return text === '' ? PATHS.inbox : `${PATHS.inbox}?${text}`
}

/** A line of the list. */
export interface Row {
  mailboxId: string
  /** Id for actions: of the conversation, or of the message in the trash. Undefined for drafts, which have a page of their own. */
  item: string | undefined
  href: string
  /** Names or addresses. */
  people: string[]
  isOutgoing: boolean
  subject: string
  preview: string
  labels: string[]
  isUnread: boolean
  messages: number
  hasFiles: boolean
  at: number
  /** A word about its state. */
  note?: string | undefined
}

/** Rows of one page. @throws ServiceError `not_found` for a mailbox of nobody or somebody else, `invalid_request` for a search that can't be understood */
export async function rowsOf(listing: Listing, own: OwnMailboxes, deps: Pick<InboxDeps, 'mailboxes'>) {
  const sources = shownMailboxes(listing, own).map((mailbox) => sourceOf(listing, mailbox, deps))
  return mergedPage(sources, { limit: PAGE_SIZE, cursor: listing.cursor, timeOf: ({ at }) => at })
}

/** The mailboxes whose mail is listed; of a later page those of its cursor are among them. */
export function shownMailboxes({ mailbox, cursor }: Listing, { offered, merged }: OwnMailboxes): MailboxRecord[] {
  if (mailbox === undefined) return cursor === undefined ? merged : offered
  const one = offered.find(({ address }) => address === mailbox)
  if (one) return [one]
  throw new ServiceError('not_found', 'There is no such mailbox.', `Your mailboxes are listed at ${PATHS.mailboxes}.`)
}

function sourceOf({ view, label, q }: Listing, { id }: MailboxRecord, { mailboxes }: Pick<InboxDeps, 'mailboxes'>) {
  const source = (read: Source<Row>['read']): Source<Row> => ({ id, read })
  if (view === 'drafts') {
    return source(async (limit, cursor) => mapped(await mailboxes.drafts.list(id, { limit, cursor }), draftRow))
  }
  if (view === 'trash') {
    const row = (message: TrashedMessage): Row => trashRow(id, message)
    return source(async (limit, cursor) => mapped(await mailboxes.trash.list(id, { limit, cursor }), row))
  }
  const { filter } = VIEWS[view]
  return source(async (limit, cursor) =>
    mapped(
      await mailboxes.reading.threads(id, { ...filter, ...(label !== undefined && { label }), q, limit, cursor }),
      threadRow,
    ),
  )
}

function mapped<T>({ data, ...list }: List<T>, row: (item: T) => Row): List<Row> {
  return { ...list, data: data.map(row) }
}

function threadRow(thread: Thread): Row {
  return {
    mailboxId: thread.mailbox_id,
    item: thread.id,
    href: itemPath(thread.mailbox_id, thread.id),
    people: thread.participants.map(nameOf),
    isOutgoing: thread.last_direction === 'outbound',
    subject: thread.subject,
    preview: thread.preview,
    labels: thread.labels,
    isUnread: thread.unread_count > 0,
    messages: thread.message_count,
    hasFiles: thread.has_attachments,
    at: Date.parse(thread.last_message_at),
  }
}

function trashRow(mailboxId: string, message: TrashedMessage): Row {
  const { from, to, direction } = message
  const isOutgoing = direction === 'outbound'
  return {
    mailboxId,
    item: message.id,
    href: itemPath(mailboxId, message.id),
    people: isOutgoing ? to.map(nameOf) : from ? [nameOf(from)] : [],
    isOutgoing,
    subject: message.subject,
    preview: message.preview,
    labels: message.labels,
    isUnread: false,
    messages: 1,
    hasFiles: message.has_attachments,
    at: Date.parse(message.deleted_at),
    note: `gone for good on ${message.purge_at.slice(0, 10)}`,
  }
}

function draftRow(draft: DraftSummary): Row {
  return {
    mailboxId: draft.mailbox_id,
    item: undefined,
    href: isOwn(draft)
      ? writePath({ draft: `${draft.mailbox_id}/${draft.id}` })
      : `${PATHS.drafts}/${draft.mailbox_id}/${draft.id}`,
    people: [...draft.to, ...draft.cc, ...draft.bcc].map(nameOf),
    isOutgoing: true,
    subject: draft.subject,
    preview: draft.preview,
    labels: draft.labels,
    isUnread: false,
    messages: 1,
    hasFiles: draft.attachments.length > 0,
    at: Date.parse(draft.created_at),
    note: isOwn(draft) ? 'yours' : stateOf(draft.review),
  }
}

/** Written by a human, and not one that waits or was sent back. */
const isOwn = ({ composed_by: author, review }: DraftSummary): boolean => author === 'human' && review === null

function stateOf(review: Draft['review']): string | undefined {
  switch (review?.status) {
    case undefined:
      return undefined
    case 'waiting':
      return 'waits for you'
    case 'returned':
      return 'returned'
  }
}

const nameOf = ({ name, address }: { name: string | null; address: string }): string => name || address
