/**
 * A folder at one moment: its entries by UID and by sequence number. Immutable and shared by all sessions that look at the same moment; a session that waits keeps only
 * the UIDs (uid-set.ts).
 */
import { decode } from '../../store/keys.js'
import { allIn } from '../../store/pages.js'
import type { Store, View } from '../../store/types.js'
import { createMemory } from '../../store/versioned-cache.js'
import { type Entry, Page, pageOf } from './entries.js'
import type { FolderKey } from './folder.js'
import {
  draftUidsRange,
  type DraftUid,
  type FolderRow,
  pageInKey,
  pagesRange,
  readFolderRows,
  readIndex,
  textInKey,
} from './index-rows.js'
import { foldersPartition } from '../keys.js'
import { UidSet } from './uid-set.js'

/** Of all views kept; a folder of 100,000 messages takes 4 MB. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_BYTES_EACH = MAX_BYTES / 4
const BYTES_A_PAGE = 256

interface PlacedPage {
  /** Number of the page: its first UID divided by PAGE_UIDS. */
  number: number
  /** Messages before it. */
  before: number
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

  constructor(
    row: FolderRow,
    keywords: readonly string[],
    modseq: number,
    pages: readonly { number: number; page: Page }[],
    drafts: ReadonlyMap<number, string>,
  ) {
    this.row = row
    this.keywords = keywords
    this.modseq = modseq
    this.drafts = drafts
    let before = 0
    this.#pages = pages.map(({ number, page }) => {
      const placed = { number, before, page }
      before += page.count
      return placed
    })
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

  #pageOf(uid: number): PlacedPage | undefined {
    const number = pageOf(uid)
    let [low, high] = [0, this.#pages.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#pages[middle]?.number ?? 0) < number) low = middle + 1
      else high = middle
    }
    const placed = this.#pages[low]
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

export type FolderViews = ReturnType<typeof createFolderViews>

export function createFolderViews(store: Store) {
  const memory = createMemory<FolderView>({
    store,
    maxBytes: MAX_BYTES,
    maxBytesEach: MAX_BYTES_EACH,
    bytesOf: ({ bytes }) => bytes,
  })
  return {
    /** The folder as the index has it; undefined if there is no such folder. Sync first. */
    async view(mailboxId: string, number: number): Promise<FolderView | undefined> {
      const partition = foldersPartition(mailboxId)
      const missing = new Error('There is no such folder')
      try {
        return await memory.remember(partition, String(number), async () => {
          const view = await store.read(partition, (view) => readView(view, number))
          if (!view) throw missing
          return view
        })
      } catch (error) {
        if (error === missing) return undefined
        throw error
      }
    },

    /** All folders of the index. */
    rows: (mailboxId: string): Promise<{ rows: FolderRow[]; modseq: number }> =>
      store.read(foldersPartition(mailboxId), async (view) => ({
        rows: await readFolderRows(view),
        modseq: (await readIndex(view))?.seq ?? 0,
      })),
  }
}

export const highestModseq = ({ modseq = 0 }: FolderRow, seq: number): number => Math.max(modseq, seq)

async function readView(view: View, number: number): Promise<FolderView | undefined> {
  const index = await readIndex(view)
  const row = (await readFolderRows(view)).find((folder) => folder.number === number)
  if (!index || !row) return undefined
  const pages = (await allIn(view, pagesRange(number))).map(([key, value]) => ({
    number: pageInKey(key),
    page: new Page(value),
  }))
  return new FolderView(row, index.keywords, highestModseq(row, index.seq), pages, await draftsOf(view, row.key))
}

async function draftsOf(view: View, folder: FolderKey): Promise<ReadonlyMap<number, string>> {
  if (folder !== 'drafts') return new Map()
  const rows = await allIn(view, draftUidsRange)
  return new Map(rows.map(([key, value]) => [decode<DraftUid>(value).uid, textInKey(key)]))
}
