/** STORE, COPY, MOVE and EXPUNGE (RFC 9051 §6.4.3, §6.4.6 to §6.4.9; RFC 7162 §3.1.3). */
import type { FolderView } from '../../mailbox/folders/view.js'
import type { MessageCommand } from '../grammar/messages.js'
import { formatSet } from '../wire/set-text.js'
import { readFlagNames } from './flag-names.js'
import type { Selected } from './selected.js'
import { type Completion, OK, Refused } from './completion.js'
import type { ImapSession } from './session.js'

/** @throws Refused if the folder is only read */
function mustChange(session: ImapSession): { selected: Selected; mailboxId: string } {
  const selected = session.mustSelected()
  const { mailboxId } = session.mustWrite()
  if (selected.isReadOnly)
    throw new Refused({ status: 'NO', code: 'READ-ONLY', text: 'the mailbox was opened with EXAMINE' })
  return { selected, mailboxId }
}

async function mustView(session: ImapSession, selected: Selected): Promise<FolderView> {
  const view = await session.parts.folders.view(session.mustUser().mailboxId, selected.number)
  if (!view) throw new Refused({ status: 'NO', code: 'NONEXISTENT', text: 'the mailbox is gone' })
  return view
}

export async function store(session: ImapSession, command: MessageCommand & { name: 'STORE' }): Promise<Completion> {
  const { selected, mailboxId } = mustChange(session)
  if (command.unchangedSince !== undefined) session.enabled.add('CONDSTORE')
  const uids = selected.resolve(command.set, command.uid, session.saved)
  const change = { mode: command.change, ...readFlagNames(command.flags) }
  const { folders } = session.parts
  const left = new Set(await folders.flag(mailboxId, selected.number, uids, change, command.unchangedSince))
  const view = await mustView(session, selected)
  const changed = new Set(uids.filter((uid) => !left.has(uid)))
  if (command.silent) await selected.tell(session, view, { gone: false, fresh: false, silent: changed })
  else {
    const told = view.entriesAfter(selected.modseq)
    await selected.tell(session, view, { gone: false, fresh: false })
    // Also those whose flags were so before: the client asked for them.
    for (const uid of changed) {
      const entry = view.entry(uid)
      if (entry && !told.has(uid)) await selected.tellFlags(session, view, entry)
    }
  }
  if (left.size === 0) return OK
  const numbers = command.uid ? [...left] : [...left].map((uid) => selected.seqOf(uid))
  return { status: 'OK', code: `MODIFIED ${formatSet(numbers)}`, text: 'some were changed since' }
}

export async function copy(
  session: ImapSession,
  command: MessageCommand & { name: 'COPY' | 'MOVE' },
): Promise<Completion> {
  const isMove = command.name === 'MOVE'
  if (isMove) mustChange(session)
  const selected = session.mustSelected()
  const { mailboxId } = session.mustWrite()
  const { folders } = session.parts
  const uids = selected.resolve(command.set, command.uid, session.saved)
  const to = await folders.find(mailboxId, command.mailbox)
  if (!to) throw new Refused({ status: 'NO', code: 'TRYCREATE', text: 'there is no such mailbox' })
  if (uids.length === 0) return OK
  const { validity, uids: pairs } = await folders.transfer(mailboxId, selected.number, uids, to.key, isMove)
  const code = pairs.length === 0 ? undefined : `COPYUID ${validity} ${formatPairs(pairs)}`
  if (!isMove) return { status: 'OK', code }
  // RFC 6851 §4.3: before the messages are told to be gone.
  if (code !== undefined) await session.untagged('OK', 'moved', code)
  await selected.tell(session, await mustView(session, selected), { gone: true, fresh: true })
  return OK
}

/** Sets in the order of the messages: the nth UID here became the nth there. */
function formatPairs(pairs: readonly [from: number, to: number][]): string {
  return [inOrder(pairs.map(([from]) => from)), inOrder(pairs.map(([, to]) => to))].join(' ')
}

/** Runs of numbers in their order, which need not ascend. */
function inOrder(numbers: readonly number[]): string {
  const runs: [first: number, last: number][] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run && run[1] + 1 === number) run[1] = number
    else runs.push([number, number])
  }
  return runs.map(([first, last]) => (first === last ? first : `${first}:${last}`)).join(',')
}

export async function expunge(
  session: ImapSession,
  command: MessageCommand & { name: 'EXPUNGE' },
): Promise<Completion> {
  const { selected, mailboxId } = mustChange(session)
  const among = command.uids && new Set(selected.resolve(command.uids, true, session.saved))
  const stay = await session.parts.folders.expunge(mailboxId, selected.number, among)
  const view = await mustView(session, selected)
  await selected.tell(session, view, { gone: true, fresh: true })
  if (stay.length > 0)
    return { status: 'NO', code: 'INUSE', text: `${stay.length} stay: what is still being sent cannot be deleted` }
  return session.condstore ? { status: 'OK', code: `HIGHESTMODSEQ ${view.modseq}` } : OK
}
