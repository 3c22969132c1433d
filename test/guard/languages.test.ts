/** What is found in many languages, however the words are written, and what is not. */
import t from 'tap'
import { createGuard } from '../../src/guard/verdict/guard.js'
import { findingsOf } from '../../src/guard/verdict/findings.js'
import { languagesIn } from '../../src/guard/phrases/languages/markers.js'
import { patternsOf } from '../../src/guard/phrases/languages/types.js'
import { LANGUAGES } from '../../src/guard/phrases/languages/languages.js'
import { plainWords } from '../../src/guard/text/text.js'
import { LURES, QUIET } from './languages.js'
import { literalsOf } from './literals.js'
import { subjectWith } from './subject.js'

const codesIn = (subject: string, text: string, html: string | null = null): string[] =>
  findingsOf(subjectWith({ subject, text, html })).map(({ code }) => code)

t.test('a lure is known in its language', async (t) => {
  for (const [language, text, codes] of LURES) {
    const found = codesIn('', text)
    for (const code of codes) t.ok(found.includes(code), `${language}: ${code} in ${text}`, { found })
    t.ok(languagesIn(plainWords(text)).has(language), `${language} is seen`)
  }
})

t.test('what is shown of a finding stands in the message as it was written', async (t) => {
  for (const [language, text] of LURES) {
    for (const { code, excerpt } of findingsOf(subjectWith({ text })))
      if (excerpt !== undefined) t.ok(text.includes(excerpt), `${language} ${code}: ${excerpt}`)
  }
})

t.test('ordinary mail goes at once in each language', async (t) => {
  const guard = createGuard()
  for (const [language, what, subject, text] of QUIET) {
    const verdict = await guard.check(subjectWith({ subject, text }))
    t.equal(verdict.decision, 'send', `${language}: ${what}`, { verdict })
  }
})

t.test('writing the same words otherwise hides nothing', async (t) => {
  const latin = LURES.filter(([language]) => ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'].includes(language))
  const lookalikes: Record<string, string> = { a: 'а', e: 'е', o: 'о', c: 'с', p: 'р', i: 'і', x: 'х', s: 'ѕ' }
  const without = (text: string): string => text.replace(/https?:\S+/g, '')
  const variants: Record<string, (text: string) => string> = {
    'look-alikes': (text) => text.replace(/[aeocpixs]/g, (letter) => lookalikes[letter] ?? letter),
    'zero-width characters': (text) => text.replace(/(\p{L})(\p{L})/gu, '$1\u200b$2'),
    'full-width letters': (text) =>
      text.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    'no accents': (text) => text.normalize('NFD').replace(/\p{M}+/gu, ''),
  }
  for (const [language, text, codes] of latin) {
    for (const [what, change] of Object.entries(variants)) {
      const found = codesIn('', `${change(without(text))} https://a.example/`)
      for (const code of codes) t.ok(found.includes(code), `${language}, ${what}: ${code}`, { found })
    }
    const split = without(text).replace(/(\p{L})(\p{L})/gu, '$1<b></b>$2')
    const found = codesIn('', 'See https://a.example/', `<p>${split}</p>`)
    for (const code of codes) t.ok(found.includes(code), `${language}, words split by tags: ${code}`, { found })
  }
})

t.test('every pattern of a language with words of letters is passed over where its letters are missing', async (t) => {
  for (const [language, phrases] of Object.entries(LANGUAGES).filter(([name]) => !['ja', 'zh'].includes(name))) {
    for (const [code, [first]] of patternsOf(phrases))
      t.ok(first && literalsOf(first) !== undefined, `${language}: ${code}`)
  }
})
