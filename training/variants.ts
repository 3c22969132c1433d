/** The same message written so that a filter might not read it. */
import { createRandom, type Random } from './generated/template.js'
import type { Sample } from './sample.js'

export type Variant = (sample: Sample, padding: Sample[]) => Sample

const LOOKALIKES: Record<string, string> = { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у' }

export const VARIANTS: Record<string, Variant> = {
  'look-alike letters': (sample) =>
    rewritten(sample, (text, random) =>
      text.replace(/[aceiopsxy]/g, (letter) => (random.chance(0.3) ? (LOOKALIKES[letter] ?? letter) : letter)),
    ),
  'zero-width characters': (sample) =>
    rewritten(sample, (text, random) =>
      text.replace(/\p{L}(?=\p{L})/gu, (letter) => (random.chance(0.25) ? `${letter}\u200b` : letter)),
    ),
  'words split by HTML': (sample) => {
    const random = createRandom(`split ${sample.subject}`)
    const html = escaped(sample.text).replace(/\p{L}(?=\p{L})/gu, (letter) =>
      random.chance(0.25) ? `${letter}<span></span>` : letter,
    )
    return { ...sample, text: '', html: `<html><body><p>${html.replace(/\n/g, '<br>')}</p></body></html>` }
  },
  'wanted mail below it': (sample, padding) => ({
    ...sample,
    text: `${sample.text}\n\n${createRandom(`pad ${sample.subject}`)
      .some(padding, 2)
      .map(({ text }) => text.slice(0, 1000))
      .join('\n\n')}`,
  }),
}

function rewritten(sample: Sample, rewrite: (text: string, random: Random) => string): Sample {
  const random = createRandom(`rewrite ${sample.subject}`)
  return { ...sample, subject: rewrite(sample.subject, random), text: rewrite(sample.text, random) }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
