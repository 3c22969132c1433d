import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import t from 'tap'
import { isAbuseClass } from '../../training/scenes/classes.js'
import { parseScenes } from '../../training/scenes/parse.js'
import { samplesOf, scenes } from '../../training/scenes/samples.js'
import { HELD_OUT_LANGUAGES, splitOf } from '../../training/scenes/split.js'
import { SAMPLE } from '../support/sample.js'

const FOLDER = 'training/scenes/styles'
const EACH = SAMPLE ? 4 : 12
const files = readdirSync(FOLDER).flatMap((style) =>
  readdirSync(`${FOLDER}/${style}`).map((name) => ({ style, name, language: name.replace('.txt', '') })),
)

t.test('every file is read, and each of its scenes is told in many ways, by honest and abusive senders', async (t) => {
  t.ok(files.length > 0)
  for (const { style, name } of files) {
    const tellings = new Map<string, { texts: Set<string>; sides: Set<boolean> }>()
    for (const sample of samplesOf(style, name, EACH)) {
      const { template = '', abuse = '', label, subject, text, html, from, replyTo } = sample
      const told = tellings.get(template) ?? { texts: new Set(), sides: new Set() }
      tellings.set(template, told)
      told.texts.add(`${subject}\n${text}\n${html ?? ''}`)
      told.sides.add(label === 'legitimate')
      if (!isAbuseClass(abuse) || /\{[a-z]+\d?(?::[^{}]*)?\}|\[[^\]]*\|[^\]]*\]/.test(`${subject} ${text}`))
        t.fail(`${template}: ${subject}`)
      for (const { address } of [from, ...replyTo].flatMap((one) => one ?? []))
        if (address.split('@').length !== 2) t.fail(`${template}: ${address}`)
    }
    const poor = [...tellings].filter(([, { texts, sides }]) => sides.size < 2 || texts.size < EACH)
    t.same(
      poor.map(([template]) => template),
      [],
      `${style}/${name}: ${tellings.size} scenes`,
    )
  }
})

t.test('a style and a held-out language stand in one split, and no message in two', async (t) => {
  for (const { style, language } of files)
    t.not(HELD_OUT_LANGUAGES.includes(language) && splitOf(style, language), 'train', `${style}/${language}`)
  const seen = new Map<string, string>()
  for (const split of ['train', 'tune', 'report'] as const)
    for (const { subject, text, html } of scenes(split, EACH)) {
      const words = `${subject} ${text} ${html ?? ''}`.toLowerCase().replace(/[\d\s]+/g, ' ')
      const hash = createHash('sha256').update(words).digest('base64')
      const other = seen.get(hash)
      if (other !== undefined && other !== split) t.fail(`${subject}: ${other} and ${split}`)
      seen.set(hash, split)
    }
  t.ok(seen.size > 0)
  t.throws(() => splitOf('nobody', 'en'), /does not name the style nobody/)
})

t.test('the same files make the same messages', async (t) => {
  const [file] = files
  t.ok(file)
  if (file) t.same(samplesOf(file.style, file.name, 2), samplesOf(file.style, file.name, 2))
})

const LISTS = ['first', 'last', 'company', 'city'].map((name) => `${name} = A | B`).join('\n')
const PAIR = '## honest\nSubject: s\n\nb\n\n## abuse\nSubject: s\n\nb'

t.test('a mistake is an error with its line', async (t) => {
  const wrong: [string, RegExp][] = [
    [`${LISTS}\n### a nonsense\n${PAIR}`, /^f:5: there is no class called "nonsense"/],
    [`${LISTS}\n### a bec\n## honest\nSubject: s\n\nb`, /^f:\d+: a has no ## abuse/],
    [`${LISTS}\n### a bec\n## honest\nColour: s\n\nb`, /^f:7: this is no head line/],
    [`${LISTS}\n### a bec\n${PAIR}\n### a bec\n${PAIR}`, /there is a scene a already/],
    [`${LISTS}\n### a bec\n## honest\nFrom: x\n\nb\n${PAIR}`, /^f:6: the message has no Subject/],
    [`${LISTS}\n### a bec\n## honest\nSubject: s\n\n[a|b\n${PAIR}`, /does not close/],
    [`${LISTS}\n### a bec\n## honest\nSubject: s\n\n{a|b}\n${PAIR}`, /choices stand in {braces}/],
    [`first = A\n### a bec\n${PAIR}`, /^f:1: the list last is missing/],
  ]
  for (const [text, problem] of wrong) t.throws(() => parseScenes(text, 'f'), { message: problem })
  t.equal(parseScenes(`${LISTS}\n### a bec\n${PAIR}`, 'f').scenes.length, 1)
})
