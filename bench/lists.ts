/**
 * Lists and searches in a mailbox of 1,000 messages, and of ten, a hundred (and a thousand) times as many: each is measured at each size, and the
 * ratio of the last to the first is what counts. Reads of the store are made on the thread that asks, so its CPU time is what a list takes when
 * nobody else is at work. `BENCH_MAILBOX` is the largest size (100000).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../src/lib/ids.js'
import { createIndexer } from '../src/mailbox/search/indexer.js'
import { createMatching } from '../src/mailbox/search/find-messages.js'
import { createMessageList } from '../src/mailbox/search/messages.js'
import { createMailbox } from '../src/mailbox/record.js'
import { createSearch } from '../src/mailbox/search/search.js'
import { createThreadList } from '../src/mailbox/reading/threads.js'
import type { MessageFilter } from '../src/mailbox/search/message-filter.js'
import { openLmdb } from '../src/store/engines/lmdb/lmdb.js'
import { createStore } from '../src/store/store.js'
import { createFiller } from './support/filling.js'
import { lengthOf } from './support/length.js'
import { median, table, type Row } from './support/table.js'

const SIZES = [1_000, 10_000, 100_000, 1_000_000]
const ROUNDS = lengthOf(100, 5)
const WARM_UP = lengthOf(50, 2)
const PAGE = 25

const LISTS: Record<string, MessageFilter> = {
  'all messages': {},
  'the unread ones (1 in 10)': { unread: true },
  'with a label (1 in 100)': { label: 'todo' },
  'of one author (1 in 500)': { from: 'author7@peer.example' },
  'with a file (1 in 20)': { hasAttachment: true },
  'before a time, in the middle of the mailbox': {},
  'search: two common words': { q: 'the and' },
  'search: a common word, of one author': { q: 'the from:author7@peer.example' },
  'search: a phrase of common words': { q: '"of the"' },
  'search: one word that only the 8th message has': { q: 'needle' },
  'search: a common word, without another': { q: 'the -and' },
}

export async function lists(): Promise<string> {
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'restante-bench-'))
  const store = createStore(openLmdb({ path: folder }))
  const sizes = SIZES.filter((size) => size <= lengthOf(100_000, 1_000, 'BENCH_MAILBOX'))
  try {
    const id = newId('mbx')
    const address = 'agent@agents.example'
    const about = { id, address, agentName: null, claimId: null, status: 'claimed' as const, accountId: newId('acc') }
    await createMailbox(store, { ...about, now: Date.UTC(2026, 0, 1) })
    const filler = await createFiller(store, id)
    const indexer = createIndexer({ store })
    const matching = createMatching({ store, indexer })
    const listMessages = createMessageList({ store, matching })
    const listThreads = createThreadList({ store, search: createSearch({ store, matching }) })
    const times = new Map<string, number[]>()
    const medians = new Map<string, number>()
    const measure = async (name: string, what: () => Promise<unknown>): Promise<void> => {
      for (let i = 0; i < WARM_UP; i++) await what()
      const taken: number[] = []
      const cpu = process.cpuUsage()
      for (let i = 0; i < ROUNDS; i++) {
        const begun = performance.now()
        await what()
        taken.push(performance.now() - begun)
      }
      const { user, system } = process.cpuUsage(cpu)
      times.set(name, [...(times.get(name) ?? []), (user + system) / 1000 / ROUNDS])
      medians.set(name, median(taken))
    }
    const indexing: number[] = []
    for (const size of sizes) {
      await filler.fillTo(size)
      const begun = performance.now()
      await indexer.indexMailbox(id)
      await indexer.mergeIndex(id)
      indexing.push(performance.now() - begun)
      const middle = Date.UTC(2026, 0, 1) + (size / 2) * 60_000
      for (const [name, filter] of Object.entries(LISTS)) {
        const asked = name.startsWith('before') ? { before: middle } : filter
        await measure(name, () => listMessages(id, { limit: PAGE, ...asked }))
      }
      await measure('threads: all', () => listThreads(id, { limit: PAGE }))
      await measure('threads: two common words', () => listThreads(id, { limit: PAGE, q: 'the and' }))
    }
    const shown = (ms: number): string => `${ms.toFixed(2)} ms`
    const rows = [...times].map(([what, ms]): Row => {
      const [first = Number.NaN] = ms
      return {
        what,
        value: ms.map(shown).join(', '),
        beside: `on the clock, at the end: ${shown(medians.get(what) ?? Number.NaN)}`,
        ratio: ((ms.at(-1) ?? Number.NaN) / first).toFixed(2),
      }
    })
    const indexed = `${((sizes.at(-1) ?? 0) / indexing.reduce((sum, ms) => sum + ms, 0)).toFixed(1)} messages/ms`
    const title = `Lists of ${PAGE} at ${sizes.map((size) => size.toLocaleString('en')).join(', ')} messages, CPU for each`
    return table(title, [...rows, { what: 'indexing, all sizes together', value: indexed }])
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}
