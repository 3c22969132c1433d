/**
 * `npm run --silent by-class [-- CODE]`: what the rules find in the scenes, templates and corpora of training, by class of abuse and by code; with a
 * CODE, the messages in which it was found, to be read by eye. The weights of rules of intent are chosen by it.
 */
import { excerptOf } from '../src/guard/reason-codes.js'
import { findingsOf } from '../src/guard/verdict/findings.js'
import { readCorpora } from './corpora.js'
import { subjectOf } from './examples.js'
import { generated } from './generated/index.js'
import { isUnwanted, type Sample } from './sample.js'
import { isAbuseClass } from './scenes/classes.js'
import { scenes } from './scenes/samples.js'

/** Tellings of each message. */
const EACH = 6
const STRONG = 0.3
const SHOWN = 25
/** Every so manieth message of the corpora. */
const CORPUS_STEP = 1

interface Seen {
  sample: Sample
  findings: ReturnType<typeof findingsOf>
}

const see = (samples: Sample[]): Seen[] =>
  samples.map((sample) => ({ sample, findings: findingsOf(subjectOf(sample)) }))

const [only, part = 'all'] = process.argv.slice(2)
const told = see(scenes('train', EACH))
const made = see(generated('train', EACH))
const stored = part === 'scenes' ? [] : see(readCorpora().flatMap(({ samples }) => samples.filter((_, at) => at % CORPUS_STEP === 0)))
const all = [...told, ...made, ...stored]

if (only !== undefined && only !== '-') {
  let shown = 0
  for (const { sample, findings } of all) {
    const finding = findings.find(({ code }) => code === only)
    if (!finding || finding.weight < STRONG || isUnwanted(sample.label) || shown++ >= SHOWN) continue
    console.log(`${sample.source} ${sample.template ?? ''} ${finding.weight.toFixed(2)}: ${excerptOf(finding.excerpt ?? finding.detail)}`)
  }
} else {
  printClasses()
  printLanguages()
  printCodes()
}

function printClasses(): void {
  console.log('class            abusive   any  strong | honest   any  strong  held')
  const classes = new Set(told.map(({ sample }) => sample.abuse ?? ''))
  for (const of of [...classes].sort()) {
    const own = told.filter(({ sample }) => sample.abuse === of)
    const row = [true, false].map((unwanted) => {
      const messages = own.filter(({ sample }) => isUnwanted(sample.label) === unwanted)
      const share = (least: number): string =>
        percent(
          messages.filter(({ findings }) => findings.some((one) => one.class === of && one.weight >= least)).length,
          messages.length,
        )
      return `${String(messages.length).padStart(6)} ${share(0)} ${share(STRONG)}`
    })
    console.log(`${of.padEnd(16)} ${row.join('  | ')}`)
  }
}

function printLanguages(): void {
  console.log('\nlanguage: share of abusive scenes with a strong finding of any class, and of honest ones')
  for (const language of [...new Set(told.map(({ sample }) => sample.language ?? ''))].sort()) {
    const own = told.filter(({ sample }) => sample.language === language)
    const share = (unwanted: boolean): string => {
      const messages = own.filter(({ sample }) => isUnwanted(sample.label) === unwanted)
      const found = messages.filter(({ findings }) =>
        findings.some((one) => one.class !== undefined && isAbuseClass(one.class) && one.weight >= STRONG),
      )
      return percent(found.length, messages.length)
    }
    console.log(`${language.padEnd(4)} ${share(true)} ${share(false)}`)
  }
}

/** Precision of each code, smoothed (Laplace), with honest and abusive mail counted as if there were as much of each. */
function printCodes(): void {
  const wanted = all.filter(({ sample }) => !isUnwanted(sample.label))
  const unwanted = all.filter(({ sample }) => isUnwanted(sample.label))
  const counts = (seen: Seen[]): Map<string, number> => {
    const by = new Map<string, number>()
    for (const { findings } of seen)
      for (const { code, weight } of findings) if (weight >= STRONG) by.set(code, (by.get(code) ?? 0) + 1)
    return by
  }
  const [good, bad, honestScenes, corpus] = [
    counts(wanted),
    counts(unwanted),
    counts(told.filter(({ sample }) => !isUnwanted(sample.label))),
    counts(stored.filter(({ sample }) => !isUnwanted(sample.label))),
  ]
  const honest = told.filter(({ sample }) => !isUnwanted(sample.label)).length
  const kept = stored.filter(({ sample }) => !isUnwanted(sample.label)).length
  console.log(`\n${wanted.length} honest and ${unwanted.length} abusive messages\ncode                          abusive  honest  of scenes  of corpora  precision`)
  for (const code of [...new Set([...good.keys(), ...bad.keys()])].sort()) {
    const [yes, no] = [bad.get(code) ?? 0, good.get(code) ?? 0]
    const [yesShare, noShare] = [(yes + 1) / (unwanted.length + 2), (no + 1) / (wanted.length + 2)]
    console.log(
      `${code.padEnd(30)} ${String(yes).padStart(6)} ${String(no).padStart(7)} ${percent(honestScenes.get(code) ?? 0, honest)} ${percent(corpus.get(code) ?? 0, kept)} ${(yesShare / (yesShare + noShare)).toFixed(3).padStart(10)}`,
    )
  }
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '     -' : `${((100 * part) / whole).toFixed(2).padStart(6)} %`
}
