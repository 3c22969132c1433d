/** Passing over a pattern never loses a match. */
import t from 'tap'
import fc from 'fast-check'
import { lureFindings } from '../../src/guard/lures.js'
import { phraseFindings } from '../../src/guard/phrases.js'
import { literalsOf } from '../../src/guard/needed.js'
import { matcherOf } from '../../src/guard/prefilter.js'
import { readable } from '../../src/guard/text.js'
import { BAD } from './bad.js'

t.test('what every match of a pattern contains', async (t) => {
  const cases: [RegExp, string[] | undefined][] = [
    [/casino bonus/, ['casino bonus']],
    [/\bviagra\b|\bcialis\b/, ['viagra', 'cialis']],
    [
      /(?:account|mailbox) (?:suspended|is full)/,
      ['account suspended', 'account is full', 'mailbox suspended', 'mailbox is full'],
    ],
    [/full(?:ness)? stop/, ['fullness stop', 'full stop']],
    [/colou?r print/, ['colour print', 'color print']],
    [/colours? here/, ['colours here', 'colour here']],
    [/free+ trial/, [' trial']],
    [/free+x trial/, ['x trial']],
    [/(?<!not )urgent(?! matter)/, ['urgent']],
    [/\burgent(?:ly)?\b/, ['urgent']],
    [/at risk[- ]free/, ['at risk-free', 'at risk free']],
    [/win [a-z]{1,9} prize/, [' prize']],
    [/unauthori[^sz]ed/, ['unauthori']],
    [/(?:us )?dollar(?:s)+ gone/, ['dollars']],
    [/cas{0,1}ino/, ['casino', 'caino']],
    [/cas{2}ino/, ['cas']],
    [/[a-c]asino/, ['asino']],
    [/casino|(?:x|[0-9])/, undefined],
    [/save \$\d+/, ['save $']],
    [/a{2}bcde/, ['bcde']],
    [/abc|casino/, ['abc', 'casino']],
    [/ab|casino/, undefined],
    [/(?:casino)?/, undefined],
    [/[casino]{6}/, undefined],
    [/CASINO/i, undefined],
    [/(casino)\1/, undefined],
    [/\x63asino/, undefined],
    [/(?<name>casino)/, undefined],
  ]
  for (const [pattern, wanted] of cases) t.same(literalsOf(pattern), wanted, pattern.source)
})

t.test('the same is found as by trying every pattern', async (t) => {
  const samples = BAD.map(([, { subject, text }]) => readable(`${subject}\n${text}`))
  const words = fc.constantFrom(...samples.flatMap((sample) => sample.split(' ')))
  const texts = fc.oneof(
    fc.constantFrom(...samples),
    fc.array(words, { maxLength: 60 }).map((some) => some.join(' ')),
    fc.string({ unit: 'grapheme', maxLength: 100 }),
  )
  let found = 0
  fc.assert(
    fc.property(texts, (text) => {
      const plain = Object.assign((pattern: RegExp) => pattern.exec(text)?.[0], { mayMatch: () => true, text })
      const wanted = [...phraseFindings(plain, { hasLink: true }), ...lureFindings(plain)]
      found += wanted.length
      const got = [...phraseFindings(matcherOf(text), { hasLink: true }), ...lureFindings(matcherOf(text))]
      return JSON.stringify(got) === JSON.stringify(wanted)
    }),
    { numRuns: 2000, seed: 7 },
  )
  t.ok(found > 500, 'and something was')
})
