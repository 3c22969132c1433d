/** The notice right after a human has sent a mail, and the way back while it has not gone. */
import { SECOND } from '../../lib/clock.js'
import type { Message } from '../../mailbox/objects/objects.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { form } from '../page/person-frame.js'
import { count, exactly } from '../page/words.js'
import { itemPath } from './deps.js'
import { isRecallable } from './verdicts.js'

/** Mail that goes later than this was scheduled by its author, rather than kept back for an undo. */
const SOON_MS = 30_000

export function sentNotice(message: Message, visitor: Visitor, now: number): Html {
  const { status, send_at: sendAt, id, mailbox_id: mailboxId, thread_id: threadId } = message
  if (status === 'held' || status === 'blocked') {
    return html`<p class="card bad" role="status">
      ${status === 'held' ? 'It waits for the staff before it goes.' : 'The guard blocked it: it is not sent.'}
    </p>`
  }
  if (!isRecallable(message) || sendAt === undefined) return html`<p class="card good" role="status">Sent.</p>`
  const left = Date.parse(sendAt) - now
  const undo = form(visitor, `${itemPath(mailboxId, id)}/undo`, html`<button class="plain">Undo</button>`)
  if (left > SOON_MS) {
    return html`<div class="card good" role="status">
      <div class="bar"><span>Scheduled: it goes ${exactly(now + left)}.</span>${undo}</div>
    </div>`
  }
  // Once it is too late, the script puts the second line in place of the first.
  return html`<div class="card good" role="status">
    <div class="bar" data-shown="${Math.max(0, left)}"><span>${soon(left)}</span>${undo}</div>
    <p data-then hidden>It goes out now. <a href="${itemPath(mailboxId, threadId)}">See what becomes of it</a></p>
  </div>`
}

const soon = (left: number): string =>
  left <= 0 ? 'It is about to go out.' : `It goes out in ${count(Math.ceil(left / SECOND), 'second')}.`
