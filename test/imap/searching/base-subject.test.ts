import t from 'tap'
import { baseSubjectOf, collationKey } from '../../../src/imap/searching/base-subject.js'
import { sentDateOf } from '../../../src/imap/searching/sent-date.js'

t.test('base subjects of RFC 5256 §2.1', async (t) => {
  for (const [subject, base, isReply] of [
    ['Lunch', 'Lunch', false],
    ['  two   spaces\tand tabs ', 'two spaces and tabs', false],
    ['Re: Lunch', 'Lunch', true],
    ['RE:re: Fw:FWD : Lunch', 'Lunch', true],
    ['Re[2]: Lunch', 'Lunch', true],
    ['Re [more]: Lunch', 'Lunch', true],
    ['Lunch (fwd)', 'Lunch', true],
    ['Lunch (fwd) (FWD)  ', 'Lunch', true],
    ['[list] Lunch', 'Lunch', false],
    ['[list][more] Re: [list] Lunch', 'Lunch', true],
    ['[list]', '[list]', false],
    ['[one] [two]', '[two]', false],
    ['[fwd: Lunch]', 'Lunch', true],
    ['[Fwd: Re: [list] Lunch (fwd)]', 'Lunch', true],
    ['[fwd: Lunch] today', 'today', false],
    ['Re:', '', true],
    ['Reply: Lunch', 'Reply: Lunch', false],
    ['AW: Lunch', 'AW: Lunch', false],
    ['', '', false],
  ] as const)
    t.same(baseSubjectOf(subject), { base, isReply }, subject)
})

t.test('a subject of any length takes no time', async (t) => {
  for (const piece of ['[a]', 're:', '(fwd)', ' ', '[fwd:', '[', 're [', ' (fwd'])
    for (const text of [piece.repeat(500), `${piece.repeat(500)}x`, `x${piece.repeat(500)}`]) {
      const start = performance.now()
      baseSubjectOf(text)
      t.ok(performance.now() - start < 200, `${piece} 500 times`)
    }
})

t.test('texts are compared without case, by code point', async (t) => {
  const texts = ['Zebra', 'apple', 'Éclair', 'eclair', '\u{1f642}', '\uff21\uff22', 'ab_', 'abc']
  t.same(
    texts.sort((a, b) => (collationKey(a) < collationKey(b) ? -1 : 1)),
    ['\uff21\uff22', 'abc', 'ab_', 'apple', 'eclair', 'Éclair', 'Zebra', '\u{1f642}'],
  )
})

t.test('dates as they are written in headers', async (t) => {
  const utc = (text: string): number => Date.parse(text)
  for (const [value, time, day] of [
    ['Thu, 01 Jan 2026 12:30:05 +0000', '2026-01-01T12:30:05Z', '2026-01-01'],
    ['Thu, 1 Jan 2026 23:30:00 -0800', '2026-01-02T07:30:00Z', '2026-01-01'],
    ['1 Jan 2026 00:10 +0130 (comment)', '2025-12-31T22:40:00Z', '2026-01-01'],
    ['Thu, 01 Jan 2026', '2026-01-01T00:00:00Z', '2026-01-01'],
    ['Thu, 01 Jan 2026 25:00:00 +0500', '2026-01-01T00:00:00Z', '2026-01-01'],
    ['Thu, 01 Jan 26 10:00:00 EST', '2026-01-01T15:00:00Z', '2026-01-01'],
    ['1 Feb 99 10:00:00 XYZ', '1999-02-01T10:00:00Z', '1999-02-01'],
    ['1 Feb 126 10:00:00 GMT', '2026-02-01T10:00:00Z', '2026-02-01'],
    ['Thursday, 1-Jan-2026 10:00:00 +0000', '2026-01-01T10:00:00Z', '2026-01-01'],
  ] as const)
    t.same(sentDateOf(value), { ms: utc(time), dayMs: utc(`${day}T00:00:00Z`) }, value)
  for (const value of ['', 'garbage', '31 Feb 2026 10:00:00 +0000', '1 Foo 2026 10:00 +0000', '0 Jan 2026'])
    t.equal(sentDateOf(value), undefined, value)
})
