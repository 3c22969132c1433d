/** Mailbox names in modified UTF-7 (RFC 3501 §5.1.3) and UTF-8. */
import t from 'tap'
import { encodeMailbox, readMailbox, readMailboxPattern } from '../../../src/imap/wire/mailbox-name.js'
import { decodeModifiedUtf7, encodeModifiedUtf7 } from '../../../src/imap/wire/modified-utf7.js'
import { BadCommand } from '../../../src/imap/wire/refusal.js'
import { Scanner } from '../../../src/imap/wire/scanner.js'
import { below, randomFrom } from '../../support/random.js'
import { segmentsOf } from '../reading.js'

const SEED = 20_261_127

const NAMES: [name: string, encoded: string][] = [
  ['', ''],
  ['INBOX', 'INBOX'],
  ['~peter/mail/台北/日本語', '~peter/mail/&U,BTFw-/&ZeVnLIqe-'],
  ['Entwürfe', 'Entw&APw-rfe'],
  ['A&B', 'A&-B'],
  ['&&', '&-&-'],
  ['é&', '&AOk-&-'],
  ['Отправленные', '&BB4EQgQ,BEAEMAQyBDsENQQ9BD0ESwQ1-'],
  ['😀', '&2D3eAA-'],
  ['a b*%"\\', 'a b*%"\\'],
]

t.test('names are encoded and decoded', async (t) => {
  for (const [name, encoded] of NAMES) {
    t.equal(encodeModifiedUtf7(name), encoded)
    t.equal(decodeModifiedUtf7(encoded), name)
  }
})

t.test('each name has one encoding: others are refused', async (t) => {
  const wrong = {
    'an open shift': 'A&B',
    'a shift at the end': 'A&',
    'a printable character that is encoded': '&AGE-',
    'an ampersand that is encoded': '&ACY-',
    'two shifts where one would do': '&U,BTFw-&ZeVnLIqe-',
    padding: '&AOk=-',
    'bits left over': '&AOl-',
    'half a character': '&AO-',
    'a slash of base64': '&U/BTFw-',
    'half of a surrogate pair': '&2D0-',
    '8-bit': 'Entw\u00fcrfe',
    'a control character': 'a\tb',
  }
  for (const [why, encoded] of Object.entries(wrong)) t.equal(decodeModifiedUtf7(encoded), undefined, why)
})

t.test('any text comes back', async (t) => {
  const random = randomFrom(SEED)
  const alphabet = ['a', '&', '-', '/', ',', '+', 'é', '台', '😀', ' ', '\u00ff', 'Z']
  for (let n = 0; n < 2000; n++) {
    const name = Array.from({ length: below(random, 12) }, () => alphabet[below(random, alphabet.length)]).join('')
    t.equal(decodeModifiedUtf7(encodeModifiedUtf7(name)), name)
  }
})

function read(text: string, { utf8 = false, pattern = false } = {}): string {
  const scanner = new Scanner(segmentsOf(`a ${text}\r\n`), { utf8, maxRanges: 1 })
  scanner.space()
  const name = pattern ? readMailboxPattern(scanner) : readMailbox(scanner)
  scanner.end()
  return name
}

t.test('INBOX is INBOX in any case, and nothing else is', async (t) => {
  t.equal(read('inbox'), 'INBOX')
  t.equal(read('"InBoX"'), 'INBOX')
  t.equal(read('{5+}\r\niNBOX'), 'INBOX')
  t.equal(read('inbox/x'), 'inbox/x')
  t.equal(read('inbox', { pattern: true }), 'inbox')
})

t.test('which encoding a name has depends on what is enabled', async (t) => {
  t.equal(read('Entw&APw-rfe'), 'Entwürfe')
  t.equal(read('Entw&APw-rfe', { utf8: true }), 'Entw&APw-rfe')
  t.equal(read('"Entwürfe"', { utf8: true }), 'Entwürfe')
  t.equal(read('{9+}\r\nEntwürfe', { utf8: true }), 'Entwürfe')
  t.equal(read('"A&B"', { utf8: true }), 'A&B')
  t.equal(read('Entw&APw-r*', { pattern: true }), 'Entwür*')
  t.equal(encodeMailbox('Entwürfe', { utf8: true }), 'Entwürfe')
  t.equal(encodeMailbox('Entwürfe', { utf8: false }), 'Entw&APw-rfe')
})

t.test('bad names are refused with the reason', async (t) => {
  const cases: [string, boolean, RegExp][] = [
    ['"A&B"', false, /not modified UTF-7, at column 3/],
    ['"Entwürfe"', false, /8-bit/],
    ['{9+}\r\nEntwürfe', false, /not modified UTF-7/],
    ['&AAA-', false, /control characters/],
    ['"a\tb"', true, /control characters/],
    ['"a\u2028b"', true, /control characters/],
    [`"${'x'.repeat(1001)}"`, true, /more than 1000 octets/],
    ['a*', false, /expected the end/],
    ['(a)', false, /expected a mailbox name/],
  ]
  for (const [text, utf8, why] of cases) {
    try {
      t.fail(JSON.stringify(read(text, { utf8 })))
    } catch (error) {
      t.ok(error instanceof BadCommand && why.test(error.refusal.text), String(why))
    }
  }
})
