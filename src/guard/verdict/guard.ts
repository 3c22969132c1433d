/**
 * The classifier combines the findings of the rules and the opinion of the text model into one risk and a decision. It blocks only on hard evidence,
 * or when it is very sure and rules agree; doubtful mail is held for review.
 */
import { isHardEvidence } from './evidence.js'
import { reasonOf, risk, type Finding } from '../finding.js'
import { findingsOf, type FindingContext } from './findings.js'
import { sigmoid, type Opinion, type TellingFeature, type TextModel } from '../model/model.js'
import { worstReading } from './worst.js'
import { isOfStory, MAX_STORY_ODDS, storyOdds } from '../signals/story.js'
import { readingOf, type Reading } from '../text/text.js'
import type { Category, Guard, GuardReason, GuardSubject, GuardVerdict } from '../types.js'

export { filesOf } from '../signals/attachments.js'

export interface Lines {
  /** Risk from which a message is held, 0 to 1, at the lowest trust level. */
  holdAt: number
  /** Risk from which it is blocked if rules agree. */
  blockAt: number
}

export interface GuardOptions extends Partial<Lines>, FindingContext {
  /** Missing: only the rules decide. */
  model?: TextModel | undefined
  /** Shifts the log odds by the corrections of this installation. */
  adjust?: ((logit: number, subject: GuardSubject, codes: string[]) => number) | undefined
}

export interface Evidence {
  findings: Finding[]
  /** Undefined without a model, and for a message without words. */
  text: Opinion | undefined
  /** Probability of unwanted mail, 0 to 1, from words, findings and the account's story; undefined without a model, and without words and story. */
  unwanted: number | undefined
  /** The same without the story; missing where the story says nothing. */
  alone?: number | undefined
  /** What makes up `unwanted`. */
  parts?: Parts | undefined
}

/** Steps of the log odds, which add up. */
export interface Parts {
  words: number
  findings: number
  /** How rare unwanted mail is among what agents send. */
  expected: number
  /** Corrections of this installation. */
  learnt: number
  /** What the account usually sends, and how this message departs from it. */
  story: number
}

export interface Explanation extends Evidence {
  verdict: GuardVerdict
  /** What was read. */
  reading: Reading
  /** Its strongest words. */
  telling: TellingFeature[]
  /** Version of the text model. */
  version: string | undefined
}

export interface ExplainingGuard extends Guard {
  evidence(subject: GuardSubject): Evidence
  explain(subject: GuardSubject): Explanation
}

export const DEFAULT_LINES: Lines = { holdAt: 0.45, blockAt: 0.98 }

const RISKS = ['bulk', 'spam', 'phishing', 'scam', 'malware'] as const satisfies Category[]
const KINDS = ['spam', 'phishing', 'scam'] as const satisfies Category[]

/** Assumed share of unwanted mail among what agents send; the model was calibrated on half and half. */
const EXPECTED_SHARE = 0.05
const PRIOR = Math.log(EXPECTED_SHARE / (1 - EXPECTED_SHARE))
/** Each trust level raises the line by a tenth of what is left above it. */
const TRUST_STEP = 0.1
/** Risk by rules alone from which a message is held: each is weak evidence by itself. */
export const FINDINGS_HOLD_AT = 0.5
/** Min risk by rules before a message is blocked for its words. */
const SUPPORT = 0.5
/** Min risk of the words that is worth a reason. */
const WORTH_TELLING = 0.2
const TELLING_COUNT = 12
const QUOTED_COUNT = 4

export function createGuard({
  model,
  adjust,
  isKnownBad,
  newRecipientsPerDay,
  ...given
}: GuardOptions = {}): ExplainingGuard {
  const lines = { ...DEFAULT_LINES, ...given }

  const judged = (subject: GuardSubject): Judged => {
    const findings = findingsOf(subject, { isKnownBad, newRecipientsPerDay })
    const worst = model && worstReading(model, readingOf(subject))
    const text = worst?.opinion
    let told: TellingFeature[] | undefined
    const telling = (): TellingFeature[] => (told ??= worst?.telling(TELLING_COUNT) ?? [])
    const odds = storyOdds(findings)
    if (!model || (!text && odds === 0)) return { findings, text, unwanted: undefined, telling }
    const { calibration } = model
    const words = text?.score ?? 0
    const ofFindings = calibration.findings * doubtLess(findings)
    const first = words + ofFindings + PRIOR
    const alone = adjust
      ? adjust(
          first,
          subject,
          findings.map(({ code }) => code),
        )
      : first
    const story = storyStep(alone, odds)
    const parts = { words, findings: ofFindings, expected: PRIOR, learnt: alone - first, story }
    const unwanted = sigmoid(alone + story)
    return { findings, text, unwanted, ...(story > 0 && { alone: sigmoid(alone) }), parts, telling }
  }

  return {
    check: async (subject) => {
      const { telling, ...evidence } = judged(subject)
      return decided(subject, evidence, lines, telling)
    },
    evidence(subject) {
      const { telling: _, ...evidence } = judged(subject)
      return evidence
    },
    explain(subject) {
      const { telling, ...evidence } = judged(subject)
      return {
        ...evidence,
        verdict: decided(subject, evidence, lines, telling),
        reading: readingOf(subject),
        telling: telling(),
        version: model?.version,
      }
    },
  }
}

/** The strongest words are looked for only where they are asked for, and once. */
interface Judged extends Evidence {
  telling(): TellingFeature[]
}

/**
 * The decision on the evidence.
 *
 * @param telling the strongest words; called only where they become a reason
 */
export function decided(
  { trust }: Pick<GuardSubject, 'trust'>,
  { findings, text, unwanted = 0, alone = unwanted }: Evidence,
  { holdAt, blockAt }: Lines,
  telling: () => TellingFeature[] = () => [],
): GuardVerdict {
  const structural = structuralOf(findings.filter((finding) => !isOfStory(finding)))
  const scores = scoresOf(structural, text, { unwanted, alone })
  const [worstFound, found] = worstOf(structural)
  const line = holdLine(holdAt, trust)
  const isHeldForStory = unwanted >= line && alone < line
  const [ofWords] = alone > found ? worstOf(kindScores(structural, text, alone)) : [worstFound]
  const category = isHeldForStory && found < holdAt ? 'bulk' : ofWords
  const hard = isHardEvidence(findings)
  const supported = Math.max(...KINDS.map((kind) => structural.get(kind) ?? 0), structural.get('malware') ?? 0)

  const reasons: GuardReason[] = findings.map(reasonOf)
  const isHeldForRisk = unwanted >= line
  if (alone >= WORTH_TELLING) reasons.push(wordsReason(alone, ofWords, text?.abuse, isHeldForRisk ? telling() : []))
  if (unwanted >= WORTH_TELLING && unwanted > alone) reasons.push(storyReason(unwanted, alone))
  if (reasons.length === 0) reasons.push({ code: 'no_risk_found', detail: 'nothing suspicious found' })

  if (hard) return { category: hard.category, scores, decision: 'block', reasons: foremost(hard, reasons) }
  // The story of its account makes a message doubtful, never certain.
  if (alone >= blockAt && supported >= SUPPORT) return { category, scores, decision: 'block', reasons }
  if (isHeldForRisk || found >= Math.max(holdAt, FINDINGS_HOLD_AT))
    return { category, scores, decision: 'hold', reasons }
  return { category: 'legitimate', scores, decision: 'send', reasons }
}

/**
 * What the story adds. Harmless words take less away from it the more unusual it is: a campaign is written harmlessly too. At its most it holds a message
 * of any words; half of it holds only doubtful ones.
 */
function storyStep(alone: number, odds: number): number {
  return odds === 0 ? 0 : odds + Math.max(0, PRIOR + odds - MAX_STORY_ODDS - alone)
}

/** Higher trust raises the line for words; findings of rules count for all alike. */
export function holdLine(holdAt: number, trust: number): number {
  return 1 - (1 - holdAt) * (1 - TRUST_STEP) ** trust
}

/** Findings about the content, as the calibration takes them: the log of the doubt that they remove; 0 for none. */
export function doubtLess(findings: Finding[]): number {
  return findings.reduce(
    (sum, { weight, category }) =>
      category === 'bulk' || category === 'malware' ? sum : sum - Math.log(1 - Math.min(weight, 0.999)),
    0,
  )
}

type Risk = (typeof RISKS)[number]
type Scores = Map<Risk, number>

/** Findings of one category add up as independent evidence. */
function structuralOf(findings: Finding[]): Scores {
  const scores: Scores = new Map()
  for (const category of RISKS) {
    const own = findings.filter((finding) => finding.category === category)
    if (own.length > 0) scores.set(category, risk(own))
  }
  return scores
}

/** The risk of the words, divided among the kinds of unwanted mail by words and findings. */
function kindScores(structural: Scores, text: Opinion | undefined, unwanted: number): Scores {
  return new Map(
    KINDS.map((kind) => [kind, 1 - (1 - unwanted * (text?.kinds[kind] ?? 0)) * (1 - (structural.get(kind) ?? 0))]),
  )
}

function scoresOf(
  structural: Scores,
  text: Opinion | undefined,
  { unwanted, alone }: { unwanted: number; alone: number },
): GuardVerdict['scores'] {
  const [, found] = worstOf(structural)
  const all = new Map([...structural, ...(text ? kindScores(structural, text, alone) : [])])
  if (unwanted > alone) all.set('bulk', Math.max(all.get('bulk') ?? 0, unwanted))
  const shares = [...all]
    .map(([category, score]) => [category, rounded(score)] as const)
    .filter(([, score]) => score > 0)
  return { legitimate: rounded(1 - Math.max(found, unwanted)), ...Object.fromEntries(shares) }
}

function worstOf(scores: Scores): [Category, number] {
  let worst: [Category, number] = ['legitimate', 0]
  for (const [category, score] of scores) if (score > worst[1]) worst = [category, score]
  return worst
}

function wordsReason(
  unwanted: number,
  category: Category,
  abuse: Opinion['abuse'],
  telling: TellingFeature[],
): GuardReason {
  const quoted = telling
    .filter(({ weight, feature }) => weight > 0 && !feature.startsWith('…'))
    .slice(0, QUOTED_COUNT)
    .map(({ feature }) => JSON.stringify(feature))
  const detail = `wording: ${Math.floor(100 * unwanted)} % like ${category === 'legitimate' ? 'unwanted mail' : category}`
  const reason = { code: 'words', detail: quoted.length > 0 ? `${detail}: ${quoted.join(', ')}` : detail }
  return abuse === undefined ? reason : { ...reason, class: abuse }
}

function storyReason(unwanted: number, alone: number): GuardReason {
  const [all, own] = [unwanted, alone].map((risk) => Math.floor(100 * risk))
  return {
    code: 'story',
    detail: `measured by what the account usually sends: ${all} % in all, ${own} % by words and findings alone`,
  }
}

/** The evidence for a block comes first. */
function foremost(hard: Finding, reasons: GuardReason[]): GuardReason[] {
  return [...reasons.filter(({ code }) => code === hard.code), ...reasons.filter(({ code }) => code !== hard.code)]
}

const rounded = (score: number): number => Math.round(score * 1000) / 1000
