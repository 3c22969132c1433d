/** The folders of a mailbox for mail programs. Every call sees what the mailbox has at that moment. */
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { encode } from '../../store/keys.js'
import { readValue } from '../../store/values.js'
import type { Blobs, Store } from '../../store/types.js'
import { bodyKey, foldersPartition, mailboxPartition } from '../keys.js'
import type { MessageState } from '../message.js'
import { readStateAt, readStatesAt } from '../message-rows.js'
import type { RawStore } from '../raw.js'
import { createFolderChanges, noSuchFolder } from './changes.js'
import { type FolderKey, labelFolder, labelOf } from './folder.js'
import { nameKey, type NameRow, readIndex, unpackVanished, vanishedKey, vanishedRange } from './index-rows.js'
import { createFolderLists, type ListedFolder } from './listing.js'
import { DELIMITER, labelForName, problemOfName, systemFolder, withInbox } from './names.js'
import { IndexWriter, MAX_LABEL_FOLDERS } from './index-writer.js'
import { createFolderSync } from './sync.js'
import { createFolderViews, type FolderView } from './view.js'
import { createFolderWatch, type FolderMoment } from './watch.js'

export interface FoldersDeps {
  store: Store
  blobs: Pick<Blobs, 'delete'>
  raws: Pick<RawStore, 'read' | 'header'>
  clock: Clock
  /** A draft as a message. @throws ServiceError `not_found`; `unavailable` if it changed meanwhile */
  draftRaw: (mailboxId: string, draftId: string) => Promise<Buffer>
}

export type Folders = ReturnType<typeof createFolders>

export function createFolders(deps: FoldersDeps) {
  const { store, raws } = deps
  const sync = createFolderSync(deps)
  const views = createFolderViews(store)
  const listed = createFolderLists(store)
  const changes = createFolderChanges({ ...deps, sync, views })

  async function list(mailboxId: string): Promise<readonly ListedFolder[]> {
    await sync.sync(mailboxId)
    return listed(mailboxId)
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
    ...createFolderWatch(store, moment),
    list,
    find,

    /** The key of a folder; undefined if there is no such folder. Nothing is read for one of the service. */
    findKey: async (mailboxId: string, name: string): Promise<FolderKey | undefined> =>
      systemFolder(name) ?? (await find(mailboxId, name))?.key,

    /** The folder as it is now; undefined if there is no such folder any more. */
    async view(mailboxId: string, number: number): Promise<FolderView | undefined> {
      await sync.sync(mailboxId)
      return views.view(mailboxId, number)
    },

    /** The messages of some entries; those that were purged meanwhile are left out. */
    messages: (mailboxId: string, places: readonly number[]): Promise<(MessageState | undefined)[]> =>
      store.read(mailboxPartition(mailboxId), (view) => readStatesAt(view, places)),

    /** The message as it came; undefined if it was purged meanwhile. */
    raw: (mailboxId: string, state: MessageState): Promise<Buffer | undefined> =>
      unlessPurged(mailboxId, state, raws.read(mailboxId, state)),

    /** Their header sections with the lines that end them; undefined for a message that was purged meanwhile. Those that are rows are read at once. */
    async headers(mailboxId: string, states: readonly (MessageState | undefined)[]): Promise<(Buffer | undefined)[]> {
      const inRows = states.flatMap((state) => (state?.rawIn === 'store' ? [state] : []))
      const rows = await store.read(mailboxPartition(mailboxId), (view) =>
        view.getMany(inRows.map(({ seq }) => bodyKey(seq))),
      )
      const bodies = new Map(inRows.map((state, i) => [state, rows[i]]))
      return Promise.all(
        states.map(
          (state) => state && unlessPurged(mailboxId, state, raws.header(mailboxId, state, bodies.get(state))),
        ),
      )
    },
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
