/** The notice right after a human has sent a mail, and the way back while it has not gone. */
import type { Message } from '../../mailbox/objects/objects.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { form } from '../page/person-frame.js'
import { exactly } from '../page/words.js'
import { itemPath } from './deps.js'
import { isRecallable } from './verdicts.js'

/** Mail that goes later than this was scheduled by its author, rather than kept back for an undo. */
const SOON_MS = 30_000

export function sentNotice(message: Message, visitor: Visitor, now: number): Html {
  const { status, send_at: sendAt, id, mailbox_id: mailboxId } = message
  if (status === 'held' || status === 'blocked') {
    return html`<p class="card bad" role="status">
      ${status === 'held' ? 'It waits for the staff before it goes.' : 'The guard blocked it: it is not sent.'}
    </p>`
  }
  if (!isRecallable(message) || sendAt === undefined) return html`<p class="card good" role="status">Sent.</p>`
  const due = Date.parse(sendAt)
  const undo = form(visitor, `${itemPath(mailboxId, id)}/undo`, html`<button class="plain">Undo</button>`)
  const [words, way] =
    due - now > SOON_MS
      ? [html`Scheduled: it goes ${exactly(due)}.`, undo]
      : // The script takes the button away once it is too late.
        ['Sent.', html`<div data-shown="${Math.max(0, due - now)}">${undo}</div>`]
  return html`<div class="card good" role="status">
    <div class="bar"><span>${words}</span>${way}</div>
  </div>`
}
