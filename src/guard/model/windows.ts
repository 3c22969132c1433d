/**
 * The worst window of a long message, which is judged beside the whole: harmless words above, below or around a lure must not improve the score, nor may a
 * lure of one sentence drown in an honest text. Sums of weights up to each word find it in a few steps for each window; a feature counts there as often as
 * it occurs. What is found is then judged like a message of its own (model.ts).
 */
import type { Range } from './features.js'
import { KIND_PLACES } from './manifest.js'
import type { Places } from './places.js'
import { certaintyOf, normOf, type KnownTables, type PhrasingTables, type Scores } from './scores.js'
import { firstTurn, TURNS_EACH } from './turns.js'

/** In words: about what a short message has. */
const WINDOW = 60
/** Windows begin at every fourth of one. */
const STEP = WINDOW / 4
/** A message that is hardly longer than a window is judged as a whole only. */
const MIN_WORDS = 2 * WINDOW
/**
 * Share of its score that a window counts: many windows are many chances for a false one, the more so in mail of the kind that the corpora have, where single
 * words tell. Both were chosen on long mail of the corpora by models without it, on messages put together from scenes of the `tune` split, and on disguises.
 */
const SHARE = 0.8
const LESS_IF_FAMILIAR = 0.25

/** @param familiar the probability that it is mail of the kind that the corpora have */
export function windowShare(familiar: number): number {
  return SHARE - LESS_IF_FAMILIAR * familiar
}

export interface WindowTables {
  known: KnownTables
  phrasing: PhrasingTables
  familiar: { weights: Int8Array; scale: number; bias: number }
}

/** @returns undefined for a short message */
export function worstWindow(
  title: Places,
  body: Places,
  tables: WindowTables,
  logit: (scores: Scores) => number,
): Range | undefined {
  if (body.count < MIN_WORDS) return undefined
  const sums = createSums(body, tables)
  const ofTitle = totalOf(createSums(title, tables))
  let worst: Range | undefined
  let greatest = -Infinity
  for (let end = WINDOW; end < body.count + STEP; end += STEP) {
    const to = Math.min(end, body.count)
    const from = to - WINDOW
    const score = logit(scoresOf(plus(ofTitle, between(sums, from, to)), tables))
    if (score <= greatest) continue
    greatest = score
    worst = { from, to }
  }
  return worst
}

/** In steps of eight bits, and numbers of features. */
interface Total {
  words: number
  pieces: number
  turns: number
  knownWords: number
  knownPieces: number
  phrasing: number
  familiar: number
}

/** Totals of the words before each, and of all. */
type Sums = Record<keyof Total, Int32Array>

function createSums(
  { count, words, pieces, pieceEnds, turns }: Places,
  { known, phrasing, familiar }: WindowTables,
): Sums {
  const sums: Sums = {
    words: new Int32Array(count + 1),
    pieces: new Int32Array(count + 1),
    turns: new Int32Array(count + 1),
    knownWords: new Int32Array(count + 1),
    knownPieces: new Int32Array(count + 1),
    phrasing: new Int32Array(count + 1),
    familiar: new Int32Array(count + 1),
  }
  let [knownWords, knownPieces, asks, kind, piece, turn] = [0, 0, 0, 0, 0, 0]
  for (let i = 0; i < count; i++) {
    for (let at = 2 * i; at < 2 * i + 2; at++) {
      const place = words[at] ?? 0
      knownWords += known.words.weights[place] ?? 0
      asks += phrasing.words.weights[place] ?? 0
      kind += familiar.weights[place & (KIND_PLACES - 1)] ?? 0
    }
    for (; piece < (pieceEnds[i] ?? 0); piece++) knownPieces += known.pieces.weights[pieces[piece] ?? 0] ?? 0
    const first = firstTurn(i)
    for (let at = TURNS_EACH * i + first; at < TURNS_EACH * (i + 1); at++)
      asks += phrasing.turns.weights[turns[at] ?? 0] ?? 0
    turn += TURNS_EACH - first
    sums.words[i + 1] = 2 * (i + 1)
    sums.pieces[i + 1] = piece
    sums.turns[i + 1] = turn
    sums.knownWords[i + 1] = knownWords
    sums.knownPieces[i + 1] = knownPieces
    sums.phrasing[i + 1] = asks
    sums.familiar[i + 1] = kind
  }
  return sums
}

function between(sums: Sums, from: number, to: number): Total {
  const of = (name: keyof Total): number => (sums[name][to] ?? 0) - (sums[name][from] ?? 0)
  return {
    words: of('words'),
    pieces: of('pieces'),
    turns: of('turns'),
    knownWords: of('knownWords'),
    knownPieces: of('knownPieces'),
    phrasing: of('phrasing'),
    familiar: of('familiar'),
  }
}

const totalOf = (sums: Sums): Total => between(sums, 0, sums.words.length - 1)

function plus(one: Total, other: Total): Total {
  return {
    words: one.words + other.words,
    pieces: one.pieces + other.pieces,
    turns: one.turns + other.turns,
    knownWords: one.knownWords + other.knownWords,
    knownPieces: one.knownPieces + other.knownPieces,
    phrasing: one.phrasing + other.phrasing,
    familiar: one.familiar + other.familiar,
  }
}

/** As scores.ts has them, of features that count as often as they occur; the table of phrasing has one scale. */
function scoresOf(total: Total, { known, phrasing, familiar }: WindowTables): Scores {
  const { words, pieces, turns } = total
  const certainty = certaintyOf(words)
  const ofWords = total.knownWords * known.words.scale * normOf(words)
  const ofPieces = total.knownPieces * known.pieces.scale * normOf(pieces)
  return {
    known: (ofWords + ofPieces + known.bias) * certainty,
    phrasing: (total.phrasing * phrasing.words.scale * normOf(words + turns) + phrasing.bias) * certainty,
    familiar: total.familiar * familiar.scale * normOf(words) + familiar.bias,
  }
}
