/** What the model is worth on mail that it was not trained on: each time another source is left out of everything, calibration and line included. */
import { FAMILIES, type Example } from './examples.js'
import { auc, lineAt, sharesAbove, type Scored } from './measures.js'
import { calibrate, logitOf, scoreOf, scoresOfStrangers, trainTables, type Measured } from './train.js'

export interface Result {
  name: string
  wanted: number
  unwanted: number
  /** With the rules' findings, as the guard has it. */
  auc: number
  /** Of the text model alone. */
  textAuc: number
  recallAtOnePercent: number
  /** At the line of 1 % false positives on the other sources. */
  carried: { recall: number; falsePositives: number }
}

/** Leaves out what `isHeldOut` names, and examines on it. */
export function leaveOut(name: string, examples: Example[], isHeldOut: (example: Example) => boolean): Result {
  const held = examples.filter(isHeldOut)
  const rest = examples.filter((example) => !isHeldOut(example))
  const strangers = scoresOfStrangers(rest)
  const calibration = calibrate(strangers)
  const scored = (measured: Measured[]): Scored[] =>
    measured.map((one) => ({ score: logitOf(calibration, one), isUnwanted: one.example.isUnwanted }))
  const tables = trainTables(rest)
  const measured = held.map((example) => ({ example, score: scoreOf(tables, example) }))
  const own = scored(measured)
  return {
    name,
    wanted: own.filter(({ isUnwanted }) => !isUnwanted).length,
    unwanted: own.filter(({ isUnwanted }) => isUnwanted).length,
    auc: auc(own),
    textAuc: auc(measured.map(({ example, score }) => ({ score, isUnwanted: example.isUnwanted }))),
    recallAtOnePercent: sharesAbove(own, lineAt(own, 0.01)).recall,
    carried: sharesAbove(own, carriedLine(strangers, scored)),
  }
}

/** Between the families, the mean of the lines that 1 % of the wanted mail of each is above. */
function carriedLine(strangers: Measured[], scored: (measured: Measured[]) => Scored[]): number {
  const lines = FAMILIES.map((family) => strangers.filter(({ example }) => example.family === family))
    .filter((of) => of.length > 0)
    .map((of) => lineAt(scored(of), 0.01))
  return lines.reduce((sum, line) => sum + line, 0) / lines.length
}
