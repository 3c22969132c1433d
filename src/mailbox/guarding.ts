/** Asking the guard about an outbound message. Whatever goes wrong with the guard, the message is held and a person looks at it. */
import { shownLinks } from '../guard/links.js'
import type { Guard, GuardReason, GuardSubject, GuardVerdict } from '../guard/types.js'
import type { Log } from '../observe/log.js'
import type { MessageContent } from './message.js'
import type { simulatedDecision } from './simulator.js'
import { MAX_SENDS_PER_HOUR } from './thread.js'

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
  /** What a simulator address among the recipients asks for. */
  simulated: ReturnType<typeof simulatedDecision>
}

/** The guard's verdict, made stricter by the reasons to hold. Never throws. */
export async function askGuard(
  { guard, log }: { guard: Guard; log: Pick<Log, 'warn'> },
  question: GuardQuestion,
): Promise<GuardVerdict> {
  const verdict = withSimulated(await judged(guard, question, log), question.simulated)
  if (question.holdReasons.length === 0) return verdict
  return {
    ...verdict,
    decision: verdict.decision === 'send' ? 'hold' : verdict.decision,
    reasons: [...question.holdReasons, ...verdict.reasons],
  }
}

function withSimulated(verdict: GuardVerdict, simulated: GuardQuestion['simulated']): GuardVerdict {
  if (!simulated) return verdict
  const decision = verdict.decision === 'block' ? 'block' : simulated.decision
  return { ...verdict, decision, reasons: [simulated.reason, ...verdict.reasons] }
}

async function judged(guard: Guard, question: GuardQuestion, log: Pick<Log, 'warn'>): Promise<GuardVerdict> {
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
  return {
    kind: 'outbound',
    subject: content.subject,
    text: content.text,
    hiddenWords: content.hidden_words,
    html: content.html,
    links: shownLinks(content.html, content.extracted.links),
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
