/** Tells a client what changed since it was last told: in the selected folder, and after NOTIFY in others (RFC 9051 §5.2, RFC 5465). */
import { fetchNew } from './fetch.js'
import { nothingWanted, type SelectedEvents } from './notifications.js'
import type { ImapSession } from './session.js'

/** Without NOTIFY. */
const ALL: SelectedEvents = { isDelayed: true, items: [], flagChange: true }
/** More new messages at once are not fetched for the client: it has to ask for them. */
const MAX_FETCHED = 500

/** Which changes are reported: all; all but expunges, which would change sequence numbers; or expunges only if NOTIFY allows them between commands. */
export type News = 'all' | 'but gone' | 'as agreed'

export async function catchUp(session: ImapSession, news: News): Promise<void> {
  if (session.user) {
    await catchUpSelected(session, news)
    await session.notifications?.tell({ ...session.user, parts: session.parts, client: session })
  }
}

async function catchUpSelected(session: ImapSession, news: News): Promise<void> {
  const { selected, notifications } = session
  if (!selected) return
  const { folders } = session.parts
  const view = await folders.view(session.mustUser().mailboxId, selected.number)
  if (view?.row.validity !== selected.validity) {
    // RFC 9051 §7.1: its UIDs mean other messages now.
    session.wire.bye('the mailbox has changed as a whole: connect again')
    return
  }
  const wanted = notifications ? notifications.selected : ALL
  if (!wanted) return
  const gone = news === 'all' || (news === 'as agreed' && !wanted.isDelayed)
  const fresh = await selected.tell(session, view, { gone, fresh: true, flags: wanted.flagChange })
  const unknown = fresh.filter((uid) => !selected.made.delete(uid))
  if (unknown.length === 0 || wanted.items.length === 0) return
  if (unknown.length <= MAX_FETCHED) {
    await fetchNew(session, view, unknown, wanted.items)
    return
  }
  // RFC 5465 §5.8.
  session.endNotify()
  session.notifications = nothingWanted()
  await session.untagged(
    'OK',
    'too many new messages at once: fetch them, and send NOTIFY again',
    'NOTIFICATIONOVERFLOW',
  )
}
