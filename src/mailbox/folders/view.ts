/**
 * A folder at one moment: its entries by UID. Immutable and shared by all sessions that look at the same moment; a session that waits keeps only the UIDs (uid-set.ts).
 * The next view has the pages of the last one but for those that were written since, so that a change in a large folder costs as much as in a small one.
 */
import { decode } from '../../store/keys.js'
import { allIn } from '../../store/pages.js'
import type { Store, View } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { createMemory } from '../../store/versioned-cache.js'
import { type Entry, Page, pageOf } from './entries.js'
import type { FolderKey } from './folder.js'
import {
  draftUidsRange,
  type DraftUid,
  type FolderRow,
  folderRowKey,
  pageInKey,
  pageKey,
  pagesRange,
  readIndex,
  textInKey,
} from './index-rows.js'
import { foldersPartition } from '../keys.js'
import { highestModseq } from './listing.js'
import { UidSet } from './uid-set.js'

/** Of all views kept; a folder of 100,000 messages takes 4 MB. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_BYTES_EACH = MAX_BYTES / 4
const BYTES_A_PAGE = 256

interface PlacedPage {
  /** Number of the page: its first UID divided by PAGE_UIDS. */
  number: number
  page: Page
}

export class FolderView {
  readonly row: Readonly<FolderRow>
  /** Names of the bits of `Entry.keywords`. */
  readonly keywords: readonly string[]
  /** No message has a higher modseq, and every later change will have one. */
  readonly modseq: number
  /** Ids of drafts by UID; empty but in Drafts. */
  readonly drafts: ReadonlyMap<number, string>
  readonly #pages: readonly PlacedPage[]
  #uids: UidSet | undefined

  /** @param before an earlier view of the folder */
  constructor(
    row: FolderRow,
    keywords: readonly string[],
    modseq: number,
    pages: readonly PlacedPage[],
    drafts: ReadonlyMap<number, string>,
    before?: FolderView,
  ) {
    this.row = row
    this.keywords = keywords
    this.modseq = modseq
    this.drafts = drafts
    this.#pages = pages
    // Without new ones, as many as before are the same.
    if (before && before.row.uidNext === row.uidNext && before.row.exists === row.exists) this.#uids = before.#uids
  }

  get exists(): number {
    return this.row.exists
  }

  get bytes(): number {
    return this.#pages.reduce((sum, { page }) => sum + page.bytes + BYTES_A_PAGE, BYTES_A_PAGE)
  }

  get uids(): UidSet {
    this.#uids ??= UidSet.ofRuns(this.#runs())
    return this.#uids
  }

  entry(uid: number): Entry | undefined {
    const placed = this.#pageOf(uid)
    if (!placed) return undefined
    const at = placed.page.find(uid)
    return at < placed.page.count && placed.page.uid(at) === uid ? placed.page.entry(at) : undefined
  }

  /** Entries by UID. @param changedSince only those with a higher modseq, without looking at pages that have none */
  *entries(changedSince = 0): Generator<Entry> {
    for (const { page } of this.#pages) {
      if (page.newest <= changedSince) continue
      for (let at = 0; at < page.count; at++) if (page.modseq(at) > changedSince) yield page.entry(at)
    }
  }

  /** UIDs of the entries with a higher modseq. */
  entriesAfter(modseq: number): ReadonlySet<number> {
    return new Set([...this.entries(modseq)].map(({ uid }) => uid))
  }

  /** All pages, by UID: for loops over what they have. */
  *pages(): Generator<Page> {
    for (const { page } of this.#pages) yield page
  }

  /** The pages with some of them written anew. @param written pages by number; undefined for one that is gone */
  pagesWith(written: readonly { number: number; page: Page | undefined }[]): PlacedPage[] {
    const pages = [...this.#pages]
    for (const { number, page } of written) {
      const at = placeIn(pages, number)
      const known = pages[at]?.number === number ? 1 : 0
      pages.splice(at, known, ...(page ? [{ number, page }] : []))
    }
    return pages
  }

  #pageOf(uid: number): PlacedPage | undefined {
    const number = pageOf(uid)
    const placed = this.#pages[placeIn(this.#pages, number)]
    return placed?.number === number ? placed : undefined
  }

  /** Most pages are one run. */
  *#runs(): Generator<[first: number, last: number]> {
    for (const { page } of this.#pages) {
      if (page.count === 0) continue
      const [first, last] = [page.uid(0), page.uid(page.count - 1)]
      if (last - first + 1 === page.count) yield [first, last]
      else for (let at = 0; at < page.count; at++) yield [page.uid(at), page.uid(at)]
    }
  }
}

/** Index of the page of this number or the next one. */
function placeIn(pages: readonly PlacedPage[], number: number): number {
  let [low, high] = [0, pages.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((pages[middle]?.number ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

export type FolderViews = ReturnType<typeof createFolderViews>

export function createFolderViews(store: Store) {
  const memory = createMemory<FolderView>({
    store,
    maxBytes: MAX_BYTES,
    maxBytesEach: MAX_BYTES_EACH,
    bytesOf: ({ bytes }) => bytes,
  })
  const last = createLast()
  return {
    /** The folder as the index has it; undefined if there is no such folder. Sync first. */
    async view(mailboxId: string, number: number): Promise<FolderView | undefined> {
      const partition = foldersPartition(mailboxId)
      const missing = new Error('There is no such folder')
      try {
        return await memory.remember(partition, String(number), async () => {
          const name = `${mailboxId} ${number}`
          const view = await store.read(partition, (view) => readView(view, number, last.get(name)))
          if (!view) throw missing
          last.keep(name, view)
          return view
        })
      } catch (error) {
        if (error === missing) return undefined
        throw error
      }
    },
  }
}

/** The last view of each folder, also when the folder has changed since. What was not looked at for longest is forgotten first. */
function createLast() {
  const views = new Map<string, FolderView>()
  let bytes = 0
  const forget = (name: string): void => {
    bytes -= views.get(name)?.bytes ?? 0
    views.delete(name)
  }
  return {
    get: (name: string): FolderView | undefined => views.get(name),
    keep(name: string, view: FolderView): void {
      forget(name)
      if (view.bytes > MAX_BYTES_EACH) return
      views.set(name, view)
      bytes += view.bytes
      for (const oldest of views.keys()) {
        if (bytes <= MAX_BYTES) break
        forget(oldest)
      }
    },
  }
}

/** @param before an earlier view of the folder, whose pages are taken over where they are known to be the same */
async function readView(view: View, number: number, before: FolderView | undefined): Promise<FolderView | undefined> {
  const index = await readIndex(view)
  const row = await readValue<FolderRow>(view, folderRowKey(number))
  if (!index || !row) return undefined
  const modseq = highestModseq(row, index.seq)
  const drafts = await draftsOf(view, row.key)
  const written = before && writtenSince(before.row, row)
  if (!before || !written) return new FolderView(row, index.keywords, modseq, await allPages(view, number), drafts)
  const rows = await view.getMany(written.map((page) => pageKey(number, page)))
  const pages = written.map((page, i) => ({ number: page, page: rows[i] && new Page(rows[i]) }))
  return new FolderView(row, index.keywords, modseq, before.pagesWith(pages), drafts, before)
}

/** Numbers of the pages that were written since; undefined if that is not known. */
function writtenSince(before: FolderRow, now: FolderRow): number[] | undefined {
  if (!before.written || now.written?.upTo !== now.changed || before.validity !== now.validity) return undefined
  const { times, last } = now.written
  const since = times - before.written.times
  return since < 0 || since > last.length ? undefined : [...new Set(last.slice(last.length - since).flat())]
}

const allPages = async (view: View, number: number): Promise<PlacedPage[]> =>
  (await allIn(view, pagesRange(number))).map(([key, value]) => ({ number: pageInKey(key), page: new Page(value) }))

async function draftsOf(view: View, folder: FolderKey): Promise<ReadonlyMap<number, string>> {
  if (folder !== 'drafts') return new Map()
  const rows = await allIn(view, draftUidsRange)
  return new Map(rows.map(([key, value]) => [decode<DraftUid>(value).uid, textInKey(key)]))
}
