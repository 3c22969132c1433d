/** Passing over a pattern never loses a match. */
import t from 'tap'
import fc from 'fast-check'
import { createAutomaton } from '../../../src/guard/phrases/automaton.js'
import { LURES } from '../../../src/guard/phrases/lure-patterns.js'
import { LANGUAGES } from '../../../src/guard/phrases/languages/languages.js'
import { createRules } from '../../../src/guard/phrases/rules.js'
import { readable } from '../../../src/guard/text/text.js'
import { BAD } from '../bad.js'
import { LEGITIMATE } from '../legitimate.js'
import { LURES as FOREIGN } from '../languages.js'
import { literalsOf } from '../literals.js'

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
    [/扫码/, ['扫码']],
    [/扫|casino/, undefined],
    [/CASINO/i, undefined],
    [/(casino)\1/, undefined],
    [/\x63asino/, undefined],
    [/(?<name>casino)/, undefined],
    [/0x[0-9a-f]{4}|24 hours/, ['0x', '24 hours']],
    [/[a-c]9/, undefined],
  ]
  for (const [pattern, wanted] of cases) t.same(literalsOf(pattern), wanted, pattern.source)
})

t.test('literals are found wherever they stand, also within one another', async (t) => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '日'), minLength: 1, maxLength: 4 })
  const long = fc.array(fc.constantFrom('abcabca', 'abcabcab', 'b', 'c', '日'), { minLength: 1, maxLength: 3 })
  const literal = fc.oneof(
    part,
    long.map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(fc.uniqueArray(literal, { minLength: 1, maxLength: 12 }), fc.array(literal), (literals, parts) => {
      const text = parts.join('')
      const found = createAutomaton(literals)(text)
      t.same(
        found.toSorted((a, b) => a - b),
        [...literals.keys()].filter((id) => text.includes(literals[id] ?? '')),
      )
    }),
    { numRuns: 2000, seed: 9 },
  )
})

t.test('nearly no pattern is tried on ordinary mail', async (t) => {
  const rules = Object.values(LANGUAGES).flatMap((phrases) => Object.values(phrases).map((rule) => [rule].flat()))
  let tried = 0
  const counted = rules.map((patterns) =>
    patterns.map((pattern) => {
      const own = new RegExp(pattern)
      own.exec = (text) => {
        tried++
        return pattern.exec(text)
      }
      return own
    }),
  )
  const find = createRules(counted)
  const texts = LEGITIMATE.map(([, { subject, text }]) => readable(`${subject}\n${text}`))
  for (const text of texts) {
    const matched = find(text)
    for (const rule of counted.keys()) matched(rule)
  }
  t.ok(texts.length > 20)
  t.ok(tried / texts.length < 3, `${tried / texts.length} of ${counted.flat().length} patterns on each text`)
  const unneeded = rules.filter((patterns) => patterns.every((pattern) => literalsOf(pattern) === undefined))
  t.ok(unneeded.length <= 1, unneeded.join(' '))
})

t.test('a rule that reads the beginning of a text matches nothing behind it', async (t) => {
  const find = createRules([[/bonus (?:code|word)/, /casino/]])
  const text = 'a bonus code and then a casino, and a second casino'
  const end = text.indexOf('casino') + 'casino'.length
  t.same(find(text)(0)?.words, ['bonus code', 'casino'])
  t.same(find(text)(0, undefined, end)?.words, ['bonus code', 'casino'])
  t.equal(find(text)(0, undefined, end - 1), undefined)
  for (const other of ['one', 'two', 'three', 'four', 'five']) t.equal(find(other)(0), undefined)
  t.same(find(text)(0)?.words, ['bonus code', 'casino'], 'and the same text again, after others')
})

t.test('more characters than the table has room for are refused', async (t) => {
  const literals = Array.from({ length: 1100 }, (_, i) => String.fromCharCode(0x4e00 + i))
  t.throws(() => createAutomaton(literals), /too many/)
})

t.test('the same is found as by trying every pattern', async (t) => {
  const sets = [
    ...Object.values(LANGUAGES).map((phrases) => Object.values(phrases).map((rule) => [rule].flat())),
    LURES.map(({ patterns }) => patterns),
  ]
  const finders = sets.map((rules) => ({ rules, find: createRules(rules) }))
  const samples = [
    ...BAD.map(([, { subject, text }]) => `${subject}\n${text}`),
    ...FOREIGN.map(([, text]) => text),
  ].map(readable)
  const words = fc.constantFrom(...samples.flatMap((sample) => sample.split(' ')))
  const texts = fc.oneof(
    fc.constantFrom(...samples),
    fc.array(words, { maxLength: 60 }).map((some) => some.join(' ')),
    fc.string({ unit: 'grapheme', maxLength: 100 }),
  )
  let found = 0
  fc.assert(
    fc.property(texts, (text) => {
      for (const { rules, find } of finders) {
        const matched = find(text)
        const wanted = rules.map((patterns) => {
          const words = patterns.map((pattern) => pattern.exec(text)?.[0])
          return words.every((one) => one !== undefined) ? words : undefined
        })
        found += wanted.filter((words) => words !== undefined).length
        t.same(
          rules.map((_, rule) => matched(rule)?.words),
          wanted,
        )
      }
    }),
    { numRuns: 2000, seed: 7 },
  )
  t.ok(found > 500, 'and something was')
})
