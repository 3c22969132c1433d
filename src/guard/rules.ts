/**
 * Rules of patterns, of which nearly all are in no text. Most patterns can only match where certain letters stand in a row, so one pass over the
 * text finds all literals of all rules, and only what has its literals is tried. That decides nothing: what is passed over could not have matched.
 */
import { createAutomaton } from './automaton.js'
import { alternativesOf } from './needed.js'
import type { Need } from './needed.js'

/** So many alternatives are tried one by one; of more the pattern is tried as it is. */
const MAX_APART = 3
/** Longer literals are looked for by so much of them: few more are found, and the table is half as large. */
const LITERAL_CHARS = 10
const NO_NODE = -1

/** What all patterns of a rule matched, in order; undefined when one of them did not. Only now it is tried. */
export type Found = (rule: number) => string[] | undefined

/** @returns what tells of a text, by the number of a rule, what was found. Who asks of the text that was asked about last is told without a look at it. */
export function createRules(rules: readonly (readonly RegExp[])[]): (text: string) => Found {
  let find: ((text: string) => Found) | undefined
  let last: { text: string; found: Found } | undefined
  return (text) => {
    find ??= finderOf(rules)
    if (last?.text !== text) last = { text, found: find(text) }
    return last.found
  }
}

/** An alternative of a pattern, and the node that has to be fulfilled for it to match. */
interface Alternative {
  pattern: RegExp
  node: number
}

interface Pattern {
  whole: RegExp
  alternatives: Alternative[]
}

function finderOf(rules: readonly (readonly RegExp[])[]): (text: string) => Found {
  const needs = createNeeds(rules.length)
  const known = rules.map((patterns, rule) => patterns.map((pattern) => patternOf(pattern, rule, needs)))
  const fulfilledBy = needs.fulfiller()
  return (text) => {
    const isFulfilled = fulfilledBy(text)
    return (rule) => {
      if (!isFulfilled(rule)) return undefined
      const matched: string[] = []
      for (const pattern of known[rule] ?? []) {
        const words = matchOf(pattern, text, isFulfilled)
        if (words === undefined) return undefined
        matched.push(words)
      }
      return matched
    }
  }
}

function patternOf(whole: RegExp, rule: number, needs: Needs): Pattern {
  const read = alternativesOf(whole) ?? [{ source: whole.source, need: undefined }]
  const canTell = read.every(({ need }) => need !== undefined)
  const above = canTell ? needs.node(1, rule) : NO_NODE
  if (canTell) needs.want(rule)
  const alternatives = read.map(({ source, need }) => ({
    pattern: read.length === 1 ? whole : new RegExp(source),
    node: need === undefined ? NO_NODE : needs.add(need, above),
  }))
  return { whole, alternatives }
}

function matchOf({ whole, alternatives }: Pattern, text: string, isFulfilled: (node: number) => boolean) {
  const possible = alternatives.filter(({ node }) => node === NO_NODE || isFulfilled(node))
  if (possible.length > MAX_APART) return whole.exec(text)?.[0]
  // Of two at one place that which is written first counts, as in the whole pattern.
  let found: RegExpExecArray | null = null
  for (const { pattern } of possible) {
    const other = pattern.exec(text)
    if (other && (found === null || other.index < found.index)) found = other
  }
  return found?.[0]
}

interface Needs {
  /** @returns the number of a new node */
  node(wanted: number, above: number): number
  /** One more of those below has to be fulfilled. */
  want(node: number): void
  add(need: Need, above: number): number
  fulfiller(): (text: string) => (node: number) => boolean
}

/**
 * What has to stand in a text, as numbered nodes: each is fulfilled by so many of the literals and nodes below it, and tells the one above it. So
 * what a text lacks costs nothing.
 *
 * @param tops so many nodes are there from the start, with nothing above them
 */
function createNeeds(tops: number): Needs {
  const wanted = Array.from({ length: tops }, () => 0)
  const aboves = Array.from({ length: tops }, () => NO_NODE)
  /** Of each literal, the nodes that it is wanted by. */
  const literals = new Map<string, number[]>()
  const node = (count: number, above: number): number => {
    aboves.push(above)
    return wanted.push(count) - 1
  }
  const add = (need: Need, above: number): number => {
    const isAll = typeof need !== 'string' && 'all' in need
    const parts = typeof need === 'string' ? [need] : 'all' in need ? need.all : need.any
    const own = node(isAll ? parts.length : 1, above)
    for (const part of parts) {
      if (typeof part !== 'string') add(part, own)
      else {
        const literal = part.slice(0, LITERAL_CHARS)
        literals.set(literal, [...(literals.get(literal) ?? []), own])
      }
    }
    return own
  }
  return {
    node,
    want: (node) => void (wanted[node] = (wanted[node] ?? 0) + 1),
    add,
    fulfiller() {
      const literalsIn = createAutomaton([...literals.keys()])
      const wantedBy = [...literals.values()]
      return (text) => {
        const fulfilled = new Uint8Array(wanted.length)
        for (const literal of literalsIn(text)) {
          for (let node of wantedBy[literal] ?? []) {
            while (node !== NO_NODE) {
              const count = (fulfilled[node] ?? 0) + 1
              // One that is fulfilled already has told so.
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
