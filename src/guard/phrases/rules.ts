/**
 * Rules of patterns, most of which match no text. One pass over the text finds the literals of all rules, and only rules with all their literals are
 * tried. This is an optimisation only: a skipped rule could not have matched.
 */
import { createAutomaton } from './automaton.js'
import { needsOf, type Need } from './required-literals.js'

/** Longer literals are cut to this length: few more match, and the table is half as large. */
const LITERAL_CHARS = 10
const NO_NODE = -1

/** The matches of all patterns of a rule, in order; undefined when one did not match. Evaluated on call. */
export type Matches = (rule: number) => string[] | undefined

/** @returns a function from a text to the matches by rule number. The last text is cached. */
export function createRules(rules: readonly (readonly RegExp[])[]): (text: string) => Matches {
  let find: ((text: string) => Matches) | undefined
  let last: { text: string; found: Matches } | undefined
  return (text) => {
    find ??= finderOf(rules)
    if (last?.text !== text) last = { text, found: find(text) }
    return last.found
  }
}

function finderOf(rules: readonly (readonly RegExp[])[]): (text: string) => Matches {
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
