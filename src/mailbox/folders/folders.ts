/** The folders of a mailbox for mail programs. Every call sees what the mailbox has at that moment. */
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { encode } from '../../store/keys.js'
import { readValue } from '../../store/values.js'
import type { Blobs, Store } from '../../store/types.js'
import { foldersPartition, mailboxPartition } from '../keys.js'
import type { MessageState } from '../message.js'
import { readStateAt } from '../message-rows.js'
import type { RawStore } from '../raw.js'
import { createFolderChanges, noSuchFolder } from './changes.js'
import { type FolderKey, labelFolder, labelOf } from './folder.js'
import {
  nameKey,
  type NameRow,
  readIndex,
  readNames,
  unpackVanished,
  vanishedKey,
  vanishedRange,
} from './index-rows.js'
import { DELIMITER, labelForName, type NamedFolder, namedFolders, problemOfName, withInbox } from './names.js'
import { IndexWriter, MAX_LABEL_FOLDERS } from './index-writer.js'
import { createFolderSync } from './sync.js'
import { createFolderViews, type FolderView, highestModseq } from './view.js'

export interface FoldersDeps {
  store: Store
  blobs: Pick<Blobs, 'delete'>
  raws: Pick<RawStore, 'read' | 'header'>
  clock: Clock
  /** A draft as a message. @throws ServiceError `not_found`; `unavailable` if it changed meanwhile */
  draftRaw: (mailboxId: string, draftId: string) => Promise<Buffer>
}

/** A folder as lists show it. */
export interface ListedFolder extends NamedFolder {
  modseq: number
}

/** Versions of the mailbox, and of the folder index with what programs have chosen. */
export interface FolderMoment {
  mailbox: bigint
  index: bigint
}

export type Folders = ReturnType<typeof createFolders>

export function createFolders(deps: FoldersDeps) {
  const { store, raws } = deps
  const sync = createFolderSync(deps)
  const views = createFolderViews(store)
  const changes = createFolderChanges({ ...deps, sync, views })

  async function list(mailboxId: string): Promise<ListedFolder[]> {
    await sync.sync(mailboxId)
    const { rows, modseq } = await views.rows(mailboxId)
    const names = await store.read(foldersPartition(mailboxId), readNames)
    return namedFolders(rows, names).map((folder) => ({ ...folder, modseq: highestModseq(folder.row, modseq) }))
  }

  async function find(mailboxId: string, name: string): Promise<ListedFolder | undefined> {
    const asked = withInbox(name)
    return (await list(mailboxId)).find((folder) => folder.name === asked)
  }

  async function must(mailboxId: string, name: string): Promise<ListedFolder> {
    const folder = await find(mailboxId, name)
    if (!folder) throw noSuchFolder()
    return folder
  }

  /** The index is written for what has changed, which is no change after it: so it is brought up first. */
  async function moment(mailboxId: string): Promise<FolderMoment> {
    const mailbox = await store.version(mailboxPartition(mailboxId))
    await sync.sync(mailboxId)
    return { mailbox, index: await store.version(foldersPartition(mailboxId)) }
  }

  /** Gives folders their names, and rows in the index where they have none. @param before of a renamed one @throws ServiceError `limit_reached` */
  const enterNames = (
    mailboxId: string,
    folders: readonly { label: string; name: string; before?: string; key?: FolderKey }[],
  ): Promise<void> =>
    store.write(foldersPartition(mailboxId), async (tx) => {
      const index = await readIndex(tx)
      if (!index) throw noSuchFolder()
      const writer = await IndexWriter.open(tx, index, deps.clock.now())
      for (const { label } of folders) if (!(await writer.need(labelFolder(label)))) throw tooMany()
      writer.passIds(
        folders.flatMap(({ key: from, label }) => {
          const to = labelFolder(label)
          return from === undefined || from === to ? [] : [{ from, to }]
        }),
      )
      await writer.finish()
      for (const { label, name, before } of folders) {
        const row = (await readValue<NameRow>(tx, nameKey(labelFolder(label)))) ?? {}
        tx.put(nameKey(labelFolder(label)), encode(calledSo(row, label, name, before)))
      }
    })

  /** @throws ServiceError `invalid_request` for the name, `name_taken` */
  async function create(mailboxId: string, given: string): Promise<void> {
    const name = withInbox(given)
    const problem = problemOfName(name)
    if (problem !== undefined) throw unfit(problem)
    const all = await list(mailboxId)
    const folded = name.toLowerCase()
    if (all.some((folder) => folder.name.toLowerCase() === folded)) throw taken(name)
    const used = new Set(all.flatMap(({ key }) => labelOf(key) ?? []))
    const label = labelForName(name, used)
    await enterNames(mailboxId, [{ label, name }])
  }

  const setName = (mailboxId: string, key: FolderKey, change: (row: NameRow) => NameRow): Promise<void> =>
    store.write(foldersPartition(mailboxId), async (tx) => {
      const row = (await readValue<NameRow>(tx, nameKey(key))) ?? {}
      tx.put(nameKey(key), encode(change(row)))
    })

  return {
    ...changes,
    ...sync,
    list,
    find,

    /** The folder as it is now; undefined if there is no such folder any more. */
    async view(mailboxId: string, number: number): Promise<FolderView | undefined> {
      await sync.sync(mailboxId)
      return views.view(mailboxId, number)
    },

    moment,

    /** Resolves with the next moment at which something has changed; with the same one when the signal is aborted. */
    async changed(mailboxId: string, since: FolderMoment, signal: AbortSignal): Promise<FolderMoment> {
      const either = new AbortController()
      const stop = (): void => either.abort()
      signal.addEventListener('abort', stop, { once: true })
      try {
        if (!signal.aborted)
          await Promise.race([
            store.wait(mailboxPartition(mailboxId), since.mailbox, either.signal),
            store.wait(foldersPartition(mailboxId), since.index, either.signal),
          ])
      } finally {
        signal.removeEventListener('abort', stop)
        stop()
      }
      return signal.aborted ? since : moment(mailboxId)
    },

    /** The messages of some entries; those that were purged meanwhile are left out. */
    messages: (mailboxId: string, places: readonly number[]): Promise<(MessageState | undefined)[]> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const states: (MessageState | undefined)[] = []
        for (const place of places) states.push(await readStateAt(view, place))
        return states
      }),

    /** The message as it came; undefined if it was purged meanwhile. */
    raw: (mailboxId: string, state: MessageState): Promise<Buffer | undefined> =>
      unlessPurged(mailboxId, state, raws.read(mailboxId, state)),

    /** Its header section with the line that ends it; undefined if it was purged meanwhile. */
    header: (mailboxId: string, state: MessageState): Promise<Buffer | undefined> =>
      unlessPurged(mailboxId, state, raws.header(mailboxId, state)),
    draftRaw: deps.draftRaw,

    /**
     * UIDs that left a folder after a modseq, and before the view; undefined if that is not known any more: then all that are not in the view have.
     */
    vanished: (mailboxId: string, view: FolderView, after: number): Promise<number[] | undefined> =>
      store.read(foldersPartition(mailboxId), async (index) => {
        const { number, vanishedFrom } = view.row
        if (after < vanishedFrom) return undefined
        const range = { gte: vanishedKey(number, after + 1), lt: vanishedRange(number).lt }
        const uids: number[] = []
        for (const [, row] of await index.range({ ...range, limit: MAX_ROWS }))
          for (const [uid, modseq] of unpackVanished(row))
            // One that has left since the view is told as gone from what it shows.
            if (modseq > after && modseq <= view.modseq) uids.push(uid)
        return uids.sort((a, b) => a - b)
      }),

    create,

    /** Renames the folder and those below it: their messages get another label. @throws ServiceError `not_found`, `invalid_request`, `name_taken` */
    async rename(mailboxId: string, given: string, newName: string): Promise<void> {
      const folder = await must(mailboxId, given)
      const [from, to] = [folder.name, withInbox(newName)]
      if (labelOf(folder.key) === undefined) throw unfit('Folders of the service keep their names.')
      const problem = problemOfName(to)
      if (problem !== undefined) throw unfit(problem)
      if (to.startsWith(from + DELIMITER)) throw unfit('A folder cannot be below itself.')
      const all = await list(mailboxId)
      const moved = all.filter(({ name }) => name === from || name.startsWith(from + DELIMITER))
      const others = all.filter((each) => !moved.includes(each))
      const names = moved.map((each) => to + each.name.slice(from.length))
      for (const name of names)
        if (others.some((each) => each.name.toLowerCase() === name.toLowerCase())) throw taken(name)
      const used = new Set(others.flatMap(({ key }) => labelOf(key) ?? []))
      const renamed = moved.map(({ key, row, name: before }, i) => {
        const name = names[i] ?? to
        const label = labelForName(name, used)
        used.add(label)
        return { key, number: row.number, name, label, before, leaves: labelOf(key) ?? '' }
      })
      // All have their new names at once; their messages follow.
      await enterNames(mailboxId, renamed)
      for (const { number, label, leaves } of renamed)
        if (label !== leaves)
          await changes.relabelAll(mailboxId, number, { addLabels: [label], removeLabels: [leaves] })
      const kept = new Set(renamed.map(({ label }) => label))
      await store.write(foldersPartition(mailboxId), (tx) => {
        for (const { key, leaves } of renamed) if (!kept.has(leaves)) tx.delete(nameKey(key))
      })
    },

    /** Takes the label off all its messages; those in no other folder are in Archive then. @throws ServiceError `not_found`, `invalid_request` */
    async remove(mailboxId: string, name: string): Promise<void> {
      const folder = await must(mailboxId, name)
      const label = labelOf(folder.key)
      if (label === undefined) throw unfit('Folders of the service stay.')
      await changes.relabelAll(mailboxId, folder.row.number, { removeLabels: [label] })
      await store.write(foldersPartition(mailboxId), (tx) => tx.delete(nameKey(folder.key)))
    },

    /** @throws ServiceError `not_found` */
    async subscribe(mailboxId: string, name: string, subscribed: boolean): Promise<void> {
      const { key } = await must(mailboxId, name)
      await setName(mailboxId, key, ({ unsubscribed: _before, ...row }) =>
        subscribed ? row : { ...row, unsubscribed: true },
      )
    },
  }

  async function unlessPurged(
    mailboxId: string,
    state: MessageState,
    reading: Promise<Buffer>,
  ): Promise<Buffer | undefined> {
    try {
      return await reading
    } catch (error) {
      const now = await store.read(mailboxPartition(mailboxId), (view) => readStateAt(view, state.seq))
      if (now) throw error
      return undefined
    }
  }
}

const tooMany = (): ServiceError =>
  new ServiceError(
    'limit_reached',
    `A mailbox has at most ${MAX_LABEL_FOLDERS} folders.`,
    'Remove folders or labels that are not used any more.',
  )

const calledSo = (
  { name: _name, renamedFrom: _before, ...row }: NameRow,
  label: string,
  name: string,
  renamedFrom: string | undefined,
): NameRow => ({
  ...row,
  created: true,
  ...(renamedFrom !== undefined && { renamedFrom }),
  ...(name === label ? {} : { name }),
})

/** Rows of vanished UIDs that are kept at most, and some. */
const MAX_ROWS = 4000

const unfit = (problem: string): ServiceError =>
  new ServiceError('invalid_request', problem, 'Choose another folder or name.')

const taken = (name: string): ServiceError =>
  new ServiceError(
    'name_taken',
    `There is a folder ${name} already; capitals make no difference.`,
    'Choose another name.',
  )
