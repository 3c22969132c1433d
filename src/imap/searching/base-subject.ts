/**
 * Base subjects exactly as RFC 5256 §2.1 has them: programs compute the same for SORT and THREAD. The conversations of the mailbox know the marks of more
 * languages (mime/subject.ts).
 */
import { nfkc } from '../../lib/normalize.js'

/** *BLOBCHAR has no brackets. */
const BLOB = '\\[[^\\[\\]]*\\] *'
/** subj-leader */
const LEADER = new RegExp(`^(?:(?:${BLOB})*(?:re|fwd?) *(?:${BLOB})?:| +)`, 'i')
const FIRST_BLOB = new RegExp(`^${BLOB}`)
/** subj-trailer, of which white space alone is no mark. */
const TRAILER = /(?:\(fwd\)| +)$/i
const FORWARDED = /^\[fwd:(.*)\]$/is

export interface BaseSubject {
  base: string
  /** True if marks of replies and forwards were removed. */
  isReply: boolean
}

/** @param subject decoded (step 1) */
export function baseSubjectOf(subject: string): BaseSubject {
  let base = subject.replace(/\s+/g, ' ')
  let isReply = false
  const remove = (pattern: RegExp, isMark: (text: string) => boolean): boolean => {
    const [found = ''] = pattern.exec(base) ?? []
    if (found === '') return false
    isReply ||= isMark(found)
    base = base.replace(pattern, '')
    return true
  }
  const isNoSpace = (text: string): boolean => text.trim() !== ''
  for (;;) {
    // (2)
    while (remove(TRAILER, isNoSpace));
    // (3) to (5)
    for (;;) {
      if (remove(LEADER, isNoSpace)) continue
      // (4) A blob stays where nothing else would be left.
      const [blob = ''] = FIRST_BLOB.exec(base) ?? []
      if (blob === '' || blob.length === base.length) break
      base = base.slice(blob.length)
    }
    // (6)
    const [, inner] = FORWARDED.exec(base) ?? []
    if (inner === undefined) return { base, isReply }
    base = inner
    isReply = true
  }
}

/**
 * A text for comparing, as i;unicode-casemap does (RFC 5051): without case, by the octets of UTF-8.
 *
 * @returns one octet a character
 */
export function collationKey(text: string): string {
  const folded = nfkc(text).toUpperCase().normalize('NFKD')
  return /^[\x00-\x7f]*$/.test(folded) ? folded : Buffer.from(folded).toString('latin1')
}
