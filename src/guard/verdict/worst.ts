/** The text model on all readings of a message: the whole, the parts that differ, and windows of a long text. The worst counts. */
import type { ReadableMessage } from '../model/features.js'
import type { Opinion, Scored, TextModel } from '../model/model.js'
import type { Reading } from '../text/text.js'

/** Many readings are many chances for a false one, so each but the whole counts this much less, in steps of the score. */
const OTHER_SHARE = 0.8

type Judged = Pick<Reading, 'title' | 'words' | 'others' | 'windows'>

export function worstOpinion(model: TextModel, reading: Judged): Opinion | undefined {
  const found = worst(model, reading)
  return found && { ...model.opinionOf(found.scored), score: found.score }
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
  { title, words, others, windows }: Judged,
): { score: number; scored: Scored; message: ReadableMessage } | undefined {
  const [whole, ...ofWindows] = model.scores({ title, words }, windows)
  if (whole === undefined) return undefined
  let found = { score: whole.score, scored: whole, message: { title, words } }
  const ofOthers = others.flatMap((words) => model.scores({ title, words }))
  for (const [index, scored] of [...ofOthers, ...ofWindows].entries()) {
    if (scored === undefined) continue
    const score = scored.score < 0 ? scored.score : scored.score * OTHER_SHARE
    if (score <= found.score) continue
    const words = [...others, ...windows][index] ?? ''
    found = { score, scored, message: { title, words } }
  }
  return found
}
