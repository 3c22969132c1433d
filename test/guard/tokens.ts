/** How words are read, said by patterns, and texts to read them from. */
import fc from 'fast-check'

const ADDRESS =
  /(?:https?\s{0,2}:\s{0,2}\/\s{0,2}\/\s{0,2}|\bwww\s{0,2}\.\s{0,2})[\p{L}\p{N}_-]{1,100}(?:\s?[./?=&_%:~#+-]{1,3}\s?[\p{L}\p{N}_%-]{1,200}){0,40}/gu
const MAILBOX = /[\w.+-]{1,64}\s?@\s?[\w-]{1,63}(?:\s?\.\s?[\w-]{1,63}){1,5}/g
const TOKEN = /\u0001[um]|[\p{L}\p{M}]+|\p{N}+|[$€£¥%!?]|[.:;](?=[ \t-\r]|$)|\u3002/gu
const STOP = /[.:;\u3002]/
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

export function byPatterns(text: string, most: number): string[] {
  const plain = text.replace(ADDRESS, ' \u0001u ').replace(MAILBOX, ' \u0001m ')
  const tokens = [...plain.matchAll(TOKEN)].map(([token]) => (STOP.test(token) ? '.' : token))
  const first = tokens.findIndex((token) => token !== '.')
  return (first === -1 ? [] : tokens.slice(first))
    .flatMap((token) => {
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
    '日。',
    ': ',
    '. ',
    '; ',
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

export const TEXTS = fc.oneof(
  fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ maxLength: 200 }),
)
