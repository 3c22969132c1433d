/**
 * Messages that may contain a string, by the index: those with all tokens that a text with the string must have (mail-work/substrings.ts), those that the index
 * has in part only, and those it does not have yet.
 */
import type { TimedTurns } from './turns.js'
import type { Store, View } from '../../store/types.js'
import { searchPartition } from '../keys.js'
import type { Substring, TokenPart } from '../mail-work/substrings.js'
import { ATTACHMENT_WORD, type Field, fieldWord, PARTIAL_WORD } from '../mail-work/words.js'
import { wordOf } from './chunks.js'
import { type Places, PlaceSet } from './place-set.js'
import { scanWords } from './scan-words.js'
import { INDEX_VERSION, readIndexRow, type Segment, seqsIn } from './segments.js'

/** So few candidates are read sooner than all words are looked at. */
const FEW = 100

export interface StringPlaces {
  /** Messages past this place may contain the string too; -1 when all may. */
  indexedTo: number
  /** Messages of the index that may contain it; the others don't. */
  candidates: Places
  /** Those of them that do contain it, without being read. */
  certain: Places
}

/** Where the string has to be. `body`: in the text, not in what else `any` has. */
export type StringField = Field | 'body'

const OTHER_FIELDS: readonly Field[] = ['subject', 'from', 'to']

export async function stringPlaces(
  store: Store,
  mailboxId: string,
  { parts, isOneToken }: Substring,
  field: StringField,
  turns: TimedTurns,
): Promise<StringPlaces> {
  const index = new IndexWords(store, mailboxId, turns)
  const partial = await index.withWord(PARTIAL_WORD)
  const within = field === 'body' ? 'any' : field
  let candidates: PlaceSet | undefined
  let isExact = isOneToken
  for (const part of cheapestFirst(parts)) {
    if (candidates && isScan(part) && !candidates.hasMoreThan(FEW)) {
      isExact = false
      continue
    }
    const found = await index.withPart(within, part)
    candidates = candidates?.within(found) ?? found
  }
  // The string has no word, or none that the index can tell.
  if (!candidates) return { indexedTo: -1, candidates: new PlaceSet(), certain: new PlaceSet() }
  const [only] = parts
  let certain = isExact ? candidates : new PlaceSet()
  if (isExact && field === 'body' && only) certain = await inTextOnly(index, candidates, only)
  return { indexedTo: index.indexedTo, candidates: candidates.and(partial), certain }
}

/** Those that have the part in their text, as they have it nowhere else. */
async function inTextOnly(index: IndexWords, found: PlaceSet, part: TokenPart): Promise<PlaceSet> {
  let left = found.without(await index.withWord(ATTACHMENT_WORD))
  for (const other of OTHER_FIELDS) left = left.without(await index.withPart(other, part))
  return left
}

const isScan = ({ standing }: TokenPart): boolean => standing === 'end' || standing === 'within'

/** Longer words are in fewer messages. */
function cheapestFirst(parts: readonly TokenPart[]): TokenPart[] {
  const unique = new Map(parts.map((part) => [`${part.standing} ${part.token}`, part]))
  return [...unique.values()].sort((a, b) => Number(isScan(a)) - Number(isScan(b)) || b.token.length - a.token.length)
}

/**
 * Look-ups in all segments. A merge replaces segments between two reads: what was found in those is still true, so only the new ones are looked at.
 */
class IndexWords {
  /** The least place that the index had reached in a look-up. */
  indexedTo = Infinity

  constructor(
    private readonly store: Store,
    private readonly mailboxId: string,
    private readonly turns: TimedTurns,
  ) {}

  withWord(word: string): Promise<PlaceSet> {
    return this.#collect(async (view, segment, found) => {
      for (const seq of (await seqsIn(view, segment, { word, prefix: false })).seqs) found.add(seq)
      return undefined
    })
  }

  withPart(field: Field, { token, standing }: TokenPart): Promise<PlaceSet> {
    if (standing === 'whole') return this.withWord(wordOf(fieldWord(field, token)))
    if (standing === 'start') {
      const word = { word: wordOf(fieldWord(field, token)), prefix: true }
      return this.#collect(async (view, segment, found) => {
        for (const seq of (await seqsIn(view, segment, word)).seqs) found.add(seq)
        return undefined
      })
    }
    const scan = { mark: fieldWord(field, ''), part: wordOf(token), atEnd: standing === 'end' }
    return this.#collect((view, segment, found, from) =>
      scanWords(view, segment, scan, from, (seq) => found.add(seq), this.turns.isOver),
    )
  }

  /** @param look at a segment; returns where it goes on, if it does */
  async #collect(
    look: (
      view: View,
      segment: Segment,
      found: PlaceSet,
      from: Uint8Array | undefined,
    ) => Promise<Uint8Array | undefined>,
  ): Promise<PlaceSet> {
    const found = new PlaceSet()
    const seen = new Set<string>()
    let from: { name: string; key: Uint8Array } | undefined
    for (let isDone = false; !isDone;) {
      isDone = await this.store.read(searchPartition(this.mailboxId), async (view) => {
        const index = await readIndexRow(view)
        if (index?.version !== INDEX_VERSION) {
          this.indexedTo = -1
          return true
        }
        for (const segment of index.segments) {
          const name = nameOf(segment)
          if (seen.has(name)) continue
          const key = await look(view, segment, found, from?.name === name ? from.key : undefined)
          from = key && { name, key }
          if (!key) seen.add(name)
          if (key || this.turns.isOver()) return false
        }
        this.indexedTo = Math.min(this.indexedTo, index.seq)
        return true
      })
      await this.turns.next()
    }
    return found
  }
}

/** A segment of an index that was built anew may have the number of another, but not all its other fields. */
const nameOf = ({ id, first, last, bytes }: Segment): string => `${id} ${first} ${last} ${bytes}`
