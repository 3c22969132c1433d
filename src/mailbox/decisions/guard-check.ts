/** Asking the guard about an outbound message. Whatever goes wrong with the guard, the message is held and a person looks at it. */
import { shownLinks } from '../../guard/links/links.js'
import type { Decision, Guard, GuardReason, GuardSubject, GuardVerdict, RawMessage } from '../../guard/types.js'
import type { ArchiveContents } from '../../mime/types.js'
import type { Log } from '../../observe/log.js'
import type { MessageContent, StoredMessage } from '../message.js'
import type { Check, MessageStatus } from '../objects/objects.js'
import type { simulatedDecision } from './simulator.js'
import { MAX_SENDS_PER_HOUR } from '../threads/thread.js'

export const THREAD_RATE: GuardReason = {
  code: 'thread_rate',
  detail: `More than ${MAX_SENDS_PER_HOUR} messages within an hour in one conversation`,
}

/** Of a dry run, which asks nobody else. */
export const OTHERS_ASKED: GuardReason = {
  code: 'second_opinion_pending',
  detail: 'Before this message leaves, others are asked about it, who may have it held',
}

/** What becomes of a message. */
export const STATUS_AFTER = { send: 'queued', hold: 'held', block: 'blocked' } as const satisfies Record<
  Decision,
  MessageStatus
>

/** What is known of a message when it is judged. */
interface Told {
  content: MessageContent
  recipientCount: number
  newRecipientCount: number
  trust: number
  /** Whether it answers a message that its only recipient wrote. */
  isAnswer?: boolean | undefined
  /** What the account sent in the last day that reads nearly the same. */
  similar?: GuardSubject['similar']
  /** What is in the attachments that are archives, in their order; only while the message is sent, since it isn't stored. */
  archives?: (ArchiveContents | undefined)[]
}

export interface GuardQuestion extends Told {
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
  return heldFor(verdict, question.holdReasons)
}

/** Whether others have to be asked before the verdict stands. */
export function isDoubtful(guard: Guard, verdict: GuardVerdict): boolean {
  return verdict.decision !== 'block' && guard.isDoubtful?.(verdict) === true
}

/** The verdict after others were asked, or as it was where there are none any more. Never throws, and is never less strict. */
export async function askOthers(
  { guard, log }: { guard: Guard; log: Pick<Log, 'warn'> },
  question: GuardQuestion,
  verdict: GuardVerdict,
  message: RawMessage,
): Promise<GuardVerdict> {
  try {
    const asked = (await guard.ask?.(subjectOf(question), verdict, message)) ?? verdict
    return STRICTNESS[asked.decision] < STRICTNESS[verdict.decision] ? verdict : asked
  } catch (error) {
    log.warn({ err: error, message_id: message.id }, 'Others could not be asked; the verdict stands without them')
    return verdict
  }
}

const STRICTNESS = { send: 0, hold: 1, block: 2 } as const satisfies Record<Decision, number>

/** The verdict made stricter by reasons to hold, if there are any. */
export function heldFor(verdict: GuardVerdict, holdReasons: GuardReason[]): GuardVerdict {
  if (holdReasons.length === 0) return verdict
  return {
    ...verdict,
    decision: verdict.decision === 'send' ? 'hold' : verdict.decision,
    reasons: [...holdReasons, ...verdict.reasons],
  }
}

/** The verdict as it stands on the message. */
export function checkOf({ category, scores, decision, reasons }: GuardVerdict): Check {
  return { category, scores: { ...scores }, decision, reasons, reviewed_by: null, reviewed_at: null }
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

/** What the guard is told of a message. */
function subjectOf(told: Told): GuardSubject {
  const { content, recipientCount, newRecipientCount, trust, isAnswer, similar, archives } = told
  return {
    kind: 'outbound',
    subject: content.subject,
    text: content.text,
    newText: content.extracted_text ?? content.text,
    hiddenWords: content.hidden_words,
    html: content.html,
    links: shownLinks(content.html, content.extracted.links),
    recipientCount,
    newRecipientCount,
    attachments: content.attachments.map(({ filename, content_type, size_bytes }, index) => ({
      filename,
      contentType: content_type,
      sizeBytes: size_bytes,
      archive: archives?.[index],
    })),
    trust,
    from: content.from,
    replyTo: content.reply_to,
    isAnswer,
    similar,
  }
}

/** The same of one that is stored, as far as it is known of it. */
export function toldOf({ state, content }: StoredMessage, trust: number): Told {
  const { recipients, newRecipientCount, isAnswer, similar } = state
  return { content, recipientCount: recipients.length, newRecipientCount, trust, isAnswer: isAnswer === true, similar }
}

/** What the guard was told of a message that is stored, for those who judge it later. */
export function storedSubject(message: StoredMessage, trust: number): GuardSubject {
  return subjectOf(toldOf(message, trust))
}
