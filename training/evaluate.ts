/** What the model is worth on mail that it was not trained on: each time another source is left out of everything, calibration and line included. */
import { FAMILIES, type Example } from './examples.js'
import { auc, lineAt, sharesAbove, type Scored } from './measures.js'
import { sigmoid } from '../src/guard/model/scores.js'
import { calibrate, logitOf, type Calibration } from './calibrate.js'
import { scoresOf, trainTables, type Measured } from './train.js'

export interface Result {
  name: string
  wanted: number
  unwanted: number
  /** With the rules' findings, as the guard has it. */
  auc: number
  /** Of the known words alone. */
  textAuc: number
  recallAtOnePercent: number
  /** At the line of 1 % false positives on the other sources. */
  carried: { recall: number; falsePositives: number }
}

/**
 * Leaves out what `isHeldOut` names, and examines on it.
 *
 * @param strangers scores by which the model is calibrated, of all sources by tables that were trained without them; those of what is held out are not
 * used
 */
export function leaveOut(
  name: string,
  examples: Example[],
  strangers: Measured[],
  isHeldOut: (example: Example) => boolean,
): Result {
  const others = strangers.filter(({ example }) => !isHeldOut(example))
  const calibration = calibrate(others)
  const scored = (measured: Measured[]): Scored[] =>
    measured.map((one) => ({ score: logitOf(calibration, one), isUnwanted: one.example.isUnwanted }))
  const tables = trainTables(examples.filter((example) => !isHeldOut(example)))
  const measured = examples.filter(isHeldOut).map((example) => ({ example, ...scoresOf(tables, example) }))
  const own = scored(measured)
  return {
    name,
    wanted: own.filter(({ isUnwanted }) => !isUnwanted).length,
    unwanted: own.filter(({ isUnwanted }) => isUnwanted).length,
    auc: auc(own),
    textAuc: auc(measured.map(({ example, known }) => ({ score: known, isUnwanted: example.isUnwanted }))),
    recallAtOnePercent: sharesAbove(own, lineAt(own, 0.01)).recall,
    carried: sharesAbove(own, carriedLine(others, scored)),
  }
}

/** Between the families of corpora and templates, the mean of the lines that 1 % of the wanted mail of each is above. */
function carriedLine(strangers: Measured[], scored: (measured: Measured[]) => Scored[]): number {
  const lines = FAMILIES.filter((family) => family !== 'scenes')
    .map((family) => strangers.filter(({ example }) => example.family === family))
    .filter((of) => of.length > 0)
    .map((of) => lineAt(scored(of), 0.01))
  return lines.reduce((sum, line) => sum + line, 0) / lines.length
}

export interface Said {
  /** Mean probability said of the messages in this tenth, with wanted and unwanted mail counting alike in each family. */
  said: number
  /** Share of them that is unwanted, counted so too. */
  was: number
  messages: number
}

const STEPS = 10

/** Whether what is said comes true, tenth by tenth, on mail of strangers. */
export function reliabilityOf(calibration: Calibration, measured: Measured[]): Said[] {
  const counts = new Map<string, number>()
  const nameOf = ({ example }: Measured): string => `${example.family} ${example.isUnwanted}`
  for (const one of measured) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1)
  const steps = Array.from({ length: STEPS }, () => ({ said: 0, was: 0, weight: 0, messages: 0 }))
  for (const one of measured) {
    const said = sigmoid(logitOf(calibration, one))
    const step = steps[Math.min(STEPS - 1, Math.floor(said * STEPS))]
    if (!step) continue
    const weight = 1 / (counts.get(nameOf(one)) ?? 1)
    step.said += weight * said
    step.was += one.example.isUnwanted ? weight : 0
    step.weight += weight
    step.messages++
  }
  return steps.map(({ said, was, weight, messages }) => ({ said: said / weight, was: was / weight, messages }))
}
