/** Passing over a pattern never loses a match. */
import t from 'tap'
import fc from 'fast-check'
import { lureFindings } from '../../src/guard/lures.js'
import { phraseFindings } from '../../src/guard/phrases.js'
import { literalsOf, matcherOf } from '../../src/guard/prefilter.js'
import { readable } from '../../src/guard/text.js'
import { BAD } from './bad.js'

t.test('what every match of a pattern contains', async (t) => {
  const cases: [RegExp, string[] | undefined][] = [
    [/casino bonus/, ['casino bonus']],
    [/\bviagra\b|\bcialis\b/, ['viagra', 'cialis']],
    [/(?:account|mailbox) (?:suspended|is full)/, ['account', 'mailbox']],
    [/full(?:ness)? stop/, [' stop']],
    [/colou?r print/, ['r print']],
    [/colours? here/, ['colour']],
    [/free+ trial/, [' trial']],
    [/(?<!not )urgent(?! matter)/, ['urgent']],
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
      const plain = Object.assign((pattern: RegExp) => pattern.exec(text)?.[0], { text })
      const wanted = [...phraseFindings(plain, { hasLink: true }), ...lureFindings(plain)]
      found += wanted.length
      const got = [...phraseFindings(matcherOf(text), { hasLink: true }), ...lureFindings(matcherOf(text))]
      return JSON.stringify(got) === JSON.stringify(wanted)
    }),
    { numRuns: 2000, seed: 7 },
  )
  t.ok(found > 500, 'and something was')
})
