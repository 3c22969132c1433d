/**
 * Rules of patterns, of which nearly all are in no text. Most patterns can only match where certain letters stand in a row, so one pass over the
 * text finds all literals of all rules, and only what has its literals is tried. That decides nothing: what is passed over could not have matched.
 */
import { createAutomaton } from './automaton.js'
import { needsOf } from './required-literals.js'
import type { Need } from './required-literals.js'

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

function finderOf(rules: readonly (readonly RegExp[])[]): (text: string) => Found {
  const needs = createNeeds(rules.length)
  for (const [rule, patterns] of rules.entries()) for (const pattern of patterns) addPattern(pattern, rule, needs)
  const fulfilledBy = needs.fulfiller()
  return (text) => {
    const isFulfilled = fulfilledBy(text)
    return (rule) => {
      if (!isFulfilled(rule)) return undefined
      const matched: string[] = []
      for (const pattern of rules[rule] ?? []) {
        const words = pattern.exec(text)?.[0]
        if (words === undefined) return undefined
        matched.push(words)
      }
      return matched
    }
  }
}

/** What nothing is known of may always match. */
function addPattern(pattern: RegExp, rule: number, needs: Needs): void {
  const any = needsOf(pattern)
  if (any) needs.add({ any }, rule)
}

interface Needs {
  /** Of what stands at the top, one more has to be fulfilled. */
  add(need: Need, top: number): void
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
  const add = (need: Need, above: number): void => {
    const isAll = typeof need !== 'string' && 'all' in need
    const parts = typeof need === 'string' ? [need] : 'all' in need ? need.all : need.any
    const own = wanted.push(isAll ? parts.length : 1) - 1
    aboves.push(above)
    for (const part of parts) {
      if (typeof part !== 'string') add(part, own)
      else {
        const literal = part.slice(0, LITERAL_CHARS)
        literals.set(literal, [...(literals.get(literal) ?? []), own])
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
