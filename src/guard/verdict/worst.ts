/** The text model on all readings of a message: the whole, windows of it, and the parts that differ. The worst counts. */
import type { ReadableMessage } from '../model/features.js'
import type { Opinion, Scored, TellingFeature, TextModel } from '../model/model.js'
import type { Reading } from '../text/text.js'

/** Many readings are many chances for a false one, so each but the whole counts this much less, in steps of the score. */
const OTHER_SHARE = 0.8

type Judged = Pick<Reading, 'title' | 'words' | 'others'>

export function worstOpinion(model: TextModel, reading: Judged): Opinion | undefined {
  const found = worst(model, reading)
  return found && model.opinionOf(found.scored)
}

/** Its score alone. */
export function worstScore(model: TextModel, reading: Judged): number | undefined {
  return worst(model, reading)?.scored.score
}

/** The strongest words of the reading that counted. */
export function worstTelling(model: TextModel, reading: Judged, count: number): TellingFeature[] {
  const found = worst(model, reading)
  return found ? model.telling(found.message, count, found.scored.window) : []
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
