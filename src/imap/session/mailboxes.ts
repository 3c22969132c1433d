/** Commands about folders by name (RFC 9051 §6.3; RFC 5258, RFC 5819, RFC 6154, RFC 9208). */
import type { ListedFolder } from '../../mailbox/folders/listing.js'
import { DELIMITER, INBOX, mailboxIdOf, SPECIAL_USE, withInbox } from '../../mailbox/folders/names.js'
import { TimedTurns } from '../../mailbox/search/turns.js'
import type { ListCommand } from '../grammar/list.js'
import type { MailboxCommand, StatusItem } from '../grammar/mailboxes.js'
import { hierarchy, isBelow, type Listed, listLine } from './hierarchy.js'
import { type Completion, OK, Refused } from './completion.js'
import type { ImapSession } from './session.js'

export async function list(session: ImapSession, command: ListCommand & { name: 'LIST' }): Promise<Completion> {
  const { mailboxId } = session.mustUser()
  const { reference, patterns, selection, returns, status } = command
  if (!command.isExtended && patterns.length === 1 && patterns[0] === '') {
    await session.send(session.line().raw(`* LIST (\\Noselect) "${DELIMITER}" ""`))
    return OK
  }
  const all = hierarchy(await session.parts.folders.list(mailboxId))
  const fits = matcher(patterns.map((pattern) => reference + pattern))
  const onlySubscribed = selection.includes('SUBSCRIBED')
  const isMeant = ({ folder }: Listed): boolean =>
    (!onlySubscribed || folder?.subscribed === true) &&
    (!selection.includes('SPECIAL-USE') || (folder !== undefined && SPECIAL_USE[folder.key] !== undefined))
  const showSubscribed = onlySubscribed || returns.includes('SUBSCRIBED')
  const turns = new TimedTurns(session.wire.closed())
  for (const each of all) {
    await turns.next()
    if (!fits(each.name)) continue
    const childInfo =
      selection.includes('RECURSIVEMATCH') &&
      all.some((other) => isBelow(other.name, each.name) && isMeant(other) && !fits(other.name))
    if (!isMeant(each) && !childInfo) continue
    const line = listLine(session, each, showSubscribed)
    if (childInfo) line.raw(' ("CHILDINFO" ("SUBSCRIBED"))')
    await session.send(line)
    if (status.length > 0 && each.folder) await sendStatus(session, each.folder, status)
  }
  return OK
}

export async function lsub(
  session: ImapSession,
  { reference, pattern }: ListCommand & { name: 'LSUB' },
): Promise<Completion> {
  const { mailboxId } = session.mustUser()
  const fits = matcher([reference + pattern])
  const all = hierarchy(await session.parts.folders.list(mailboxId))
  const turns = new TimedTurns(session.wire.closed())
  for (const { name, folder } of all) {
    await turns.next()
    if (!fits(name)) continue
    const isSubscribed = folder?.subscribed === true
    // RFC 3501 §6.3.9: one above another that is subscribed to, and that the pattern does not reach.
    const isAbove = all.some((other) => other.folder?.subscribed && isBelow(other.name, name) && !fits(other.name))
    if (!isSubscribed && !isAbove) continue
    const line = session.line().raw(`* LSUB (${isSubscribed ? '' : '\\Noselect'}) "${DELIMITER}" `)
    await session.send(line.mailbox(name))
  }
  return OK
}

/** `*` stands for anything, `%` for anything within a level (RFC 9051 §6.3.9). Each pattern costs its length times that of the name. */
export function matcher(patterns: readonly string[]): (name: string) => boolean {
  const simple = patterns.map((pattern) => withInbox(pattern).replaceAll(/\*[*%]*|%+(?:\*[*%]*)?/g, wildcard))
  return (name) => simple.some((pattern) => matches(pattern, name))
}

/** Several wildcards in a row are as the strongest of them. */
const wildcard = (run: string): string => (run.includes('*') ? '*' : '%')

function matches(pattern: string, name: string): boolean {
  // More letters than the name has can't match: so the cost depends on the name alone.
  if (pattern.replaceAll(/[*%]/g, '').length > name.length) return false
  // Which beginnings of the name the pattern so far may have matched.
  let ends = new Uint8Array(name.length + 1)
  ends[0] = 1
  for (const char of pattern) {
    const next = new Uint8Array(name.length + 1)
    if (char === '*' || char === '%') {
      for (let at = 0, open = 0; at <= name.length; at++) {
        if (ends[at] === 1) open = 1
        else if (char === '%' && name[at - 1] === DELIMITER) open = 0
        next[at] = open
      }
    } else for (let at = 0; at < name.length; at++) if (ends[at] === 1 && name[at] === char) next[at + 1] = 1
    ends = next
  }
  return ends[name.length] === 1
}

export async function status(
  session: ImapSession,
  { mailbox, items }: MailboxCommand & { name: 'STATUS' },
): Promise<Completion> {
  await sendStatus(session, await mustFind(session, mailbox), items)
  return OK
}

export async function sendStatus(
  session: ImapSession,
  folder: ListedFolder,
  items: readonly StatusItem[],
): Promise<void> {
  if (items.includes('HIGHESTMODSEQ')) session.enabled.add('CONDSTORE')
  const line = session.line().raw('* STATUS ').mailbox(folder.name).raw(' ')
  await session.send(line.list(items, (item) => line.raw(`${item} ${valueOf(session, folder, item)}`)))
}

function valueOf(session: ImapSession, { row, modseq }: ListedFolder, item: StatusItem): string | number {
  switch (item) {
    case 'MESSAGES':
      return row.exists
    case 'RECENT':
      return 0
    case 'UIDNEXT':
      return row.uidNext
    case 'UIDVALIDITY':
      return row.validity
    case 'UNSEEN':
      return row.unseen
    case 'DELETED':
      return row.deleted
    case 'SIZE':
      return row.bytes
    case 'HIGHESTMODSEQ':
      return Math.max(1, modseq)
    case 'MAILBOXID':
      return `(${mailboxIdOf(row)})`
    case 'APPENDLIMIT':
      return session.parts.limits.maxMessageBytes
  }
}

async function mustFind(session: ImapSession, name: string): Promise<ListedFolder> {
  const folder = await session.parts.folders.find(session.mustUser().mailboxId, name)
  if (!folder) throw new Refused({ status: 'NO', code: 'NONEXISTENT', text: 'there is no such mailbox' })
  return folder
}

export async function create(
  session: ImapSession,
  { mailbox, uses }: MailboxCommand & { name: 'CREATE' },
): Promise<Completion> {
  const { mailboxId } = session.mustWrite()
  // RFC 6154 §3: each use has its folder already.
  if (uses.length > 0)
    throw new Refused({ status: 'NO', code: 'USEATTR', text: 'folders of special use are there already' })
  // RFC 9051 §6.3.4: a delimiter at the end says that there will be folders below.
  const name = mailbox.endsWith(DELIMITER) ? mailbox.slice(0, -1) : mailbox
  await session.parts.folders.create(mailboxId, name)
  session.changedItself(name)
  const { row } = await mustFind(session, name)
  return { status: 'OK', code: `MAILBOXID (${mailboxIdOf(row)})` }
}

export async function remove(session: ImapSession, name: string): Promise<Completion> {
  const { mailboxId } = session.mustWrite()
  await session.parts.folders.remove(mailboxId, name)
  session.changedItself(name)
  return OK
}

export async function rename(
  session: ImapSession,
  { mailbox, to }: MailboxCommand & { name: 'RENAME' },
): Promise<Completion> {
  const { mailboxId } = session.mustWrite()
  if ((await mustFind(session, mailbox)).key === 'inbox') await moveInbox(session, to)
  else await session.parts.folders.rename(mailboxId, mailbox, to)
  session.changedItself(mailbox, to)
  return OK
}

/** RFC 9051 §6.3.6: INBOX that is renamed is empty then, and what is below it stays. */
async function moveInbox(session: ImapSession, to: string): Promise<void> {
  const { mailboxId } = session.mustWrite()
  const { folders } = session.parts
  const inbox = await mustFind(session, INBOX)
  await folders.create(mailboxId, to)
  const { key } = await mustFind(session, to)
  const view = await folders.view(mailboxId, inbox.row.number)
  await folders.transfer(mailboxId, inbox.row.number, [...(view?.uids ?? [])], key, true)
}

export async function subscribe(session: ImapSession, name: string, subscribed: boolean): Promise<Completion> {
  const { mailboxId } = session.mustWrite()
  await session.parts.folders.subscribe(mailboxId, name, subscribed)
  session.changedItself(name)
  return OK
}

export async function namespace(session: ImapSession): Promise<Completion> {
  session.mustUser()
  await session.send(session.line().raw(`* NAMESPACE (("" "${DELIMITER}")) NIL NIL`))
  return OK
}

/** One root, the mailbox as a whole. @param name of a folder, for GETQUOTAROOT */
export async function quota(session: ImapSession, name?: string): Promise<Completion> {
  const { mailboxId } = session.mustUser()
  if (name !== undefined) {
    await mustFind(session, name)
    await session.send(session.line().raw('* QUOTAROOT ').mailbox(name).raw(' ""'))
  }
  const mailbox = await session.parts.mailbox(mailboxId)
  if (!mailbox) throw new Refused({ status: 'NO', code: 'NONEXISTENT', text: 'the mailbox is gone' })
  const { used, limit } = session.parts.quota(mailbox)
  const kib = (bytes: number): number => Math.ceil(bytes / 1024)
  await session.send(session.line().raw(`* QUOTA "" (STORAGE ${kib(used)} ${kib(limit)})`))
  return OK
}
