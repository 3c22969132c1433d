/** Words written so that programs don't find them, said plainly here by patterns: reading by hand gives the same, for any text. */
import t from 'tap'
import fc from 'fast-check'
import { withJoinedLetters, withoutLeet } from '../../../src/guard/reading/letters.js'

const APART =
  /(?<![\p{L}\p{N}@/:.\-_])\p{L}([ .\-_*·|\u2022~^+\\])(?:\p{L}\1){2,60}\p{L}(?![\p{L}\p{N}@/\-_]|\.\p{L})/gu
const MIXED = /\b[a-z]{1,12}[0134578$@!|][a-z0134578$@!|]{1,12}/g
const BETWEEN_LETTERS = /[a-z][0134578$@!|]{1,3}[a-z]/
const WORDS: Record<string, string> = { passw0rd: 'password', acc0unt: 'account', l0gin: 'login', 'cl!ck': 'click' }

const textOf = (...more: string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.constantFrom(
        'a',
        'b',
        'y',
        '1',
        '5',
        '$',
        '!',
        '|',
        ' ',
        ' ',
        '.',
        '-',
        '_',
        '\n',
        'é',
        '7',
        '/',
        '@',
        ...more,
      ),
      { maxLength: 14 },
    ) // prettier-ignore
    .map((parts) => parts.join(''))

t.test('letters set apart are joined wherever they stand', async (t) => {
  let joined = 0
  const texts = textOf('p a y p a l', 'v.e.r.i.f.y', '\u{1d41a} \u{1d41b} \u{1d41c} \u{1d41d}', '\u{1d41a}', '·', '  ')
  fc.assert(
    fc.property(texts, (text) => {
      let words = 0
      const wanted = text.replace(APART, (word, sign: string) => {
        words++
        return word.split(sign).join('')
      })
      joined += words
      t.same(withJoinedLetters(text), { text: wanted, words })
    }),
    { numRuns: 3000, seed: 4 },
  )
  t.ok(joined > 100, 'and some were')
})

t.test('digits for letters are read in the words of lures alone', async (t) => {
  let read = 0
  fc.assert(
    fc.property(textOf(...Object.keys(WORDS), 'abcdefghijkl', 'm'), (text) => {
      const { text: plain, words } = withoutLeet(text)
      read += words
      t.ok(words === 0 || BETWEEN_LETTERS.test(text), text)
      t.equal(words === 0, plain === text, text)
      t.ok(words <= (text.match(MIXED)?.length ?? 0), text)
    }),
    { numRuns: 3000, seed: 4 },
  )
  t.ok(read > 100, 'and some were')
  for (const [written, meant] of Object.entries(WORDS)) {
    t.same(withoutLeet(`your ${written}, now`), { text: `your ${meant}, now`, words: 1 })
    t.same(withoutLeet(`x@${written} /${written} é${written}`), {
      text: `x@${written} /${written} é${written}`,
      words: 0,
    })
  }
})
