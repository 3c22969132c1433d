import t from 'tap'
import { type Entry, entriesOf, entriesWith, packChunks } from '../../../src/mailbox/search/chunks.js'
import { pick, randomFrom } from '../../support/random.js'

t.test('entries whose word has some characters, as all entries say', async (t) => {
  const random = randomFrom(5)
  // Lists have the same octets as words do, and lengths too.
  const octet = (): number => pick(random, [1, 2, 97, 98, 99, 3, 200])
  const word = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(random, ['a', 'b', 'c', '\x02', ':'])).join('')
  for (let round = 0; round < 60; round++) {
    const words = [...new Set(Array.from({ length: 300 }, word))].sort()
    const entries = words.map((each): Entry => ({
      word: each,
      postings: Array.from({ length: Math.floor(random() * (round % 3 === 0 ? 300 : 8)) }, octet),
    }))
    const chunks = [...packChunks(entries)]
    for (const part of ['a', 'ab', 'abc', '\x02', 'b\x02', 'zz', word()]) {
      const bytes = Buffer.from(part, 'latin1')
      const shown = ({ word, postings }: Entry): [string, number[]] => [word, Array.from(postings)]
      const found = chunks.flatMap((chunk) => [...entriesWith(chunk.bytes, bytes)].map(shown))
      const wanted = chunks.flatMap((chunk) =>
        [...entriesOf(chunk.bytes)].filter((entry) => entry.word.includes(part)).map(shown),
      )
      t.same(found, wanted, JSON.stringify(part))
    }
  }
})
