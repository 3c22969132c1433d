/** The guard itself on labelled mail: what it holds and blocks, at which line, under disguise, and how long it takes. */
import { createGuard, decided, DEFAULT_LINES } from '../src/guard/verdict/guard.js'
import type { TextModel } from '../src/guard/model/model.js'
import type { Decision } from '../src/guard/types.js'
import { subjectOf } from './examples.js'
import { isUnwanted, type Sample } from './sample.js'
import { VARIANTS } from './variants.js'

export interface Shares {
  messages: number
  held: number
  blocked: number
}

export interface Decisions {
  wanted: Shares
  unwanted: Shares
}

/** Lines that an operator may think of. */
export const HOLD_LINES = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9]

/** What each line costs and gains. */
export function costsOf(model: TextModel, samples: Sample[]): { holdAt: number; decisions: Decisions }[] {
  const guard = createGuard({ model })
  const seen = samples.map((sample) => ({ sample, evidence: guard.evidence(subjectOf(sample)) }))
  return HOLD_LINES.map((holdAt) => ({
    holdAt,
    decisions: counted(
      seen.map(({ sample, evidence }) => ({
        sample,
        decision: decided({ trust: 0 }, evidence, { ...DEFAULT_LINES, holdAt }).decision,
      })),
    ),
  }))
}

export const BLOCK_LINES = [0.9, 0.95, 0.98, 0.99]

/** What each line of blocking costs and gains. */
export function blockCostsOf(model: TextModel, samples: Sample[]): { blockAt: number; decisions: Decisions }[] {
  const guard = createGuard({ model })
  const seen = samples.map((sample) => ({ sample, evidence: guard.evidence(subjectOf(sample)) }))
  return BLOCK_LINES.map((blockAt) => ({
    blockAt,
    decisions: counted(
      seen.map(({ sample, evidence }) => ({
        sample,
        decision: decided({ trust: 0 }, evidence, { ...DEFAULT_LINES, blockAt }).decision,
      })),
    ),
  }))
}

export function decisionsOf(model: TextModel, samples: Sample[]): Decisions {
  const guard = createGuard({ model })
  return counted(samples.map((sample) => ({ sample, decision: guard.explain(subjectOf(sample)).verdict.decision })))
}

function counted(all: { sample: Sample; decision: Decision }[]): Decisions {
  const of = (wanted: boolean): Shares => {
    const own = all.filter(({ sample }) => isUnwanted(sample.label) !== wanted)
    const share = (decision: Decision): number => own.filter((one) => one.decision === decision).length / own.length
    return { messages: own.length, held: share('hold'), blocked: share('block') }
  }
  return { wanted: of(true), unwanted: of(false) }
}

export interface SceneShares {
  /** Honest and abusive messages. */
  honest: number
  abusive: number
  /** Shares of them that are held or blocked. */
  honestStopped: number
  abusiveStopped: number
  honestBlocked: number
}

export interface SceneResults {
  all: SceneShares
  /** By the class of the abusive side. */
  classes: Record<string, SceneShares>
  languages: Record<string, SceneShares>
}

/** The guard on scenes, at its own lines. */
export function sceneResults(model: TextModel, samples: Sample[]): SceneResults {
  const guard = createGuard({ model })
  const judged = samples.map((sample) => ({ sample, decision: guard.explain(subjectOf(sample)).verdict.decision }))
  const sharesOf = (own: typeof judged): SceneShares => {
    const [honest, abusive] = [false, true].map((is) => own.filter(({ sample }) => isUnwanted(sample.label) === is))
    const share = (of: typeof judged = [], ...decisions: Decision[]): number =>
      of.filter(({ decision }) => decisions.includes(decision)).length / Math.max(1, of.length)
    return {
      honest: honest?.length ?? 0,
      abusive: abusive?.length ?? 0,
      honestStopped: share(honest, 'hold', 'block'),
      abusiveStopped: share(abusive, 'hold', 'block'),
      honestBlocked: share(honest, 'block'),
    }
  }
  const by = (nameOf: (sample: Sample) => string): Record<string, SceneShares> =>
    Object.fromEntries(
      [...new Set(samples.map(nameOf))].map((name) => [
        name,
        sharesOf(judged.filter(({ sample }) => nameOf(sample) === name)),
      ]),
    )
  return {
    all: sharesOf(judged),
    classes: by(({ abuse = '' }) => abuse),
    languages: by(({ language = '' }) => language),
  }
}

/** Share of messages that are not sent, as they are and in each disguise; as where mail is sent, what they quote stands in no stored message. */
export function variantRecalls(model: TextModel, messages: Sample[], padding: Sample[]): Record<string, number> {
  const guard = createGuard({ model })
  const stopped = (samples: Sample[]): number =>
    samples.filter((sample) => guard.explain({ ...subjectOf(sample), parentText: '' }).verdict.decision !== 'send')
      .length / samples.length
  return {
    'as they are': stopped(messages),
    ...Object.fromEntries(
      Object.entries(VARIANTS).map(([name, vary]) => [name, stopped(messages.map((one) => vary(one, padding)))]),
    ),
  }
}

const TEXT_CHARS = 10_000

/** Messages of one source put together until each has 10 kB. */
export function longTexts(samples: Sample[], most: number): Sample[] {
  const texts: Sample[] = []
  let text = ''
  for (const sample of samples) {
    text += `${sample.text}\n\n`
    if (text.length < TEXT_CHARS) continue
    texts.push({ ...sample, text: text.slice(0, TEXT_CHARS) })
    text = ''
    if (texts.length === most) break
  }
  return texts
}

/** Milliseconds of a verdict on a text of 10 kB. */
export function timesOf(model: TextModel, samples: Sample[]): { messages: number; p50: number; p99: number } {
  const guard = createGuard({ model })
  const took = longTexts(samples, 1500).map((one) => {
    const subject = subjectOf(one)
    const from = performance.now()
    guard.evidence(subject)
    return performance.now() - from
  })
  // The first ones run before the code is compiled.
  const warm = took.slice(300).sort((a, b) => a - b)
  const at = (share: number): number => warm[Math.floor(warm.length * share)] ?? 0
  return { messages: warm.length, p50: at(0.5), p99: at(0.99) }
}
