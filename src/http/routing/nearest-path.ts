/** "Did you mean …": the declared paths that an unknown one is closest to. */
import { editDistance } from '../../config/nearest.js'

/** Longer segments are not words: ids or garbage. */
const MAX_WORD = 24
const MAX_SEGMENTS = 8
/** A segment that stands where an id belongs. */
const ID = 0.1
/** A segment that is missing, or one too many. */
const MISSING = 0.6
const MAX_WORD_DISTANCE = 0.5
/** Limit for a whole path. */
const MAX_DISTANCE = 0.8

/**
 * Finds the declared paths that are closest to one that does not exist. What a stranger makes long costs nothing more.
 *
 * @param patterns such as `/v1/threads/{id}`
 * @returns those that are equally close, in their order; empty when none is close
 */
export function createNearestPath(patterns: readonly string[]): (path: string) => string[] {
  const known = [...new Set(patterns)]
    .map((pattern) => ({ pattern, segments: segmentsOf(pattern) }))
    .filter(({ segments }) => segments.length > 0)
  const words = [...new Set(known.flatMap(({ segments }) => segments.filter((each) => !isParameter(each))))]
  return (path) => {
    const segments = segmentsOf(path.slice(0, MAX_SEGMENTS * 100))
    if (segments.length === 0 || segments.length > MAX_SEGMENTS) return []
    const distances = segments.map((segment) => new Map(words.map((word) => [word, wordDistance(segment, word)])))
    const found = known.map(({ pattern, segments: wanted }) => ({ pattern, distance: pathDistance(distances, wanted) }))
    const least = Math.min(...found.map(({ distance }) => distance))
    if (least > MAX_DISTANCE) return []
    return found.filter(({ distance }) => distance === least).map(({ pattern }) => pattern)
  }
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

/** 0 for the same word, up to 1; Infinity for one that has nothing to do with it. */
function wordDistance(segment: string, word: string): number {
  if (segment.length > MAX_WORD) return Infinity
  const share = editDistance(segment.toLowerCase(), word) / Math.max(segment.length, word.length)
  return share > MAX_WORD_DISTANCE ? Infinity : share
}

/** Changed, left out and added segments between a path and a pattern. */
function pathDistance(path: readonly ReadonlyMap<string, number>[], pattern: readonly string[]): number {
  let last = pattern.reduce<number[]>((row) => [...row, (row.at(-1) ?? 0) + MISSING], [0])
  for (const distances of path) {
    const row = [(last[0] ?? 0) + MISSING]
    for (const [j, wanted] of pattern.entries()) {
      const changed = isParameter(wanted) ? ID : (distances.get(wanted) ?? Infinity)
      row.push(Math.min((last[j] ?? 0) + changed, (last[j + 1] ?? 0) + MISSING, (row[j] ?? 0) + MISSING))
    }
    last = row
  }
  return last.at(-1) ?? Infinity
}
