/**
 * `npm run --silent by-class [-- CODE]`: what the rules find in the scenes, templates and corpora of training, by class of abuse and by code; with a
 * CODE, the messages in which it was found, to be read by eye. The weights of rules of intent are chosen by it.
 */
import { excerptOf } from '../src/guard/reason-codes.js'
import { findingsOf } from '../src/guard/verdict/findings.js'
import { decided, DEFAULT_LINES } from '../src/guard/verdict/guard.js'
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
const QUOTED = 'as quoted or told of'

/** What agents send that is unwanted, as verdict/guard.ts assumes it. */
const EXPECTED_SHARE = 0.05

interface Seen {
  sample: Sample
  findings: ReturnType<typeof findingsOf>
  /** By rules alone. */
  held: boolean
}

const see = (samples: Sample[]): Seen[] =>
  samples.map((sample) => {
    const evidence = { findings: findingsOf(subjectOf(sample)), text: undefined, unwanted: undefined }
    return {
      sample,
      findings: evidence.findings,
      held: decided({ trust: 0 }, evidence, DEFAULT_LINES).decision !== 'send',
    }
  })

const [only, part = 'all'] = process.argv.slice(2)
const told = see(scenes('train', EACH))
const made = see(generated('train', EACH))
const stored = part === 'scenes' ? [] : see(readCorpora().flatMap(({ samples }) => samples))
const all = [...told, ...made, ...stored]

if (only !== undefined && only !== '-') {
  let shown = 0
  for (const { sample, findings } of all) {
    const finding = findings.find(({ code }) => code === only)
    if (!finding || finding.detail.includes(QUOTED) || isUnwanted(sample.label) || shown++ >= SHOWN) continue
    console.log(
      `${sample.source} ${sample.template ?? ''} ${finding.weight.toFixed(2)}: ${excerptOf(finding.excerpt ?? finding.detail)}`,
    )
  }
} else {
  printClasses()
  printHeld()
  printLanguages()
  printCodes()
}

function printClasses(): void {
  console.log(`${''.padEnd(16)} abusive: of the class, strongly, held | honest: the same`)
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
      const held = messages.filter(({ held }) => held).length
      return `${String(messages.length).padStart(6)} ${share(0)} ${share(STRONG)} ${percent(held, messages.length)}`
    })
    console.log(`${of.padEnd(16)} ${row.join('  | ')}`)
  }
}

function printHeld(): void {
  for (const [name, seen] of [
    ['templates', made],
    ['corpora', stored],
  ] as const) {
    const row = [true, false].map((unwanted) => {
      const messages = seen.filter(({ sample }) => isUnwanted(sample.label) === unwanted)
      return percent(messages.filter(({ held }) => held).length, messages.length)
    })
    console.log(`${name}: abusive held by rules ${row[0]}, honest ${row[1]}`)
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

/**
 * Weight of each code: the probability of abuse where it is found, at the expected share. Counted by scene and template, since tellings of one are no
 * evidence of their own, and smoothed (Laplace); a message of the corpora is one by itself.
 */
function printCodes(): void {
  const [wanted, unwanted] = [false, true].map((isUnwantedSide) =>
    all.filter(({ sample }) => isUnwanted(sample.label) === isUnwantedSide),
  )
  const [good, bad] = [countsOf(wanted ?? []), countsOf(unwanted ?? [])]
  console.log(`\n${good.units} honest and ${bad.units} abusive scenes, templates and messages`)
  console.log(`${'code'.padEnd(30)} abusive  honest  of honest  weight`)
  for (const code of [...new Set([...good.by.keys(), ...bad.by.keys()])].sort()) {
    const [yes, no] = [bad.by.get(code)?.size ?? 0, good.by.get(code)?.size ?? 0]
    const odds = (yes + 1) / (bad.units + 2) / ((no + 1) / (good.units + 2))
    const expected = (odds * EXPECTED_SHARE) / (1 - EXPECTED_SHARE)
    console.log(
      `${code.padEnd(30)} ${String(yes).padStart(7)} ${String(no).padStart(7)} ${percent(no, good.units)} ${(expected / (1 + expected)).toFixed(2).padStart(8)}`,
    )
  }
}

function countsOf(seen: Seen[]): { units: number; by: Map<string, Set<string>> } {
  const units = new Set<string>()
  const by = new Map<string, Set<string>>()
  for (const [at, { sample, findings }] of seen.entries()) {
    const unit = sample.template ?? `${sample.source} ${at}`
    units.add(unit)
    // What is quoted has a weight of its own.
    for (const { code, detail } of findings)
      if (!detail.includes(QUOTED)) by.set(code, (by.get(code) ?? new Set()).add(unit))
  }
  return { units: units.size, by }
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '     -' : `${((100 * part) / whole).toFixed(2).padStart(6)} %`
}
