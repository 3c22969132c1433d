/**
 * `npm run --silent scenes -- STYLE/LANGUAGE [SCENE]`: checks a file of scenes, and prints a message or two of each, to be read by eye.
 * Without arguments: counts of all files.
 */
import { readdirSync } from 'node:fs'
import { samplesOf } from './samples.js'

const [which, only] = process.argv.slice(2)
const EACH = 20

if (which === undefined) {
  for (const style of readdirSync('training/scenes/styles').sort())
    for (const name of readdirSync(`training/scenes/styles/${style}`).sort()) {
      const samples = samplesOf(style, name, EACH)
      const different = new Set(samples.map(({ subject, text, html }) => `${subject} ${text} ${html}`)).size
      const scenes = new Set(samples.map(({ template }) => template)).size
      const ofClass = new Map<string, Set<string>>()
      for (const { abuse = '', template = '' } of samples) {
        const known = ofClass.get(abuse) ?? new Set()
        ofClass.set(abuse, known.add(template))
      }
      const classes = [...ofClass].map(([abuse, { size }]) => `${abuse} ${size}`).join(', ')
      console.log(`${style}/${name}: ${scenes} scenes (${classes}); ${different} of ${samples.length} messages differ`)
    }
} else {
  const [style = '', language = ''] = which.split('/')
  const told = new Set<string>()
  for (const sample of samplesOf(style, `${language}.txt`, EACH)) {
    const scene = sample.template?.split('/')[2] ?? ''
    const key = `${scene} ${sample.label}`
    if ((only !== undefined && scene !== only) || told.has(key)) continue
    told.add(key)
    const from = `${sample.from?.name ?? ''} <${sample.from?.address ?? ''}>`
    const body = sample.text === '' ? (sample.html ?? '') : sample.text
    console.log(`==== ${key} (${sample.abuse ?? ''})\nFrom: ${from}\nSubject: ${sample.subject}\n\n${body}\n`)
  }
}
