/** SELECT, EXAMINE, CLOSE and UNSELECT, with what changed since a program last looked (RFC 9051 §6.3.2, RFC 7162 §3.1.8, §3.2.5). */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SEEN } from '../../mailbox/folders/flags.js'
import { mailboxIdOf } from '../../mailbox/folders/names.js'
import type { FolderView } from '../../mailbox/folders/view.js'
import type { Qresync, SelectCommand } from '../grammar/select.js'
import { hasNumber } from '../wire/sequence-set.js'
import { formatSet } from '../wire/set-text.js'
import { flagNames, permanentNames } from './flag-names.js'
import { Selected, TURN } from './selected.js'
import { type Completion, Refused } from './completion.js'
import type { ImapSession } from './session.js'

export async function select(session: ImapSession, command: SelectCommand): Promise<Completion> {
  const { mailboxId, isReadOnly } = session.mustUser()
  if (command.qresync && !session.qresync) throw new Refused({ status: 'BAD', text: 'ENABLE QRESYNC first' })
  if (session.selected) await session.untagged('OK', 'previous mailbox is closed', 'CLOSED')
  session.selected = undefined
  session.saved = []
  const { folders } = session.parts
  const folder = await folders.find(mailboxId, command.mailbox)
  const view = folder && (await folders.view(mailboxId, folder.row.number))
  if (!folder || !view) throw new Refused({ status: 'NO', code: 'NONEXISTENT', text: 'there is no such mailbox' })
  if (command.condstore || command.qresync) session.enabled.add('CONDSTORE')
  const selected = new Selected(view, folder.name, isReadOnly || command.name === 'EXAMINE')
  await describe(session, selected, view)
  session.selected = selected
  if (command.qresync) await resynchronise(session, selected, view, command.qresync)
  return {
    status: 'OK',
    code: selected.isReadOnly ? 'READ-ONLY' : 'READ-WRITE',
    text: `${view.exists} messages`,
  }
}

async function describe(session: ImapSession, selected: Selected, view: FolderView): Promise<void> {
  const { row, modseq } = view
  const flags = session.line().raw('* FLAGS ')
  await session.send(flags.list(flagNames(view), (name) => flags.atom(name)))
  const permanent = selected.isReadOnly ? [] : permanentNames(view)
  await session.untagged('OK', 'flags that are kept', `PERMANENTFLAGS (${permanent.join(' ')})`)
  await session.send(session.line().raw(`* ${view.exists} EXISTS`))
  if (!session.isRev2) {
    await session.send(session.line().raw('* 0 RECENT'))
    const unseen = firstUnseen(view)
    if (unseen !== undefined) await session.untagged('OK', 'first unread message', `UNSEEN ${unseen}`)
  }
  await session.untagged('OK', 'UIDs are valid', `UIDVALIDITY ${row.validity}`)
  await session.untagged('OK', 'next UID', `UIDNEXT ${row.uidNext}`)
  await session.untagged('OK', 'highest modseq', `HIGHESTMODSEQ ${Math.max(1, modseq)}`)
  await session.untagged('OK', 'id of the mailbox', `MAILBOXID (${mailboxIdOf(row)})`)
  if (session.isRev2) await session.send(session.line().raw('* LIST () "/" ').mailbox(selected.name))
}

function firstUnseen(view: FolderView): number | undefined {
  if (view.row.unseen === 0) return undefined
  let seq = 0
  for (const { flags } of view.entries()) {
    seq++
    if ((flags & SEEN) === 0) return seq
  }
  return undefined
}

/** What a program missed: UIDs that vanished, and messages that changed. */
async function resynchronise(
  session: ImapSession,
  selected: Selected,
  view: FolderView,
  known: Qresync,
): Promise<void> {
  if (known.uidValidity !== view.row.validity) return
  const { knownUids } = known
  await tellVanished(session, view, known.modseq, knownUids && ((uid) => hasNumber(knownUids, uid)))
  let count = 0
  for (const entry of view.entries(known.modseq)) {
    if (++count % TURN === 0) await nextTurn()
    await selected.tellFlags(session, view, entry)
  }
}

/** VANISHED (EARLIER) (RFC 7162 §3.2.10). @param isAmong UIDs that the client asks about; without it all */
export async function tellVanished(
  session: ImapSession,
  view: FolderView,
  after: number,
  isAmong: (uid: number) => boolean = () => true,
): Promise<void> {
  const { folders } = session.parts
  const gone = await folders.vanished(session.mustUser().mailboxId, view, after)
  const text = formatSet(gone ? gone.filter(isAmong) : missing(view, isAmong))
  if (text !== '') await session.send(session.line().raw(`* VANISHED (EARLIER) ${text}`))
}

/** All UIDs that are not there. */
function* missing(view: FolderView, isAmong: (uid: number) => boolean): Generator<number> {
  let next = 1
  for (const [first, last] of [...view.uids.runs(), [view.row.uidNext, view.row.uidNext] as const]) {
    for (; next < first; next++) if (isAmong(next)) yield next
    next = last + 1
  }
}

/** CLOSE expunges silently (RFC 9051 §6.4.1). */
export async function close(session: ImapSession): Promise<Completion> {
  const selected = session.mustSelected()
  session.selected = undefined
  session.saved = []
  const { mailboxId } = session.mustUser()
  if (!selected.isReadOnly) await session.parts.folders.expunge(mailboxId, selected.number)
  return { status: 'OK' }
}

export function unselect(session: ImapSession): Completion {
  session.mustSelected()
  session.selected = undefined
  session.saved = []
  return { status: 'OK' }
}
