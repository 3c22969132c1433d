/** The text model on all readings of a message: the whole, windows of it, and the parts that differ. The worst counts. */
import type { ReadableMessage } from '../model/features.js'
import type { Opinion, Scored, TellingFeature, TextModel } from '../model/model.js'
import type { Reading } from '../text/text.js'

/** Many readings are many chances for a false one, so each but the whole counts this much less, in steps of the score. */
const OTHER_SHARE = 0.8

type Judged = Pick<Reading, 'title' | 'words' | 'others'>

export interface WorstReading {
  opinion: Opinion
  /** Its strongest words. */
  telling(count: number): TellingFeature[]
}

/** Undefined for a message without words. */
export function worstReading(model: TextModel, reading: Judged): WorstReading | undefined {
  const found = worst(model, reading)
  return (
    found && {
      opinion: model.opinionOf(found.scored),
      telling: (count) => model.telling(found.message, count, found.scored.window),
    }
  )
}

/** Its score alone. */
export function worstScore(model: TextModel, reading: Judged): number | undefined {
  return worst(model, reading)?.scored.score
}

function worst(
  model: TextModel,
  { title, words, others }: Judged,
): { scored: Scored; message: ReadableMessage } | undefined {
  const message = { title, words }
  const scored = model.worst(message)
  if (!scored) return undefined
  let found = { scored, message }
  for (const other of others) {
    const message = { title, words: other }
    const scored = model.worst(message)
    if (!scored) continue
    const score = scored.score < 0 ? scored.score : scored.score * OTHER_SHARE
    if (score > found.scored.score) found = { scored: { ...scored, score }, message }
  }
  return found
}
