/** The document says what the suites gave, and nothing that changes between two runs of the same code. */
import t from 'tap'
import { conformance, section, share } from './conformance.js'
import { type Suite, type SuiteRun, counted, unexplained } from './suite.js'

const suite = (change: Partial<Suite>): Suite => ({
  folder: 'spf-rfc7208-pyspf',
  title: 'SPF',
  rule: 'RFC 7208',
  size: 203,
  explanations: {},
  run: async () => ({ total: 0, differences: [] }),
  ...change,
})
const run = (total: number, ...cases: string[]): SuiteRun => ({
  total,
  differences: cases.map((name) => ({ case: name, got: 'fail', wanted: 'pass' })),
})

t.test('a row says how many passed, and each difference has its reason', async (t) => {
  const text = conformance([
    { suite: suite({ explanations: { b: 'RFC 9989 says otherwise' } }), run: run(203, 'b', 'a') },
  ])
  t.match(text, '| SPF | RFC 7208 | 203 | 201 | 99.0 % |')
  t.match(text, '| SPF: at least 200 of 203 | yes: 201 of 203 |')
  t.match(text, '| DKIM: all | not run |')
  t.match(
    text,
    '| a | fail | pass | **not explained: to be mended** |\n| b | fail | pass | RFC 9989 says otherwise |\n',
    'in the order of names, whatever the order of the run',
  )
})

t.test('an aim that is missed says so', async (t) => {
  const few = Array.from({ length: 4 }, (_, i) => `case ${i}`)
  t.match(conformance([{ suite: suite({}), run: run(203, ...few) }]), '| **no**: 199 of 203 |')
  const dkim = [
    { suite: suite({ folder: 'dkim-a', explanations: { x: 'a matter of taste' } }), run: run(10, 'x') },
    { suite: suite({ folder: 'dkim-b' }), run: run(10) },
  ]
  t.match(conformance(dkim), '| DKIM: all | 19 of 20, the others explained |')
  dkim.push({ suite: suite({ folder: 'dkim-c' }), run: run(10, 'y') })
  t.match(conformance(dkim), '| DKIM: all | **no**: 28 of 30, 1 not explained |')
})

t.test('what is nearly all is not all, and what a case is called does not break the table', async (t) => {
  t.equal(share(run(10_000, 'x')), '99.9 %')
  t.equal(share(run(5)), '100.0 %')
  const odd = section({ suite: suite({}), run: run(2, 'a|b\n`c`') })
  t.match(odd, '| a\\|b \\`c\\` | fail | pass |')
})

t.test('a suite is wrong where a difference has no reason, or a reason no difference', async (t) => {
  t.same(unexplained(suite({ explanations: { gone: 'mended since' } }), run(3, 'new')), [
    'new: fail, wanted pass',
    'gone: explained, but no difference',
  ])
})

t.test('a case that does not apply is not counted, says why, and may not pass', async (t) => {
  const leftOut = { a: 'there is no a', b: 'there is no a', c: 'c is not ours' }
  const now = counted(run(10, 'a', 'b', 'c', 'd'), leftOut)
  t.same(now, run(7, 'd'))
  t.match(
    section({ suite: suite({ leftOut }), run: now }),
    'not counted:\n\n| reason | cases |\n| --- | --- |\n| there is no a | a, b |\n| c is not ours | c |\n',
  )
  const passing = counted(run(10, 'a', 'd'), leftOut)
  t.same(
    unexplained(suite({ leftOut }), passing).map((each) => each.slice(0, 1)),
    ['d', 'b', 'c'],
  )
})
