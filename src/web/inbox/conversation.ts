/** A conversation, or one message by its own id. Opening it marks it as read, as PATCH of the API does; no sender is told. */
import type { Message, Thread } from '../../mailbox/objects/objects.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { HttpRequest } from '../../http/message.js'
import { isSpam } from '../../mailbox/labels.js'
import { html, type Html } from '../page/html.js'
import type { PageInput, Visitor } from '../page/page.js'
import { form, notice, ownerPage, PATHS } from '../page/person-frame.js'
import { credentialsOf, type Credentials } from '../page/requesters.js'
import { exactly, plain } from '../page/words.js'
import { appealsOf } from './appeal.js'
import { ACT_PATH, DONE, restoreForm, threadForm } from './action-forms.js'
import { inboxMailbox, itemPath, type InboxDeps, type InboxPage } from './deps.js'
import { orGone } from './gone.js'
import { listPath } from './listing.js'
import { messageView, type MessageContext } from './message-view.js'
import { shownPictures } from './picture-senders.js'
import { sentNotice } from './sent-notice.js'
import { SCRIPT_PATH } from './script.js'

/** Characters of text on a page, the newest messages first, and of one message. */
const PAGE_CHARS = 300_000
const MESSAGE_CHARS = 50_000

export const conversationPage: InboxPage = {
  method: 'GET',
  path: itemPath('{mailbox_id}', '{id}'),
  access: 'session',
  async answer({ params, query, visitor, request }, deps) {
    const mailbox = await inboxMailbox(visitor, params['mailbox_id'] ?? '', deps)
    const id = params['id'] ?? ''
    const asked = { visitor, request, query }
    const { subject, body } = id.startsWith('msg_')
      ? await oneMessage(mailbox, id, asked, deps)
      : await conversation(mailbox, id, asked, deps)
    const text = plain(subject).trim()
    return ownerPage(
      {
        place: PATHS.inbox,
        title: 'Conversation',
        heading: html`<bdi>${text === '' ? '(no subject)' : text}</bdi>`,
        isWide: true,
        script: SCRIPT_PATH,
        hasFrames: true,
        body: html`${notice(query, DONE)}
          <p class="small">
            <a href="${listPath({ mailbox: mailbox.address })}" data-key="u">Inbox of ${mailbox.address}</a>
          </p>
          ${body}`,
      },
      visitor,
      deps,
    )
  },
}

interface Content {
  subject: string
  body: Html
}

type Asked = Pick<PageInput<Visitor>, 'visitor' | 'request' | 'query'>

async function conversation(
  mailbox: MailboxRecord,
  threadId: string,
  { visitor, request, query }: Asked,
  deps: InboxDeps,
): Promise<Content> {
  const { reading, labels } = deps.mailboxes
  const before = query.get('before') ?? undefined
  const { messages, older, ...thread } = await orGone(() => reading.stretch(mailbox.id, threadId, { before }))
  if (thread.unread_count > 0 && before === undefined && !isPrefetch(request)) {
    await orGone(() => labels.updateThread(mailbox.id, threadId, { unread: false }))
  }
  const now = deps.clock.now()
  const views = messageViews(messages, {
    ...{ visitor, now, here: stretchPath(thread, before) },
    appeals: await appealsOf(messages, deps),
    known: await knownTo(messages, mailbox, visitor, deps),
    pictures: await shownPictures(query, visitor, deps),
  })
  const sent = messages.find(({ id }) => id === query.get('sent'))
  return {
    subject: thread.subject,
    body: html`${sent && sentNotice(sent, visitor, now)}
      ${before === undefined && threadActions(mailbox, thread, messages, visitor)}
      ${stretchLinks(thread, { before, older, messages })}
      <ol class="messages">
        ${views}
      </ol>`,
  }
}

/** Of a conversation with more messages than a page takes, the page with those before one of them, or the newest. */
const stretchPath = ({ mailbox_id: mailboxId, id }: Thread, before: string | undefined): string =>
  itemPath(mailboxId, id) + (before === undefined ? '' : `?before=${encodeURIComponent(before)}`)

function stretchLinks(
  thread: Thread,
  { before, older, messages }: { before: string | undefined; older: number; messages: readonly Message[] },
): Html | undefined {
  if (before === undefined && older === 0) return undefined
  const last = older + messages.length
  return html`<p class="small">Messages ${older + 1} to ${last} of ${thread.message_count}</p>
    <nav class="pager" aria-label="Pages of this conversation">
      <ul>
        ${before !== undefined && html`<li><a href="${stretchPath(thread, undefined)}">Newest messages</a></li>`}
        ${older > 0 && html`<li><a href="${stretchPath(thread, messages[0]?.id)}">Older messages (${older})</a></li>`}
      </ul>
    </nav>`
}

const NOBODY: Credentials = { keys: [], connections: [] }

/** Names are read only where a message needs one. */
async function knownTo(
  messages: readonly Message[],
  mailbox: MailboxRecord,
  visitor: Visitor,
  deps: InboxDeps,
): Promise<Credentials> {
  const hasSome = messages.some(({ requested_by: by }) => by !== null && by.type !== 'session')
  return hasSome ? credentialsOf(mailbox, visitor, deps) : NOBODY
}

/** A browser that loads pages ahead has shown nobody anything. */
const isPrefetch = ({ headers }: HttpRequest): boolean => /prefetch|prerender/i.test(headers['sec-purpose'] ?? '')

/** What can be done with the whole conversation. */
function threadActions(mailbox: MailboxRecord, thread: Thread, messages: readonly Message[], visitor: Visitor): Html {
  const { labels, id } = thread
  const item = `${mailbox.id}/${id}`
  return html`${threadForm(
    item,
    {
      labels,
      isSpam: messages.every(isSpam),
      isIncoming: messages.some(({ direction }) => direction === 'inbound'),
      back: listPath({ mailbox: mailbox.address }),
      stay: itemPath(mailbox.id, id),
    },
    visitor,
  )}
  ${labelList(item, labels, visitor)}`
}

/** The newest and the unread ones are open; the text of all together is limited, the newest first. */
function messageViews(messages: readonly Message[], context: Omit<MessageContext, 'isOpen' | 'chars'>): Html[] {
  let left = PAGE_CHARS
  const views: Html[] = []
  for (const message of [...messages].reverse()) {
    const isOpen = views.length === 0 || (message.unread && left > 0)
    const chars = isOpen || left >= message.text.length ? Math.min(MESSAGE_CHARS, Math.max(left, 0)) : 0
    left -= Math.min(chars, message.text.length)
    views.unshift(messageView(message, { ...context, isOpen, chars }))
  }
  return views
}

/** Each leads to what else has it; those that the service did not set can be taken off. */
function labelList(item: string, labels: readonly string[], visitor: Visitor): Html | undefined {
  if (labels.length === 0) return undefined
  return html`<ul class="labels" aria-label="Labels">
    ${labels.map(
      (label) =>
        html`<li>
          <a class="label" href="${listPath({ label })}">${label}</a>${
            !OF_THE_SERVICE.has(label) &&
            form(
              visitor,
              ACT_PATH,
              html`<input type="hidden" name="item" value="${item}" />
                <input type="hidden" name="label" value="${label}" />
                <input type="hidden" name="stay" value="${PATHS.inbox}/${item}" />
                <button name="do" value="unlabel" aria-label="Take off the label ${label}">×</button>`,
            )
          }
        </li>`,
    )}
  </ul>`
}

const OF_THE_SERVICE: ReadonlySet<string> = new Set(['inbox', 'sent', 'spam', 'held', 'blocked', 'scheduled'])

/** Also one in the trash, and one of which a long conversation shows the beginning. */
async function oneMessage(
  mailbox: MailboxRecord,
  messageId: string,
  { visitor, query }: Asked,
  deps: InboxDeps,
): Promise<Content> {
  const message = await orGone(() => deps.mailboxes.reading.message(mailbox.id, messageId))
  const context: MessageContext = {
    ...{ visitor, now: deps.clock.now(), isOpen: true, chars: PAGE_CHARS, here: itemPath(mailbox.id, messageId) },
    appeals: await appealsOf([message], deps),
    known: await knownTo([message], mailbox, visitor, deps),
    pictures: await shownPictures(query, visitor, deps),
  }
  const { deleted_at: deletedAt, purge_at: purgeAt, thread_id: threadId } = message
  return {
    subject: message.subject,
    body: html`${
        deletedAt === undefined
          ? html`<p><a href="${itemPath(mailbox.id, threadId)}">The whole conversation</a></p>`
          : html`<div class="card notice">
              <p>
                In the trash since
                ${exactly(Date.parse(deletedAt))}${purgeAt !== undefined && html`; gone for good on ${exactly(Date.parse(purgeAt))}`}.
              </p>
              ${restoreForm(`${mailbox.id}/${messageId}`, itemPath(mailbox.id, threadId), visitor)}
            </div>`
      }
      <ol class="messages">
        ${messageView(message, context)}
      </ol>`,
  }
}
