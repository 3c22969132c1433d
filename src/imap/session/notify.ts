/** NOTIFY (RFC 5465 §3): from now on the client is told of changes between commands too, woken as IDLE is. */
import type { NotifyCommand } from '../grammar/notify.js'
import { catchUp } from './catch-up.js'
import { type Completion, OK } from './completion.js'
import { Notifications, nothingWanted, sendChanges } from './notifications.js'
import type { ImapSession } from './session.js'
import { Watching } from './watching.js'

export async function notify(session: ImapSession, command: NotifyCommand): Promise<Completion> {
  const { mailboxId } = session.mustUser()
  const { folders } = session.parts
  session.endNotify()
  if (command.mode === 'none') {
    session.notifications = nothingWanted()
    return OK
  }
  // RFC 5465 §3.1: all that has come together for the selected mailbox, whatever is wanted from now on.
  await catchUp(session, 'all')
  session.notifying = new Watching(session, 'as agreed')
  try {
    const listed = await folders.list(mailboxId)
    const notifications = new Notifications(command.groups, listed)
    if (command.status)
      for (const folder of listed)
        if (folder.row.number !== session.selected?.number && notifications.wantsMessages(folder))
          await sendChanges(session, folder)
    session.notifications = notifications
  } catch (error) {
    session.endNotify()
    throw error
  }
  return OK
}
