/** `npm run train`: trains the text model, examines it, and writes what is shipped and what is known of it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { calibrate } from './calibrate.js'
import { readCorpora } from './corpora.js'
import { leaveOut, reliabilityOf } from './evaluate.js'
import { blockCostsOf, costsOf, decisionsOf, sceneResults, variantRecalls, timesOf } from './examine.js'
import { exampleOf, FAMILIES, isOfCorpora, listExamples, type Example } from './examples.js'
import { generated } from './generated/index.js'
import { incomingShares, type IncomingShares } from './incoming.js'
import { legitimate } from './generated/legitimate/index.js'
import { splitOf } from './generated/template.js'
import { unwanted } from './generated/unwanted/index.js'
import { topics } from './lexicon/index.js'
import { reportOf } from './report.js'
import { scenes } from './scenes/samples.js'
import { packed, scoresOfStrangers, trainClasses, trainKinds, trainTables } from './train.js'
import { createModel, type TextModel } from '../src/guard/model/model.js'

const MODEL_FOLDER = 'src/guard/model'
/** Messages made of each template, of each message of a scene, and lists of each topic. */
const EACH = 12
const TOLD = 5
const LISTS = 20
const VARIED = 200

const say = (what: string): void => console.log(`${Math.round(process.uptime())} s  ${what}`)

const corpora = readCorpora()
const ofScenes = scenes('train', TOLD)
const samples = [...corpora.flatMap((file) => file.samples), ...generated('train', EACH), ...ofScenes]
const heldOut = generated('held-out', EACH)
const examples = [...samples.map(exampleOf), ...listExamples(LISTS)]
say(`${examples.length} examples, ${ofScenes.length} of scenes`)

const strangers = scoresOfStrangers(examples)
say('scores of each source by tables without it')

function modelOf(isHeldOut: (example: Example) => boolean): ReturnType<typeof packed> & { model: TextModel } {
  const rest = examples.filter((example) => !isHeldOut(example))
  const calibration = calibrate(strangers.filter(({ example }) => !isHeldOut(example)))
  const shipped = packed(trainTables(rest), trainKinds(rest), trainClasses(rest), calibration)
  return { ...shipped, model: createModel(shipped.manifest, shipped.weights) }
}

const { manifest, weights, model } = modelOf(() => false)
mkdirSync(MODEL_FOLDER, { recursive: true })
writeFileSync(`${MODEL_FOLDER}/weights.bin`, weights)
writeFileSync(`${MODEL_FOLDER}/manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`)
say('the model as it is shipped')

// Each family, and each file, with nothing of it in training or calibration.
const ofCorpora = examples.filter(isOfCorpora)
const families = FAMILIES.filter((family) => family !== 'generated' && family !== 'scenes').map((family) => {
  const result = leaveOut(family, examples, strangers, (example) => example.family === family)
  const plain = leaveOut(
    family,
    ofCorpora,
    strangers.filter(({ example }) => isOfCorpora(example)),
    (example) => example.family === family,
  )
  say(`without ${family}: ${result.auc.toFixed(4)}, corpora only: ${plain.textAuc.toFixed(4)}`)
  return { result, plain }
})
const files = corpora
  .filter(({ name }) => name.startsWith('enron'))
  .map(({ name }) => leaveOut(name, examples, strangers, ({ source }) => source === name))
say('files left out one by one')

// What the guard decides of mail of a family that the model was not trained on.
const costs: { family: string; costs: ReturnType<typeof costsOf>; incoming: IncomingShares; model: TextModel }[] = []
for (const family of FAMILIES.filter((family) => family !== 'scenes')) {
  const { model } = modelOf((example) => example.family === family)
  const of = family === 'generated' ? heldOut : samples.filter((_, i) => examples[i]?.family === family)
  costs.push({ family, costs: costsOf(model, of), incoming: await incomingShares(model, of), model })
  say(`decisions without ${family}`)
}
const withoutRecent = costs.find(({ family }) => family === 'recent')?.model
if (!withoutRecent) throw new Error('there is no family of recent mail')
const phishing = samples.filter(({ source, text }) => source === 'nazario' && text.length > 200).slice(0, VARIED)
const padding = samples.filter(({ source, label }) => source === 'mailing-lists' && label === 'legitimate')
const variants = variantRecalls(withoutRecent, phishing, padding)
say('variants')

const templates = decisionsOf(model, heldOut)
const blocks = blockCostsOf(model, heldOut)
const [tune, report] = [scenes('tune', TOLD), scenes('report', TOLD)]
const told = { tune: sceneResults(model, tune), report: sceneResults(model, report) }
const reliability = reliabilityOf(manifest.calibration, strangers)
costs.push(
  { family: 'scenes, tuned on', costs: costsOf(model, tune), incoming: await incomingShares(model, tune), model },
  { family: 'scenes, reported', costs: costsOf(model, report), incoming: await incomingShares(model, report), model },
)
const times = timesOf(model, samples)
say(`a verdict on 10 kB: ${times.p50.toFixed(2)} ms, ${times.p99.toFixed(2)} ms for 99 % of ${times.messages}`)

const data = {
  corpora: Object.fromEntries(corpora.map(({ name, sha256, samples }) => [name, { sha256, messages: samples.length }])),
  templates: {
    legitimate: legitimate.length,
    unwanted: unwanted.length,
    heldOut: [...legitimate, ...unwanted].filter((template) => splitOf(template) === 'held-out').length,
    each: EACH,
  },
  topics: topics.length,
  scenes: new Set(ofScenes.map(({ template }) => template)).size,
  told: ofScenes.length,
  languages: new Set(ofScenes.map(({ language }) => language)).size,
}
const results = {
  families,
  files,
  costs: costs.map(({ family, costs, incoming }) => ({ family, costs, incoming })),
  variants,
  templates,
  blocks,
  told,
  reliability,
}
writeFileSync(`${MODEL_FOLDER}/manifest.json`, `${JSON.stringify({ ...manifest, data, results }, null, 2)}\n`)
writeFileSync('docs/guard.md', reportOf({ data, results, manifest, bytes: weights.length }))
say('written')
