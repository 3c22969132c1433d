/** `npm run train`: trains the text model, examines it, and writes what is shipped and what is known of it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { readCorpora } from './corpora.js'
import { leaveOut } from './evaluate.js'
import { blockCostsOf, costsOf, decisionsOf, variantRecalls, timesOf } from './examine.js'
import { exampleOf, FAMILIES, listExamples } from './examples.js'
import { generated } from './generated/index.js'
import { legitimate } from './generated/legitimate/index.js'
import { splitOf } from './generated/template.js'
import { unwanted } from './generated/unwanted/index.js'
import { topics } from './lexicon/index.js'
import { reportOf } from './report.js'
import { calibrate, packed, scoresOfStrangers, trainKinds, trainTables } from './train.js'
import { createModel } from '../src/guard/model/model.js'

const MODEL_FOLDER = 'src/guard/model'
/** Messages made of each template, and lists of each topic. */
const EACH = 12
const LISTS = 20
const VARIED = 200

const say = (what: string): void => console.log(`${Math.round(process.uptime())} s  ${what}`)

const corpora = readCorpora()
const samples = [...corpora.flatMap((file) => file.samples), ...generated('train', EACH)]
const heldOut = generated('held-out', EACH)
const examples = [...samples.map(exampleOf), ...listExamples(LISTS)]
const isOfCorpora = ({ source }: { source: string }): boolean => source !== 'generated' && source !== 'lists'
say(`${examples.length} examples`)

// Each family, and each file, with nothing of it in training, calibration or line.
const families = FAMILIES.filter((family) => family !== 'generated').map((family) => {
  const result = leaveOut(family, examples, (example) => example.family === family)
  const plain = leaveOut(family, examples.filter(isOfCorpora), (example) => example.family === family)
  say(`without ${family}: ${result.auc.toFixed(4)}, corpora only: ${plain.textAuc.toFixed(4)}`)
  return { result, plain }
})
const files = corpora
  .filter(({ name }) => name.startsWith('enron'))
  .map(({ name }) => leaveOut(name, examples, ({ source }) => source === name))
say('files left out one by one')

// What the guard decides of mail of a family that the model was not trained on.
const costs = FAMILIES.map((family) => {
  const rest = examples.filter((example) => example.family !== family)
  const { manifest, weights } = packed(trainTables(rest), trainKinds(rest), calibrate(scoresOfStrangers(rest)))
  const model = createModel(manifest, weights)
  const of = family === 'generated' ? heldOut : samples.filter((_, i) => examples[i]?.family === family)
  say(`decisions without ${family}`)
  return { family, costs: costsOf(model, of), model }
})
const withoutRecent = costs.find(({ family }) => family === 'recent')?.model
if (!withoutRecent) throw new Error('there is no family of recent mail')
const phishing = samples.filter(({ source, text }) => source === 'nazario' && text.length > 200).slice(0, VARIED)
const padding = samples.filter(({ source, label }) => source === 'mailing-lists' && label === 'legitimate')
const variants = variantRecalls(withoutRecent, phishing, padding)
say('variants')

const calibration = calibrate(scoresOfStrangers(examples))
const { manifest, weights } = packed(trainTables(examples), trainKinds(examples), calibration)
const model = createModel(manifest, weights)
const templates = decisionsOf(model, heldOut)
const blocks = blockCostsOf(model, heldOut)
const times = timesOf(model, samples)
say(`a verdict on 10 kB: ${times.p50.toFixed(2)} ms, ${times.p99.toFixed(2)} ms for 99 % of ${times.messages}`)
say('the model as it is shipped')

const data = {
  corpora: Object.fromEntries(corpora.map(({ name, sha256, samples }) => [name, { sha256, messages: samples.length }])),
  templates: {
    legitimate: legitimate.length,
    unwanted: unwanted.length,
    heldOut: [...legitimate, ...unwanted].filter((template) => splitOf(template) === 'held-out').length,
    each: EACH,
  },
  topics: topics.length,
}
const results = {
  families,
  files,
  costs: costs.map(({ family, costs }) => ({ family, costs })),
  variants,
  templates,
  blocks,
}
mkdirSync(MODEL_FOLDER, { recursive: true })
writeFileSync(`${MODEL_FOLDER}/weights.bin`, weights)
writeFileSync(`${MODEL_FOLDER}/manifest.json`, `${JSON.stringify({ ...manifest, data, results }, null, 2)}\n`)
writeFileSync('docs/guard.md', reportOf({ data, results, manifest, bytes: weights.length }))
say('written')
