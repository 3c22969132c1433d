/**
 * Senders whose pictures on other servers are shown without being asked for: the line about pictures of a message, and the list. An address is remembered only
 * from a message that is proven to be its author's, and counts only for such messages.
 */
import { senderKey } from '../../accounts/picture-senders.js'
import { ServiceError } from '../../lib/errors.js'
import type { Message } from '../../mailbox/objects/objects.js'
import { redirect } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { form, notice, ownerPage, PATHS } from '../page/person-frame.js'
import { moment, plain } from '../page/words.js'
import { DONE } from './action-forms.js'
import { backTo } from './actions.js'
import { inboxMailbox, itemPath, PICTURES_PATH, requireActiveAccount, type InboxDeps, type InboxPage } from './deps.js'
import { orGone } from './gone.js'
import { picturesQuery } from './remote-pictures.js'
import { provenAuthor } from './verdicts.js'

/** Which pictures on other servers are shown on a page. */
export interface ShownPictures {
  /** Of the message whose pictures were asked for: its value of the query. */
  asked: string
  /** Addresses as `senderKey` writes them. */
  senders: ReadonlySet<string>
}

/** Costs one read. */
export async function shownPictures(
  query: URLSearchParams,
  { session }: Visitor,
  { pictureSenders }: Pick<InboxDeps, 'pictureSenders'>,
): Promise<ShownPictures> {
  const senders = await pictureSenders.list(session.accountId)
  return { asked: query.get('pictures') ?? '', senders: new Set(senders.map(({ address }) => address)) }
}

type Why = 'asked' | 'always' | undefined

/** Why the pictures of a message are shown; undefined: they are not. */
export function whyShown(message: Message, { asked, senders }: ShownPictures, visitor: Visitor): Why {
  const author = provenAuthor(message)
  if (author !== undefined && senders.has(senderKey(author))) return 'always'
  return asked === picturesQuery(visitor, message.id) ? 'asked' : undefined
}

/** What is said about pictures on other servers, of a message that has some. @param here path and query of the page that it is on */
export function picturesLine(message: Message, pictures: ShownPictures, visitor: Visitor, here: string): Html {
  const author = provenAuthor(message)
  switch (whyShown(message, pictures, visitor)) {
    case 'always':
      return html`<p class="small">
          Pictures of <bdi>${plain(author ?? '')}</bdi> are always shown: this server fetches them when you open the
          message. Those that it could not get are left out. <a href="${PICTURES_PATH}">All such senders</a>
        </p>
        ${senderForm(message, { visitor, here, act: 'ask' })}`
    case 'asked':
      return html`<p class="small">
          Pictures from elsewhere are shown; this server fetched them. Those that it could not get are left out.
        </p>
        ${author !== undefined && senderForm(message, { visitor, here, act: 'always' })}`
    case undefined:
      return html`<p class="small">
          Pictures from elsewhere are not shown: to load them would tell the sender that this was read, and when.
          <a href="${askingPath(here, message, visitor)}">Show them</a>: this server fetches them, so that nobody learns
          where you
          are.${isUnproven(message, pictures) && html` You always show pictures of this sender, but nothing proves that this message is theirs.`}
        </p>
        ${author !== undefined && senderForm(message, { visitor, here, act: 'always' })}`
  }
}

const isUnproven = (message: Message, { senders }: ShownPictures): boolean =>
  message.from !== null && senders.has(senderKey(message.from.address)) && provenAuthor(message) === undefined

function askingPath(here: string, { id }: Message, visitor: Visitor): string {
  const url = new URL(here, 'http://inbox.invalid')
  url.searchParams.set('pictures', picturesQuery(visitor, id))
  return `${url.pathname}${url.search}#${id}`
}

function senderForm(
  { mailbox_id: mailboxId, id, from }: Message,
  { visitor, here, act }: { visitor: Visitor; here: string; act: 'always' | 'ask' },
): Html {
  const words = act === 'always' ? 'Always show pictures of' : 'Stop showing pictures of'
  return form(
    visitor,
    `${itemPath(mailboxId, id)}/pictures`,
    html`<input type="hidden" name="back" value="${here}" />
      <button class="plain" name="do" value="${act}">${words} <bdi>${plain(from?.address ?? '')}</bdi></button>`,
    'bar pictures',
  )
}

/** Remembers the author of a message, or forgets them. */
const ofMessage: InboxPage = {
  method: 'POST',
  path: `${itemPath('{mailbox_id}', '{id}')}/pictures`,
  access: 'session',
  async answer({ params, form: sent, visitor }, deps) {
    const { accountId } = visitor.session
    const mailbox = await inboxMailbox(visitor, params['mailbox_id'] ?? '', deps)
    const message = await orGone(() => deps.mailboxes.reading.message(mailbox.id, params['id'] ?? ''))
    const isWanted = sent.get('do') === 'always'
    if (isWanted) await deps.pictureSenders.add(accountId, mustBeProven(message))
    else if (message.from) await deps.pictureSenders.remove(accountId, message.from.address)
    const back = backTo(
      sent.get('back') ?? itemPath(mailbox.id, message.thread_id),
      isWanted ? 'pictures' : 'nopictures',
    )
    return redirect(`${back}#${message.id}`)
  },
}

/** @throws ServiceError `invalid_request` */
function mustBeProven(message: Message): string {
  const author = provenAuthor(message)
  if (author !== undefined) return author
  throw new ServiceError(
    'invalid_request',
    'Nothing proves who wrote this message, so its author is not remembered.',
    'Go back: “Show them” shows the pictures of this message alone.',
  )
}

const listed: InboxPage = {
  method: 'GET',
  path: PICTURES_PATH,
  access: 'session',
  async answer({ query, visitor }, deps) {
    const senders = await deps.pictureSenders.list(visitor.session.accountId)
    const now = deps.clock.now()
    const rows = senders.map(
      ({ address, at }) =>
        html`<li class="card">
          <bdi>${plain(address)}</bdi> <span class="small">since ${moment(at, now)}</span>
          <button
            class="plain"
            name="address"
            value="${address}"
            aria-label="Stop showing pictures of ${plain(address)}"
          >
            Stop
          </button>
        </li>`,
    )
    return ownerPage(
      {
        place: PATHS.inbox,
        title: 'Senders whose pictures are shown',
        body: html`${notice(query, DONE)}
          <p class="small"><a href="${PATHS.inbox}">Inbox</a></p>
          ${
            senders.length === 0
              ? html`<div class="empty">
                  <p>There are none</p>
                  <p>
                    A message that is proven to be its sender's has a button beside its pictures that adds them here.
                  </p>
                </div>`
              : html`<p>
                    Pictures in messages that are proven to be theirs are fetched when you open the message. They learn
                    that somebody looked, and when.
                  </p>
                  ${form(
                    visitor,
                    PICTURES_PATH,
                    html`<ul class="senders">
                      ${rows}
                    </ul>`,
                  )}`
          }`,
      },
      visitor,
      deps,
    )
  },
}

const forgotten: InboxPage = {
  method: 'POST',
  path: PICTURES_PATH,
  access: 'session',
  async answer({ form: sent, visitor }, deps) {
    await requireActiveAccount(visitor.session.accountId, deps)
    await deps.pictureSenders.remove(visitor.session.accountId, sent.get('address') ?? '')
    return redirect(`${PICTURES_PATH}?done=nopictures`)
  },
}

export const picturePages: readonly InboxPage[] = [ofMessage, listed, forgotten]
