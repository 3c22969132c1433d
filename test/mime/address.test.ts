import t from 'tap'
import { addressKey, parseAddress } from '../../src/mime/address.js'
import { readAddresses, readMessageId, readReferences } from '../../src/mime/addresses.js'

t.test('an address is taken as people write it', async (t) => {
  const cases: [string, string, string][] = [
    ['ada@example.com', 'ada@example.com', ''],
    [' Ada@EXAMPLE.com ', 'Ada@example.com', ''],
    ['Ada Lovelace <ada@example.com>', 'ada@example.com', 'Ada Lovelace'],
    ['"Lovelace, Ada" <ada@example.com>', 'ada@example.com', 'Lovelace, Ada'],
    ['"say \\"hi\\"" <ada@example.com>', 'ada@example.com', 'say "hi"'],
    ['<ada+tag@example.com>', 'ada+tag@example.com', ''],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example', ''],
    ['"ada lovelace"@example.com', '"ada lovelace"@example.com', ''],
    ['Jürgen <j@example.com>', 'j@example.com', 'Jürgen'],
  ]
  for (const [text, address, name] of cases) t.strictSame(parseAddress(text), { address, name }, text)
})

t.test('what is no address, or more than one, is refused', async (t) => {
  const cases = [
    ...[
      '',
      'ada',
      'ada@',
      '@example.com',
      'ada@example',
      'ada@127.0.0.1',
      'ada@[127.0.0.1]',
      'ada@0x7f.1',
      'a@b@example.com',
    ],
    ...[
      'ada @example.com',
      'ada@exa mple.com',
      'a..b@example.com',
      '.a@example.com',
      'a.@example.com',
      'ada@-x.example',
      'ada@x_y.example',
    ],
    ...[
      'ada@example.com, bob@example.com',
      'ada@example.com\r\nBcc: bob@example.com',
      'Ada\n <ada@example.com>',
      'ada@example.com\0',
    ],
    ...[
      'group: ada@example.com;',
      'ada@example.com (comment)',
      'Ada <ada@example.com',
      'Ada "x <ada@example.com>',
      'jürgen@example.com',
    ],
    ...[
      '\u202emoc.example <ada@example.com>',
      `${'a'.repeat(65)}@example.com`,
      `a@${'x'.repeat(64)}.com`,
      'ada@example..com',
      'ada@exam%70le.com',
    ],
    `a@${`${'x'.repeat(60)}.`.repeat(4)}example.com`,
  ]
  for (const text of cases) t.equal(parseAddress(text), undefined, JSON.stringify(text))
})

t.test('two spellings of one address have one key', async (t) => {
  t.equal(addressKey('Ada@Example.com'), addressKey('ada@example.com'))
})

t.test('address fields are read whatever their form', async (t) => {
  const names = (value: string) => readAddresses([value]).addresses.map(({ address, name }) => `${name}|${address}`)
  t.strictSame(names('Ada <ada@Example.COM>, bob@example.com'), ['Ada|ada@example.com', '|bob@example.com'])
  t.strictSame(names('friends: Ada <a@x.example>, b@x.example;'), ['Ada|a@x.example', '|b@x.example'])
  t.strictSame(names('=?utf-8?Q?Doe=2C_J=C3=BCrgen?= <j@x.example>'), ['Doe, Jürgen|j@x.example'])
  t.strictSame(names('=?utf-8?Q?a=0D=0ABcc=3A_x=40y.example?= <j@x.example>'), ['a Bcc: x@y.example|j@x.example'])
  t.strictSame(names('undisclosed-recipients:;'), [])
  t.strictSame(names('no address here'), [])
  t.strictSame(names('x@bücher.example'), ['|x@xn--bcher-kva.example'])
})

t.test('a list of recipients is cut off, and still counted', async (t) => {
  const list = readAddresses([Array.from({ length: 700 }, (_, i) => `u${i}@x.example`).join(', ')])
  t.equal(list.addresses.length, 500)
  t.equal(list.count, 700)
})

t.test('message ids are read with and without brackets', async (t) => {
  t.equal(readMessageId('<a@b>'), 'a@b')
  t.equal(readMessageId(' (comment) <a@b> '), 'a@b')
  t.equal(readMessageId('a@b'), 'a@b')
  t.equal(readMessageId('<a@\r\n b>'), 'a@b')
  t.equal(readMessageId('your message of Monday'), null)
  t.equal(readMessageId(''), null)
  t.equal(readMessageId(`<${'x'.repeat(999)}@b>`), null)
})

t.test('of too many references the first and the last ones stay', async (t) => {
  const ids = readReferences([Array.from({ length: 300 }, (_, i) => `<${i}@x>`).join(' ')])
  t.equal(ids.length, 100)
  t.equal(ids[0], '0@x')
  t.equal(ids[1], '201@x')
  t.equal(ids.at(-1), '299@x')
  t.strictSame(readReferences(['<a@x> <b@x> <a@x>']), ['a@x', 'b@x'])
})
