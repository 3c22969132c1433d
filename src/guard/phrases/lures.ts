/** The lures (lure-patterns.ts) in an incoming message. */
import type { Finding } from '../finding.js'
import { found } from '../reason-codes.js'
import { LURES } from './lure-patterns.js'
import { luresIn } from './search.js'

/**
 * @param text readable text of subject and body
 * @param most characters of it that are read
 */
export function lureFindings(text: string, most: number): Finding[] {
  const matched = luresIn(text)
  return LURES.flatMap(({ code, weight, detail }, index) => {
    const words = matched(index, undefined, most)?.words
    if (words === undefined) return []
    const longest = words.reduce((most, other) => (other.length > most.length ? other : most), '')
    return [found(code, weight, detail, longest)]
  })
}
