import t from 'tap'
import { decode, encode, key } from '../../src/store/keys.js'
import { createStore } from '../../src/store/store.js'
import type { Store, View } from '../../src/store/types.js'
import { createWatched, openFollowed } from '../../src/store/watched.js'
import { memoryEngine } from '../support/store/memory-engine.js'

const WORD = key('word')
const put = (store: Store, word: string): Promise<void> => store.write('words', (tx) => tx.put(WORD, encode(word)))

function counting() {
  const reads: string[] = []
  return {
    reads,
    async read(view: View): Promise<string> {
      const bytes = await view.get(WORD)
      const word = bytes ? decode<string>(bytes) : 'none'
      reads.push(word)
      return word
    },
  }
}

for (const wholeStore of [true, false])
  t.test(
    `what another node commits is in the next value${wholeStore ? '' : ', also without a newest version'}`,
    async (t) => {
      const engine = memoryEngine({ wholeStore })
      const [own, other] = [createStore(engine), createStore(engine)]
      const { reads, read } = counting()
      const word = createWatched({ store: own, partition: 'words', read })
      t.equal(await word(), 'none')
      await put(other, 'one')
      t.equal(await word(), 'one')
      await other.write('others', (tx) => tx.put(WORD, encode('else')))
      t.equal(await word(), 'one')
      t.strictSame(reads, ['none', 'one'], 'it is read again only after a change')
    },
  )

t.test('what nobody changes is at once', async (t) => {
  const store = createStore(memoryEngine())
  const word = createWatched({ store, partition: 'words', read: counting().read })
  await put(store, 'one')
  await word()
  await word()
  t.equal(word(), 'one')
})

t.test('a followed value follows the commits of others by itself, until it is stopped', async (t) => {
  const engine = memoryEngine()
  const [own, other] = [createStore(engine), createStore(engine)]
  const { read } = counting()
  const word = await openFollowed({ store: own, partition: 'words', read, onError: (error) => t.fail(String(error)) })
  t.equal(word.latest, 'none')
  await put(other, 'one')
  while (word.latest !== 'one') await new Promise((resolve) => setImmediate(resolve))
  await put(own, 'two')
  t.equal(await word.get(), 'two')
  t.equal(word.latest, 'two')
  word.stop()
  await put(other, 'three')
  t.equal(await word.get(), 'three')
})

t.test('a look that fails is reported, and the last value stays', async (t) => {
  const engine = memoryEngine()
  const [own, other] = [createStore(engine), createStore(engine)]
  const errors: unknown[] = []
  const hook = { fails: false }
  const { read } = counting()
  const word = await openFollowed({
    store: own,
    partition: 'words',
    read: async (view) => {
      if (hook.fails) throw new Error('no answer')
      return read(view)
    },
    onError: (error) => errors.push(error),
  })
  t.teardown(() => word.stop())
  hook.fails = true
  await put(other, 'one')
  while (errors.length === 0) await new Promise((resolve) => setImmediate(resolve))
  t.match(errors[0], { message: 'no answer' })
  t.equal(word.latest, 'none')
  await t.rejects(async () => word.get(), /no answer/)
})
