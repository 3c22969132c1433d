/** The text model on all readings of a message: the whole, the parts that differ, and windows of a long text. The worst counts. */
import type { ReadableMessage } from '../model/features.js'
import type { Opinion, TextModel } from '../model/model.js'
import type { Reading } from '../text/text.js'

/** Many readings are many chances for a false one, so each but the whole counts this much less, in steps of the score. */
const OTHER_SHARE = 0.8

type Judged = Pick<Reading, 'title' | 'words' | 'others'>

export function worstOpinion(model: TextModel, reading: Judged): Opinion | undefined {
  const found = worst(model, reading)
  const opinion = found && model.opinion(found.message)
  return opinion && { ...opinion, score: found.score }
}

/** Its score alone. */
export function worstScore(model: TextModel, reading: Judged): number | undefined {
  return worst(model, reading)?.score
}

/** The reading that counted. */
export function worstWords(model: TextModel, reading: Judged): ReadableMessage {
  return worst(model, reading)?.message ?? reading
}

function worst(
  model: TextModel,
  { title, words, others }: Judged,
): { score: number; message: ReadableMessage } | undefined {
  const message = { title, words }
  const whole = model.score(message)
  if (whole === undefined) return undefined
  let found = { score: whole, message }
  for (const other of others) {
    const message = { title, words: other }
    const score = model.score(message)
    const counted = score === undefined || score < 0 ? score : score * OTHER_SHARE
    if (counted !== undefined && counted > found.score) found = { score: counted, message }
  }
  return found
}
