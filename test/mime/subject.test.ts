import t from 'tap'
import { baseSubject, forwardSubject, replySubject } from '../../src/mime/subject.js'

t.test('the marks of replies and forwards come off, in many languages', async (t) => {
  const cases = [
    ...[
      'Hello',
      'Re: Hello',
      'RE: re: Fwd: hello',
      'Re[2]: Hello',
      'Re (3): Hello',
      'AW: Hello',
      'Antw: Hello',
      'SV: Hello',
      'Odp: Hello',
      'RV: Hello',
    ],
    ...[
      'TR: Hello',
      'FW: Hello',
      'Fwd: [list] Re: Hello',
      '[list] Hello',
      'Re: [list] Hello (fwd)',
      '[Fwd: Hello]',
      'Re：Hello',
      'Отв: Hello',
      '回复: Hello',
    ],
    ...['  Re:   Hello  ', 'Re : Hello'],
  ]
  for (const subject of cases) t.equal(baseSubject(subject), 'hello', subject)
})

t.test('what only looks like a mark stays', async (t) => {
  t.equal(baseSubject('Report: Q3'), 'report: q3')
  t.equal(baseSubject('Rebecca: hello'), 'rebecca: hello')
  t.equal(baseSubject('Re: Re:'), '')
  t.equal(baseSubject('[list]'), '[list]')
  t.not(
    baseSubject('Re: [PROJ-17] Build failed'),
    baseSubject('[PROJ-18] Build failed'),
    'a tag with a number names a thing',
  )
})

t.test('our own marks are put on once', async (t) => {
  t.equal(replySubject('Hello'), 'Re: Hello')
  t.equal(replySubject('Re: Hello'), 'Re: Hello')
  t.equal(replySubject('AW: Hallo'), 'AW: Hallo')
  t.equal(replySubject('Fwd: Hello'), 'Re: Fwd: Hello')
  t.equal(replySubject(''), 'Re:')
  t.equal(replySubject('a\r\nBcc: x'), 'Re: a Bcc: x')
  t.equal(forwardSubject('Hello'), 'Fwd: Hello')
  t.equal(forwardSubject('Fwd: Hello'), 'Fwd: Hello')
  t.equal(forwardSubject('Re: Hello'), 'Fwd: Re: Hello')
})

t.test('a hostile subject ends soon', async (t) => {
  t.ok(baseSubject('Re: '.repeat(50_000)).length <= 2000)
  t.ok(baseSubject('[a] '.repeat(50_000)).length <= 2000)
  t.ok(baseSubject('['.repeat(100_000)).length <= 2000)
})
