/** Words are read by hand as fast as can be; what they are is said here by patterns, and must not change under a trained model. */
import t from 'tap'
import fc from 'fast-check'
import { createTokens, readTokens, tokenAt } from '../../src/guard/model/tokens.js'
import { BAD } from './bad.js'
import { LEGITIMATE } from './legitimate.js'
import { byPatterns, TEXTS } from './tokens.js'

function tokensOf(text: string, most: number): string[] {
  const tokens = createTokens(most)
  return Array.from({ length: readTokens(text, tokens) }, (_, index) => tokenAt(tokens, index))
}

t.test('words, addresses and numbers are read as the patterns say', async (t) => {
  fc.assert(
    fc.property(TEXTS, fc.integer({ min: 1, max: 60 }), (text, most) => {
      t.same(tokensOf(text, most), byPatterns(text, most))
    }),
    { numRuns: 5000, seed: 11 },
  )
})

t.test('real mail is read as the patterns say', async (t) => {
  for (const [, { subject, text }] of [...BAD, ...LEGITIMATE]) {
    const all = `${subject} ${text}`.toLowerCase()
    t.same(tokensOf(all, 1200), byPatterns(all, 1200))
  }
})

t.test('marks of addresses that go on without end are read as the patterns say', async (t) => {
  for (const part of ['www', 'http', 'http:', 'a@', '@', 'a.', 'https://a.', 'x @ y . ']) {
    const text = part.repeat(4000)
    t.same(tokensOf(text, 1200), byPatterns(text, 1200), part)
  }
})
