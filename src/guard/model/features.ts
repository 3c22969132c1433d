/**
 * Features of the text model: words, pairs of words, pieces of words and turns of phrase of a message, each hashed to a place in a table. Training and
 * inference share this file; a change needs a new training and a new `VERSION`.
 */
import { noted } from './hashes.js'
import {
  createPlaces,
  PIECE_CHARS,
  PIECE_PLACES,
  placeOfFirst,
  readPlaces,
  WORD_PLACES,
  type Places,
} from './places.js'
import { MAX_WORD_CHARS, tokenAt } from './tokens.js'
import { firstTurn, TURN_PLACES, TURNS_EACH, wordsOfTurn } from './turns.js'

export { PIECE_PLACES, WORD_PLACES } from './places.js'

/** Version of the features; a model that was trained with another one is not loaded. */
export const VERSION = 3

/** Max tokens of a message, or a window, whose features count together; this bounds the time. */
const MAX_TOKENS = 1200
const MAX_TITLE_TOKENS = 60
/** Max tokens in which windows are looked for (windows.ts). */
const MAX_KEPT_TOKENS = 8 * MAX_TOKENS
/**
 * Beginnings of a message, in words, that are scored separately: padding below them must not improve the score. A beginning that is nearly the whole
 * message is left out.
 */
const BEGINNINGS = [50, 100, 200]
const NEARLY_ALL = 1.2

const REPLY_MARKS = /^(?:\s{0,3}(?:re|fwd?|aw|wg|tr|rv|sv|vs|odp|res|enc)\s{0,2}:\s{0,3}){1,5}/

/** Readable text (text.ts): the subject, and all that is readable below it. */
export interface ReadableMessage {
  title: string
  words: string
}

/** Called once per feature; `spell` must be called at once or never. */
export type Namer = (kind: 'word' | 'piece' | 'turn', place: number, spell: () => string) => void

/** Places of the features, each once. */
export interface Features {
  words: Uint32Array
  pieces: Uint32Array
  turns: Uint32Array
  /** Number of features in each beginning, the shortest first. */
  beginnings: Beginning[]
}

export interface Beginning {
  words: number
  pieces: number
}

/** Words of a message, counted from its first one. */
export interface Range {
  from: number
  /** The first that is not of it. */
  to: number
}

export interface Extractor {
  /** Reads a message. Returns features that are valid until the next call of this or `within`. */
  extract(message: ReadableMessage, name?: Namer): Features
  /**
   * Features of the title of the message that was read last, with a range of its words as if nothing preceded them. To be called before any other text
   * is read, by whatever extractor.
   */
  within(range: Range, name?: Namer): Features
  /** Places of the message that was read last. */
  readonly title: Places
  readonly body: Places
}

/** Reuses its tables between messages. */
export function createExtractor(): Extractor {
  const title = createPlaces()
  const body = createPlaces()
  const mostTokens = MAX_TITLE_TOKENS + MAX_TOKENS
  const words = createSet(WORD_PLACES, 2 * mostTokens)
  const pieces = createSet(PIECE_PLACES, mostTokens * MAX_WORD_CHARS)
  const turns = createSet(TURN_PLACES, mostTokens * TURNS_EACH)

  /** Words and pairs, and pieces, of the tokens of a range. */
  const addWords = (places: Places, from: number, to: number, name: Namer | undefined): void => {
    addTo(words, places.words, 2 * from, 2 * to, name && namerOfWords(name, places))
    const before = from === 0 ? 0 : (places.pieceEnds[from - 1] ?? 0)
    const end = to === 0 ? 0 : (places.pieceEnds[to - 1] ?? 0)
    addTo(pieces, places.pieces, before, end, name && namerOfPieces(name, places))
  }

  /** Turns within a range. */
  const addTurns = (places: Places, from: number, to: number, name: Namer | undefined): void => {
    const named = name && namerOfTurns(name, places)
    for (let index = from; index < to; index++) {
      const start = firstTurn(index - from)
      // All turns of what follows are within.
      const end = start === 0 ? to : index + 1
      addTo(turns, places.turns, TURNS_EACH * index + start, TURNS_EACH * end, named)
      if (start === 0) return
    }
  }

  const addTitle = (name?: Namer): void => {
    for (const set of [words, pieces, turns]) clear(set)
    addWords(title, 0, title.count, name)
    addTurns(title, 0, title.count, name)
  }

  /** Features of the title that was added, and of a range of the body. */
  const withBody = (from: number, end: number, name?: Namer): Features => {
    const to = Math.min(end, from + MAX_TOKENS)
    const count = to - from
    const beginnings: Beginning[] = []
    let done = from
    for (const most of BEGINNINGS) {
      if (count < NEARLY_ALL * most) continue
      addWords(body, done, from + most, name)
      done = from + most
      beginnings.push({ words: words.count, pieces: pieces.count })
    }
    addWords(body, done, to, name)
    addTurns(body, from, to, name)
    return { words: listOf(words), pieces: listOf(pieces), turns: listOf(turns), beginnings }
  }

  const extract = (message: ReadableMessage, name?: Namer): Features => {
    readPlaces(message.title.replace(REPLY_MARKS, ''), title, MAX_TITLE_TOKENS)
    // Features of windows are spelled after the body is read.
    title.tokens.units = title.tokens.units.slice()
    addTitle(name)
    readPlaces(message.words, body, MAX_KEPT_TOKENS)
    return withBody(0, body.count, name)
  }

  const within = ({ from, to }: Range, name?: Namer): Features => {
    const pair = 2 * from + 1
    const withinText = body.words[pair] ?? 0
    body.words[pair] = placeOfFirst(body, from)
    addTitle(name)
    const features = withBody(from, to, name)
    body.words[pair] = withinText
    return features
  }

  return { extract, within, title, body }
}

/** Places, each once, in the order in which they came. */
interface PlaceSet {
  list: Uint32Array
  count: number
  /** A bit for each place. */
  seen: Uint32Array
}

function createSet(places: number, most: number): PlaceSet {
  return { list: new Uint32Array(most + 1), count: 0, seen: new Uint32Array(places / 32) }
}

/** All bits are cleared as fast as so many words of them one by one, a share of the whole. */
const FEW = 16

function clear(set: PlaceSet): void {
  const { list, count, seen } = set
  if (count > seen.length / FEW) seen.fill(0)
  else for (let i = 0; i < count; i++) seen[(list[i] ?? 0) >>> 5] = 0
  set.count = 0
}

const listOf = ({ list, count }: PlaceSet): Uint32Array => list.subarray(0, count)

/**
 * New places are counted without a branch: they are unpredictable, and a mispredicted branch costs more than all else here.
 *
 * @param name called with the index of each new one
 */
function addTo(
  set: PlaceSet,
  places: Uint32Array,
  from: number,
  to: number,
  name: ((place: number, index: number) => void) | undefined,
): void {
  const { list, seen } = set
  const before = set.count
  let at = before
  for (let i = from; i < to; i++) {
    const place = places[i] ?? 0
    list[at] = place
    at += noted(seen, place, 1)
  }
  set.count = at
  if (name) {
    let next = before
    for (let i = from; i < to && next < at; i++) if (places[i] === list[next]) name(list[next++] ?? 0, i)
  }
}

function namerOfWords(name: Namer, { tokens }: Places) {
  const before = (index: number): string => (index === 0 ? '^' : tokenAt(tokens, index - 1))
  return (place: number, at: number): void => {
    const index = at >>> 1
    const word = (): string => tokenAt(tokens, index)
    name('word', place, at % 2 === 0 ? word : () => `${before(index)} ${word()}`)
  }
}

function namerOfPieces(name: Namer, { tokens, pieceEnds }: Places) {
  return (place: number, at: number): void =>
    name('piece', place, () => {
      const index = pieceEnds.findIndex((end) => at < end)
      const from = at - (index === 0 ? 0 : (pieceEnds[index - 1] ?? 0))
      return `<${tokenAt(tokens, index)}>`.slice(from, from + PIECE_CHARS)
    })
}

function namerOfTurns(name: Namer, { tokens }: Places) {
  return (place: number, at: number): void =>
    name('turn', place, () => {
      const index = Math.floor(at / TURNS_EACH)
      const words = wordsOfTurn(at % TURNS_EACH).map((before) => tokenAt(tokens, index - before))
      return words.join(words.length === 2 ? ' … ' : ' ')
    })
}
