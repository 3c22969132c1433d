/** Asking the guard about an outbound message. Whatever goes wrong with the guard, the message is held and a person looks at it. */
import type { Guard, GuardReason, GuardSubject, GuardVerdict } from '../guard/types.js'
import { htmlAnchors } from '../mime/html.js'
import type { MessageContent } from './message.js'
import { MAX_SENDS_PER_HOUR } from './thread.js'

export interface MailboxLog {
  warn(fields: object, message: string): void
}

export const THREAD_RATE: GuardReason = {
  code: 'thread_rate',
  detail: `More than ${MAX_SENDS_PER_HOUR} messages within an hour in one conversation`,
}

export interface GuardQuestion {
  content: MessageContent
  recipientCount: number
  newRecipientCount: number
  trust: number
  /** Why it is held, whatever the guard says. */
  holdReasons: GuardReason[]
}

/** The guard's verdict, made stricter by the reasons to hold. Never throws. */
export async function askGuard(
  { guard, log }: { guard: Guard; log: MailboxLog },
  question: GuardQuestion,
): Promise<GuardVerdict> {
  const verdict = await judged(guard, question, log)
  if (question.holdReasons.length === 0) return verdict
  return {
    ...verdict,
    decision: verdict.decision === 'send' ? 'hold' : verdict.decision,
    reasons: [...question.holdReasons, ...verdict.reasons],
  }
}

async function judged(guard: Guard, question: GuardQuestion, log: MailboxLog): Promise<GuardVerdict> {
  try {
    return await guard.check(subjectOf(question))
  } catch (error) {
    log.warn({ err: error }, 'The guard failed; the message is held')
    const reason = {
      code: 'guard_failed',
      detail: 'The classifier gave no answer; a person has to look at the message',
    }
    return { category: 'legitimate', scores: {}, decision: 'hold', reasons: [reason] }
  }
}

function subjectOf({ content, recipientCount, newRecipientCount, trust }: GuardQuestion): GuardSubject {
  const anchors = content.html === null ? [] : htmlAnchors(content.html)
  const known = new Set(anchors.map(({ target }) => target))
  const bare = content.extracted.links.filter((link) => !known.has(link))
  return {
    kind: 'outbound',
    subject: content.subject,
    text: content.text,
    html: content.html,
    links: [...anchors, ...bare.map((link) => ({ target: link, text: link }))],
    recipientCount,
    newRecipientCount,
    attachments: content.attachments.map(({ filename, content_type, size_bytes }) => ({
      filename,
      contentType: content_type,
      sizeBytes: size_bytes,
    })),
    trust,
  }
}
