import t from 'tap'
import {
  countField,
  hasHeader,
  headerLength,
  prependFields,
  removeAuthenticationResults,
} from '../../src/mime/headers.js'
import { lines } from './support.js'

t.test('fields are put on top and nothing else changes', async (t) => {
  const raw = lines('From: a@x.example', '', 'body \xff')
  const out = prependFields(raw, ['Received: from a\r\n\tby b', 'X-Y: z\r\n'])
  t.equal(out.toString(), `Received: from a\r\n\tby b\r\nX-Y: z\r\n${raw.toString()}`)
})

t.test('results that claim to be ours are removed, those of others stay', async (t) => {
  const raw = lines(
    'Received: x',
    'Authentication-Results: mx.example.org; spf=pass',
    'authentication-results : (a (b\\)) c) MX.Example.Org 1;',
    '\tdkim=pass',
    'Authentication-Results: "mx.example.org"; none',
    'Authentication-Results: other.example; dkim=fail',
    'Authentication-Results: mx.example.org.evil.example; spf=pass',
    'Authentication-Results:',
    ' mx.example.org; none',
    'Subject: Authentication-Results: mx.example.org',
    '',
    'Authentication-Results: mx.example.org; in the body',
  )
  t.equal(
    removeAuthenticationResults(raw, 'mx.example.org').toString(),
    lines(
      'Received: x',
      'Authentication-Results: other.example; dkim=fail',
      'Authentication-Results: mx.example.org.evil.example; spf=pass',
      'Subject: Authentication-Results: mx.example.org',
      '',
      'Authentication-Results: mx.example.org; in the body',
    ).toString(),
  )
  const clean = lines('From: a@x.example', '', 'x')
  t.equal(removeAuthenticationResults(clean, 'mx.example.org'), clean, 'no copy when there is nothing to do')
})

t.test('fields are counted in the header alone', async (t) => {
  const raw = lines('Received: a', ' b', 'received: c', 'Subject: x', ' Received: folded', '', 'Received: body')
  t.equal(countField(raw, 'Received'), 2)
  t.equal(countField(raw, 'From'), 0)
  t.equal(countField(Buffer.from('Received: a\nReceived: b\n\nReceived: c'), 'received'), 2)
  t.equal(countField(Buffer.alloc(0), 'received'), 0)
  t.equal(countField(Buffer.from('Subject: x\r\nno colon\r\nReceived: a'), 'received'), 1)
  t.equal(countField(Buffer.from('no colon\r\nReceived: a'), 'received'), 0, 'all text')
})

t.test('a message without a header keeps its first line, under a blank line', async (t) => {
  const field = ['Received: by mx.test']
  const cases: [raw: string, wanted: string][] = [
    ['Subject: a\r\n\r\nb', 'Received: by mx.test\r\nSubject: a\r\n\r\nb'],
    ['Subject : a\r\n\r\nb', 'Received: by mx.test\r\nSubject : a\r\n\r\nb'],
    ['\r\nb', 'Received: by mx.test\r\n\r\nb'],
    ['Just words.\r\nb: c\r\n', 'Received: by mx.test\r\n\r\nJust words.\r\nb: c\r\n'],
    [' folded\r\nb: c\r\n', 'Received: by mx.test\r\n\r\n folded\r\nb: c\r\n'],
    [': no name\r\n', 'Received: by mx.test\r\n\r\n: no name\r\n'],
    ['', 'Received: by mx.test\r\n'],
  ]
  for (const [raw, wanted] of cases) t.equal(prependFields(Buffer.from(raw), field).toString(), wanted)
  t.equal(
    hasHeader(Buffer.from('From carol Thu Jan  1 00:00:00 2026\r\nSubject: a\r\n')),
    true,
    'as from a mailbox file',
  )
  const text = Buffer.from('Words.\r\nAuthentication-Results: mx.test; spf=pass\r\n')
  t.equal(removeAuthenticationResults(text, 'mx.test'), text, 'the text is left alone')
})

t.test('the header ends at the first empty line, whatever the line ends', async (t) => {
  const length = (text: string): number => headerLength(Buffer.from(text))
  t.equal(length('A: b\r\n\r\nbody'), 8)
  t.equal(length('A: b\n\nbody'), 6)
  t.equal(length('\r\nbody'), 2)
  t.equal(length('\nbody'), 1)
  t.equal(length('A: b\r\n'), 6)
  t.equal(length(''), 0)
  t.equal(length('Words at once.\r\n\r\nMore of them: some.\r\n'), 0, 'there is none')
})

t.test('fields put on a message without a header leave its text in the body', async (t) => {
  const prepend = (text: string) => prependFields(Buffer.from(text), ['A: b']).toString()
  t.equal(prepend('Hello there,\r\nhow are you?\r\n'), 'A: b\r\n\r\nHello there,\r\nhow are you?\r\n')
  t.equal(prepend('\r\nbody'), 'A: b\r\n\r\nbody')
  t.equal(
    prepend('From a@x.example Mon Jan  1 00:00:00 2026\r\nC: d\r\n'),
    'A: b\r\nFrom a@x.example Mon Jan  1 00:00:00 2026\r\nC: d\r\n',
  )
  t.equal(prepend('C : d\r\n\r\n'), 'A: b\r\nC : d\r\n\r\n')
})
