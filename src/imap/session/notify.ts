/** NOTIFY (RFC 5465 §3): from now on the client is told of changes between commands too, woken as IDLE is. */
import type { FolderMoment } from '../../mailbox/folders/folders.js'
import type { NotifyCommand } from '../grammar/notify.js'
import { catchUp } from './catch-up.js'
import { type Completion, OK } from './completion.js'
import { Notifications, nothingWanted, sendChanges } from './notifications.js'
import type { ImapSession } from './session.js'

export async function notify(session: ImapSession, command: NotifyCommand): Promise<Completion> {
  const { mailboxId } = session.mustUser()
  const { folders } = session.parts
  session.notifications?.end()
  if (command.mode === 'none') {
    session.notifications = nothingWanted()
    return OK
  }
  // RFC 5465 §3.1: all that has come together for the selected mailbox, whatever is wanted from now on.
  session.notifications = undefined
  await catchUp(session, 'all')
  const since = await folders.moment(mailboxId)
  const listed = await folders.list(mailboxId)
  const notifications = new Notifications(command.groups, listed)
  if (command.status)
    for (const folder of listed)
      if (folder.row.number !== session.selected?.number && notifications.wantsMessages(folder))
        await sendChanges(session, folder)
  session.notifications = notifications
  session.wire.beside(follow(session, notifications, since))
  return OK
}

async function follow(session: ImapSession, { over }: Notifications, since: FolderMoment): Promise<void> {
  const { mailboxId } = session.mustUser()
  let moment = since
  while (!over.aborted) {
    moment = await session.parts.folders.changed(mailboxId, moment, over)
    await session.inTurn(async () => {
      if (!over.aborted) await catchUp(session, 'as agreed')
    })
  }
}
