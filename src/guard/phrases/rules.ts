/**
 * Rules of patterns, most of which match no text. One pass over the text finds the literals of all rules, and only rules with all their literals are
 * tried. This is an optimisation only: a skipped rule could not have matched.
 */
import { createAutomaton } from './automaton.js'
import { needsOf, type Need } from './required-literals.js'

const NO_NODE = -1

/** Matches of a rule's first pattern that are weighed at most. */
const MAX_WEIGHED = 8

export interface Matched {
  /** The matches of all patterns, in order. */
  words: string[]
  /** Share of the rule's weight that the first of them is worth. */
  share: number
}

/** What a match of a rule's first pattern at an offset is worth, 0 to 1. */
export type Weigh = (words: string, at: number) => number

/**
 * What a rule matched; undefined when one of its patterns did not match, or no match of the first is worth anything. Evaluated on call, in the first `most`
 * characters of the text.
 */
export type Matches = (rule: number, weigh?: Weigh, most?: number) => Matched | undefined

/** Texts of a message that are kept: its words, those of its files, its history and its hidden text. */
const MAX_KEPT = 4

/** @returns a function from a text to the matches by rule number. The last texts are cached. */
export function createRules(rules: readonly (readonly RegExp[])[]): (text: string) => Matches {
  let find: ((text: string) => Matches) | undefined
  const kept: { text: string; found: Matches }[] = []
  return (text) => {
    const known = kept.find((each) => each.text === text)
    if (known) return known.found
    find ??= finderOf(rules)
    const found = find(text)
    if (kept.unshift({ text, found }) > MAX_KEPT) kept.pop()
    return found
  }
}

function finderOf(rules: readonly (readonly RegExp[])[]): (text: string) => Matches {
  const needs = createNeeds(rules.length)
  for (const [rule, patterns] of rules.entries()) for (const pattern of patterns) addPattern(pattern, rule, needs)
  const fulfilledBy = needs.fulfiller()
  return (text) => {
    const isFulfilled = fulfilledBy(text)
    return (rule, weigh, most = Infinity) => {
      if (!isFulfilled(rule)) return undefined
      const read = text.slice(0, most)
      const [telling, ...others] = rules[rule] ?? []
      if (telling === undefined) return undefined
      const words: string[] = []
      for (const pattern of others) {
        const matched = pattern.exec(read)?.[0]
        if (matched === undefined) return undefined
        words.push(matched)
      }
      const best = bestOf(telling, read, weigh)
      return best && { words: [best.words, ...words], share: best.share }
    }
  }
}

/** The first match of a pattern, or of several the one that is worth most. */
function bestOf(pattern: RegExp, text: string, weigh: Weigh | undefined): { words: string; share: number } | undefined {
  const first = pattern.exec(text)
  if (first === null) return undefined
  let best = { words: first[0], share: weigh?.(first[0], first.index) ?? 1 }
  if (best.share >= 1) return best
  const next = new RegExp(pattern.source, 'g')
  next.lastIndex = first.index + Math.max(1, first[0].length)
  for (let count = 1; count < MAX_WEIGHED && best.share < 1; count++) {
    const found = next.exec(text)
    if (found === null) break
    const share = weigh?.(found[0], found.index) ?? 1
    if (share > best.share) best = { words: found[0], share }
    if (found[0] === '') next.lastIndex++
  }
  return best.share > 0 ? best : undefined
}

/** Patterns without known literals may always match. */
function addPattern(pattern: RegExp, rule: number, needs: Needs): void {
  const any = needsOf(pattern)
  if (any) needs.add({ any }, rule)
}

interface Needs {
  add(need: Need, top: number): void
  fulfiller(): (text: string) => (node: number) => boolean
}

/**
 * Required literals as a graph of nodes: each is fulfilled by a number of literals and nodes below it, and then notifies the one above. Literals that
 * a text lacks cost nothing.
 *
 * @param tops number of top nodes at the start
 */
function createNeeds(tops: number): Needs {
  const wanted = Array.from({ length: tops }, () => 0)
  const aboves = Array.from({ length: tops }, () => NO_NODE)
  /** Nodes that require each literal. */
  const literals = new Map<string, number[]>()
  const add = (need: Need, above: number): void => {
    const isAll = typeof need !== 'string' && 'all' in need
    const parts = typeof need === 'string' ? [need] : 'all' in need ? need.all : need.any
    const own = wanted.push(isAll ? parts.length : 1) - 1
    aboves.push(above)
    for (const part of parts) {
      if (typeof part !== 'string') add(part, own)
      else {
        literals.set(part, [...(literals.get(part) ?? []), own])
      }
    }
  }
  return {
    add(need, top) {
      wanted[top] = (wanted[top] ?? 0) + 1
      add(need, top)
    },
    fulfiller() {
      const literalsIn = createAutomaton([...literals.keys()])
      const wantedBy = [...literals.values()]
      return (text) => {
        const fulfilled = new Uint8Array(wanted.length)
        for (const literal of literalsIn(text)) {
          for (let node of wantedBy[literal] ?? []) {
            while (node !== NO_NODE) {
              const count = (fulfilled[node] ?? 0) + 1
              // Already fulfilled and notified.
              if (count > (wanted[node] ?? 0)) break
              fulfilled[node] = count
              if (count < (wanted[node] ?? 0)) break
              node = aboves[node] ?? NO_NODE
            }
          }
        }
        return (node) => (fulfilled[node] ?? 0) >= (wanted[node] ?? 0)
      }
    },
  }
}
