/** Common parts of the owner's pages: navigation, the state of the account, forms. */
import type { Accounts, AccountRecord } from '../../accounts/types.js'
import type { Audit } from '../../audit/types.js'
import type { Sessions } from '../../accounts/sessions.js'
import type { Deletion } from '../../lifecycle/deletion/types.js'
import type { Exports } from '../../lifecycle/export/exports.js'
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { Directory } from '../../mailbox/directory/directory.js'
import type { Mailboxes, Reading } from '../../mailbox/composition/mailboxes.js'
import type { WaitingDraft } from '../../mailbox/drafts/deciding.js'
import type { Connections } from '../../oauth/types.js'
import type { Reviewing } from '../../mailbox/review/review.js'
import { MARK_FIELD } from './form.js'
import type { PasskeyParts } from './passkey-challenge.js'
import { page, redirect, type Answer, type PageContent } from './frame.js'
import { html, type Html } from './html.js'
import type { PageInput, PageSpec, Visitor } from './page.js'
import { accountNotice } from './account-notice.js'
import { exactly } from './words.js'

export interface OwnerDeps {
  accounts: Pick<
    Accounts,
    | 'get'
    | 'usage'
    | 'mailboxes'
    | 'keys'
    | 'createKey'
    | 'changeKey'
    | 'rotateKey'
    | 'revokeKey'
    | 'identities'
    | 'isStaff'
  >
  mailboxes: {
    directory: Pick<Directory, 'get'>
    reading: Pick<Reading, 'held' | 'countHeld' | 'lastActivity' | 'message' | 'activity'>
    deciding: Pick<Mailboxes['deciding'], 'waiting' | 'shown' | 'file' | 'approve' | 'discard' | 'sendBack'>
    sending: Pick<Mailboxes['sending'], 'sendDraft'>
    settings: Pick<Mailboxes['settings'], 'get' | 'change'>
    pausing: Mailboxes['pausing']
  }
  sessions: Pick<Sessions, 'list' | 'devices' | 'end' | 'endAll'>
  exports: Pick<Exports, 'request' | 'list' | 'linkTo'>
  deletion: Pick<Deletion, 'start' | 'cancel' | 'pending'>
  connections: Pick<Connections, 'list' | 'revoke'>
  /** Missing where nothing is written down. */
  audit?: Pick<Audit, 'list'> | undefined
  /** Missing where nobody reviews what the guard holds. */
  reviewing?: Pick<Reviewing, 'counts'> | undefined
  providers: readonly { id: string; name: string }[]
  /** Missing where the pages have no host name, which passkeys need. */
  passkeys?: PasskeyParts | undefined
  /** Name and ports of the server for mail programs; missing where they can't send. */
  mailPrograms?: Partial<Record<'submission' | 'imap', { host: string; tls?: number; startTls?: number }>> | undefined
  clock: Clock
}

export type OwnerPage = PageSpec<OwnerDeps>
type OwnerAnswer<T> = (input: PageInput<Visitor>, deps: OwnerDeps) => Promise<T>

export const PATHS = {
  inbox: '/inbox',
  mailboxes: '/account',
  drafts: '/review',
  connections: '/account/connections',
  sessions: '/account/sessions',
  export: '/account/export',
  deletion: '/account/delete',
} as const

const LINKS = [
  { label: 'Inbox', href: PATHS.inbox },
  { label: 'Mailboxes', href: PATHS.mailboxes },
  { label: 'Drafts to decide', href: PATHS.drafts },
  { label: 'Connections', href: PATHS.connections },
  { label: 'Sessions and devices', href: PATHS.sessions },
  { label: 'Export', href: PATHS.export },
  { label: 'Delete account', href: PATHS.deletion },
] as const

export type Place = (typeof LINKS)[number]['href']

/** Needs of the frame of an owner's page. */
export type FrameDeps = Pick<OwnerDeps, 'deletion' | 'providers' | 'reviewing'> &
  WaitingDeps & {
    accounts: Pick<Accounts, 'get' | 'isStaff'>
  }

interface WaitingDeps {
  accounts: Pick<Accounts, 'mailboxes'>
  mailboxes: { deciding: Pick<Mailboxes['deciding'], 'waiting'> }
}

type OwnerContent = { place: Place; body: Html } & Omit<PageContent, 'navigation'>

export async function ownerPage(
  { place, body, ...content }: OwnerContent,
  visitor: Visitor,
  deps: FrameDeps,
): Promise<Answer> {
  const { accountId, identity } = visitor.session
  const account = await deps.accounts.get(accountId)
  const waiting = (await waitingDrafts(accountId, deps)).length
  return page({
    ...content,
    navigation: [
      ...LINKS.map(({ label, href }) => ({
        label: href === PATHS.drafts && waiting > 0 ? `${label} (${waiting})` : label,
        href,
        isCurrent: href === place,
      })),
      ...(await staffLinks(visitor, deps)),
    ],
    body: html`${await accountBanner(account, visitor, deps)} ${body}
      <hr />
      <p class="small">
        Signed in as ${identity.email ?? identity.username ?? identity.subject} with
        ${providerName(deps, identity.provider)}.
      </p>
      ${form(visitor, '/signout', html`<button class="plain">Sign out</button>`)}`,
  })
}

/** A page of the owner. @param body its content below the problems of the account */
export const ownerView = (place: Place, title: string, body: OwnerAnswer<Html>): OwnerPage => ({
  method: 'GET',
  path: place,
  access: 'session',
  answer: async (input, deps) => ownerPage({ place, title, body: await body(input, deps) }, input.visitor, deps),
})

/** A change by a form of the owner. @param change returns the path to go on to */
export const ownerAction = (path: string, change: OwnerAnswer<string>): OwnerPage => ({
  method: 'POST',
  path,
  access: 'session',
  answer: async (input, deps) => redirect(await change(input, deps)),
})

/** Drafts of all mailboxes of an account that wait for its human, oldest first. */
export async function waitingDrafts(accountId: string, { accounts, mailboxes }: WaitingDeps): Promise<WaitingDraft[]> {
  const ids = await accounts.mailboxes(accountId)
  const all = await Promise.all(ids.map((id) => mailboxes.deciding.waiting(id)))
  return all.flat().sort((a, b) => ((a.review?.asked_at ?? '') < (b.review?.asked_at ?? '') ? -1 : 1))
}

/** Link to the review pages, shown to staff only. */
async function staffLinks(
  { session }: Visitor,
  { accounts, reviewing }: Pick<FrameDeps, 'accounts' | 'reviewing'>,
): Promise<{ label: string; href: string }[]> {
  if (!reviewing || !accounts.isStaff(session.identity)) return []
  return [{ label: `Review (${(await reviewing.counts()).held})`, href: '/staff/review' }]
}

/** Problems of the account, shown on every page. */
async function accountBanner(
  account: AccountRecord | undefined,
  visitor: Visitor,
  { deletion }: Pick<OwnerDeps, 'deletion'>,
): Promise<Html | undefined> {
  switch (account?.status) {
    case undefined:
      return html`<p class="card bad">This account is gone.</p>`
    case 'active':
      return undefined
    case 'suspended':
      return accountNotice(account)
    case 'deletion_pending': {
      const pending = await deletion.pending(account.id)
      return html`<div class="card" role="status">
        <p>
          <strong class="bad">This account is about to be deleted</strong>${
            pending && html`, with everything in it, on ${exactly(pending.endsAt)}`
          }.
          Until then nothing can be sent, and mail still arrives.
        </p>
        ${form(visitor, `${PATHS.deletion}/cancel`, html`<button>Keep my account</button>`)}
      </div>`
    }
  }
}

/** A form of this visitor, which is taken from nobody else. */
export function form({ mark }: Visitor, action: string, content: Html, look?: string): Html {
  return html`<form method="post" action="${action}" ${look !== undefined && html` class="${look}"`}>
    <input type="hidden" name="${MARK_FIELD}" value="${mark}" />${content}
  </form>`
}

/** Ways to sign in without a provider, by the provider id of their sessions. */
const OWN_WAYS: Record<string, string> = { operator: 'a link of the operator', email: 'a link by email' }

/** As people know it; its id when it is not set up any more. */
export function providerName({ providers }: Pick<OwnerDeps, 'providers'>, id: string): string {
  return (
    providers.find((each) => each.id === id)?.name ?? (Object.hasOwn(OWN_WAYS, id) ? OWN_WAYS[id] : undefined) ?? id
  )
}

/** The confirmation after a form, chosen by the query. */
export function notice(query: URLSearchParams, texts: Record<string, string>): Html | undefined {
  const done = query.get('done') ?? ''
  const text = Object.hasOwn(texts, done) ? texts[done] : undefined
  return text === undefined ? undefined : html`<p class="card good" role="status">${text}</p>`
}

/** A mailbox of the visitor's own. @throws ServiceError `not_found` for any other */
export async function ownMailbox(
  { session }: Visitor,
  mailboxId: string,
  { mailboxes }: { mailboxes: { directory: Pick<Directory, 'get'> } },
): Promise<MailboxRecord> {
  const mailbox = mailboxId.startsWith('mbx_') ? await mailboxes.directory.get(mailboxId) : undefined
  if (mailbox?.accountId === session.accountId) return mailbox
  throw new ServiceError('not_found', 'There is no such mailbox.', `Your mailboxes are listed at ${PATHS.mailboxes}.`)
}
