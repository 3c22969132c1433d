/**
 * Test strings for spam filters, as their makers publish them: GTUBE (https://spamassassin.apache.org/gtube/) for certain spam, and rspamd's variant
 * for mail that is marked but not refused.
 */
import type { GuardSubject, SpamReason } from '../types.js'

const TAIL = 'JS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'
const GTUBE = `X${TAIL}`
const MARKED = `Y${TAIL}`
/** SpamAssassin's score for GTUBE, above every threshold. */
const GTUBE_POINTS = 1000

/**
 * Points of a message that contains a test string; nothing else reduces them.
 *
 * @param spamLine score from which a message is spam
 */
export function testPoints({ text, html }: Pick<GuardSubject, 'text' | 'html'>, spamLine: number): SpamReason[] {
  const holds = (string: string): boolean => text.includes(string) || (html?.includes(string) ?? false)
  if (holds(GTUBE)) return [{ code: 'gtube', score: GTUBE_POINTS, detail: 'contains the test string GTUBE' }]
  if (holds(MARKED)) {
    return [{ code: 'gtube_marked', score: spamLine, detail: 'contains the test string for marked mail' }]
  }
  return []
}
