/** The pieces of the search index, against a plain map that holds the same. */
import fc from 'fast-check'
import t from 'tap'
import { entriesOf, findInChunk, packChunks, wordOf } from '../../../src/mailbox/search/chunks.js'
import { lastAtMost, packSeqs, rebased, unpackSeqs } from '../../../src/mailbox/postings.js'
import { unpackMessage } from '../../../src/mailbox/message-rows.js'
import { hasWord } from '../../../src/mailbox/search/conditions.js'
import { readIndex } from '../../../src/mailbox/search/index-reader.js'
import {
  addWords,
  mergeSome,
  newIndex,
  putIndexRow,
  readIndexRow,
  readSegments,
  segmentOf,
} from '../../../src/mailbox/search/segments.js'
import { createStore } from '../../../src/store/store.js'
import { prefixRange } from '../../../src/store/keys.js'
import type { Store, View } from '../../../src/store/types.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

const MAILBOX = 'mbx_test'
const PARTITION = 'search/mbx_test'

/** One more segment of the index, of whatever time. */
async function add(store: Store, words: Map<string, number[]>): Promise<void> {
  const segment = segmentOf(words, { oldest: 0, newest: 0 })
  if (!segment) return
  await store.write(PARTITION, async (tx) => {
    putIndexRow(tx, await addWords(tx, (await readIndexRow(tx)) ?? newIndex(1), segment))
  })
}

/** The newest message at or before a place that has a word, and what it cost to find it. */
async function newestWith(
  view: View,
  word: string,
  atMost: number,
  prefix = false,
): Promise<{ seq: number | undefined; cost: number }> {
  const reader = await readIndex(view, MAILBOX, new Map(), unpackMessage)
  const condition = hasWord({ word, prefix })
  for (let at = atMost; ;) {
    const answer = await condition(reader, at)
    if (!answer || answer.sure) return { seq: answer?.seq, cost: reader.cost }
    if (answer.seq >= at) throw new Error('An answer that is not sure has to be nearer to the end')
    at = answer.seq
  }
}

t.test('a list of messages is found again at every place, however far apart they are', async (t) => {
  const seqs = fc.uniqueArray(fc.oneof(fc.nat(300), fc.maxSafeNat()), { minLength: 1, maxLength: 70 })
  fc.assert(
    fc.property(seqs, fc.maxSafeNat(), (unordered, other) => {
      const list = unordered.sort((a, b) => a - b)
      const [first = 0] = list
      for (const base of [0, first]) {
        const packed = Uint8Array.from(packSeqs(base, list))
        if (unpackSeqs(base, packed).join() !== list.join()) return false
        for (const place of [...list, ...list.map((seq) => seq + 1), other]) {
          if (lastAtMost(unpackSeqs(base, packed), place) !== list.findLast((seq) => seq <= place)) return false
        }
      }
      return true
    }),
    { numRuns: 300 },
  )
  t.pass()
})

t.test('a list of messages is the same held from an earlier base', async (t) => {
  const seqs = fc.uniqueArray(fc.oneof(fc.nat(300), fc.maxSafeNat()), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(seqs, fc.maxSafeNat(), (unordered, before) => {
      const list = unordered.sort((a, b) => a - b)
      const [first = 0] = list
      const base = before % (first + 1)
      const moved = Uint8Array.from(rebased(Uint8Array.from(packSeqs(first, list)), first, base))
      return unpackSeqs(base, moved).join() === list.join()
    }),
    { numRuns: 300 },
  )
  t.pass()
})

t.test('words of any script come back from their rows, in the order of keys', async (t) => {
  const tokens = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), { maxLength: 200 })
  fc.assert(
    fc.property(tokens, fc.nat(400), (all, size) => {
      const words = [...new Set(all.map(wordOf))].sort()
      const octets = words.map((word) => Buffer.from(word, 'latin1'))
      if (octets.some((word, i) => i > 0 && Buffer.compare(octets[i - 1] ?? word, word) >= 0)) return false
      const postings = new Array<number>(size).fill(7)
      const chunks = [...packChunks(words.map((word) => ({ word, postings })))]
      const back = chunks.flatMap(({ bytes }) => [...entriesOf(bytes)])
      return (
        back.map(({ word }) => word).join('\n') === words.join('\n') &&
        back.every((entry) => entry.postings.length === size) &&
        chunks.every(({ first, bytes }) => findInChunk(bytes, first)?.length === size) &&
        chunks.every(
          ({ bytes }) =>
            findInChunk(bytes, 'not a word of theirs, which are shorter than this sentence is') === undefined,
        )
      )
    }),
    { numRuns: 100 },
  )
  t.pass()
})

/** What the index should say. */
class Model {
  readonly lists = new Map<string, Set<number>>()

  add(words: Map<string, number[]>): void {
    for (const [word, seqs] of words) {
      const list = this.lists.get(word) ?? new Set()
      for (const seq of seqs) list.add(seq)
      this.lists.set(word, list)
    }
  }

  newest(word: string, atMost: number): number | undefined {
    const seqs = [...(this.lists.get(word) ?? [])].filter((seq) => seq <= atMost)
    return seqs.length === 0 ? undefined : Math.max(...seqs)
  }

  newestWithPrefix(prefix: string, atMost: number): number | undefined {
    const words = [...this.lists.keys()].filter((word) => word.startsWith(prefix))
    const newest = words.flatMap((word) => this.newest(word, atMost) ?? [])
    return newest.length === 0 ? undefined : Math.max(...newest)
  }
}

async function rows(store: Store): Promise<number> {
  return (await store.read(PARTITION, (view) => view.range({ ...prefixRange('chunk'), limit: 10_000 }))).length
}

t.test('pieces added and merged in any order say what a plain map says', async (t) => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'ß', '京'), minLength: 1, maxLength: 3 })
  const message = fc.record({ words: fc.uniqueArray(letters, { minLength: 1, maxLength: 12 }), skip: fc.nat(3) })
  const batch = fc.record({
    messages: fc.array(message, { maxLength: 6 }),
    merge: fc.boolean(),
    shuffled: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 30 }), async (batches) => {
      const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
      const model = new Model()
      let seq = 1
      for (const { messages, merge, shuffled } of batches) {
        const words = new Map<string, number[]>()
        const from = shuffled ? Math.max(1, seq - 3) : seq
        messages.forEach((one, i) => {
          seq = Math.max(seq, from + i) + one.skip + 1
          for (const word of one.words.map(wordOf)) words.set(word, [...(words.get(word) ?? []), seq])
        })
        model.add(words)
        await add(store, words)
        if (merge) await mergeSome(store, PARTITION)
      }
      await store.read(PARTITION, async (view) => {
        for (let atMost = 0; atMost <= seq + 1; atMost++) {
          for (const word of [...model.lists.keys(), 'nowhere']) {
            const { seq: found } = await newestWith(view, word, atMost)
            if (found !== model.newest(word, atMost)) throw new Error(`${word} at ${atMost}: ${found}`)
          }
          for (const prefix of ['', 'a', 'ab', 'ß', '京', 'nowhere'].map(wordOf)) {
            const { seq: found } = await newestWith(view, prefix, atMost, true)
            if (found !== model.newestWithPrefix(prefix, atMost)) throw new Error(`${prefix}* at ${atMost}: ${found}`)
          }
        }
      })
      await store.close()
    }),
    { numRuns: 25 },
  )
  t.pass()
})

t.test(
  'many small pieces become few, nothing is left of those that were merged, and a word costs few reads',
  async (t) => {
    const store = createStore(memoryEngine({ lateness: 0, conflicts: 0 }))
    t.teardown(() => store.close())
    const count = 700
    for (let seq = 1; seq <= count; seq++) {
      const words = ['every', `only${seq}`, ...Array.from({ length: 20 }, (_, i) => `w${(seq * 31 + i * 7) % 997}`)]
      await add(store, new Map(words.map((word) => [word, [seq]])))
      while (await mergeSome(store, PARTITION));
    }
    const segments = await store.read(PARTITION, readSegments)
    t.ok(segments.length < 40, `${segments.length} segments`)
    const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0)
    t.equal(
      await rows(store),
      await store.read(PARTITION, async (view) => {
        let chunks = 0
        for (const { id } of segments)
          chunks += (await view.range({ ...prefixRange('chunk', id), limit: 10_000 })).length
        return chunks
      }),
    )
    t.ok((await rows(store)) < bytes / 4_000 + 3 * segments.length, 'rows are full')
    await store.read(PARTITION, async (view) => {
      t.ok((await newestWith(view, 'every', count)).cost < 3, 'a common word is in the first piece looked at')
      const rare = await newestWith(view, 'only1', count)
      t.equal(rare.seq, 1)
      t.ok(rare.cost <= segments.length + 2)
    })
  },
)

t.test('two who merge at once, or merge while a piece is added, lose nothing', async (t) => {
  const store = createStore(memoryEngine({ lateness: 3, conflicts: 0.1 }))
  t.teardown(() => store.close())
  const model = new Model()
  const work: Promise<unknown>[] = []
  for (let seq = 1; seq <= 60; seq++) {
    const words = new Map([
      [`w${seq % 7}`, [seq]],
      [`x${seq}`, [seq]],
    ])
    model.add(words)
    work.push(add(store, words))
    if (seq % 9 === 0) work.push(mergeSome(store, PARTITION), mergeSome(store, PARTITION))
  }
  await Promise.all(work)
  while (await mergeSome(store, PARTITION));
  await store.read(PARTITION, async (view) => {
    for (const word of model.lists.keys()) {
      t.equal((await newestWith(view, word, 1000)).seq, model.newest(word, 1000), word)
    }
  })
})
