/**
 * Strings by which filters for spam are tried out, as their makers publish them: GTUBE (https://spamassassin.apache.org/gtube/) stands for spam beyond
 * all doubt, and the variant of it that rspamd knows for mail that is marked and not refused.
 */
import type { GuardSubject, SpamReason } from '../types.js'

const TAIL = 'JS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'
const GTUBE = `X${TAIL}`
const MARKED = `Y${TAIL}`
/** As many as SpamAssassin gives: over the line of everybody. */
const GTUBE_POINTS = 1000

/**
 * Points of a message that holds one of them in its words; it is for trying the filter out, so nothing else takes them away.
 *
 * @param spamLine score from which a message is spam
 */
export function testPoints({ text, html }: Pick<GuardSubject, 'text' | 'html'>, spamLine: number): SpamReason[] {
  const holds = (string: string): boolean => text.includes(string) || (html?.includes(string) ?? false)
  if (holds(GTUBE)) return [{ code: 'gtube', score: GTUBE_POINTS, detail: 'the test string GTUBE is in it' }]
  if (holds(MARKED)) {
    return [{ code: 'gtube_marked', score: spamLine, detail: 'the test string for mail to be marked is in it' }]
  }
  return []
}
