import t from 'tap'
import { authenticationResults } from '../../src/authentication/results-field.js'

t.test('results are written one a line, each with its properties', async (t) => {
  const text = authenticationResults('mx.example', [
    { method: 'spf', result: 'pass', properties: [['smtp.mailfrom', 'a@b.example']] },
    { method: 'dkim', result: 'fail', reason: 'bad "signature"', properties: [['header.d', 'b.example']] },
  ])
  t.equal(
    text,
    'mx.example;\r\n spf=pass smtp.mailfrom=a@b.example;\r\n dkim=fail reason="bad \\"signature\\"" header.d=b.example',
  )
  t.equal(authenticationResults('mx.example', []), 'mx.example; none')
})

t.test('what a stranger wrote can neither end the field nor add a result', async (t) => {
  const write = (value: string): string =>
    authenticationResults('mx.example', [{ method: 'spf', result: 'fail', properties: [['smtp.mailfrom', value]] }])
  const evil = [
    'a\r\nX: y@b.example',
    'a; dkim=pass@b.example',
    'a@b.example; dkim=pass',
    '"@b.example',
    'a(b@c.example',
    '\0',
  ]
  for (const value of evil) {
    const text = write(value)
    t.equal(text.split('\r\n').length, 2, text)
    t.match(text, /^mx\.example;\r\n spf=fail smtp\.mailfrom=(?:"(?:[^"\\]|\\.)*"(?:@[a-z.]+)?|[^\s";()]+)$/, text)
  }
  t.match(write('"quoted local"@b.example'), /mailfrom="quoted local"@b\.example$/)
  t.match(write('jörg@b.example'), /mailfrom="jörg"@b\.example$/)
})

t.test('lines are folded, and what cannot be folded is left out', async (t) => {
  const long = 'l'.repeat(60)
  const text = authenticationResults('mx.example', [
    {
      method: 'dkim',
      result: 'pass',
      properties: [
        ['header.d', `${long}.example`],
        ['header.s', long],
        ['header.b', 'x'.repeat(2000)],
      ],
    },
  ])
  t.ok(text.split('\r\n').every((line) => line.length <= 90))
  t.notMatch(text, /header\.b/)
})
