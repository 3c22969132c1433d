/** A message as the guard is told of it, well-behaved but for what a test says. */
import type { GuardSubject } from '../../src/guard/types.js'

export function subjectWith(parts: Partial<GuardSubject>): GuardSubject {
  return {
    kind: 'outbound',
    subject: '',
    text: '',
    html: null,
    links: [],
    recipientCount: 1,
    newRecipientCount: 0,
    attachments: [],
    trust: 0,
    ...parts,
  }
}
