/**
 * What a client wants to be told of without asking (RFC 5465), and what it knows of the folders that are not selected. A change costs one list of the folders for each
 * such session, however much has changed since the last one.
 */
import type { Folders } from '../../mailbox/folders/folders.js'
import type { ListedFolder } from '../../mailbox/folders/listing.js'
import type { FolderKey } from '../../mailbox/folders/folder.js'
import { withInbox } from '../../mailbox/folders/names.js'
import type { FetchItem } from '../grammar/fetch-items.js'
import type { NotifyGroup, NotifyMailboxes } from '../grammar/notify.js'
import type { ResponseLine } from '../wire/response.js'
import { hierarchy, isBelow, type Listed, listLine, parentOf } from './hierarchy.js'

/** Events of the selected folder. */
export interface SelectedEvents {
  /** Expunges wait for a command that allows them (RFC 5465 §6.1.2). */
  isDelayed: boolean
  /** Of new messages. */
  items: readonly FetchItem[]
  flagChange: boolean
}

/** Who is told, of which mailbox. */
interface Told {
  mailboxId: string
  parts: { folders: Pick<Folders, 'list'> }
  client: {
    readonly condstore: boolean
    readonly selected: { readonly number: number } | undefined
    line(): ResponseLine
    send(line: ResponseLine): Promise<void>
  }
}

interface Events {
  messages: boolean
  flagChange: boolean
  mailboxName: boolean
  subscriptionChange: boolean
}

interface Group {
  fits: (folder: Pick<Known, 'name' | 'key' | 'subscribed'>) => boolean
  /** Undefined: NONE. */
  events: Events | undefined
}

/** A folder as the client knows it. */
interface Known {
  name: string
  key: FolderKey
  subscribed: boolean
  validity: number
  uidNext: number
  exists: number
  unseen: number
  changed: number
}

interface Renamed {
  from: string
  to: ListedFolder
  /** Of the folder under its old name; undefined if it is the same. */
  number: number | undefined
}

export class Notifications {
  /** Undefined: nothing of the selected folder. */
  readonly selected: SelectedEvents | undefined
  /** Names that the client itself has changed, since the last time that it was told. */
  readonly own = new Set<string>()
  readonly #groups: readonly Group[]
  #known: ReadonlyMap<number, Known>
  /** Numbers of folders whose messages are on their way to their new names. */
  readonly #leaving = new Set<number>()

  constructor(groups: readonly NotifyGroup[], folders: readonly ListedFolder[]) {
    this.selected = selectedEvents(groups)
    this.#groups = groups.flatMap(groupOf)
    this.#known = knownOf(folders)
  }

  /** True for folders whose messages the client wants to know of. */
  wantsMessages(folder: ListedFolder): boolean {
    return this.#eventsOf(folder).messages
  }

  /** Tells what changed in other folders than the selected one, and of their names. */
  async tell({ mailboxId, parts, client }: Told): Promise<void> {
    const own = new Set(this.own)
    this.own.clear()
    if (this.#groups.length === 0) return
    const folders = await parts.folders.list(mailboxId)
    await this.#tellNames(client, folders, own)
    for (const folder of folders) {
      const before = this.#known.get(folder.row.number)
      if (!before || folder.row.number === client.selected?.number || this.#leaving.has(folder.row.number)) continue
      if (isToTell(this.#eventsOf(folder), before, folder, client.condstore)) await sendChanges(client, folder)
    }
    this.#known = knownOf(folders)
  }

  async #tellNames(client: Told['client'], folders: readonly ListedFolder[], own: ReadonlySet<string>): Promise<void> {
    const byNumber = new Map(folders.map((folder) => [folder.row.number, folder]))
    const names = new Map(hierarchy(folders).map((listed) => [listed.name, listed]))
    const told = new Set([...own].flatMap((name) => [name, parentOf(name) ?? name]))
    const tellOf = async (name: string, oldName?: string): Promise<void> => {
      if (told.has(name)) return
      told.add(name)
      const line = listLine(client, names.get(name) ?? nothingAt(name), true)
      if (oldName !== undefined) line.raw(' ("OLDNAME" (').mailbox(oldName).raw('))')
      await client.send(line)
    }
    const affected = async (folder: Pick<Known, 'name' | 'key' | 'subscribed'>): Promise<void> => {
      if (this.#eventsOf(folder).mailboxName) await tellOf(folder.name)
      // RFC 5465 §5.4: its direct parent is affected, whether it is there or not.
      const parent = parentOf(folder.name)
      const listed = parent === undefined ? undefined : (names.get(parent) ?? nothingAt(parent))
      if (listed && this.#eventsOf(asFolder(listed)).mailboxName) await tellOf(listed.name)
    }
    const renames = this.#renames(folders)
    for (const { from, to, number } of renames) {
      if (number !== undefined) this.#leaving.add(number)
      // RFC 5465 §5.4: those below it are renamed with it.
      const isChild = renames.some((other) => isBelow(from, other.from) && isBelow(to.name, other.to.name))
      if (!isChild && this.#eventsOf(to).mailboxName) await tellOf(to.name, from)
      told.add(to.name)
    }
    for (const folder of folders) {
      const before = this.#known.get(folder.row.number)
      if (this.#leaving.has(folder.row.number) && !renames.some(({ to }) => to === folder)) continue
      if (!before) {
        if (!told.has(folder.name)) await affected(folder)
      } else if (before.subscribed !== folder.subscribed && this.#eventsOf(folder, before).subscriptionChange)
        await tellOf(folder.name)
    }
    for (const [number, before] of this.#known) {
      if (byNumber.has(number)) continue
      if (!this.#leaving.delete(number)) await affected(before)
    }
  }

  /** Folders that have a new name: under another number, or the same. */
  #renames(folders: readonly ListedFolder[]): Renamed[] {
    const byName = new Map([...this.#known].map(([number, { name }]) => [name, number]))
    return folders.flatMap((to): Renamed[] => {
      const before = this.#known.get(to.row.number)
      if (before) return before.name === to.name ? [] : [{ from: before.name, to, number: undefined }]
      const number = byName.get(to.renamedFrom ?? '')
      return to.renamedFrom === undefined || number === undefined ? [] : [{ from: to.renamedFrom, to, number }]
    })
  }

  /** @param before its subscription counts too: a filter for those subscribed to is told when one is no longer */
  #eventsOf(folder: Pick<Known, 'name' | 'key' | 'subscribed'>, before = folder): Events {
    const events = { ...NO_EVENTS }
    for (const { fits, events: given } of this.#groups) {
      if (!fits(folder) && !fits({ ...folder, subscribed: before.subscribed })) continue
      if (!given) return NO_EVENTS
      events.messages ||= given.messages
      events.flagChange ||= given.flagChange
      events.mailboxName ||= given.mailboxName
      events.subscriptionChange ||= given.subscriptionChange
    }
    return events
  }
}

const NO_EVENTS: Events = { messages: false, flagChange: false, mailboxName: false, subscriptionChange: false }

/** NOTIFY NONE. */
export const nothingWanted = (): Notifications => new Notifications([], [])

const isSelectedKind = ({ kind }: NotifyMailboxes): boolean => kind === 'SELECTED' || kind === 'SELECTED-DELAYED'

function selectedEvents(groups: readonly NotifyGroup[]): SelectedEvents | undefined {
  const group = groups.find(({ mailboxes }) => isSelectedKind(mailboxes))
  const { messages } = group?.events ?? {}
  return messages && { ...messages, isDelayed: group?.mailboxes.kind === 'SELECTED-DELAYED' }
}

function groupOf({ mailboxes, events }: NotifyGroup): Group[] {
  if (isSelectedKind(mailboxes)) return []
  const { messages, mailboxName, subscriptionChange } = events
  const isNone = !messages && !mailboxName && !subscriptionChange
  const given = {
    ...{ messages: messages !== undefined, flagChange: messages?.flagChange ?? false },
    ...{ mailboxName, subscriptionChange },
  }
  return [{ fits: filterOf(mailboxes), events: isNone ? undefined : given }]
}

function filterOf(mailboxes: NotifyMailboxes): Group['fits'] {
  switch (mailboxes.kind) {
    case 'SUBSCRIBED':
      return ({ subscribed }) => subscribed
    case 'INBOXES':
      // RFC 5465 §6.3: those to which mail is delivered, also by rules of labels.
      return ({ key }) => key === 'inbox' || key === 'junk' || key.startsWith('label:')
    case 'SUBTREE':
    case 'MAILBOXES': {
      const names = new Set(mailboxes.names.map(withInbox))
      if (mailboxes.kind === 'MAILBOXES') return ({ name }) => names.has(name)
      return ({ name }) => {
        for (let at: string | undefined = name; at !== undefined; at = parentOf(at)) if (names.has(at)) return true
        return false
      }
    }
    default:
      return () => true
  }
}

const knownOf = (folders: readonly ListedFolder[]): ReadonlyMap<number, Known> =>
  new Map(
    folders.map(({ name, key, subscribed, row: { number, validity, uidNext, exists, unseen, changed } }) => [
      number,
      { name, key, subscribed, validity, uidNext, exists, unseen, changed },
    ]),
  )

const nothingAt = (name: string): Listed => ({ name, folder: undefined, hasChildren: false })

/** A name without a folder is no inbox, and nobody is subscribed to it. */
const asFolder = ({ name, folder }: Listed): Pick<Known, 'name' | 'key' | 'subscribed'> =>
  folder ?? { name, key: 'archive', subscribed: false }

function isToTell(events: Events, before: Known, { row }: ListedFolder, condstore: boolean): boolean {
  if (!events.messages) return false
  if (row.validity !== before.validity || row.uidNext !== before.uidNext || row.exists !== before.exists) return true
  // RFC 5465 §5.1: other flags show in the modseq only.
  return events.flagChange && (row.unseen !== before.unseen || (condstore && row.changed !== before.changed))
}

/** One STATUS for all that may have changed. */
export async function sendChanges(
  client: Told['client'],
  { name, row, modseq }: Pick<ListedFolder, 'name' | 'row' | 'modseq'>,
): Promise<void> {
  const { exists, uidNext, validity, unseen } = row
  const line = client.line().raw('* STATUS ').mailbox(name)
  line.raw(` (MESSAGES ${exists} UIDNEXT ${uidNext} UIDVALIDITY ${validity} UNSEEN ${unseen}`)
  if (client.condstore) line.raw(` HIGHESTMODSEQ ${Math.max(1, modseq)}`)
  await client.send(line.raw(')'))
}
