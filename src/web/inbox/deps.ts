/** Needs of the inbox, and the mailboxes that it shows: those of active accounts, as the API does. */
import type { PictureSenders } from '../../accounts/picture-senders.js'
import { requireActive } from '../../accounts/refusals.js'
import type { Sessions } from '../../accounts/sessions.js'
import type { Clock } from '../../lib/clock.js'
import type { Mailboxes, Reading } from '../../mailbox/composition/mailboxes.js'
import type { Directory } from '../../mailbox/directory/directory.js'
import type { Reviewing } from '../../mailbox/review/review.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { PageSpec, Visitor } from '../page/page.js'
import { ownMailbox, PATHS, type FrameDeps } from '../page/person-frame.js'
import type { CredentialsDeps } from '../page/requesters.js'
import type { FetchPictures } from './fetch-pictures.js'

export interface InboxDeps extends FrameDeps, Pick<CredentialsDeps, 'connections'> {
  accounts: FrameDeps['accounts'] & CredentialsDeps['accounts']
  mailboxes: FrameDeps['mailboxes'] & {
    directory: Pick<Directory, 'get'>
    reading: Pick<Reading, 'threads' | 'stretch' | 'message' | 'attachment' | 'raw' | 'lastActivity' | 'countHeld'>
    drafts: Pick<Mailboxes['drafts'], 'list'>
    writing: Mailboxes['writing']
    settings: Pick<Mailboxes['settings'], 'get'>
    labels: Pick<Mailboxes['labels'], 'updateThread' | 'updateThreads'>
    trash: Pick<Mailboxes['trash'], 'list' | 'deleteThread' | 'restoreMessage'>
    sending: Pick<Mailboxes['sending'], 'cancel' | 'recall'>
    events: Mailboxes['events']
  }
  sessions: Pick<Sessions, 'list'>
  /** Without it nobody can be appealed to. */
  reviewing?: Pick<Reviewing, 'counts' | 'appeal' | 'appealOf'> | undefined
  fetchPictures: FetchPictures
  pictureSenders: PictureSenders
  clock: Clock
  /** Max bytes of a request, recipients and files of a message, as for the API. */
  limits: { bodyBytes: number; recipientsPerMessage: number; attachmentsPerMessage: number }
  /** How long one stream of arrivals stays open. */
  eventStreamSeconds: number
}

export type InboxPage = PageSpec<InboxDeps>

/** Conversations, drafts or trashed messages of one page. */
export const PAGE_SIZE = 50

/** Max mailboxes in one list: with a cursor for each, the head of a request has to stay below 4 KiB. */
export const MAX_MERGED = 16
/** Max mailboxes of an account among which one can choose. */
const MAX_OFFERED = 200

/** The senders whose pictures are shown without being asked for. */
export const PICTURES_PATH = `${PATHS.inbox}/pictures`
export const WRITE_PATH = `${PATHS.inbox}/write`

/** @param query names one of them: an item is `mbx_…/drf_…` or `mbx_…/msg_…` */
export const writePath = (
  query: Partial<Record<'mailbox' | 'draft' | 'reply' | 'all' | 'forward' | 'done', string>>,
): string =>
  [WRITE_PATH, new URLSearchParams(query).toString().replaceAll('%2F', '/')].filter((part) => part !== '').join('?')

export const itemPath = (mailboxId: string, id: string): string => `${PATHS.inbox}/${mailboxId}/${id}`

/** @throws ServiceError `account_suspended`, `account_deletion_pending`: the API would refuse as well */
export async function requireActiveAccount(accountId: string, { accounts }: Pick<InboxDeps, 'accounts'>) {
  const account = await accounts.get(accountId)
  if (account) requireActive(account)
}

/** A mailbox of the visitor's. @throws ServiceError `not_found` for any other, and what `requireActiveAccount` throws */
export async function inboxMailbox(
  visitor: Visitor,
  mailboxId: string,
  deps: Pick<InboxDeps, 'accounts' | 'mailboxes'>,
): Promise<MailboxRecord> {
  const mailbox = await ownMailbox(visitor, mailboxId, deps)
  await requireActiveAccount(visitor.session.accountId, deps)
  return mailbox
}

export interface OwnMailboxes {
  /** By address; at most 200. */
  offered: MailboxRecord[]
  /** Those in the list of all: when there are more than 16, the 16 with the latest activity. */
  merged: MailboxRecord[]
  total: number
}

/** The mailboxes of an account. Costs one read for each, and two when there are more than 16; at most 400. */
export async function mailboxesOf(
  accountId: string,
  { accounts, mailboxes }: Pick<InboxDeps, 'accounts' | 'mailboxes'>,
): Promise<OwnMailboxes> {
  const ids = await accounts.mailboxes(accountId)
  const found = await Promise.all(ids.slice(0, MAX_OFFERED).map((id) => mailboxes.directory.get(id)))
  const offered = found.filter((mailbox) => mailbox !== undefined).sort((a, b) => (a.address < b.address ? -1 : 1))
  if (offered.length <= MAX_MERGED) return { offered, merged: offered, total: ids.length }
  const active = await Promise.all(
    offered.map(async (mailbox) => ({ mailbox, at: (await mailboxes.reading.lastActivity(mailbox.id)) ?? 0 })),
  )
  const latest = active.sort((a, b) => b.at - a.at).slice(0, MAX_MERGED)
  return { offered, merged: latest.map(({ mailbox }) => mailbox), total: ids.length }
}
