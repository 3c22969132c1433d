import t from 'tap'
import { addressKey, parseAddress } from '../../src/mime/address.js'
import { readAddresses, readMessageId, readReferences } from '../../src/mime/addresses.js'
import { hasUtf8Address } from '../../src/mime/parse/parse.js'

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
    ['пример@Example.org', 'пример@example.org', ''],
    ['José <josé@bücher.example>', 'josé@xn--bcher-kva.example', 'José'],
    ['"josé pérez"@example.org', '"josé pérez"@example.org', ''],
    ['用户.名@example.org', '用户.名@example.org', ''],
    ['jose\u0301@example.org', 'jos\u00e9@example.org', ''],
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
    ...['group: ada@example.com;', 'ada@example.com (comment)', 'Ada <ada@example.com', 'Ada "x <ada@example.com>'],
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

t.test('a local part beyond ASCII has 64 octets at most', async (t) => {
  t.ok(parseAddress(`${'é'.repeat(32)}@example.org`))
  t.ok(parseAddress(`${'e\u0301'.repeat(32)}@example.org`), 'as NFC writes it')
  t.equal(parseAddress(`${'é'.repeat(33)}@example.org`), undefined)
  const long = `${`${'x'.repeat(60)}.`.repeat(3)}example.org`
  t.ok(parseAddress(`${'é'.repeat(29)}@${long}`))
  t.equal(parseAddress(`${'é'.repeat(30)}@${long}`), undefined, '254 octets in all')
})

t.test('what a reader takes for the start of an encoded word is refused beside letters beyond ASCII', async (t) => {
  t.equal(parseAddress('=?8?Q?é@example.org'), undefined)
  t.equal(parseAddress('"=?utf-8?Q? é"@example.org'), undefined)
  t.equal(parseAddress('=?8?Q?e@example.org')?.address, '=?8?Q?e@example.org')
})

t.test('characters that mislead are refused in a local part', async (t) => {
  const misleading = [
    ...['\u0085', '\u009f', '\u00a0', '\u00ad', '\u061c', '\u200b', '\u200d', '\u200e', '\u202e', '\u2028', '\u2066'],
    ...['\u3000', '\ufeff', '\ufff9', '\ue000', '\u0378', '\ud800', '\u{e0041}', '\u212a', '\u037e', '\u1fef'],
  ]
  for (const one of misleading) {
    const shown = `U+${(one.codePointAt(0) ?? 0).toString(16)}`
    t.equal(parseAddress(`ж${one}ж@example.org`), undefined, shown)
    t.equal(parseAddress(`"ж${one}ж"@example.org`), undefined, `${shown} in quotes`)
  }
})

t.test('two spellings of one address have one key', async (t) => {
  t.equal(addressKey('Ada@Example.com'), addressKey('ada@example.com'))
  t.equal(addressKey('JOSE\u0301@example.org'), addressKey('jos\u00e9@Example.org'))
  t.equal(addressKey('ПРИМЕР@example.org'), addressKey('пример@example.org'))
  t.not(addressKey('josé@example.org'), addressKey('jose@example.org'))
  t.not(addressKey('\u0430da@example.org'), addressKey('ada@example.org'), 'a look-alike')
  t.not(addressKey('\u212aate@example.org'), addressKey('kate@example.org'), 'the Kelvin sign is no k')
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

t.test('an address beyond ASCII is found in the fields that have addresses', async (t) => {
  const has = (header: string): boolean => hasUtf8Address(Buffer.from(`${header}\r\n\r\njosé@example.org\r\n`))
  t.ok(has('From: a@x.example\r\nTo: José <b@x.example>,\r\n josé@example.org'))
  t.ok(has('Resent-To: пример@example.org'))
  t.notOk(
    has('From: José <b@x.example>\r\nSubject: Grüße an josé@example.org'),
    'names and text need no more than 8 bits',
  )
  t.notOk(has('To: a@bücher.example'), 'a domain has a form in ASCII')
  t.notOk(has('From: =?utf-8?q?jos=C3=A9=40example.org=2C?= <a@x.example>\r\nX-Name: é'), 'an encoded name')
  t.notOk(has('To: a@x.example'))
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
