/** Words are read by hand as fast as can be; what they are is said here by patterns, and must not change under a trained model. */
import t from 'tap'
import fc from 'fast-check'
import { tokensOf } from '../../src/guard/model/tokens.js'
import { BAD } from './bad.js'
import { LEGITIMATE } from './legitimate.js'

const ADDRESS =
  /(?:https?\s{0,2}:\s{0,2}\/\s{0,2}\/\s{0,2}|\bwww\s{0,2}\.\s{0,2})[\p{L}\p{N}_-]{1,100}(?:\s?[./?=&_%:~#+-]{1,3}\s?[\p{L}\p{N}_%-]{1,200}){0,40}/gu
const MAILBOX = /[\w.+-]{1,64}\s?@\s?[\w-]{1,63}(?:\s?\.\s?[\w-]{1,63}){1,5}/g
const TOKEN = /\u0001[um]|[\p{L}\p{M}]+|\p{N}+|[$€£¥%!?]/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

function byPatterns(text: string, most: number): string[] {
  const plain = text.replace(ADDRESS, ' \u0001u ').replace(MAILBOX, ' \u0001m ')
  return [...plain.matchAll(TOKEN)]
    .flatMap(([token]) => {
      if (UNSPACED.test(token)) return [...token]
      return [/^\p{N}/u.test(token) ? '0'.repeat(Math.min(token.length, 5)) : token.slice(0, 24)]
    })
    .slice(0, most)
}

const PARTS = [
  ...[
    'http',
    'https',
    'www',
    'wwww',
    ':',
    '/',
    '//',
    '.',
    '@',
    ' ',
    '  ',
    '\n',
    '-',
    '_',
    '+',
    '%',
    '!',
    '$',
    '€',
    'a',
    'um',
    'ana',
  ],
  ...[
    'example.com',
    'https://x.example/a?b=c',
    'www.x.example',
    'ana@example.com',
    'ana @ x . org',
    'a'.repeat(70),
    '7',
    '12345678',
  ],
  ...[
    'é',
    'e\u0301',
    'ж',
    'ß',
    '日本',
    '\u3007',
    'ไทย',
    '\u0967',
    '\u00b2',
    '\u0001',
    '\u0001u',
    '\u0001m',
    '\u{1d51e}',
    '\u{20000}',
    '\ud800',
    '\udc00',
    '\u{1f600}',
    '\u00a0',
  ],
]

t.test('words, addresses and numbers are read as the patterns say', async (t) => {
  const texts = fc.oneof(
    fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ maxLength: 200 }),
  )
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 60 }), (text, most) => {
      t.same(tokensOf(text, most), byPatterns(text, most))
    }),
    { numRuns: 5000, seed: 11 },
  )
})

t.test('real mail is read as the patterns say', async (t) => {
  for (const [, { subject, text }] of [...BAD, ...LEGITIMATE]) {
    const all = `${subject} ${text}`.toLowerCase()
    t.same(tokensOf(all, 1200), byPatterns(all, 1200))
  }
})

t.test('marks of addresses that go on without end are read as the patterns say', async (t) => {
  for (const part of ['www', 'http', 'http:', 'a@', '@', 'a.', 'https://a.', 'x @ y . ']) {
    const text = part.repeat(4000)
    t.same(tokensOf(text, 1200), byPatterns(text, 1200), part)
  }
})
