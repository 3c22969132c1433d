/** The trainer on little data: what it measures, and that what is shipped is what was measured. */
import t from 'tap'
import { createModel } from '../../src/guard/model/model.js'
import { exampleOf, learntOf, listExamples, subjectOf } from '../../training/examples.js'
import { generated } from '../../training/generated/index.js'
import { topics } from '../../training/lexicon/index.js'
import { auc, lineAt, sharesAbove } from '../../training/measures.js'
import { calibrate, logitOf } from '../../training/calibrate.js'
import { scenes } from '../../training/scenes/samples.js'
import { packed, scoresOf, trainClasses, trainKinds, trainTables } from '../../training/train.js'

const scored = (wanted: number[], unwanted: number[]) => [
  ...wanted.map((score) => ({ score, isUnwanted: false })),
  ...unwanted.map((score) => ({ score, isUnwanted: true })),
]

t.test('the area under the curve is the share of pairs in the right order', async (t) => {
  t.equal(auc(scored([1, 2], [3, 4])), 1)
  t.equal(auc(scored([3, 4], [1, 2])), 0)
  t.equal(auc(scored([1, 3], [2, 4])), 0.75)
  t.equal(auc(scored([1, 1], [1, 1])), 0.5)
})

t.test('a line has the share of wanted mail above it that it is for', async (t) => {
  const all = scored(
    Array.from({ length: 200 }, (_, i) => i),
    [150, 199.5, 250],
  )
  const line = lineAt(all, 0.01)
  t.equal(line, 197)
  t.strictSame(sharesAbove(all, line), { recall: 2 / 3, falsePositives: 0.01 })
})

t.test('a template stands in one split only', async (t) => {
  const idsOf = (split: 'train' | 'held-out') => new Set(generated(split, 1).map(({ template }) => template))
  const [train, heldOut] = [idsOf('train'), idsOf('held-out')]
  t.ok(train.size > 250 && heldOut.size > 100, `${train.size} and ${heldOut.size}`)
  t.strictSame(
    [...heldOut].filter((id) => train.has(id)),
    [],
  )
})

t.test('topics have words, each once, in lower case', async (t) => {
  for (const { language, label, name, words } of topics) {
    const entries = words.split(',').map((entry) => entry.trim())
    t.ok(
      entries.length >= 10 && entries.every((entry) => entry !== ''),
      `${language} ${label} ${name}: ${entries.length}`,
    )
  }
})

t.test('the model that is shipped says what was measured', async (t) => {
  const told = scenes('train', 1).filter(({ template = '' }) => template.startsWith('birch/en/'))
  const samples = [...generated('train', 1).filter(({ language }) => language === 'en'), ...told]
  const examples = [...samples.map(exampleOf), ...listExamples(1)]
  const tables = trainTables(examples)
  const measured = examples.map((example) => ({ example, ...scoresOf(tables, example) }))
  const calibration = calibrate(measured)
  const { manifest, weights } = packed(tables, trainKinds(examples), trainClasses(examples), calibration)
  const model = createModel(manifest, weights)
  for (const [i, sample] of samples.slice(-40).entries()) {
    const one = measured[samples.length - 40 + i]
    if (!one) throw new Error('an example is missing')
    const shipped = model.opinion(learntOf(subjectOf(sample), one.example.family === 'scenes'))?.score ?? NaN
    const said = logitOf(calibration, { ...one, example: { ...one.example, findings: 0 } })
    t.ok(Math.abs(shipped - said) < 1e-3, `${sample.template}: ${shipped} and ${said}`)
  }
  const ofScenes = measured.filter(({ example }) => example.family === 'scenes')
  const curve = (of: typeof measured, score: 'known' | 'phrasing'): number =>
    auc(of.map((one) => ({ score: one[score], isUnwanted: one.example.isUnwanted })))
  t.ok(curve(measured.slice(0, samples.length - told.length), 'known') > 0.95, 'has learnt what it was shown')
  t.ok(curve(ofScenes, 'phrasing') > 0.95, 'how it is asked, too')
  t.ok(calibration.familiar.known > 0 && calibration.other.phrasing > 0, JSON.stringify(calibration))
  const classes = told.filter(({ label }) => label !== 'legitimate')
  const right = classes.filter((sample) => model.opinion(learntOf(subjectOf(sample), true))?.abuse === sample.abuse)
  t.ok(right.length > 0.7 * classes.length, `and the class: ${right.length} of ${classes.length}`)
})
