/** What THREAD compares of a message (RFC 5256 §3). */
import type { ContentRead } from '../../mailbox/search/message-reads.js'
import { baseSubjectOf, collationKey } from './base-subject.js'
import { numberAt } from './columns.js'
import { type Read, sentDateFrom } from './header-facts.js'

export interface ThreadFacts {
  position: number
  /** Null if missing or invalid: no other message refers to it. */
  messageId: string | null
  /** Valid ids, the oldest first. */
  references: readonly string[]
  sentMs: number
  /** For comparing. */
  subject: string
  isReply: boolean
}

/** Of all messages of a response: past them, only the last one of a message counts, which is its parent. */
export const MAX_REFERENCES = 200_000

/** @param dates internal ones by position, in seconds */
export function threadFactsOf(read: Read<ContentRead>, dates: ArrayLike<number>): ThreadFacts {
  const { position } = read
  if ('draft' in read) {
    const { subject, references, updatedAt } = read.draft
    return { position, messageId: null, references, sentMs: updatedAt, ...subjectFacts(subject) }
  }
  const { content } = read.message
  const { message_id: messageId, in_reply_to: inReplyTo, subject } = content
  const references = referencesOf(content)
  return {
    position,
    messageId,
    // One of In-Reply-To only where References has none.
    references: references.length > 0 || inReplyTo === null ? references : [inReplyTo],
    sentMs: sentDateFrom(content, numberAt(dates, position)).ms,
    ...subjectFacts(subject),
  }
}

/** The stored ones are distinct. Where a header repeats one, its last id is the parent all the same. */
function referencesOf({ references, headers }: ContentRead['content']): readonly string[] {
  const written = [...(headers['references'] ?? '').matchAll(/<([^<>\s]+)>/g)].map(([, id = '']) => id)
  return written.length > references.length && new Set(written).size === references.length ? written : references
}

function subjectFacts(subject: string): Pick<ThreadFacts, 'subject' | 'isReply'> {
  const { base, isReply } = baseSubjectOf(subject)
  return { subject: collationKey(base), isReply }
}
