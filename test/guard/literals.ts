/** What patterns need, as one list. */
import { needsOf, type Need } from '../../src/guard/phrases/required-literals.js'

/** Literals of which every match of a pattern contains one; undefined when there is no such list. */
export function literalsOf(pattern: RegExp): string[] | undefined {
  return needsOf(pattern)?.flatMap(bestOf)
}

function bestOf(need: Need): string[] {
  if (typeof need === 'string') return [need]
  if ('any' in need) return need.any.flatMap(bestOf)
  return need.all.map(bestOf).reduce((best, other) => (worth(other) > worth(best) ? other : best))
}

function worth(some: string[]): number {
  return Math.min(...some.map((literal) => literal.length))
}
