/**
 * Platt's: the odds as lines over what tables and rules say, fitted to mail of sources that the tables were not trained on, where the model says one
 * of two suspicions is enough.
 */
import type { ModelManifest } from '../src/guard/model/model.js'
import { eitherOf, sigmoid } from '../src/guard/model/scores.js'
import type { Measured } from './train.js'

export type Calibration = ModelManifest['calibration']

const ROUNDS = 4000

/**
 * Rules count as much as known words do: free, the fit believes them too much, since the templates of unwanted mail were made to be found. Each label
 * of each family counts alike.
 */
export function calibrate(measured: Measured[]): Calibration {
  const counts = new Map<string, number>()
  const nameOf = ({ example }: Measured): string => `${example.family} ${example.isUnwanted}`
  for (const one of measured) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1)
  const shares = Float64Array.from(measured, (one) => 1 / (counts.size * (counts.get(nameOf(one)) ?? 1)))
  const line = { known: { scale: 0.5, offset: -1 }, phrasing: { scale: 0.5, offset: -1 } }
  // Plain gradient descent on four numbers.
  for (let round = 0; round < ROUNDS; round++) {
    const slope = { known: { scale: 0, offset: 0 }, phrasing: { scale: 0, offset: 0 } }
    for (let i = 0; i < measured.length; i++) {
      const one = measured[i]
      if (!one) continue
      const { known, phrasing, example } = one
      const [ofKnown, ofPhrasing] = [
        line.known.scale * known + line.known.offset,
        line.phrasing.scale * phrasing + line.phrasing.offset,
      ]
      const logit = eitherOf(ofKnown, ofPhrasing) + line.known.scale * example.findings
      const error = (sigmoid(logit) - (example.isUnwanted ? 1 : 0)) * (shares[i] ?? 0)
      const share = sigmoid(ofKnown - ofPhrasing)
      slope.known.scale += error * (share * known + example.findings)
      slope.known.offset += error * share
      slope.phrasing.scale += error * (1 - share) * phrasing
      slope.phrasing.offset += error * (1 - share)
    }
    for (const part of ['known', 'phrasing'] as const) {
      line[part].scale -= slope[part].scale
      line[part].offset -= slope[part].offset
    }
  }
  return { ...line, findings: line.known.scale }
}

export function logitOf(calibration: Calibration, { example, known, phrasing }: Measured): number {
  return (
    eitherOf(
      calibration.known.scale * known + calibration.known.offset,
      calibration.phrasing.scale * phrasing + calibration.phrasing.offset,
    ) +
    calibration.findings * example.findings
  )
}
