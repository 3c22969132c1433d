/** What the model sees of a message, said plainly here: the quick way has to give the same, or the weights no longer fit. */
import t from 'tap'
import fc from 'fast-check'
import { createExtractor, PIECE_PLACES, WORD_PLACES, type Features } from '../../src/guard/model/features.js'
import { TURN_PLACES } from '../../src/guard/model/turns.js'
import { withoutMarks } from '../../src/guard/text/confusables.js'
import { asciiWords, isByCharacter, plainByCharacter } from '../../src/guard/text/plain.js'
import { plainWords, readable } from '../../src/guard/text/text.js'
import { BAD } from './bad.js'
import { LEGITIMATE } from './legitimate.js'
import { tokenAt } from '../../src/guard/model/tokens.js'
import { byPatterns, TEXTS } from './tokens.js'

const grown = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193)

const hashOf = (text: string, seed: number): number =>
  [...text].flatMap((sign) => sign.split('')).reduce((hash, unit) => grown(hash, unit.charCodeAt(0)), seed)

function placeOf(text: string, seed: number, size: number): number {
  return spread(hashOf(text, seed)) % size
}

function spread(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** A word with one of the four before it but the last, and three in a row, each by its first five letters. */
function turnsOf(tokens: string[]): number[] {
  const hashes = tokens.map((token) => hashOf(token.slice(0, 5), 0x811c9dc5))
  return hashes.flatMap((word, i) => {
    const apart = [4, 3, 2]
      .filter((far) => i >= far)
      .map((far) => spread(Math.imul(hashes[i - far] ?? 0, 37) ^ word ^ 0x1b873593))
    const [first = 0, before = 0] = hashes.slice(Math.max(0, i - 2), i)
    const triple = spread(Math.imul(Math.imul(first, 31) ^ before, 31) ^ word ^ 0x3c6ef372)
    return [...apart, ...(i >= 2 ? [triple] : [])].map((place) => place % TURN_PLACES)
  })
}

function plainly(title: string, body: string): Features {
  const words = new Set<number>()
  const pieces = new Set<number>()
  const add = (token: string, before: string): void => {
    words.add(placeOf(token, 0x811c9dc5, WORD_PLACES))
    words.add(placeOf(`${before} ${token}`, 0x5bd1e995, WORD_PLACES))
    if (token.length < 3) return
    const marked = `<${token}>`
    for (let at = 0; at + 4 <= marked.length; at++)
      pieces.add(placeOf(marked.slice(at, at + 4), 0x27d4eb2f, PIECE_PLACES))
  }
  const reply = /^(?:\s{0,3}(?:re|fwd?|aw|wg|tr|rv|sv|vs|odp|res|enc)\s{0,2}:\s{0,3}){1,5}/
  const titleTokens = byPatterns(title.replace(reply, ''), 60)
  for (const [i, token] of titleTokens.entries()) add(token, titleTokens[i - 1] ?? '^')
  const bodyTokens = byPatterns(body, 1200)
  const beginnings: Features['beginnings'] = []
  for (const [i, token] of bodyTokens.entries()) {
    if ([50, 100, 200].includes(i) && bodyTokens.length >= 1.2 * i)
      beginnings.push({ words: words.size, pieces: pieces.size })
    add(token, bodyTokens[i - 1] ?? '^')
  }
  const turns = new Set([...turnsOf(titleTokens), ...turnsOf(bodyTokens)])
  return {
    words: Uint32Array.from(words),
    pieces: Uint32Array.from(pieces),
    turns: Uint32Array.from(turns),
    beginnings,
  }
}

const MAIL = [...BAD, ...LEGITIMATE].map(([, { subject, text }]) => ({
  title: plainWords(subject ?? ''),
  words: plainWords(text ?? ''),
}))

t.test('the features of mail are those that are said plainly, in their order', async (t) => {
  const { extract } = createExtractor()
  for (const mail of MAIL) t.same(extract(mail), plainly(mail.title, mail.words), mail.title)
  const all = MAIL.map(({ words }) => words).join(' ')
  t.same(extract({ title: all, words: all.repeat(3) }), plainly(all, all.repeat(3)), 'of a long one too')
})

t.test('and of any text', async (t) => {
  const { extract } = createExtractor()
  const long = fc.array(TEXTS, { maxLength: 30 }).map((parts) => parts.join(' '))
  fc.assert(
    fc.property(TEXTS, long, (title, words) => {
      t.same(extract({ title, words }), plainly(title, words))
    }),
    { numRuns: 500, seed: 6 },
  )
})

t.test('a word is named with its places', async (t) => {
  const { extract } = createExtractor()
  const named: string[] = []
  const turns: string[] = []
  extract({ title: 're: hello', words: 'see www.example.com 日本 1234567' }, (kind, place, spell) => {
    const name = spell()
    if (kind === 'turn') return void turns.push(name)
    const seed = kind === 'piece' ? 0x27d4eb2f : name.includes(' ') ? 0x5bd1e995 : 0x811c9dc5
    t.equal(place, placeOf(name, seed, kind === 'piece' ? PIECE_PLACES : WORD_PLACES), name)
    if (kind === 'word') named.push(name)
  })
  const address = '\u0001u'
  t.same(named, [
    ...['hello', '^ hello', 'see', '^ see', address, `see ${address}`, '日', `${address} 日`, '本', '日 本'],
    ...['00000', '本 00000'],
  ])
  t.same(turns.slice(0, 4), ['see … 日', `see ${address} 日`, 'see … 本', `${address} … 本`])
})

t.test('text in ASCII is made plain in one pass as it is in several', async (t) => {
  const ascii = fc.array(
    fc.constantFrom(
      ...['a', 'B', 'Z', '@', '[', ' ', '  ', '\n', '\t', '\r\n', '\v', '\f', '\u001c', '.', ',', ':', "'", '5'],
    ),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        ascii.map((parts) => parts.join('')),
        fc.string({ maxLength: 100 }),
      ),
      (text) => {
        const words = text.toLowerCase().replace(/\s+/g, ' ').trim()
        t.equal(asciiWords(text), words)
        t.equal(readable(text), words)
        // A character that is no letter makes it go the other way.
        t.equal(readable(`${text} \u2603`), `${words} \u2603`.trim())
      },
    ),
    { numRuns: 2000, seed: 8 },
  )
  t.equal(asciiWords('caf\u00e9'), undefined)
})

t.test('text of independent characters is made plain in one pass as it is in several', async (t) => {
  const some = fc.constantFrom(
    ...[
      'a',
      'B',
      ' ',
      '\n',
      'é',
      'Ü',
      'ß',
      'æ',
      'ł',
      '’',
      '–',
      '\u00a0',
      '\u00ad',
      '\u200b',
      '\ufe0f',
      '½',
      'ﬁ',
      'ﷺ',
      '日',
      'が',
      '가',
      '😀',
      '\u0001',
      'İ',
    ],
    ...['\u0301', 'ﾞ', 'ㅏ', 'а', 'ο', '\ud83d', '\u{1d41a}', '🅰', 'µ'],
  )
  let passed = 0
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ arbitrary: some, weight: 4 }, fc.string({ unit: 'grapheme', maxLength: 3 })), {
        maxLength: 8,
      }),
      (parts) => {
        const text = parts.join('')
        const plain = plainByCharacter(text)
        if (plain === undefined) return
        passed++
        t.equal(plain, withoutMarks(readable(text)))
        t.ok(isByCharacter(text))
      },
    ),
    { numRuns: 4000, seed: 8 },
  )
  t.ok(passed > 500, 'and some was')
  for (const depends of ['a\u0301', 'ｶﾞ', 'ᄀ', 'а', '\ud83d', '\u{1d41a}'])
    t.equal(plainByCharacter(depends), undefined)
})

t.test('a window of a message has the features that its words have alone', async (t) => {
  const read = createExtractor()
  const { extract } = createExtractor()
  const copyOf = ({ words, pieces, turns, beginnings }: Features): Features => ({
    words: words.slice(),
    pieces: pieces.slice(),
    turns: turns.slice(),
    beginnings,
  })
  let windows = 0
  for (const { title, words } of MAIL) {
    const all = copyOf(read.extract({ title, words }))
    const { body } = read
    const said = Array.from({ length: body.count }, (_, index) => tokenAt(body.tokens, index))
    const ranges = said
      .map((_, from) => ({ from, to: Math.min(said.length, from + 1 + (from % 90)) }))
      .filter(({ from }) => from % 7 === 0 && said[from] !== '.')
    // All before another text is read.
    const each = ranges.map((range) => copyOf(read.within(range)))
    t.same(copyOf(read.within({ from: 0, to: said.length })), all, `${title}: the whole, after its windows`)
    for (const [index, { from, to }] of ranges.entries()) {
      const alone = said.slice(from, to).join(' ')
      t.same(each[index], copyOf(extract({ title, words: alone })), `${title}: ${alone}`)
      windows++
    }
  }
  t.ok(windows > 100, `${windows} windows`)
})
