import t from 'tap'
import { smtpMeaning } from '../../../../src/api/mcp/text/smtp-meanings.js'

t.test('what servers answer, in words', async (t) => {
  const cases: [number | null, string | null, RegExp | undefined][] = [
    [550, '5.1.1 <x@y>: user unknown', /no such mailbox/],
    [550, 'user unknown', /Refused for good/],
    [452, '4.2.2 over quota', /full/],
    [450, '4.7.1 greylisted', /try later/],
    [554, '5.7.1 policy', /policy/],
    [552, '5.3.4 too big', /too large/],
    [550, '4.7.1 does not go with 550', /Refused for good/],
    [null, '5.7.10 no TLS', /TLS/],
    [null, 'connection to 10.5.1.1 timed out', undefined],
    [null, null, undefined],
  ]
  for (const [code, detail, expected] of cases) {
    const meaning = smtpMeaning(code, detail)
    if (expected) t.match(meaning, expected, String(detail))
    else t.equal(meaning, undefined, String(detail))
  }
})
