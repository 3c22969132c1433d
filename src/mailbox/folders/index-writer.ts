/** Changes of the folder index within one transaction: which messages enter, change in or leave which folders. Pages are written once, at the end. */
import { encode } from '../../store/keys.js'
import { allIn } from '../../store/pages.js'
import type { Transaction } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { DELETED, MAX_KEYWORDS, SEEN } from './flags.js'
import { type Entry, Page, packPage, pageOf } from './entries.js'
import { type FolderKey, labelOf } from './folder.js'
import {
  folderRowKey,
  type FolderRow,
  type FolderUid,
  type IndexRow,
  indexRowKey,
  nameKey,
  type NameRow,
  newFolder,
  nextValidity,
  packUids,
  packVanished,
  pageKey,
  putFolderRow,
  readFolderRows,
  seqInVanishedKey,
  uidsKey,
  unpackUids,
  unpackVanished,
  type Vanished,
  vanishedKey,
  vanishedRange,
  type Written,
} from './index-rows.js'
import { mailboxIdOf } from './names.js'

/** Folders of labels beyond these are not made: an agent may give every message a label of its own. */
export const MAX_LABEL_FOLDERS = 500
/** Rows of vanished UIDs kept for a folder; of older ones programs are told all UIDs that are not there. */
const MAX_VANISHED_ROWS = 2000
/** Writes of pages that are noted in a folder's row, and pages of each: a view that is older, or after a larger change, reads all pages. */
const NOTED_WRITES = 16
const NOTED_PAGES = 8

/** What a folder has of a message; the flags of `\Deleted` are the folder's own. */
export type EntryContent = Omit<Entry, 'uid' | 'modseq'>

/** A page is unpacked when one of its entries changes or leaves; new entries are put behind the others as these are stored. */
interface OpenPage {
  folder: number
  page: number
  /** As stored; undefined once `entries` has it. */
  row: Uint8Array | undefined
  /** All entries, or those that were added to `row`. */
  entries: Entry[]
}

export class IndexWriter {
  readonly #tx: Transaction
  readonly index: IndexRow
  readonly #now: number
  readonly #folders = new Map<number, FolderRow>()
  readonly #byKey = new Map<FolderKey, FolderRow>()
  readonly #changed = new Set<FolderRow>()
  readonly #pages = new Map<string, OpenPage>()
  readonly #touched = new Set<string>()
  readonly #vanished = new Map<number, Vanished[]>()
  /** All folders are in use, as far as this transaction looks. */
  #isFull = false

  constructor(tx: Transaction, index: IndexRow, folders: readonly FolderRow[], now: number) {
    this.#tx = tx
    this.index = index
    this.#now = now
    for (const folder of folders) this.#add(folder)
  }

  static async open(tx: Transaction, index: IndexRow, now: number): Promise<IndexWriter> {
    return new IndexWriter(tx, index, await readFolderRows(tx), now)
  }

  folder(folderKey: FolderKey): FolderRow | undefined {
    return this.#byKey.get(folderKey)
  }

  /** The folder, made if it is not there; undefined if there are too many. */
  async need(folderKey: FolderKey): Promise<FolderRow | undefined> {
    const known = this.#byKey.get(folderKey)
    if (known) return known
    if (this.#folders.size >= MAX_LABEL_FOLDERS && !(await this.#dropUnused())) return undefined
    this.index.validity = nextValidity(this.index.validity, this.#now)
    const folder = newFolder(this.index.nextFolder++, folderKey, this.index.validity)
    this.#add(folder)
    this.#changed.add(folder)
    return folder
  }

  /**
   * Gives folders the ids of those that are renamed to them (RFC 8474 §4.1). Each gets a new UIDVALIDITY, since its UIDs are of other messages than those of
   * its name before.
   */
  passIds(renamed: readonly { from: FolderKey; to: FolderKey }[]): void {
    const ids = new Map<FolderKey, string>()
    for (const { from, to } of renamed) {
      const row = this.#byKey.get(from)
      if (row) ids.set(to, mailboxIdOf(row))
    }
    for (const folderKey of new Set(renamed.flatMap(({ from, to }) => [from, to]))) {
      const folder = this.#byKey.get(folderKey)
      if (!folder) continue
      this.index.validity = nextValidity(this.index.validity, this.#now)
      folder.validity = this.index.validity
      const id = ids.get(folderKey)
      if (id === undefined) delete folder.id
      else folder.id = id
      this.#changed.add(folder)
    }
  }

  /** Gives every folder a new UIDVALIDITY: programs forget what they know. */
  revalidate(): void {
    this.index.validity = nextValidity(this.index.validity, this.#now)
    for (const folder of this.#folders.values()) {
      folder.validity = this.index.validity
      delete folder.id
      this.#changed.add(folder)
    }
  }

  /** The bits of some keywords. Those beyond the table's size have none. */
  keywordBits(names: readonly string[]): readonly [number, number] {
    const bits: [number, number] = [0, 0]
    for (const name of names) {
      let bit = this.index.keywords.indexOf(name)
      if (bit === -1) {
        if (this.index.keywords.length >= MAX_KEYWORDS) continue
        bit = this.index.keywords.push(name) - 1
      }
      const word = bit < 32 ? 0 : 1
      bits[word] = (bits[word] | (1 << (bit % 32))) >>> 0
    }
    return bits
  }

  /**
   * Enters what became of the message at a place: what each of its folders has of it; nothing if it is gone. One with folders of which none can be made, as
   * there are too many, is in Archive until it changes when there is room.
   *
   * @param ofArchive what Archive then has of it
   * @param modseq number of the last event about it
   * @returns its UIDs
   */
  async place(
    place: number,
    now: ReadonlyMap<FolderKey, EntryContent>,
    modseq: number,
    ofArchive?: EntryContent,
  ): Promise<readonly FolderUid[]> {
    const row = await this.#tx.get(uidsKey(place))
    const before = row ? unpackUids(row) : []
    const after: FolderUid[] = []
    const known = new Set<FolderKey>()
    let archived: { folder: FolderRow; uid: number } | undefined
    for (const [number, uid] of before) {
      const folder = this.#folders.get(number)
      const content = folder && now.get(folder.key)
      if (!folder) continue
      if (!content && folder.key === 'archive') {
        archived = { folder, uid }
        continue
      }
      if (!content) {
        await this.leave(folder, uid, modseq)
        continue
      }
      known.add(folder.key)
      after.push([number, uid])
      await this.change(folder, uid, content, modseq)
    }
    for (const [folderKey, content] of now) {
      if (known.has(folderKey)) continue
      const folder = await this.need(folderKey)
      if (folder) after.push([folder.number, await this.enter(folder, content, modseq)])
    }
    const isNowhere = after.length === 0 && now.size > 0 && ofArchive !== undefined
    if (archived && !isNowhere) await this.leave(archived.folder, archived.uid, modseq)
    if (archived && isNowhere) {
      after.push([archived.folder.number, archived.uid])
      await this.change(archived.folder, archived.uid, ofArchive, modseq)
    }
    const archive = isNowhere && !archived ? await this.need('archive') : undefined
    if (archive && ofArchive) after.push([archive.number, await this.enter(archive, ofArchive, modseq)])
    if (after.length === 0) {
      if (row) this.#tx.delete(uidsKey(place))
    } else if (
      after.length !== before.length ||
      after.some(([folder, uid], i) => folder !== before[i]?.[0] || uid !== before[i][1])
    )
      this.#tx.put(uidsKey(place), packUids(after))
    return after
  }

  /** Adds an entry. @returns its UID */
  async enter(folder: FolderRow, content: EntryContent, modseq: number): Promise<number> {
    const uid = folder.uidNext++
    const { entries } = await this.#open(folder, uid)
    entries.push({ uid, ...content, modseq })
    this.#count(folder, content, 1)
    this.#touch(folder, uid, modseq)
    return uid
  }

  /** Changes an entry, if anything changes. */
  async change(folder: FolderRow, uid: number, content: EntryContent, modseq: number): Promise<void> {
    const entries = await this.#page(folder, uid)
    const at = entries.findIndex((entry) => entry.uid === uid)
    const before = entries[at]
    if (!before) throw new Error(`The folder index lacks UID ${uid} of ${folder.key}`)
    if (
      before.flags === content.flags &&
      before.keywords[0] === content.keywords[0] &&
      before.keywords[1] === content.keywords[1] &&
      before.size === content.size &&
      before.date === content.date
    )
      return
    this.#count(folder, before, -1)
    this.#count(folder, content, 1)
    entries[at] = { uid, ...content, modseq }
    this.#touch(folder, uid, modseq)
  }

  async entry(folder: FolderRow, uid: number): Promise<Entry | undefined> {
    return (await this.#page(folder, uid)).find((entry) => entry.uid === uid)
  }

  async leave(folder: FolderRow, uid: number, modseq: number): Promise<void> {
    const entries = await this.#page(folder, uid)
    const at = entries.findIndex((entry) => entry.uid === uid)
    const [before] = at === -1 ? [] : entries.splice(at, 1)
    if (!before) throw new Error(`The folder index lacks UID ${uid} of ${folder.key}`)
    this.#count(folder, before, -1)
    const vanished = this.#vanished.get(folder.number) ?? []
    vanished.push([uid, modseq])
    this.#vanished.set(folder.number, vanished)
    this.#touch(folder, uid, modseq)
  }

  changed(folder: FolderRow): void {
    this.#changed.add(folder)
  }

  /** Writes all that changed. */
  async finish(): Promise<void> {
    const written = new Map<number, number[]>()
    for (const { folder, page, row, entries } of this.#pages.values()) {
      if (!this.#touched.has(`${folder} ${page}`)) continue
      written.set(folder, [...(written.get(folder) ?? []), page])
      const packed = packPage(entries)
      if (row) this.#tx.put(pageKey(folder, page), Buffer.concat([row, packed]))
      else if (entries.length > 0) this.#tx.put(pageKey(folder, page), packed)
      else this.#tx.delete(pageKey(folder, page))
    }
    for (const [number, vanished] of this.#vanished) {
      const folder = this.#folders.get(number)
      if (!folder) continue
      const row = vanishedKey(number, Math.max(...vanished.map(([, modseq]) => modseq)))
      const known = await this.#tx.get(row)
      this.#tx.put(row, packVanished([...(known ? unpackVanished(known) : []), ...vanished]))
      if (!known) folder.vanishedRows++
      if (folder.vanishedRows > MAX_VANISHED_ROWS) await this.#trim(folder)
    }
    for (const [number, pages] of written) {
      const folder = this.#folders.get(number)
      if (folder) note(folder, pages)
    }
    for (const folder of this.#changed) putFolderRow(this.#tx, folder)
    this.#tx.put(indexRowKey, encode(this.index))
  }

  #touch(folder: FolderRow, uid: number, modseq: number): void {
    folder.changed = Math.max(folder.changed, modseq)
    this.#touched.add(`${folder.number} ${pageOf(uid)}`)
    this.#changed.add(folder)
  }

  async #page(folder: FolderRow, uid: number): Promise<Entry[]> {
    const open = await this.#open(folder, uid)
    if (open.row) {
      open.entries = [...new Page(open.row).entries(), ...open.entries]
      open.row = undefined
    }
    return open.entries
  }

  async #open(folder: FolderRow, uid: number): Promise<OpenPage> {
    const page = pageOf(uid)
    const name = `${folder.number} ${page}`
    const known = this.#pages.get(name)
    if (known) return known
    const open = { folder: folder.number, page, row: await this.#tx.get(pageKey(folder.number, page)), entries: [] }
    this.#pages.set(name, open)
    return open
  }

  #count(folder: FolderRow, { flags, size }: Pick<Entry, 'flags' | 'size'>, by: 1 | -1): void {
    folder.exists += by
    folder.bytes += by * size
    if ((flags & SEEN) === 0) folder.unseen += by
    if ((flags & DELETED) !== 0) folder.deleted += by
    this.#changed.add(folder)
  }

  #add(folder: FolderRow): void {
    const { written } = folder
    // A write that was not noted counts, so that no view takes pages over across it.
    if (written && written.upTo !== folder.changed) folder.written = { ...UNWRITTEN, times: written.times + 1 }
    this.#folders.set(folder.number, folder)
    this.#byKey.set(folder.key, folder)
  }

  /** Drops a folder of a label that no message has any more, unless a program made it. @returns false if there is none */
  async #dropUnused(): Promise<boolean> {
    if (this.#isFull) return false
    for (const folder of this.#folders.values()) {
      if (folder.exists > 0 || labelOf(folder.key) === undefined) continue
      if ((await readValue<NameRow>(this.#tx, nameKey(folder.key)))?.created) continue
      for (const [row] of await allIn(this.#tx, vanishedRange(folder.number))) this.#tx.delete(row)
      this.#tx.delete(folderRowKey(folder.number))
      this.#folders.delete(folder.number)
      this.#byKey.delete(folder.key)
      this.#changed.delete(folder)
      return true
    }
    this.#isFull = true
    return false
  }

  /** Drops the older half of a folder's vanished UIDs. */
  async #trim(folder: FolderRow): Promise<void> {
    const half = MAX_VANISHED_ROWS / 2
    for (const [row] of await this.#tx.range({ ...vanishedRange(folder.number), limit: half })) {
      this.#tx.delete(row)
      folder.vanishedRows--
      folder.vanishedFrom = Math.max(folder.vanishedFrom, seqInVanishedKey(row))
    }
  }
}

function note(folder: FolderRow, pages: readonly number[]): void {
  const { times, last } = folder.written ?? UNWRITTEN
  const noted = pages.length > NOTED_PAGES ? [] : [...last, pages].slice(-NOTED_WRITES)
  folder.written = { times: times + 1, upTo: folder.changed, last: noted }
}

const UNWRITTEN: Written = { times: 0, upTo: 0, last: [] }
