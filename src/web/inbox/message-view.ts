/** One message of a conversation: who, when, what was found, its words and files. */
import { cut } from '../../lib/text.js'
import type { Address, Message, MessageStatus } from '../../mailbox/objects/objects.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { form } from '../page/person-frame.js'
import { requesterName, type Credentials } from '../page/requesters.js'
import { count, exactly, moment, plain, size } from '../page/words.js'
import { appealForm, type Appeals } from './appeal.js'
import { itemPath, writePath } from './deps.js'
import { htmlFrame } from './html-frame.js'
import { hasRemotePictures } from './html-mail.js'
import { picturesLine, whyShown, type ShownPictures } from './picture-senders.js'
import { picturesQuery } from './remote-pictures.js'
import { preview } from './previews.js'
import { checks, delivery, fileFinding, isRecallable, isWithdrawable } from './verdicts.js'

/** Links listed under a message. */
const SHOWN_LINKS = 20
const SHOWN_PEOPLE = 50

export interface MessageContext {
  visitor: Visitor
  now: number
  isOpen: boolean
  /** Characters of text that may be shown; 0: the message has a link instead. */
  chars: number
  appeals: Appeals
  pictures: ShownPictures
  /** Path and query of the page, to come back to. */
  here: string
  /** Keys and connections that may have sent it. */
  known: Credentials
}

export function messageView(message: Message, context: MessageContext): Html {
  const { now, isOpen, chars } = context
  const { from, direction, preview, created_at: at, unread, id } = message
  const who =
    direction === 'outbound' ? `${from ? nameOf(from) : 'This mailbox'} (sent)` : from ? nameOf(from) : 'No sender'
  return html`<li class="card message" id="${id}">
    <details${isOpen && html` open`}>
      <summary data-row>
        <span class="who">${unread && html`<span class="dot" role="img" aria-label="Unread"></span>`}<bdi>${who}</bdi></span>
        <span class="small">${moment(Date.parse(at), now)}</span>
        <span class="preview small" dir="auto">${plain(preview)}</span>
      </summary>
      ${isOpen || chars > 0 ? content(message, context) : later(message)}
    </details>
  </li>`
}

const later = ({ mailbox_id: mailboxId, id }: Message): Html =>
  html`<p><a href="${itemPath(mailboxId, id)}">Show this message on a page of its own</a></p>`

function content(message: Message, context: MessageContext): Html {
  const { visitor, now, appeals } = context
  return html`${header(message, context)} ${checks(message)} ${delivery(message, now)}
  ${appealForm(message, appeals, visitor)} ${withdraw(message, visitor)} ${codes(message)} ${words(message, context)}
  ${files(message)} ${links(message)} ${answers(message)} ${foot(message)}`
}

function header(message: Message, { known }: MessageContext): Html {
  const { from, created_at: at, composed_by: author, requested_by: by, automation } = message
  const lines = [
    ['To', message.to],
    ['Cc', message.cc],
    ['Bcc', message.bcc],
    ['Replies go to', message.reply_to],
  ] as const
  return html`<dl>
    <dt>From</dt>
    <dd>${from ? person(from) : 'nobody'}</dd>
    ${lines.map(
      ([label, all]) =>
        all.length > 0 &&
        html`<dt>${label}</dt>
          <dd>
            ${all.slice(0, SHOWN_PEOPLE).map((each, i) => html`${i > 0 && ', '}${person(each)}`)}${
              all.length > SHOWN_PEOPLE && ` and ${all.length - SHOWN_PEOPLE} more`
            }
          </dd>`,
    )}
    <dt>Date</dt>
    <dd>${exactly(Date.parse(at))}</dd>
    ${
      author !== null &&
      html`<dt>Written by</dt>
        <dd>${author === 'human' ? 'a human' : 'the agent'}</dd>`
    }
    ${
      by !== null &&
      html`<dt>Sent by</dt>
        <dd><bdi>${requesterName(by, known)}</bdi></dd>`
    }
    ${
      automation !== null &&
      html`<dt>Kind</dt>
        <dd>${AUTOMATION[automation]}</dd>`
    }
  </dl>`
}

const AUTOMATION: Record<NonNullable<Message['automation']>, string> = {
  'auto-reply': 'an automatic reply',
  bounce: 'a notice about a delivery',
  complaint: 'a complaint about mail from here',
  list: 'mail of a list',
  bulk: 'bulk mail',
}

function withdraw(message: Message, visitor: Visitor): Html | undefined {
  if (!isWithdrawable(message)) return undefined
  const path = itemPath(message.mailbox_id, message.id)
  return html`<div class="bar">
    ${isRecallable(message) && form(visitor, `${path}/undo`, html`<button class="plain">Take back and write on</button>`)}
    ${form(visitor, `${path}/withdraw`, html`<button class="danger">Withdraw: do not send it</button>`)}
  </div>`
}

/** The button that copies is the script's. */
function codes({ extracted: { codes: all } }: Message): Html | undefined {
  if (all.length === 0) return undefined
  return html`<p>
    ${all.length === 1 ? 'Code' : 'Codes'}:
    ${all.map((code) => html`<code class="code" data-copy>${plain(code)}</code> `)}
  </p>`
}

function words(message: Message, { visitor, chars, pictures, here }: MessageContext): Html {
  const { html: markup } = message
  if (markup === null) return text(message, chars)
  const hasRemote = hasRemotePictures(markup)
  const isShown = hasRemote && whyShown(message, pictures, visitor) !== undefined
  const query = isShown ? `?pictures=${picturesQuery(visitor, message.id)}` : ''
  return html`${hasRemote && picturesLine(message, pictures, visitor, here)}
    ${htmlFrame(message, { query, hasRemote: isShown })}
    <details>
      <summary>As plain text</summary>
      ${text(message, chars)}
    </details>`
}

/** The new words; what is quoted below them can be unfolded. */
function text(message: Message, chars: number): Html {
  const { text: all, extracted_text: own, truncated } = message
  if (all.trim() === '') return html`<p class="small">(no text)</p>`
  const hasMore = own.trim() !== '' && own.trim().length < all.trim().length
  const isCut = truncated === true || all.length > chars
  return html`<div class="mail-text" dir="auto">${plain(cut((hasMore ? own : all).trim(), chars))}</div>
    ${
      hasMore &&
      html`<details>
        <summary>With the quoted text and signature</summary>
        <div class="mail-text" dir="auto">${plain(cut(all.trim(), chars))}</div>
      </details>`
    }
    ${isCut && html`<p class="small">It is longer than shown here; the source has all of it.</p>`}`
}

function files(message: Message): Html | undefined {
  const { attachments, mailbox_id: mailboxId, id } = message
  if (attachments.length === 0) return undefined
  return html`<h2>${count(attachments.length, 'file')}</h2>
    <ul>
      ${attachments.map(
        (file, place) =>
          html`<li>
            <a href="${itemPath(mailboxId, id)}/files/${file.id}" download><bdi>${plain(file.filename)}</bdi></a>
            <span class="small">${plain(file.content_type)}, ${size(file.size_bytes)}</span> ${fileFinding(file)}
            ${preview(message, file, place)}
          </li>`,
      )}
    </ul>`
}

/** By their targets alone: their words may say something else. */
function links({ extracted: { links: all } }: Message): Html | undefined {
  const safe = all.filter((link) => /^https?:\/\//i.test(link))
  if (safe.length === 0) return undefined
  return html`<details>
    <summary>${count(safe.length, 'link')}</summary>
    <ul>
      ${safe.slice(0, SHOWN_LINKS).map(
        (link) =>
          html`<li>
            <a href="${link}" target="_blank" rel="noopener noreferrer nofollow"><bdi>${plain(link)}</bdi></a>
          </li>`,
      )}
    </ul>
  </details>`
}

/** Links to pages for writing. A trashed message has none, and neither has one that waits: what can be done with it is above. */
function answers(message: Message): Html | undefined {
  const { mailbox_id: mailboxId, id, to, cc, automation, status, deleted_at: deletedAt } = message
  if (deletedAt !== undefined || WAITING.has(status)) return undefined
  const item = `${mailboxId}/${id}`
  const link = (query: Parameters<typeof writePath>[0], key: string, words: string): Html =>
    html`<a href="${writePath(query)}" class="button plain" data-key="${key}">${words}</a>`
  // There is nobody to answer to before somebody has it.
  const isAnswerable = automation !== 'bounce' && status !== 'blocked' && status !== 'cancelled'
  return html`<p class="bar">
    ${isAnswerable && link({ reply: item }, 'r', 'Reply')}
    ${isAnswerable && to.length + cc.length > 1 && link({ all: item }, 'a', 'Reply to all')}
    ${link({ forward: item }, 'f', 'Forward')}
  </p>`
}

/** Mail of one's own that may still go as it is. */
const WAITING: ReadonlySet<MessageStatus> = new Set(['checking', 'scheduled', 'held'])

function foot({ mailbox_id: mailboxId, id, size_bytes: bytes }: Message): Html {
  return html`<p class="small">
    <a href="${itemPath(mailboxId, id)}/raw" download>Source of the message</a>, ${size(bytes)}
  </p>`
}

const nameOf = ({ name, address }: Address): string => plain(name || address)

function person({ name, address }: Address): Html {
  return name
    ? html`<bdi>${plain(name)}</bdi> &lt;<bdi>${plain(address)}</bdi>&gt;`
    : html`<bdi>${plain(address)}</bdi>`
}
