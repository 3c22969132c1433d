/** SEARCH, SORT and THREAD: their responses (RFC 9051 §6.4.4, §7.3.4; RFC 4731; RFC 5182; RFC 5256; RFC 5267 §3). */
import { UidSet } from '../../mailbox/folders/uid-set.js'
import type { SearchCommand, SearchReturn } from '../grammar/search.js'
import type { Found, SearchScope } from '../searching/searching.js'
import { threadText } from '../searching/thread-nodes.js'
import { formatSet } from '../wire/set-text.js'
import type { Selected } from './selected.js'
import { type Completion, OK, Refused } from './completion.js'
import type { ImapSession } from './session.js'

type Of<N extends SearchCommand['name']> = SearchCommand & { name: N }

export async function search(session: ImapSession, command: Of<'SEARCH'> & { tag: string }): Promise<Completion> {
  const { scope, selected } = await scopeOf(session)
  // RFC 5182 §2.1: a search that fails leaves nothing saved.
  if (command.returns?.includes('SAVE')) session.saved = []
  const found = await session.parts.searching.search(scope, command.key)
  if (found.modseq !== undefined) session.enabled.add('CONDSTORE')
  const numbers = numbersOf(found, command.uid, selected)
  const { returns } = command
  if (!returns && !session.isRev2) {
    const line = session.line().raw('* SEARCH')
    line.raw(numbers.map((number) => ` ${number}`).join(''))
    await session.send(found.modseq === undefined ? line : line.raw(` (MODSEQ ${found.modseq})`))
    return OK
  }
  const wanted = returns ?? ['ALL']
  if (wanted.includes('SAVE')) session.saved = savedOf(found.uids, wanted)
  // RFC 5182 §2.1: with SAVE alone nothing is told.
  if (wanted.some((each) => each !== 'SAVE')) await tell(session, command, numbers, wanted, found.modseq)
  return OK
}

export async function sort(session: ImapSession, command: Of<'SORT'> & { tag: string }): Promise<Completion> {
  const { scope, selected } = await scopeOf(session)
  const found = await session.parts.searching.sort(scope, command.key, command.sort)
  const numbers = numbersOf(found, command.uid, selected)
  const { returns } = command
  if (!returns) {
    const line = session.line().raw('* SORT')
    line.raw(numbers.map((number) => ` ${number}`).join(''))
    await session.send(found.modseq === undefined ? line : line.raw(` (MODSEQ ${found.modseq})`))
    return OK
  }
  if (returns.includes('SAVE')) session.saved = savedOf(found.uids, returns)
  if (returns.some((each) => each !== 'SAVE')) await tell(session, command, numbers, returns, found.modseq)
  return OK
}

export async function thread(session: ImapSession, command: Of<'THREAD'>): Promise<Completion> {
  const { scope, selected } = await scopeOf(session)
  const threads = await session.parts.searching.thread(scope, command.key, command.algorithm)
  const text = threadText(threads, (uid) => (command.uid ? uid : selected.seqOf(uid)))
  await session.send(session.line().raw(text === '' ? '* THREAD' : `* THREAD ${text}`))
  return OK
}

async function scopeOf(session: ImapSession): Promise<{ scope: SearchScope; selected: Selected }> {
  const selected = session.mustSelected()
  const { mailboxId } = session.mustUser()
  session.mustHaveRate()
  const view = await session.parts.folders.view(mailboxId, selected.number)
  if (!view) throw new Refused({ status: 'NO', code: 'NONEXISTENT', text: 'the mailbox is gone' })
  const { saved, charge, wire } = session
  const scope = { mailboxId, view, uids: selected.uids, saved: UidSet.of(saved), signal: wire.closed(), charge }
  return { scope, selected }
}

const numbersOf = ({ uids }: Found, isUid: boolean, selected: Selected): number[] =>
  isUid ? uids : uids.map((uid) => selected.seqOf(uid))

/** RFC 5182 §2.4: with MIN or MAX only these are saved, unless all or their count is asked for too. */
function savedOf(uids: readonly number[], returns: readonly SearchReturn[]): number[] {
  const all = [...uids].sort((a, b) => a - b)
  if (returns.includes('ALL') || returns.includes('COUNT')) return all
  const some = [...(returns.includes('MIN') ? all.slice(0, 1) : []), ...(returns.includes('MAX') ? all.slice(-1) : [])]
  return some.length > 0 || returns.includes('MIN') || returns.includes('MAX') ? [...new Set(some)] : all
}

/** ESEARCH (RFC 9051 §7.3.4). MIN and MAX of a SORT are its first and last (RFC 5267 §3.1). */
async function tell(
  session: ImapSession,
  { tag, name, uid }: { tag: string; name: string; uid: boolean },
  numbers: readonly number[],
  returns: readonly SearchReturn[],
  modseq: number | undefined,
): Promise<void> {
  const line = session.line().raw('* ESEARCH (TAG ').string(tag).raw(')')
  if (uid) line.raw(' UID')
  const [first, last] = [numbers[0], numbers.at(-1)]
  if (returns.includes('MIN') && first !== undefined) line.raw(` MIN ${first}`)
  if (returns.includes('MAX') && last !== undefined) line.raw(` MAX ${last}`)
  if (returns.includes('COUNT')) line.raw(` COUNT ${numbers.length}`)
  if (returns.includes('ALL') && numbers.length > 0)
    line.raw(` ALL ${name === 'SORT' ? numbers.join(',') : formatSet(numbers)}`)
  if (modseq !== undefined && numbers.length > 0) line.raw(` MODSEQ ${modseq}`)
  await session.send(line)
}
