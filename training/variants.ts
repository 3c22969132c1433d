/** The same message written so that a filter might not read it. */
import { EVASIONS } from './evasions/index.js'
import { createRandom } from './generated/template.js'
import type { Sample } from './sample.js'

export type Variant = (sample: Sample, padding: Sample[]) => Sample

/** Random disguises of some letters, and all of `evasions/`. */
export const VARIANTS: Record<string, Variant> = {
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
  ...Object.fromEntries(
    Object.entries(EVASIONS).map(([name, evade]): [string, Variant] => [
      name,
      (sample) => ({ ...sample, ...evade(sample.text) }),
    ]),
  ),
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
