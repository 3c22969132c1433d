import { readFileSync, statSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { createExtractor } from '../../src/guard/model/features.js'
import { parseManifest } from '../../src/guard/model/manifest.js'
import { createModel, loadModel } from '../../src/guard/model/model.js'

const FOLDER = new URL('../../src/guard/model/', import.meta.url)
const manifest = parseManifest(JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8')))
const weights = readFileSync(new URL('weights.bin', FOLDER))
const model = loadModel()
const scoreOf = (words: string, title = ''): number => model.opinion({ title, words })?.score ?? NaN

t.test('the weights fit into the 2 MiB that the package has for them', async (t) => {
  t.ok(statSync(new URL('weights.bin', FOLDER)).size <= 2 * 1024 * 1024)
})

t.test('weights that are not those of the manifest are not used', async (t) => {
  const changed = Buffer.from(weights)
  changed[1000] = ((changed[1000] ?? 0) + 1) % 256
  t.throws(() => createModel(manifest, changed), /do not match its manifest: install the package again/)
  t.throws(() => createModel(manifest, weights.subarray(1)), /do not match its manifest/)
  t.throws(() => parseManifest({ ...manifest, features: 0 }), { message: /features/ })
  t.throws(() => parseManifest({ ...manifest, words: { scale: 1, bias: '1' } }), { message: /words\.bias/ })
  t.throws(() => parseManifest({ ...manifest, kinds: { ...manifest.kinds, scam: undefined } }), {
    message: /kinds\.scam/,
  })
  t.throws(() => parseManifest({ ...manifest, classes: { ...manifest.classes, bec: 1 } }), { message: /classes\.bec/ })
  t.throws(() => parseManifest({ ...manifest, calibration: [] }), { message: /calibration/ })
  t.throws(() => parseManifest({ ...manifest, calibration: { ...manifest.calibration, gate: { scale: 1 } } }), {
    message: /calibration\.gate\.offset/,
  })
  t.throws(() => parseManifest({ ...manifest, sha256: 5 }), { message: /sha256/ })
})

t.test('a message without words has no opinion', async (t) => {
  t.equal(model.opinion({ title: '', words: '' }), undefined)
  t.equal(model.opinion({ title: '…', words: '-- --' }), undefined)
})

t.test('words of unwanted mail weigh more than those of wanted mail', async (t) => {
  t.ok(
    scoreOf('verify your account within 24 hours or it will be suspended, click here to log in') >
      scoreOf('see you at the meeting on tuesday, the agenda is attached'),
  )
  t.ok(
    scoreOf('cheap viagra online, no prescription needed') >
      scoreOf('the build failed on the main branch, see the log'),
  )
  t.ok(
    scoreOf('ihr konto wurde gesperrt, bestätigen sie ihre daten') >
      scoreOf('anbei das protokoll der besprechung, mit freundlichen grüßen'),
  )
})

t.test('what stands below a message makes it no better', async (t) => {
  const lure =
    'dear customer your account has been suspended please verify your account within 24 hours click the link below to restore access '.repeat(
      4,
    )
  const padding = 'thanks for the minutes of the meeting, the agenda for tuesday is attached, best regards '.repeat(20)
  t.ok(scoreOf(lure + padding) >= scoreOf(lure) - 0.5, `${scoreOf(lure + padding)} of ${scoreOf(lure)}`)
})

t.test('shares of the kinds of unwanted mail add up to one', async (t) => {
  const kinds = model.opinion({ title: 'Verify', words: 'verify your account now' })?.kinds
  t.ok(kinds)
  if (kinds) t.ok(Math.abs(kinds.spam + kinds.phishing + kinds.scam - 1) < 1e-9)
})

t.test('the features that told most are named', async (t) => {
  const telling = model.telling({ title: '', words: 'please verify your account today' }, 5)
  t.equal(telling.length, 5)
  t.ok(
    telling.some(({ feature }) => /verify|account/.test(feature)),
    { telling },
  )
  t.strictSame(
    telling,
    [...telling].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)),
  )
})

t.test('any text has features, each once, and an extractor remembers nothing of the message before', async (t) => {
  const used = createExtractor()
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 60 }), (words, title) => {
      const { words: places, pieces, beginnings } = used.extract({ title, words })
      const fresh = createExtractor().extract({ title, words })
      return (
        new Set(places).size === places.length &&
        new Set(pieces).size === pieces.length &&
        beginnings.every((one) => one.words <= places.length && one.pieces <= pieces.length) &&
        Buffer.from(places.slice().buffer).equals(Buffer.from(fresh.words.slice().buffer))
      )
    }),
    { numRuns: 60 },
  )
  t.pass('held for all')
})

const MINUTES =
  'the allotment society met on tuesday with nineteen members present and the minutes of april were read and approved without changes the water butt behind the shed leaks again and jonas will bring a new tap on saturday morning the plum trees were pruned in march and carry well this year so whoever has room in a cellar may ask ruth for crates the path along the brook is to be mown every second week the list of turns hangs at the gate and was filled up to september the bees of plot seven have moved to the far hedge and the children of the school will visit them in june with their teacher and two parents please leave the gate open for them until noon the seed swap was well attended and the rest of the beans stands in the shed for anyone who wants them the next meeting is on the second of july at half past seven in the hall and as always there will be coffee and cake afterwards'
const LURE =
  'your mailbox has been limited because of unusual activity to restore access verify your password within 24 hours at http://mail-verify.example.net/login or your account will be closed permanently and all messages deleted confirm your identity now'

t.test('a few words say too little, whatever they are', async (t) => {
  const score = model.worst({ title: 'from curl', words: 'hello' })?.score
  t.ok((score ?? 9) <= 2, `${score}`)
  t.ok((model.worst({ title: 'wallet', words: 'send your wallet phrase' })?.score ?? 9) <= 2)
  t.ok((model.worst({ title: '', words: LURE })?.score ?? 0) > 2)
})

t.test('a lure counts wherever it stands in a long harmless text', async (t) => {
  const minutes = MINUTES.split(' ')
  const lure = LURE.split(' ')
  const title = 'newsletter'
  const harmless = model.worst({ title, words: MINUTES })
  t.ok((harmless?.score ?? 9) < 0, `${harmless?.score}`)
  t.equal(harmless?.window, undefined)
  const alone = model.worst({ title, words: LURE })?.score ?? 0
  for (const before of [40, 90, 150, minutes.length]) {
    const words = [...minutes.slice(0, before), ...lure, ...minutes.slice(before)].join(' ')
    const found = model.worst({ title, words })
    t.ok((found?.score ?? 0) > 0.3 * alone, `after ${before} words: ${found?.score} of ${alone}`)
    const { from, to } = found?.window ?? { from: 0, to: 0 }
    t.ok(from < before + lure.length && to > before, `after ${before} words: ${from} to ${to}`)
    const telling = model.telling({ title, words }, 400, found?.window).map(({ feature }) => feature)
    t.ok(
      telling.slice(0, 5).some((feature) => LURE.includes(feature.replaceAll('…', ''))),
      telling.slice(0, 5).join(', '),
    )
    const spelled = `<${title}> ^ u <u> 00 <00> <${words.replaceAll(' ', '> <')}> ${words} ${title}`
    for (const feature of telling)
      for (const part of feature
        .replaceAll('\u0001', '')
        .split(/ … |…| /)
        .filter((part) => part !== ''))
        if (!spelled.includes(part)) t.fail(`${feature}: ${part}`)
    t.ok(telling.includes(title), 'and the title')
  }
  t.ok(scoreOf([...minutes, ...lure].join(' '), title) < 0, 'as a whole it is harmless')
})
